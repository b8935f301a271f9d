"""Training on a model's own answers: inputs made of what it said before, as when a character is driven.

A model that has only ever seen recorded poses goes astray within a second, since its small errors lead it to poses
that nobody recorded.
"""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor, nn

from kinema import rotations
from kinema.arrays import Ints
from kinema.features import Dataset
from kinema.learn.poses import PoseReader
from kinema.learn.recipe import Recipe
from kinema.learn.setting import Setting
from kinema.learn.stream import Shuffled
from kinema.learn.vectors import Samples, VectorData
from kinema.mocap import MotionDatabase


class ChainData(VectorData):
    """Chains of samples of a clip that follow each other.

    Args:
        length: samples in a chain. apart: frames from one to the next.
    """

    def __init__(self, dataset: Dataset, database: MotionDatabase, recipe: Recipe, length: int, apart: int) -> None:
        super().__init__(dataset, database, recipe)
        self._steps = apart * np.arange(length)
        self.train = self._whole(self.train)
        self._held = self._whole(self._held)
        self.held = len(self._held)
        self._order = Shuffled(self.train, recipe.seed)

    def _whole(self, samples: Ints) -> Ints:
        """Those samples from which a chain stays within its clip."""
        last = samples + self._steps[-1]
        there = last < len(self.dataset.frame)
        samples, last = samples[there], last[there]
        frame, clip = self.dataset.frame, self.dataset.clip
        return samples[(frame[last] - frame[samples] == self._steps[-1]) & (clip[last] == clip[samples])]

    def _samples(self, chosen: Ints) -> Samples:
        """Chains x `[B, L, D_x]` and y `[B, L, D_y]`."""
        batch = self.dataset[(chosen[:, None] + self._steps).reshape(-1)]
        x, y = (torch.from_numpy(part).unflatten(0, (len(chosen), -1)) for part in (batch.x, batch.y))
        return Samples(x, y)


class Continuation(nn.Module):
    """The next input of a model that plans: the pose that it said, and the path wanted from where it said it would be.

    Input and output are those of `kinema.learn.tasks.plan`. What else is an input is an output of the same name, such
    as contacts or phases, or stays as it was recorded, such as the style.

    Args:
        apart: frames of the output after which the model is asked again.
    """

    def __init__(self, setting: Setting, apart: int) -> None:
        super().__init__()
        self.given, self.wanted, self.apart = setting.specs["x"], setting.specs["y"], apart
        self.reader, self.dt = PoseReader(self.wanted, setting.translated), 1.0 / setting.fps

    def forward(self, x: Tensor, said: Tensor, truth: Tensor) -> Tensor:
        """Inputs `[B, D_x]` after answers.

        Args:
            x: the recorded inputs `[B, D_x]` of that moment. said, truth: answers and recorded outputs `[B, D_y]` of
                the moment before.
        """
        at = self.apart
        place, heading = path(said[:, self.wanted["root"]])
        true_place, true_heading = path(truth[:, self.wanted["root"]])
        around = [at - 1, at, at + 1]
        positions = self.reader.assembled(said, around)
        # Velocities relative to the world, in the root frame of the middle pose.
        turn = heading[:, around] - heading[:, [at]]
        world = turned(turn[..., None], positions)
        moved = turned(-heading[:, [at]], place[:, around] - place[:, [at]])
        world = world + moved[..., None, :]
        velocities = (world[:, 2] - world[:, 0]) / (2 * self.dt)
        six = self.reader.matrices(said, [at])[:, 0, :, :, :2].transpose(-1, -2)
        # From the recorded root frame to the one that was said.
        off = true_heading[:, [at]] - heading[:, [at]]
        shift = turned(-heading[:, [at]], true_place[:, [at]] - place[:, [at]])
        parts = {"positions": positions[:, 1], "rotations": six, "velocities": velocities}
        moves = {"trajectory.position": shift, "trajectory.direction": torch.zeros_like(shift)}
        if "goal.position" in self.given.slices:
            there = x[:, self.given["goal.direction"]].any(dim=-1)  # without a goal both are zero, and stay so
            moves |= {"goal.position": shift * there[:, None, None], "goal.direction": torch.zeros_like(shift)}
        for name, move in moves.items():
            flat = x[:, self.given[name]].unflatten(-1, (-1, 2))
            points = torch.stack([flat[..., 0], torch.zeros_like(flat[..., 0]), flat[..., 1]], dim=-1)
            parts[name] = (turned(off, points) + move)[..., [0, 2]]
        for name, place in self.given.slices.items():
            if name in self.wanted.slices and name not in parts:
                parts[name] = said[:, self.wanted[name]].unflatten(1, (len(self.reader.times), -1))[:, at]
            parts.setdefault(name, x[:, place])
        if "contacts" in parts:
            parts["contacts"] = parts["contacts"].clamp(0.0, 1.0)
        return torch.cat([parts[name].flatten(1) for name in self.given.slices], dim=-1)


def path(steps: Tensor) -> tuple[Tensor, Tensor]:
    """Positions `[B, T, 3]` and headings `[B, T]` of roots from the numbers `[B, 3 T]` of a feature "root_delta"."""
    steps = steps.unflatten(-1, (-1, 3))
    headings = torch.cumsum(steps[..., 1], dim=-1)
    ahead = torch.stack([steps[..., 0], torch.zeros_like(headings), steps[..., 2]], dim=-1)
    return torch.cumsum(turned(headings - steps[..., 1], ahead), dim=-2), headings


def turned(yaw: Tensor, points: Tensor) -> Tensor:
    """Points `[..., 3]` rotated about +Y by angles `[...]`, which broadcast."""
    return rotations.rotate_yaw(yaw, points)
