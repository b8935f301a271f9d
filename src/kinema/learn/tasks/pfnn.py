"""Plans by Phase-Functioned Neural Networks (Holden et al., 2017): experts blended along a spline by the gait's phase.

The phase comes from `kinema label`, not from a hand. The network says how it goes on, like all else of a plan.

For uneven ground the network is given heights of it: of 12 x 3 points along the path, as in the paper, or of a grid
around the body, which an encoder reads for experts and gate alike.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import torch
from torch import Tensor

from kinema.errors import LearningError
from kinema.features import Feature
from kinema.learn.networks.gates import PhaseGate, PhaseGoalGate
from kinema.learn.networks.terrain import HeightConvolution, HeightPerceptron
from kinema.learn.setting import Setting
from kinema.learn.tasks.experts import ExpertsNetwork, ExpertsOptions
from kinema.learn.tasks.plan import PlanTask
from kinema.mocap import MotionDatabase
from kinema.terrain import GRID

TIMES = tuple(round(step / 6, 9) for step in range(-6, 6))
"""Times of the path at which the ground is seen, seconds."""

ENCODERS = {"convolution": HeightConvolution, "perceptron": HeightPerceptron}
"""Encoders of the grid by the option `ground`."""

GROUNDS = ("unseen", "points", *ENCODERS)
"""What the option `ground` may be."""

CODE = 32
"""Numbers in which an encoder says what the ground is like."""


@dataclass(frozen=True)
class Options(ExpertsOptions):
    """Options of a PFNN.

    Attributes:
        ground: what is seen of uneven ground: nothing ("unseen"), "points" along the path, or a grid, through an
            encoder: "convolution" or "perceptron".
    """

    ground: str = "unseen"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.ground not in GROUNDS:
            raise LearningError(f"option ground is {self.ground!r}; it must be one of {', '.join(GROUNDS)}")


class Network(ExpertsNetwork):
    def __init__(self, setting: Setting, options: Options) -> None:
        super().__init__(setting, options)
        self.gate = PhaseGate(options.experts)

    def activations(self, seen: Tensor) -> Tensor:
        sine, cosine = self.in_units(seen, "phase").unbind(-1)
        return self.gate(torch.remainder(torch.atan2(sine, cosine), math.tau))


class EncodedNetwork(ExpertsNetwork):
    """A PFNN that reads the ground through an encoder, for its experts and for its gate.

    The gate is that of the Neural State Machine (Starke et al., 2019) with the ground as the goal: on other ground, the
    same phase means another movement.
    """

    def __init__(self, setting: Setting, options: Options) -> None:
        super().__init__(setting, options, more=CODE - math.prod(GRID))
        self.encoder = ENCODERS[options.ground](*GRID, CODE)
        self.gate = PhaseGoalGate(2, 1 + CODE, options.experts, hidden=64, dropout=options.dropout)

    def activations(self, seen: Tensor) -> Tensor:
        return self._coefficients(seen, self.code(seen))

    def numbers(self, seen: Tensor) -> Tensor:
        code, grid = self.code(seen), self.given["ground"]
        x = torch.cat([seen[:, : grid.start], seen[:, grid.stop :], code], dim=-1)
        return self.readout(self.experts(x, self._coefficients(seen, code)))

    def code(self, seen: Tensor) -> Tensor:
        """What the ground is like, `[B, CODE]`, for normalised inputs `[B, inputs]`. Level ground stays zero inside."""
        size = self.x_scaling.scale[self.given["ground"]].mean()
        return self.encoder((self.in_units(seen, "ground") / size).unflatten(-1, GRID))

    def _coefficients(self, seen: Tensor, code: Tensor) -> Tensor:
        return self.gate(self.in_units(seen, "phase"), torch.cat([torch.ones_like(code[:, :1]), code], dim=-1))


class PfnnTask(PlanTask):
    Options = Options

    def carried(self, source: MotionDatabase) -> tuple[Feature, ...]:
        return (Feature("phase", "phase"),)

    def around(self, source: MotionDatabase) -> tuple[Feature, ...]:
        ground = self.options.ground
        if ground == "points":
            return (Feature("ground", "height", times=TIMES),)
        return (Feature("ground", "height_grid"),) if ground in ENCODERS else ()

    def model(self, setting: Setting) -> Network | EncodedNetwork:
        kind = EncodedNetwork if self.options.ground in ENCODERS else Network
        return kind(setting, self.options)
