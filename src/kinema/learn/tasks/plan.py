"""Plans of a controller: the next half second from the present pose and the path that is wanted.

Input is the present pose (positions, rotations and velocities) and the path over the next second; output is root, pose
and contacts for each of the coming 15 thirtieths of a second, each pose in the root frame of its own time. The model is
trained on its own answers; `kinema.control.learned` drives characters by it.
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
from kinema.learn.tasks.sequence import TIMES, SequenceTask
from kinema.learn.vectors import Samples, VectorModel
from kinema.mocap import MotionDatabase
from kinema.mocap.contacts import contact_joints
from kinema.mocap.styles import still_frame
from kinema.skeleton import Skeleton

FARTHEST = 5.0
"""Standard deviations from the mean at which inputs are cut off: beyond them a network knows nothing."""

DRAWN = list(range(0, len(TIMES), 2))
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
    """Answers with smooth curves that begin at the present pose, so that a plan goes on where the last one was left.

    A curve is a polynomial of time. What the network says are its coefficients, each in units of its own spread.
    """

    def __init__(self, setting: Setting, options: Options) -> None:
        super().__init__(setting)
        given, wanted = setting.specs["x"], setting.specs["y"]
        self.options, self.groups = options, list(wanted.slices.items())
        self.next_input = Continuation(setting, options.again)
        self.poses = [(name, given[name], wanted[name]) for name in ("positions", "rotations")]
        moving, free = _polynomials(options.shape)
        self.joints = sum(place.stop - place.start for _, place, _ in self.poses)
        self.sizes = [len(moving.T) * self.joints, len(free.T) * 3, wanted["contacts"].stop - wanted["contacts"].start]
        for name, values in (("moving", moving), ("free", free)):
            self.register_buffer(name, values, persistent=False)
        self.register_buffer("spread", torch.ones(len(moving.T), self.joints))
        self.register_buffer("root_spread", torch.ones(len(free.T), 3))
        self.register_buffer("root_mean", torch.zeros(len(free.T), 3))
        self.register_buffer("rate_scale", torch.ones(len(self.poses)))
        self.moving: Tensor
        self.free: Tensor
        self.spread: Tensor
        self.root_spread: Tensor
        self.root_mean: Tensor
        self.rate_scale: Tensor
        self.net = Perceptron(given.dim, options.hidden, options.layers, sum(self.sizes), options.dropout)

    def forward(self, x: Tensor) -> Tensor:
        seen = self.x_scaling.normalize(x).clamp(-FARTHEST, FARTHEST)
        moves, steps, contacts = self.net(seen).split(self.sizes, dim=-1)
        moves = self.moving @ (moves.unflatten(-1, (-1, self.joints)) * self.spread)
        parts: dict[str, Tensor] = {}
        for name, place, _ in self.poses:
            moved, moves = moves.tensor_split([place.stop - place.start], dim=-1)
            parts[name] = (x[:, None, place] + moved).flatten(1)
        steps = self.free @ (steps.unflatten(-1, (-1, 3)) * self.root_spread + self.root_mean)
        place = self.setting.specs["y"]["contacts"]
        parts["root"] = steps.flatten(1)
        parts["contacts"] = contacts * self.y_scaling.scale[place] + self.y_scaling.offset[place]
        return torch.cat([parts[name] for name, _ in self.groups], dim=-1)

    def take_spreads(self, x: Tensor, y: Tensor) -> None:
        """Take the spreads of the coefficients from inputs `[N, D_x]` and outputs `[N, D_y]`."""
        moves = [y[:, there].unflatten(-1, (len(TIMES), -1)) - x[:, None, place] for _, place, there in self.poses]
        self.spread.copy_((self.moving.T @ torch.cat(moves, dim=-1) / len(TIMES)).std(dim=0).clamp(min=1e-5))
        steps = self.free.T @ y[:, self.setting.specs["y"]["root"]].unflatten(-1, (len(TIMES), 3)) / len(TIMES)
        self.root_spread.copy_(steps.std(dim=0).clamp(min=1e-6))
        self.root_mean.copy_(steps.mean(dim=0))
        self.rate_scale.copy_(torch.stack([_rates(x[:, place], y[:, there]).std() for _, place, there in self.poses]))

    def loss(self, batch: Samples, step: TrainingStep) -> dict[str, Tensor]:
        length = 1 + int(min(2 * step.progress, 1.0) * (self.options.chain - 1) + 0.5)
        terms: dict[str, list[Tensor]] = {}
        x = batch.x[:, 0]
        for link in range(length):
            truth, said = batch.y[:, link], self(x)
            for name, value in self._terms(x, batch.x[:, link], said, truth).items():
                terms.setdefault(name, []).append(value)
            if link + 1 < length:
                x = self.next_input(batch.x[:, link + 1], said, truth)
        return {name: torch.stack(values).mean() for name, values in terms.items()}

    def _terms(self, x: Tensor, true_x: Tensor, said: Tensor, truth: Tensor) -> dict[str, Tensor]:
        squares = ((said - truth) / self.y_scaling.scale).square()
        terms = {name: squares[:, place].mean() for name, place in self.groups}
        reader, spec = self.next_input.reader, self.setting.specs["y"]
        # Rotations alone let small errors add up from the hips to the feet: poses as they are drawn count as well.
        drawn, true = reader.assembled(said, DRAWN), reader.positions(truth)[:, DRAWN]
        terms["assembled"] = ((drawn - true) / self.y_scaling.scale[spec["positions"].start]).square().mean()
        for (name, place, there), scale in zip(self.poses, self.rate_scale, strict=True):
            off = _rates(x[:, place], said[:, there]) - _rates(true_x[:, place], truth[:, there])
            terms[f"{name} moved"] = (off / scale).square().mean()
        return terms


def _rates(now: Tensor, later: Tensor) -> Tensor:
    """Differences `[B, T, N]` from one time to the next of numbers `[B, N]` and then `[B, T N]`."""
    return torch.diff(later.unflatten(-1, (len(TIMES), -1)), dim=1, prepend=now[:, None])


def _polynomials(degree: int) -> tuple[Tensor, Tensor]:
    """Orthogonal polynomials of time at `TIMES`: those that are zero now `[T, degree]`, and all `[T, degree + 1]`."""
    powers = np.vander(np.asarray(TIMES) / TIMES[-1], degree + 1, increasing=True)
    moving, free = (math.sqrt(len(TIMES)) * np.linalg.qr(part)[0] for part in (powers[:, 1:], powers))
    return torch.from_numpy(moving.astype(np.float32)), torch.from_numpy(free.astype(np.float32))


class PlanTask(SequenceTask):
    Options = Options

    def specs(self, skeleton: Skeleton) -> Specs:
        given, wanted = super().specs(skeleton)
        feet = tuple(skeleton.names[joint] for joint in contact_joints(skeleton))
        contacts = Feature("contacts", "contact", feet, times=TIMES)
        return given, FeatureSpec((*wanted.features, contacts), skeleton)

    def data(self, source: MotionDatabase, folder: Path, recipe: Recipe) -> ChainData:
        dataset = super().data(source, folder, recipe).dataset
        data = ChainData(dataset, source, recipe, self.options.chain, self.options.again)
        data.setting = replace(data.setting, more={"start": pose_to_json(source.pose([still_frame(source)])[0])})
        return data

    def start(self, model: Model, data: TrainingData) -> None:
        super().start(model, data)
        assert isinstance(model, Network) and isinstance(data, ChainData)
        samples = data.batch(range(min(len(data.train), 8192)))
        model.take_spreads(samples.x[:, 0], samples.y[:, 0])

    def model(self, setting: Setting) -> Network:  # type: ignore[override]
        return Network(setting, self.options)
