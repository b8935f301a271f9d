"""Gates: what makes the K coefficients of `kinema.learn.networks.experts`, `[B, K]`, which sum to 1."""

from __future__ import annotations

import math
from collections.abc import Sequence

import torch
from torch import Tensor, nn

from kinema.learn.layers import dense


class PhaseGate(nn.Module):
    """A cubic Catmull-Rom spline through control points around a cycle (Holden et al., PFNN, 2017). It has no weights.

    The coefficients are those of the spline's points, so blending with them is the phase function of the paper. Two of
    them are negative, except at the points.

    Args:
        points: control points, at phases 0, 2 pi / points, ...; at least 4.
    """

    def __init__(self, points: int = 4) -> None:
        super().__init__()
        if points < 4:
            raise ValueError(f"a cubic needs 4 control points, not {points}")
        self.points = points
        self.register_buffer("places", torch.arange(points, dtype=torch.float32), persistent=False)
        self.places: Tensor

    def forward(self, phase: Tensor) -> Tensor:
        """Phases `[B]`, radians, of any cycle, to `[B, points]`."""
        half = 0.5 * self.points
        ahead = phase[:, None] * (self.points / math.tau) - self.places
        away = (torch.remainder(ahead + half, self.points) - half).abs()
        near = (away - 1.0) * ((1.5 * away - 1.0) * away - 1.0)
        far = -0.5 * (away - 1.0) * (away - 2.0).square()
        return torch.where(away < 1.0, near, torch.where(away < 2.0, far, torch.zeros_like(away)))


class SoftmaxGate(nn.Module):
    """A small network on some of the inputs (Zhang et al., MANN, 2018).

    MANN gates on the velocities of the feet, the action and the wanted speed: 19 inputs, 32 hidden, 8 experts.

    Args:
        chosen: the inputs that it looks at.
        dropout: share of the inputs of each layer that is left out while training.
    """

    def __init__(self, chosen: Sequence[int], experts: int = 8, hidden: int = 32, dropout: float = 0.3) -> None:
        super().__init__()
        self.register_buffer("chosen", torch.tensor(chosen, dtype=torch.int64), persistent=False)
        self.chosen: Tensor
        self.net = dense([len(chosen), hidden, hidden, experts], dropout)

    def forward(self, x: Tensor) -> Tensor:
        """`[B, inputs]` to `[B, K]`."""
        return self.net(x[:, self.chosen]).softmax(-1)


class PhaseGoalGate(nn.Module):
    """A network on the products of a phase with goals (Starke et al., "Neural State Machine", 2019).

    The products let the same phase mean another movement for another goal. NSM: 2 x 325 = 650 products, 512 hidden, 10
    experts.

    Args:
        phases: numbers of the phase: 2 for its cosine and sine.
        goals: numbers of goals and actions.
    """

    def __init__(self, phases: int, goals: int, experts: int = 10, hidden: int = 512, dropout: float = 0.3) -> None:
        super().__init__()
        self.net = dense([phases * goals, hidden, hidden, experts], dropout)

    def forward(self, phase: Tensor, goal: Tensor) -> Tensor:
        """`[B, phases]` and `[B, goals]` to `[B, K]`."""
        return self.net((phase[:, :, None] * goal[:, None]).flatten(1)).softmax(-1)


class PhaseVectorGate(nn.Module):
    """A network on several phases at several times, as vectors whose length is the amplitude.

    Local phases, one to a limb (Starke et al., "Local Motion Phases", 2020): 4 limbs at 13 times, so 52 phases, 128
    hidden. Learned phases (Starke et al., "DeepPhase", 2022): 84 phases, 64 hidden.
    """

    def __init__(self, phases: int, experts: int = 8, hidden: int = 128, dropout: float = 0.3) -> None:
        super().__init__()
        self.net = dense([2 * phases, hidden, hidden, experts], dropout)

    def forward(self, vectors: Tensor) -> Tensor:
        """Vectors `[B, phases, 2]` of `phase_vectors` to `[B, K]`."""
        return self.net(vectors.flatten(1)).softmax(-1)


def phase_vectors(phase: Tensor, amplitude: Tensor) -> Tensor:
    """Points `[..., 2]` on the phase manifold: amplitude times sine and cosine of a phase `[...]`, radians.

    Vectors can be averaged, and one of amplitude zero has no phase.
    """
    return amplitude[..., None] * torch.stack([phase.sin(), phase.cos()], -1)
