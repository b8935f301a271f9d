"""Data and models whose inputs and outputs are vectors of features."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor

from kinema.arrays import Ints
from kinema.errors import LearningError
from kinema.features import Dataset
from kinema.learn.model import Model, Scaling
from kinema.learn.recipe import Recipe
from kinema.learn.setting import Setting
from kinema.learn.stream import Shuffled
from kinema.learn.task import TrainingData, describe_clips
from kinema.mocap import MotionDatabase

VALIDATION_SAMPLES = 4096

Predict = Callable[[Tensor], Tensor]
"""Anything that does what a vector model does: `[B, D_x]` to `[B, D_y]`."""


class Samples(NamedTuple):
    """A batch: x `[B, D_x]` and y `[B, D_y]`, in the units of their features."""

    x: Tensor
    y: Tensor


class VectorData(TrainingData):
    """Samples of a data set, whole takes held out.

    Args:
        dataset: the data set. database: what it was made of. recipe: its seed orders the samples.

    Attributes:
        train: indices of the training samples.
    """

    def __init__(self, dataset: Dataset, database: MotionDatabase, recipe: Recipe) -> None:
        self.dataset, self.database = dataset, database
        self.setting = Setting.of(database, {"x": dataset.x_spec, "y": dataset.y_spec})
        self.train, held = dataset.samples("train"), dataset.samples("validation")
        _check_size(database, self.train, held, recipe)
        self._held = held[np.unique(np.linspace(0, len(held) - 1, VALIDATION_SAMPLES).astype(np.int64))]
        self.held = len(self._held)
        self.clips = np.unique(dataset.clip[held]).tolist()
        self._order = Shuffled(self.train, recipe.seed)

    def batch(self, positions: range) -> Samples:
        """See `TrainingData.batch`."""
        return self._samples(self._order(positions))

    def held_batch(self, positions: range) -> Samples:
        """See `TrainingData.held_batch`."""
        return self._samples(self._held[positions.start : positions.stop])

    def origin(self) -> dict[str, Any]:
        """See `TrainingData.origin`."""
        return {"database": self.dataset.index["database"], **describe_clips(self.database, self.clips)}

    def _samples(self, chosen: Ints) -> Samples:
        batch = self.dataset[chosen]
        return Samples(torch.from_numpy(batch.x), torch.from_numpy(batch.y))


class VectorModel(Model):
    """Base of models that map vectors to vectors, with the scaling of both."""

    def __init__(self, setting: Setting) -> None:
        super().__init__(setting)
        self.x_scaling, self.y_scaling = (Scaling(setting.specs[name].dim) for name in ("x", "y"))

    def forward(self, x: Tensor) -> Tensor:
        """Outputs `[B, D_y]` for inputs `[B, D_x]`, both in the units of their features."""
        raise NotImplementedError


def _check_size(database: MotionDatabase, train: Ints, held: Ints, recipe: Recipe) -> None:
    if len(train) < recipe.samples:
        raise LearningError(
            f"{named(database)}: {len(train)} samples to train on are less than a batch of {recipe.samples}; add "
            f"motion or use --batch {max(len(train) * recipe.batch // recipe.samples // 4, 1)}"
        )
    if not len(held):
        raise LearningError(f"{named(database)}: no sample is left for validation; add takes that are long enough")


def named(database: MotionDatabase) -> str:
    """What messages call a database."""
    return str(database.path or "the database")
