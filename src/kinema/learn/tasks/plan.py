"""Plans of a controller: the next half second from the present pose and the path that is wanted.

Input is the present pose (positions, rotations and velocities) and the path over the next second; output is root, pose
and contacts now and in each of the coming 15 thirtieths of a second, each pose in the root frame of its own time. The
model is trained on its own answers; `kinema.control.learned` drives characters by it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from kinema.errors import LearningError
from kinema.features import Feature, FeatureSpec
from kinema.features.spec import Specs
from kinema.learn.layers import Perceptron
from kinema.learn.model import Model, TrainingStep
from kinema.learn.recipe import Recipe
from kinema.learn.rollout import ChainData, Continuation
from kinema.learn.setting import Setting, pose_to_json
from kinema.learn.task import TrainingData
from kinema.learn.tasks.sequence import SequenceTask
from kinema.learn.vectors import Samples, VectorModel
from kinema.mocap import MotionDatabase
from kinema.mocap.contacts import contact_joints
from kinema.mocap.styles import still_frame
from kinema.skeleton import Skeleton

TIMES = tuple(round(step / 30, 9) for step in range(16))

FARTHEST = 5.0
"""Standard deviations from the mean at which inputs are cut off: beyond them a network knows nothing."""

DRAWN = list(range(1, len(TIMES), 2))
"""The times at which poses are measured as they are drawn."""


@dataclass(frozen=True)
class Options:
    """Attributes:
    hidden, layers: width and number of hidden layers.
    dropout: share of the hidden numbers that is left out at random while it trains.
    shape: numbers that say how a coordinate moves in a plan: polynomials up to this degree.
    chain: answers in a row that the model is trained on in the end; it begins with one.
    again: frames of a plan after which the next one is made.
    """

    hidden: int = 512
    layers: int = 3
    dropout: float = 0.0
    shape: int = 7
    chain: int = 4
    again: int = 3

    def __post_init__(self) -> None:
        if not 0 <= self.dropout < 1:
            raise LearningError(f"option dropout is {self.dropout:g}; it must be at least 0 and below 1")
        if not 2 <= self.again < len(TIMES):
            raise LearningError(f"option again is {self.again}; it must be 2 to {len(TIMES) - 1}")


class Network(VectorModel):
    """Answers with smooth curves: poses and root are polynomials of time.

    What the network says are their coefficients, each in units of its own spread.
    """

    def __init__(self, setting: Setting, options: Options) -> None:
        super().__init__(setting)
        given, wanted = setting.specs["x"], setting.specs["y"]
        self.options, self.groups = options, list(wanted.slices.items())
        self.next_input = Continuation(setting, options.again)
        self.curved = {name: place for name, place in self.groups if name != "contacts"}
        self.widths = [(place.stop - place.start) // len(TIMES) for place in self.curved.values()]
        curves = _polynomials(options.shape)
        self.register_buffer("curves", curves, persistent=False)
        self.register_buffer("mean", torch.zeros(len(curves.T), sum(self.widths)))
        self.register_buffer("spread", torch.ones(len(curves.T), sum(self.widths)))
        self.register_buffer("rates", torch.ones(len(self.curved)))
        self.curves: Tensor
        self.mean: Tensor
        self.spread: Tensor
        self.rates: Tensor
        contacts = wanted["contacts"].stop - wanted["contacts"].start
        self.sizes = [self.mean.numel(), contacts]
        self.net = Perceptron(given.dim, options.hidden, options.layers, sum(self.sizes), options.dropout)

    def forward(self, x: Tensor) -> Tensor:
        seen = self.x_scaling.normalize(x).clamp(-FARTHEST, FARTHEST)
        coefficients, contacts = self.net(seen).split(self.sizes, dim=-1)
        values = self.curves @ (coefficients.unflatten(-1, self.mean.shape) * self.spread + self.mean)
        place = self.setting.specs["y"]["contacts"]
        parts = {name: part.flatten(1) for name, part in zip(self.curved, values.split(self.widths, -1), strict=True)}
        parts["contacts"] = contacts * self.y_scaling.scale[place] + self.y_scaling.offset[place]
        return torch.cat([parts[name] for name, _ in self.groups], dim=-1)

    def take_spreads(self, y: Tensor) -> None:
        """Take mean and spread of the coefficients from outputs `[N, D_y]`."""
        values = [y[:, place].unflatten(-1, (len(TIMES), -1)) for place in self.curved.values()]
        coefficients = self.curves.T @ torch.cat(values, dim=-1) / len(TIMES)
        self.mean.copy_(coefficients.mean(dim=0))
        self.spread.copy_(coefficients.std(dim=0).clamp(min=1e-6))
        self.rates.copy_(torch.stack([torch.diff(value, dim=1).std() for value in values]))

    def loss(self, batch: Samples, step: TrainingStep) -> dict[str, Tensor]:
        length = 1 + int(min(2 * step.progress, 1.0) * (self.options.chain - 1) + 0.5)
        terms: dict[str, list[Tensor]] = {}
        x = batch.x[:, 0]
        for link in range(length):
            truth, said = batch.y[:, link], self(x)
            for name, value in self._terms(said, truth).items():
                terms.setdefault(name, []).append(value)
            if link + 1 < length:
                x = self.next_input(batch.x[:, link + 1], said, truth)
        return {name: torch.stack(values).mean() for name, values in terms.items()}

    def _terms(self, said: Tensor, truth: Tensor) -> dict[str, Tensor]:
        squares = ((said - truth) / self.y_scaling.scale).square()
        terms = {name: squares[:, place].mean() for name, place in self.groups}
        reader, spec = self.next_input.reader, self.setting.specs["y"]
        # Rotations alone let small errors add up from the hips to the feet: poses as they are drawn count as well.
        drawn, true = reader.assembled(said, DRAWN), reader.positions(truth)[:, DRAWN]
        terms["assembled"] = ((drawn - true) / self.y_scaling.scale[spec["positions"].start]).square().mean()
        for (name, place), scale in zip(self.curved.items(), self.rates, strict=True):
            off = torch.diff((said - truth)[:, place].unflatten(-1, (len(TIMES), -1)), dim=1)
            terms[f"{name} moved"] = (off / scale).square().mean()
        return terms


def _polynomials(degree: int) -> Tensor:
    """Orthogonal polynomials of time at `TIMES`, `[T, degree + 1]`."""
    powers = np.vander(np.asarray(TIMES) / TIMES[-1], degree + 1, increasing=True)
    return torch.from_numpy((math.sqrt(len(TIMES)) * np.linalg.qr(powers)[0]).astype(np.float32))


class PlanTask(SequenceTask):
    Options = Options
    shown = tuple(range(1, len(TIMES)))

    def specs(self, skeleton: Skeleton) -> Specs:
        given, _ = super().specs(skeleton)
        feet = tuple(skeleton.names[joint] for joint in contact_joints(skeleton))
        wanted = (
            Feature("root", "root_delta", times=TIMES),
            Feature("positions", "position", times=TIMES, frame="root@t"),
            Feature("rotations", "rotation6d", times=TIMES, frame="root@t"),
            Feature("contacts", "contact", feet, times=TIMES),
        )
        return given, FeatureSpec(wanted, skeleton)

    def data(self, source: MotionDatabase, folder: Path, recipe: Recipe) -> ChainData:
        dataset = super().data(source, folder, recipe).dataset
        data = ChainData(dataset, source, recipe, self.options.chain, self.options.again)
        data.setting = replace(data.setting, more={"start": pose_to_json(source.pose([still_frame(source)])[0])})
        return data

    def start(self, model: Model, data: TrainingData) -> None:
        super().start(model, data)
        assert isinstance(model, Network) and isinstance(data, ChainData)
        samples = data.batch(range(min(len(data.train), 8192)))
        model.take_spreads(samples.y[:, 0])

    def model(self, setting: Setting) -> Network:  # type: ignore[override]
        return Network(setting, self.options)
