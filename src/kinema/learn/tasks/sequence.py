"""The next half second from the present pose and the path that is wanted.

Input is the present pose (positions, rotations and velocities) and the path over the next second; output is root and
pose for each of the coming 15 thirtieths of a second, each pose in the root frame of its own time.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from kinema.features import Dataset, Feature, FeatureSpec
from kinema.features.spec import Specs
from kinema.learn.layers import Perceptron
from kinema.learn.linear import regression
from kinema.learn.model import Scaling, TrainingStep
from kinema.learn.options import check_dropout
from kinema.learn.setting import Setting
from kinema.learn.vector_task import VectorTask
from kinema.learn.vectors import Predict, Samples, VectorModel
from kinema.mocap import MotionDatabase

TIMES = tuple(round(step / 30, 9) for step in range(1, 16))
WANTED = (1 / 3, 2 / 3, 1.0)


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
        check_dropout(self.dropout)


class Network(VectorModel):
    def __init__(self, setting: Setting, options: Options) -> None:
        super().__init__(setting)
        given, wanted = setting.specs["x"], setting.specs["y"]
        self.groups = list(wanted.slices.items())
        self.net = Perceptron(given.dim, options.hidden, options.layers, wanted.dim, options.dropout)

    def forward(self, x: Tensor) -> Tensor:
        return self.y_scaling.denormalize(self.net(self.x_scaling.normalize(x)))

    def loss(self, batch: Samples, step: TrainingStep) -> dict[str, Tensor]:
        squares = ((self(batch.x) - batch.y) / self.y_scaling.scale).square()
        return {name: squares[:, place].mean() for name, place in self.groups}


class SequenceTask(VectorTask):
    Options = Options
    shown = tuple(range(len(TIMES)))

    def specs(self, source: MotionDatabase) -> Specs:
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
        return FeatureSpec(given, source.skeleton), FeatureSpec(wanted, source.skeleton)

    def model(self, setting: Setting) -> Network:
        return Network(setting, self.options)

    def baselines(self, dataset: Dataset) -> dict[str, Predict]:
        return baselines(dataset)


def baselines(dataset: Dataset) -> dict[str, Predict]:
    """What a model of the next half second must beat: a linear one, and the present pose held."""
    weights = torch.from_numpy(regression(dataset))
    given, wanted = (Scaling.of(normalizer) for normalizer in dataset.normalizers())

    def linear(x: Tensor) -> Tensor:
        return wanted.denormalize(given.normalize(x) @ weights)

    def held(x: Tensor) -> Tensor:
        still = x.new_zeros(len(x), dataset.y_spec.dim)
        for feature in dataset.y_spec.features:
            if feature.name in ("positions", "rotations"):
                joints = feature.joint_indices(dataset.y_spec.skeleton).tolist()
                now = x[:, dataset.x_spec[feature.name]].unflatten(-1, (dataset.x_spec.skeleton.joint_count, -1))
                still[:, dataset.y_spec[feature.name]] = now[:, joints].flatten(1).repeat(1, feature.samples)
        return still

    return {"linear": linear, "present pose held": held}
