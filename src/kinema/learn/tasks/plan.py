"""Plans of a controller: the next half second from the present pose and the path that is wanted.

Input is the present pose (positions, rotations, velocities and contacts) and the path over the next second; output is
root, pose and contacts now and in each of the coming 15 thirtieths of a second, each pose in the root frame of its own
time. The model is trained on its own answers; `kinema.control.learned` drives characters by it.

Tasks differ in their network and in what else it is given: copy `perceptron.py` to add one.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from kinema.arrays import Reals
from kinema.errors import LearningError
from kinema.features import Dataset, Feature, FeatureSpec, extract
from kinema.features.kinds import CARRIED
from kinema.features.spec import Specs
from kinema.learn.model import Model, TrainingStep
from kinema.learn.poses import moved_joints
from kinema.learn.recipe import Recipe
from kinema.learn.rollout import ChainData, Continuation
from kinema.learn.setting import Setting, pose_to_json
from kinema.learn.task import TrainingData
from kinema.learn.tasks.sequence import WANTED, baselines
from kinema.learn.vector_task import VectorTask
from kinema.learn.vectors import Predict, Samples, VectorModel
from kinema.mocap import MotionDatabase
from kinema.mocap.contacts import contact_joints
from kinema.mocap.styles import fastest, mean_poses, still_frame, styles_of

TIMES = tuple(round(step / 30, 9) for step in range(16))

FARTHEST = 5.0
"""Standard deviations from the mean at which inputs are cut off: beyond them a network knows nothing."""

STYLE = "style"
"""Name and kind of the input that says in which style to move; it is the last one."""

LATENT = 4
"""Numbers that a style is for a network."""

GUIDED = (0.0, 1.0)
"""Seconds over which the pose is averaged that guides a network."""

DRAWN = list(range(2, len(TIMES), 3))
"""The times at which poses are measured as they are drawn."""


@dataclass(frozen=True)
class PlanOptions:
    """Options of all plans.

    Attributes:
        hidden: width of hidden layers.
        dropout: share of the hidden numbers that is left out at random while it trains.
        shape: numbers that say how a coordinate moves in a plan: polynomials up to this degree.
        chain: answers in a row that the model is trained on in the end; it begins with one.
        again: frames of a plan after which the next one is made.
        guided: whether styles are guidance poses: a network learns to move so that its mean pose in the next second is
            the one it is given, and any pose is a style (Starke et al., "Categorical Codebook Matching", 2024).
            Otherwise they are names, and what each is like is learned.
    """

    hidden: int = 512
    dropout: float = 0.0
    shape: int = 7
    chain: int = 4
    again: int = 3
    guided: bool = False

    def __post_init__(self) -> None:
        if not 0 <= self.dropout < 1:
            raise LearningError(f"option dropout is {self.dropout:g}; it must be at least 0 and below 1")
        if not 2 <= self.again < len(TIMES):
            raise LearningError(f"option again is {self.again}; it must be 2 to {len(TIMES) - 1}")


class PlanNetwork(VectorModel):
    """Base of networks that plan. They answer with smooth curves: every output is a polynomial of time.

    What a network says are the coefficients of these, each in units of its own spread: the *numbers* of a plan.

    Attributes:
        inputs, outputs: how many numbers a network is given, and how many it says.
        styles: columns of the style among what a network is given; empty without styles.
        shape: of the numbers: coefficients of each coordinate, coordinates.
    """

    def __init__(self, setting: Setting, options: PlanOptions) -> None:
        super().__init__(setting)
        self.given, self.wanted = setting.specs["x"], setting.specs["y"]
        self.options, self.places = options, self.wanted.slices
        self.next_input = Continuation(setting, options.again)
        self.widths = [(place.stop - place.start) // len(TIMES) for place in self.places.values()]
        self.shape = (options.shape + 1, sum(self.widths))
        named = self.given.features[-1].labels if STYLE in self.given.names else ()
        first = self.given.dim - len(named)
        self.styles = range(first, first + LATENT if named else first)
        # What a style is like is learned: those that look alike come to lie near each other, with room between them.
        self.latents = nn.Parameter(torch.randn(len(named), LATENT)) if named else None
        self.inputs, self.outputs = self.styles.stop, math.prod(self.shape)
        curves = _polynomials(options.shape, np.asarray(TIMES))
        self.register_buffer("curves", curves, persistent=False)
        self.register_buffer("steps", curves, persistent=False)
        self.register_buffer("fit", torch.linalg.pinv(curves), persistent=False)
        self.register_buffer("fit_steps", torch.linalg.pinv(curves[1:]), persistent=False)
        self.register_buffer("mean", torch.zeros(self.shape))
        self.register_buffer("spread", torch.ones(self.shape))
        self.register_buffer("rates", torch.ones(len(self.widths)))
        self.register_buffer("size", torch.ones(()))
        self.curves: Tensor
        self.steps: Tensor
        self.fit: Tensor
        self.fit_steps: Tensor
        self.mean: Tensor
        self.spread: Tensor
        self.rates: Tensor
        self.size: Tensor

    @abstractmethod
    def numbers(self, seen: Tensor) -> Tensor:
        """The numbers `[B, outputs]` of plans for normalised inputs `[B, inputs]`."""

    def taught(self, seen: Tensor, wanted: Tensor) -> tuple[Tensor, dict[str, Tensor]]:
        """Numbers while it trains, and terms of the loss beside those of all plans.

        Args:
            seen: normalised inputs `[B, inputs]`. wanted: the numbers `[B, outputs]` of what followed.
        """
        return self.numbers(seen), {}

    def again(self, seen: Tensor, numbers: Tensor) -> Tensor:
        """Numbers by which a chain goes on: those of the training, unless they differ from what is said at run time."""
        return numbers

    def forward(self, x: Tensor) -> Tensor:
        return self.plan(self.numbers(self.seen(x)))

    def seen(self, x: Tensor) -> Tensor:
        """What the network is given of inputs `[B, D_x]`: in units of their spread, and a mix of latents for styles."""
        plain = self.x_scaling.normalize(x)[:, : self.styles.start].clamp(-FARTHEST, FARTHEST)
        return plain if self.latents is None else torch.cat([plain, x[:, self.styles.start :] @ self.latents], dim=1)

    def in_units(self, seen: Tensor, name: str) -> Tensor:
        """One of the features of normalised inputs `[B, inputs]` in its units, `[B, D]`."""
        place = self.given[name]
        return self.x_scaling.scale[place] * seen[:, place] + self.x_scaling.offset[place]

    def plan(self, numbers: Tensor) -> Tensor:
        """Outputs `[B, D_y]` of numbers `[B, outputs]`."""
        coefficients = numbers.unflatten(-1, self.shape) * self.spread + self.mean
        parts: list[Tensor] = []
        for name, part in zip(self.places, coefficients.split(self.widths, -1), strict=True):
            values = (self.steps if name == "root" else self.curves) @ part
            if name == "root":  # the first step is from where the sample is to where it is
                values = torch.cat([torch.zeros_like(values[:, :1]), values[:, 1:]], dim=1)
            parts.append(values.flatten(1))
        return torch.cat(parts, dim=-1)

    def refine(self, factor: int) -> FeatureSpec:
        """Say plans at `factor` times as many frames from now on. Returns what outputs mean then.

        Curves are known at any time; whoever interpolates between frames gets a smoother motion out of more of them.
        """
        times = np.arange((len(TIMES) - 1) * factor + 1) / (self.setting.fps * factor)
        self.curves = _polynomials(self.options.shape, times)
        # A step tells the velocity half a step before its end.
        earlier = 0.5 / self.setting.fps * (1.0 - 1.0 / factor)
        self.steps = _polynomials(self.options.shape, times + earlier) / factor
        finer = tuple(times.round(9).tolist())
        return FeatureSpec(tuple(replace(f, times=finer) for f in self.wanted.features), self.wanted.skeleton)

    def coefficients(self, y: Tensor) -> Tensor:
        """Coefficients `[B, *shape]` of the curves nearest to outputs `[B, D_y]`."""
        parts: list[Tensor] = []
        for name, place in self.places.items():
            values = y[:, place].unflatten(-1, (len(TIMES), -1))
            parts.append(self.fit_steps @ values[:, 1:] if name == "root" else self.fit @ values)
        return torch.cat(parts, dim=-1)

    def take_spreads(self, y: Tensor) -> None:
        """Take mean and spread of the coefficients, and what errors are measured by, from outputs `[N, D_y]`."""
        coefficients = self.coefficients(y)
        self.mean.copy_(coefficients.mean(dim=0))
        self.spread.copy_(coefficients.std(dim=0).clamp(min=1e-6))
        moved = [torch.diff(y[:, place].unflatten(-1, (len(TIMES), -1)), dim=1) for place in self.places.values()]
        self.rates.copy_(torch.stack([value.std() for value in moved]).clamp(min=1e-6))
        self.size.copy_(self.next_input.reader.assembled(y, [0]).std(dim=0).mean())

    def loss(self, batch: Samples, step: TrainingStep) -> dict[str, Tensor]:
        length = 1 + int(min(2 * step.progress, 1.0) * (self.options.chain - 1) + 0.5)
        terms: dict[str, list[Tensor]] = {}
        x = batch.x[:, 0]
        for link in range(length):
            truth = batch.y[:, link]
            with _exact(x):
                wanted = (self.coefficients(truth) - self.mean) / self.spread
                seen = self.seen(x)
            numbers, own = self.taught(seen, wanted.flatten(1))
            with _exact(x):
                said = self.plan(numbers.float())
                for name, value in (own | self._terms(said, truth)).items():
                    terms.setdefault(name, []).append(value.float())
            if link + 1 < length:
                went = self.again(seen, numbers)
                with _exact(x):
                    told = said if went is numbers else self.plan(went.float())
                    x = self.next_input(batch.x[:, link + 1], told, truth)
        return {name: torch.stack(values).mean() for name, values in terms.items()}

    def _terms(self, said: Tensor, truth: Tensor) -> dict[str, Tensor]:
        squares = ((said - truth) / self.y_scaling.scale).square()
        terms = {name: squares[:, place].mean() for name, place in self.places.items()}
        # Rotations alone let small errors add up from the hips to the feet: poses as they are drawn count as well.
        reader = self.next_input.reader
        drawn = reader.assembled(said, DRAWN) - reader.assembled(truth, DRAWN)
        terms["assembled"] = (drawn / self.size).square().mean()
        for (name, place), scale in zip(self.places.items(), self.rates, strict=True):
            off = torch.diff((said - truth)[:, place].unflatten(-1, (len(TIMES), -1)), dim=1)
            terms[f"{name} moved"] = (off / scale).square().mean()
        return terms


def _exact(x: Tensor) -> torch.autocast:
    """Single precision within mixed precision: what follows from the numbers of a plan, down to feet and paths."""
    return torch.autocast(x.device.type, enabled=False)


def _polynomials(degree: int, times: Reals) -> Tensor:
    """Polynomials of time that are orthogonal at `TIMES`, at some times in seconds, `[T, degree + 1]`."""
    known, wanted = (np.vander(t / TIMES[-1], degree + 1, increasing=True) for t in (np.asarray(TIMES), times))
    values = wanted @ np.linalg.inv(np.linalg.qr(known)[1])
    return torch.from_numpy((math.sqrt(len(TIMES)) * values).astype(np.float32))


class PlanTask(VectorTask):
    """Base of the tasks of networks that plan."""

    Options = PlanOptions
    shown = tuple(range(1, len(TIMES)))

    def carried(self, source: MotionDatabase) -> tuple[Feature, ...]:
        """Features, of kinds in `CARRIED`, that are both input and output; none by default."""
        return ()

    def around(self, source: MotionDatabase) -> tuple[Feature, ...]:
        """Features that are input only, such as a goal or heights of the ground; none by default."""
        return ()

    def specs(self, source: MotionDatabase) -> Specs:
        skeleton = source.skeleton
        feet = tuple(skeleton.names[joint] for joint in contact_joints(skeleton))
        state = (Feature("contacts", "contact", feet), *self.carried(source))
        given = (
            Feature("positions", "position"),
            Feature("rotations", "rotation6d"),
            Feature("velocities", "level_velocity"),
            *state,
            Feature("trajectory.position", "trajectory.position", times=WANTED),
            Feature("trajectory.direction", "trajectory.direction", times=WANTED),
            *self.around(source),
        )
        if self.options.guided:
            given = *given, Feature("guidance", "guidance", times=GUIDED)
        elif len(styles := styles_of(source.clips)) > 1:
            given = *given, Feature(STYLE, STYLE, labels=tuple(styles))
        moved = tuple(skeleton.names[joint] for joint in moved_joints(skeleton, source.translated))
        wanted = (
            Feature("root", "root_delta", times=TIMES),
            Feature("positions", "position", moved, times=TIMES, frame="root@t"),
            Feature("rotations", "rotation6d", times=TIMES, frame="root@t"),
            *(replace(feature, times=TIMES) for feature in state),
        )
        return FeatureSpec(given, skeleton), FeatureSpec(wanted, skeleton)

    def data(self, source: MotionDatabase, folder: Path, recipe: Recipe) -> ChainData:
        dataset = super().data(source, folder, recipe).dataset
        data = ChainData(dataset, source, recipe, self.options.chain, self.options.again)
        frame = still_frame(source)
        carried = tuple(feature for feature in dataset.x_spec.features if feature.kind in CARRIED)
        at_rest: dict[str, Any] = {}
        if carried:
            spec = FeatureSpec(carried, source.skeleton)
            at_rest = {name: part[0].tolist() for name, part in spec.split(extract(source, spec, [frame])).items()}
        more: dict[str, Any] = {
            "start": pose_to_json(source.pose([frame])[0]),
            "carried": at_rest,
            "clearance": source.clearance,
            "fastest": fastest(source),
        }
        if self.options.guided:
            more["guidance"] = {name: pose.tolist() for name, pose in mean_poses(source).items()}
        data.setting = replace(data.setting, more=more)
        return data

    def start(self, model: Model, data: TrainingData) -> None:
        super().start(model, data)
        assert isinstance(model, PlanNetwork) and isinstance(data, ChainData)
        samples = data.batch(range(min(len(data.train), 8192)))
        model.take_spreads(samples.y[:, 0])

    def baselines(self, dataset: Dataset) -> dict[str, Predict]:
        return baselines(dataset)

    @abstractmethod
    def model(self, setting: Setting) -> PlanNetwork:
        """See `Task.model`."""
