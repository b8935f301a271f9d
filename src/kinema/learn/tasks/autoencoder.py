"""Poses through a bottleneck and back.

A sample is a window: positions, rotations and velocities of all joints at a few times around the sample's frame, in its
root frame. The network encodes it as a few numbers and decodes these. The result is a pose, so the reconstruction can
be viewed beside the truth.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import torch
from torch import Tensor

from kinema.features import Dataset, Feature, FeatureSpec
from kinema.features.spec import Specs
from kinema.learn.layers import Perceptron
from kinema.learn.linear import principal_components
from kinema.learn.model import Model, Predict, Samples, Setting, scaling_buffers
from kinema.learn.poses import PoseReader
from kinema.skeleton import Skeleton


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
SHOWN = (MIDDLE,)


def specs(skeleton: Skeleton, options: Options) -> Specs:
    times = (-options.reach, 0.0, options.reach)
    features = (
        Feature("positions", "position", times=times),
        Feature("rotations", "rotation6d", times=times),
        Feature("velocities", "velocity", times=times),
    )
    spec = FeatureSpec(features, skeleton)
    return spec, spec


class Network(Model):
    def __init__(self, setting: Setting, options: Options) -> None:
        super().__init__()
        size = setting.y_spec.dim
        self.groups = list(setting.y_spec.slices.items())
        self.reader = PoseReader(setting.y_spec, setting.translated)
        scaling_buffers(self, "y", setting.y_scaling)
        self.y_offset: Tensor
        self.y_scale: Tensor
        self.encoder = Perceptron(size, options.hidden, options.layers, options.latent)
        self.decoder = Perceptron(options.latent, options.hidden, options.layers, size)

    def encode(self, x: Tensor) -> Tensor:
        """Windows `[B, D]` as codes `[B, latent]`."""
        return self.encoder((x - self.y_offset) / self.y_scale)

    def decode(self, code: Tensor) -> Tensor:
        """Codes `[B, latent]` as windows `[B, D]`."""
        return self.decoder(code) * self.y_scale + self.y_offset

    def forward(self, x: Tensor) -> Tensor:
        return self.decode(self.encode(x))

    def loss(self, samples: Samples) -> dict[str, Tensor]:
        back = self(samples.x)
        squares = ((back - samples.y) / self.y_scale).square()
        terms = {name: squares[:, place].mean() for name, place in self.groups}
        # Rotations alone let small errors add up from the hips to the hands: the assembled pose counts as well.
        off = self.reader.assembled(back, [MIDDLE]) - self.reader.positions(samples.y)[:, [MIDDLE]]
        terms["assembled"] = (off / self.y_scale[self.groups[0][1].start]).square().mean()
        return terms


def baselines(dataset: Dataset, setting: Setting, options: Options) -> Mapping[str, Predict]:
    components = torch.from_numpy(principal_components(dataset, options.latent))
    offset, scale = (torch.from_numpy(array) for array in (setting.y_scaling.offset, setting.y_scaling.scale))

    def project(x: Tensor) -> Tensor:
        z = ((x - offset) / scale) @ components
        return (z @ components.T) * scale + offset

    return {f"PCA, {options.latent} numbers": project}
