"""Learned motion matching (Holden et al., SIGGRAPH 2020): three networks in place of a database and its search.

A *state* is the features that motion matching searches for, normalised and weighted as there, and latent numbers that
tell what else there is to know of a pose. The projector finds the state that a search would find, the stepper leads it
on from frame to frame as its clip would go on, and the decompressor says the pose of a state. The latent numbers are
those of a compressor, which is needed for training only. `kinema.control.learned_matching` drives characters by them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional
from torch.optim import Optimizer

from kinema.arrays import Ints, Singles
from kinema.errors import LearningError
from kinema.features import Dataset, Feature, FeatureSpec, extract
from kinema.features.index import BoxIndex
from kinema.features.presets import motion_matching
from kinema.features.spec import Specs
from kinema.learn.linear import regression
from kinema.learn.model import Model, Scaling, TrainingStep, adamw, only_to_train
from kinema.learn.networks.matching import Compressor, Decompressor, Projector, Stepper
from kinema.learn.poses import PoseReader, moved_joints
from kinema.learn.recipe import Recipe
from kinema.learn.rollout import ChainData
from kinema.learn.setting import Setting, pose_to_json
from kinema.learn.task import TrainingData
from kinema.learn.vector_task import VectorTask
from kinema.learn.vectors import Predict, VectorModel
from kinema.mocap import MotionDatabase
from kinema.mocap.contacts import contact_joints
from kinema.mocap.styles import still_frame

PATH = ("trajectory.position", "trajectory.direction")
FINER = 2
"""Frames of a plan for each one of a clip."""

CHUNK = 4096


@dataclass(frozen=True)
class Options:
    """Attributes:
    latent: latent numbers of a state. hidden: width of hidden layers.
    window: frames that the stepper is led over, in training and in a plan; training begins with two.
    noise: how far queries are from the frames that they were made of, in units of the spread of the features.
    """

    latent: int = 32
    hidden: int = 512
    window: int = 16
    noise: float = 0.5

    def __post_init__(self) -> None:
        if self.window < 3:
            raise LearningError(f"option window is {self.window}; it must be at least 3")


class Windows(NamedTuple):
    """A batch, in the units of the features.

    Attributes:
        x, y: features `[B, W, D_x]` and poses `[B, W, D_y]` of consecutive frames.
        query: features `[B, D_x]` that are wanted. near_x, near_y: those of the nearest frame.
    """

    x: Tensor
    y: Tensor
    query: Tensor
    near_x: Tensor
    near_y: Tensor


class WindowData(ChainData):
    """Windows of frames, and queries with the frames that motion matching finds for them.

    A query is the pose of one frame with a path between its own and that of any other frame, and noise: what a search
    is asked when the command changes.

    Attributes:
        features: of all samples, normalised `[S, D_x]`.
    """

    def __init__(self, dataset: Dataset, database: MotionDatabase, recipe: Recipe, options: Options) -> None:
        super().__init__(dataset, database, recipe, options.window, 1)
        self._seed, self._noise = recipe.seed, options.noise
        self.features, self._index = searched(dataset, self.train)
        self._scaling = dataset.normalizers()[0]
        self._spread = self.features[self.train].std(axis=0)
        self._path = np.concatenate([np.arange(dataset.x_spec.dim)[dataset.x_spec[name]] for name in PATH])

    def batch(self, positions: range) -> Windows:
        """See `TrainingData.batch`."""
        return self._windows(self._order(positions), positions)

    def held_batch(self, positions: range) -> Windows:
        """See `TrainingData.held_batch`."""
        return self._windows(self._held[positions.start : positions.stop], positions)

    def _windows(self, chosen: Ints, positions: range) -> Windows:
        window = self._samples(chosen)
        query = np.stack([self._query(*each) for each in zip(chosen.tolist(), positions, strict=True)])
        found = self.train[np.asarray(self._index.search(query)[0])]
        near = self.dataset[found]
        asked = self._scaling.denormalize(query)
        return Windows(*window, *(torch.from_numpy(part) for part in (asked, near.x, near.y)))

    def _query(self, sample: int, position: int) -> Singles:
        """A query made of a sample: normalised features `[D_x]`."""
        rng = np.random.default_rng([self._seed, position])
        query, path = self.features[sample].copy(), self._path
        other = self.features[rng.choice(self.train), path]
        query[path] += rng.random(dtype=np.float32) * (other - query[path])
        size = self._noise * rng.random(dtype=np.float32)
        return query + size * self._spread * rng.standard_normal(len(query), np.float32)


def searched(dataset: Dataset, samples: Ints) -> tuple[Singles, BoxIndex]:
    """Normalised features `[S, D_x]` of all samples of a data set, and an index of some of them."""
    scaling = dataset.normalizers()[0]
    features = np.empty((len(dataset), dataset.x_spec.dim), np.float32)
    for begin in range(0, len(dataset), CHUNK):
        part = slice(begin, begin + CHUNK)
        features[part] = scaling.normalize(dataset[part].x)
    return features, BoxIndex.build(features[samples])


class Network(VectorModel):
    """The networks, and what they are trained with.

    Attributes:
        planned: what plans mean: root, positions, rotations and contacts, `FINER` times for each frame of a window.
    """

    def __init__(self, setting: Setting, options: Options) -> None:
        super().__init__(setting)
        given, wanted = setting.specs["x"], setting.specs["y"]
        self.window, self.features, self.places = options.window, given.dim, wanted.slices
        state = given.dim + options.latent
        self.compressor = only_to_train(Compressor(wanted.dim, options.latent, options.hidden))
        self.decompressor = Decompressor(state, wanted.dim, options.hidden)
        self.stepper = Stepper(state, options.hidden)
        self.projector = Projector(given.dim, state, options.hidden)
        self.reader = PoseReader(wanted, setting.translated)
        times = tuple((np.arange(FINER * (options.window - 1) + 1) / (FINER * setting.fps)).round(9).tolist())
        by_name = {feature.name: feature for feature in wanted.features}
        poses = [replace(by_name[name], times=times, frame="root@t") for name in ("positions", "rotations")]
        told = (replace(by_name["step"], name="root", times=times), *poses, replace(by_name["contacts"], times=times))
        self.planned = FeatureSpec(told, wanted.skeleton)
        self.register_buffer("least", torch.full((given.dim,), -torch.inf))
        self.register_buffer("most", torch.full((given.dim,), torch.inf))
        self.register_buffer("rates", torch.ones(wanted.dim))
        self.register_buffer("size", torch.ones(2))
        self.least: Tensor
        self.most: Tensor
        self.rates: Tensor
        self.size: Tensor

    def forward(self, x: Tensor) -> Tensor:
        return self.pose(self.search(self.x_scaling.normalize(x)))

    def state(self, x: Tensor, y: Tensor) -> Tensor:
        """States `[..., S]` of recorded features `[..., D_x]` and poses `[..., D_y]`."""
        return torch.cat([self.x_scaling.normalize(x), self.compressor(self.y_scaling.normalize(y))], dim=-1)

    def pose(self, state: Tensor) -> Tensor:
        """Poses `[..., D_y]` of states `[..., S]`."""
        return self.y_scaling.denormalize(self.decompressor(state))

    def known(self, features: Tensor) -> Tensor:
        """Normalised features `[..., D_x]`, cut off where the data end: beyond, networks know nothing."""
        return features.clamp(self.least, self.most)

    def search(self, query: Tensor) -> Tensor:
        """States `[B, S]` for normalised queries `[B, D_x]`."""
        return self.projector(self.known(query))

    def plan(self, state: Tensor) -> tuple[Tensor, Tensor]:
        """States `[B, F, S]` from a state `[B, S]` on, and what they say as vectors of `planned`, `[B, D]`.

        States between frames are interpolated before they are decompressed, which shakes less than poses do.
        """
        state = torch.cat([self.known(state[:, : self.features]), state[:, self.features :]], dim=1)
        states = _halved(torch.cat([state[:, None], self.stepper.rollout(state, self.window - 1)], dim=1))
        poses = self.pose(states)
        steps = poses[..., self.places["step"]] / FINER
        # A step tells the velocity in its middle. Those of two states that are half a frame apart are so, on average.
        between = 0.5 * (steps[:, :-1] + torch.cat([steps[:, :1], steps[:, :-2]], dim=1))
        root = torch.cat([torch.zeros_like(steps[:, :1]), between], dim=1)
        parts = [poses[..., self.places[name]] for name in self.planned.names[1:]]
        return states, torch.cat([part.flatten(1) for part in (root, *parts)], dim=-1)

    def optimizers(self, recipe: Recipe) -> dict[str, Optimizer]:
        """Poses first: the latent numbers are what the others learn."""
        groups = {
            "pose": [*self.compressor.parameters(), *self.decompressor.parameters()],
            "step": self.stepper.parameters(),
            "search": self.projector.parameters(),
        }
        return {turn: adamw(group, recipe) for turn, group in groups.items()}

    def take_spreads(self, features: Tensor, y: Tensor) -> None:
        """Take where the data end, and what errors of motions are measured by.

        Args:
            features: normalised, `[N, D_x]`. y: windows of poses `[N, W, D_y]`.
        """
        self.least.copy_(features.amin(dim=0))
        self.most.copy_(features.amax(dim=0))
        moved = y[:, 1] - y[:, 0]
        for place in self.places.values():
            self.rates[place] = moved[:, place].std().clamp(min=1e-6)
        joints = self.reader.assembled(y[:, :2])[:, :, 0]
        self.size[0] = joints[:, 0].std(dim=0).mean()
        self.size[1] = (joints[:, 1] - joints[:, 0]).std(dim=0).mean()

    def loss(self, batch: Windows, step: TrainingStep) -> dict[str, Tensor]:
        if step.turn == "pose":
            return self._pose_terms(batch)
        if step.turn == "step":
            return self._step_terms(batch, 2 + int(min(2 * step.progress, 1.0) * (self.window - 2) + 0.5))
        return self._search_terms(batch)

    def _pose_terms(self, batch: Windows) -> dict[str, Tensor]:
        """Errors of poses, as they are said and as they are drawn, and of how they go on to the next frame."""
        x, y = batch.x[:, :2], batch.y[:, :2]
        state = self.state(x, y)
        said = self.pose(state)
        off = (said - y) / self.y_scaling.scale
        moved = ((said - y)[:, 1] - (said - y)[:, 0]) / self.rates
        terms = {name: off[..., place].square().mean() for name, place in self.places.items()}
        terms |= {f"{name} moved": moved[..., place].square().mean() for name, place in self.places.items()}
        drawn = (self.reader.assembled(said) - self.reader.assembled(y))[:, :, 0]
        terms["assembled"] = (drawn / self.size[0]).square().mean()
        terms["assembled moved"] = ((drawn[:, 1] - drawn[:, 0]) / self.size[1]).square().mean()
        latent = state[..., self.features :]
        size, rate = latent.square().mean(), (latent[:, 1] - latent[:, 0]).abs().mean()
        return terms | {"latent": 0.01 * size + 0.01 * rate}

    def _step_terms(self, batch: Windows, frames: int) -> dict[str, Tensor]:
        """Errors of states that the stepper leads to from recorded ones, and of how they go on."""
        with torch.no_grad():
            true = self.state(batch.x[:, :frames], batch.y[:, :frames])
        said = self.stepper.rollout(true[:, 0], frames - 1)
        off = said - true[:, 1:]
        moved = torch.diff(off, dim=1, prepend=torch.zeros_like(off[:, :1]))
        return self._state_terms("step", off) | self._state_terms("step moved", 3 * moved)

    def _search_terms(self, batch: Windows) -> dict[str, Tensor]:
        """Errors of states that the projector finds, and of how far they are from what was wanted."""
        with torch.no_grad():
            true = self.state(batch.near_x, batch.near_y)
            query = self.x_scaling.normalize(batch.query)
        said = self.search(query)
        off = said - true
        apart = [torch.linalg.vector_norm(each[:, : self.features] - query, dim=-1) for each in (said, true)]
        return self._state_terms("search", off) | {"search distance": functional.l1_loss(*apart)}

    def _state_terms(self, name: str, off: Tensor) -> dict[str, Tensor]:
        parts = {"features": off[..., : self.features], "latent": off[..., self.features :]}
        return {f"{name} {part}": values.abs().mean() for part, values in parts.items()}


def _halved(values: Tensor) -> Tensor:
    """Values `[B, T, D]` with others half-way between them, `[B, 2 T - 1, D]`, by Catmull-Rom interpolation."""
    ends = [values[:, :1], values, values[:, -1:]]
    a, b, c, d = torch.cat(ends, dim=1).unfold(1, 4, 1).unbind(-1)
    between = (9.0 * (b + c) - a - d) / 16.0
    pairs = torch.stack([values[:, :-1], between], dim=2).flatten(1, 2)
    return torch.cat([pairs, values[:, -1:]], dim=1)


class LearnedMatchingTask(VectorTask):
    Options = Options
    shown = (0,)

    def specs(self, source: MotionDatabase) -> Specs:
        skeleton = source.skeleton
        feet = tuple(skeleton.names[joint] for joint in contact_joints(skeleton))
        moved = tuple(skeleton.names[joint] for joint in moved_joints(skeleton, source.translated))
        wanted = (
            Feature("step", "root_delta", times=(1.0 / source.fps,)),
            Feature("positions", "position", moved),
            Feature("rotations", "rotation6d"),
            Feature("velocities", "velocity"),
            Feature("contacts", "contact", feet),
        )
        return motion_matching(skeleton), FeatureSpec(wanted, skeleton)

    def data(self, source: MotionDatabase, folder: Path, recipe: Recipe) -> WindowData:
        dataset = super().data(source, folder, recipe).dataset
        data = WindowData(dataset, source, recipe, self.options)
        frame = still_frame(source)
        features = extract(source, dataset.x_spec, [frame])[0].tolist()
        more = {"start": pose_to_json(source.pose([frame])[0]), "features": features, "clearance": source.clearance}
        data.setting = replace(data.setting, more=more)
        return data

    def model(self, setting: Setting) -> Network:
        return Network(setting, self.options)

    def start(self, model: Model, data: TrainingData) -> None:
        super().start(model, data)
        assert isinstance(model, Network) and isinstance(data, WindowData)
        windows = data.batch(range(min(len(data.train), CHUNK)))
        model.take_spreads(torch.from_numpy(data.features[data.train]), windows.y)

    def baselines(self, dataset: Dataset) -> dict[str, Predict]:
        weights = torch.from_numpy(regression(dataset))
        given, wanted = (Scaling.of(normalizer) for normalizer in dataset.normalizers())
        train = dataset.samples("train")
        _, index = searched(dataset, train)

        def linear(x: Tensor) -> Tensor:
            return wanted.denormalize(given.normalize(x) @ weights)

        def nearest(x: Tensor) -> Tensor:
            return torch.from_numpy(dataset[train[index.search(given.normalize(x).numpy())[0]]].y)

        return {"linear": linear, "nearest frame": nearest}
