"""Poses through a bottleneck and back.

A sample is a window: positions, rotations and velocities of all joints at a few times around the sample's frame, in its
root frame. The network encodes it as a few numbers and decodes these. The result is a pose, so the reconstruction can
be viewed beside the truth.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from kinema.features import Dataset, Feature, FeatureSpec
from kinema.features.spec import Specs
from kinema.learn.layers import Perceptron
from kinema.learn.linear import principal_components
from kinema.learn.model import Scaling, TrainingStep
from kinema.learn.poses import PoseReader
from kinema.learn.setting import Setting
from kinema.learn.vector_task import VectorTask
from kinema.learn.vectors import Predict, Samples, VectorModel
from kinema.mocap import MotionDatabase


@dataclass(frozen=True)
class Options:
    """Attributes:
    latent: numbers of the bottleneck.
    hidden, layers: width and number of hidden layers on either side.
    reach: seconds that a window reaches before and after its frame.
    """

    latent: int = 24
    hidden: int = 384
    layers: int = 2
    reach: float = 0.2


MIDDLE = 1  # of the three times of a window


class Network(VectorModel):
    def __init__(self, setting: Setting, options: Options) -> None:
        super().__init__(setting)
        spec = setting.specs["y"]
        self.groups = list(spec.slices.items())
        self.reader = PoseReader(spec, setting.translated)
        self.encoder = Perceptron(spec.dim, options.hidden, options.layers, options.latent)
        self.decoder = Perceptron(options.latent, options.hidden, options.layers, spec.dim)

    def encode(self, x: Tensor) -> Tensor:
        """Windows `[B, D]` as codes `[B, latent]`."""
        return self.encoder(self.y_scaling.normalize(x))

    def decode(self, code: Tensor) -> Tensor:
        """Codes `[B, latent]` as windows `[B, D]`."""
        return self.y_scaling.denormalize(self.decoder(code))

    def forward(self, x: Tensor) -> Tensor:
        return self.decode(self.encode(x))

    def loss(self, batch: Samples, step: TrainingStep) -> dict[str, Tensor]:
        back, scale = self(batch.x), self.y_scaling.scale
        squares = ((back - batch.y) / scale).square()
        terms = {name: squares[:, place].mean() for name, place in self.groups}
        # Rotations alone let small errors add up from the hips to the hands: the assembled pose counts as well.
        off = self.reader.assembled(back, [MIDDLE]) - self.reader.positions(batch.y)[:, [MIDDLE]]
        terms["assembled"] = (off / scale[self.groups[0][1].start]).square().mean()
        return terms


class AutoencoderTask(VectorTask):
    Options = Options
    shown = (MIDDLE,)

    def specs(self, source: MotionDatabase) -> Specs:
        times = (-self.options.reach, 0.0, self.options.reach)
        features = (
            Feature("positions", "position", times=times),
            Feature("rotations", "rotation6d", times=times),
            Feature("velocities", "velocity", times=times),
        )
        spec = FeatureSpec(features, source.skeleton)
        return spec, spec

    def model(self, setting: Setting) -> Network:
        return Network(setting, self.options)

    def baselines(self, dataset: Dataset) -> dict[str, Predict]:
        components = torch.from_numpy(principal_components(dataset, self.options.latent))
        scaling = Scaling.of(dataset.normalizers()[1])

        def project(x: Tensor) -> Tensor:
            return scaling.denormalize(scaling.normalize(x) @ components @ components.T)

        return {f"PCA, {self.options.latent} numbers": project}
