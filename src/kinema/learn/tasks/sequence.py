"""The next half second from the present pose and the path that is wanted.

Input is the present pose (positions, rotations and velocities) and the path over the next second; output is root and
pose for each of the coming 15 thirtieths of a second, each pose in the root frame of its own time.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import torch
from torch import Tensor

from kinema.errors import LearningError
from kinema.features import Dataset, Feature, FeatureSpec
from kinema.features.spec import Specs
from kinema.learn.layers import Perceptron
from kinema.learn.linear import regression
from kinema.learn.model import Model, Predict, Samples, Setting, scaling_buffers
from kinema.skeleton import Skeleton

TIMES = tuple(round(step / 30, 9) for step in range(1, 16))
WANTED = (1 / 3, 2 / 3, 1.0)
SHOWN = tuple(range(len(TIMES)))


@dataclass(frozen=True)
class Options:
    """Attributes:
    hidden, layers: width and number of hidden layers.
    dropout: share of the hidden numbers that is left out at random while it trains.
    """

    hidden: int = 512
    layers: int = 2
    dropout: float = 0.1

    def __post_init__(self) -> None:
        if not 0 <= self.dropout < 1:
            raise LearningError(f"option dropout is {self.dropout:g}; it must be at least 0 and below 1")


def specs(skeleton: Skeleton, options: Options) -> Specs:
    given = (
        Feature("positions", "position"),
        Feature("rotations", "rotation6d"),
        Feature("velocities", "velocity"),
        Feature("trajectory.position", "trajectory.position", times=WANTED),
        Feature("trajectory.direction", "trajectory.direction", times=WANTED),
    )
    wanted = (
        Feature("root", "root_delta", times=TIMES),
        Feature("positions", "position", times=TIMES, frame="root@t"),
        Feature("rotations", "rotation6d", times=TIMES, frame="root@t"),
    )
    return FeatureSpec(given, skeleton), FeatureSpec(wanted, skeleton)


class Network(Model):
    def __init__(self, setting: Setting, options: Options) -> None:
        super().__init__()
        self.groups = list(setting.y_spec.slices.items())
        scaling_buffers(self, "x", setting.x_scaling)
        scaling_buffers(self, "y", setting.y_scaling)
        self.x_offset: Tensor
        self.x_scale: Tensor
        self.y_offset: Tensor
        self.y_scale: Tensor
        self.net = Perceptron(setting.x_spec.dim, options.hidden, options.layers, setting.y_spec.dim, options.dropout)

    def forward(self, x: Tensor) -> Tensor:
        return self.net((x - self.x_offset) / self.x_scale) * self.y_scale + self.y_offset

    def loss(self, samples: Samples) -> dict[str, Tensor]:
        squares = ((self(samples.x) - samples.y) / self.y_scale).square()
        return {name: squares[:, place].mean() for name, place in self.groups}


def baselines(dataset: Dataset, setting: Setting, options: Options) -> Mapping[str, Predict]:
    weights = torch.from_numpy(regression(dataset))
    given, wanted = setting.x_scaling, setting.y_scaling
    x_offset, x_scale, y_offset, y_scale = (
        torch.from_numpy(array) for array in (given.offset, given.scale, wanted.offset, wanted.scale)
    )
    parts = [setting.x_spec[name] for name in ("positions", "rotations")]

    def linear(x: Tensor) -> Tensor:
        return ((x - x_offset) / x_scale) @ weights * y_scale + y_offset

    def held(x: Tensor) -> Tensor:
        still = x.new_zeros(len(x), setting.y_spec.dim)
        for name, part in zip(("positions", "rotations"), parts, strict=True):
            still[:, setting.y_spec[name]] = x[:, part].repeat(1, len(TIMES))
        return still

    return {"linear": linear, "present pose held": held}
