"""Tasks that map one vector of features to another, of which the output holds poses: what they share."""

from __future__ import annotations

import shutil
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from kinema.arrays import Ints
from kinema.errors import DatabaseError, LearningError
from kinema.features import Dataset, FeatureSpec, valid_frames
from kinema.features.spec import Specs
from kinema.learn.evaluate import evaluate
from kinema.learn.model import Model
from kinema.learn.recipe import Recipe
from kinema.learn.setting import Setting
from kinema.learn.shown import shown_motion
from kinema.learn.task import Task, TrainingData
from kinema.learn.vectors import Predict, VectorData, VectorModel, named
from kinema.mocap import MotionDatabase
from kinema.motion import Motion


class VectorTask(Task):
    """Base of tasks whose input and output are vectors of features, and whose output holds poses.

    Attributes:
        shown: which times of the output are a pose to look at and to measure.
    """

    shown: ClassVar[Sequence[int]]

    @abstractmethod
    def specs(self, source: MotionDatabase) -> Specs:
        """Features of input and output for the body of a database.

        The output has "positions" and "rotations" (rotation6d); see `kinema.learn.poses.PoseReader`.
        """

    @abstractmethod
    def model(self, setting: Setting) -> VectorModel:
        """See `Task.model`."""

    @abstractmethod
    def baselines(self, dataset: Dataset) -> Mapping[str, Predict]:
        """What the model must beat, by name, beside the mean pose that every task is compared to."""

    def data(self, source: MotionDatabase, folder: Path, recipe: Recipe) -> VectorData:
        """See `Task.data`."""
        specs = self.specs(source)
        try:
            dataset = Dataset.open(folder, x_spec=specs[0], y_spec=specs[1], source=source)
        except DatabaseError:
            # New, killed while it was made, or thrown away to save room: it follows from the database.
            shutil.rmtree(folder, ignore_errors=True)
            frames = _usable(source, specs)
            share, seed = recipe.held_out, recipe.seed
            dataset = Dataset.build(source, *specs, folder, frames=frames, validation=share, seed=seed)
        dataset.normalizers()  # reports a feature that never changes
        return VectorData(dataset, source, recipe)

    def start(self, model: Model, data: TrainingData) -> None:
        """Take the scalings of the training samples."""
        assert isinstance(model, VectorModel) and isinstance(data, VectorData)
        for scaling, normalizer in zip((model.x_scaling, model.y_scaling), data.dataset.normalizers(), strict=True):
            scaling.take(normalizer)

    def evaluate(self, model: Model, data: TrainingData, source: Any) -> list[dict[str, Any]]:
        """See `kinema.learn.evaluate.evaluate`."""
        assert isinstance(model, VectorModel) and isinstance(data, VectorData)
        return evaluate(model, data, self.shown, self.baselines(data.dataset))

    def show(self, model: Model, database: MotionDatabase, clip: int) -> Motion:
        """See `kinema.learn.shown.shown_motion`."""
        return shown_motion(self.shown, model, model.setting, database, clip)


def _usable(database: MotionDatabase, specs: tuple[FeatureSpec, FeatureSpec]) -> Ints:
    """Frames that can be samples; LearningError if there are too few takes or frames."""
    if len({clip.take for clip in database.clips}) < 2:
        raise LearningError(
            f"{named(database)}: holds one take; training keeps whole takes for validation and needs at least two"
        )
    frames = np.flatnonzero(valid_frames(database, specs[0]) & valid_frames(database, specs[1]))
    if not len(frames):
        raise LearningError(f"{named(database)}: every clip is shorter than the window of this task")
    return frames
