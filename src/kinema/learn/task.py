"""What a learned task brings to the training loop: its data, its model, its evaluation.

The loop, the recipe, checkpoints, the running mean, the log, the choice of the best weights and `--watch` are shared.
`kinema.learn.vector_task` has a base for tasks that map one vector of features to another.
"""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

from kinema.errors import LearningError
from kinema.features.dataset_write import fingerprint
from kinema.learn.model import Model
from kinema.learn.recipe import Recipe
from kinema.learn.setting import Setting
from kinema.mocap import MotionDatabase
from kinema.motion import Motion


class TrainingData(ABC):
    """Where the batches of a training come from.

    A batch is any nesting of tuples, dictionaries and tensors on the CPU, with samples along the first dimension:
    vectors, windows of frames, graphs of joints, pictures, latents. The loop moves it to the device.

    Attributes:
        setting: what the numbers mean.
        held: number of samples held out for validation.
        clips: held-out clips of the database, to be watched; may be empty.
    """

    setting: Setting
    held: int
    clips: Sequence[int] = ()

    @abstractmethod
    def batch(self, positions: range) -> Any:
        """Training samples at positions of an endless stream.

        The same positions give the same samples at any time and in any process: chance is seeded with the position
        (`kinema.learn.stream`), and nothing is remembered that changes a result.
        """

    @abstractmethod
    def held_batch(self, positions: range) -> Any:
        """Held-out samples, at positions from 0 to `held`."""

    def origin(self) -> dict[str, Any]:
        """Where the samples come from, as JSON values for the spec of the model."""
        return {}


class Task(ABC):
    """What is learned, and by which model. A task is made of its options.

    Attributes:
        Options: frozen dataclass with a default for every field, each int, float, bool or str; `--set` changes them.
    """

    Options: ClassVar[type[Any]]

    def __init__(self, options: Any) -> None:
        self.options = options

    @abstractmethod
    def data(self, source: Any, folder: Path, recipe: Recipe) -> TrainingData:
        """The data of a training.

        Args:
            source: what `open` returns.
            folder: for arrays that are prepared from the source. A resumed run finds them there, and must prepare them
                again if they are lost.

        Raises:
            LearningError: there is too little data.
        """

    @abstractmethod
    def model(self, setting: Setting) -> Model:
        """A model with new weights. Called for a training, and to read weights from a file, without any data."""

    @abstractmethod
    def evaluate(self, model: Model, data: TrainingData, source: Any) -> list[dict[str, Any]]:
        """Measure the trained model: rows with a name and figures, the model first, what it must beat after it."""

    def start(self, model: Model, data: TrainingData) -> None:  # noqa: B027 (nothing is a good default)
        """Set what is not learned, such as scalings, before the first step of a training. By default nothing."""

    def score(self, model: Model, data: TrainingData, source: Any) -> float | None:
        """A figure to choose the best weights by, lower is better, such as an error when a character is driven.

        None, the default, chooses by the loss on held-out samples. Called at every validation, without gradients.
        """
        return None

    def show(self, model: Model, database: MotionDatabase, clip: int) -> Motion:
        """A motion by the model, to be watched beside a clip; it has as many frames.

        Raises:
            LearningError: the task has nothing to watch.
        """
        raise LearningError("this task has nothing to watch")

    def open(self, path: str | os.PathLike[str]) -> Any:
        """The source of the data at a path. By default a motion database."""
        return MotionDatabase.open(path)

    def fingerprint(self, source: Any) -> str:
        """Identifies the source: a run is resumed only with the data that it began with."""
        return fingerprint(source)


def describe_clips(database: MotionDatabase, held: Sequence[int]) -> Mapping[str, Any]:
    """`TrainingData.origin` of clips of a database, some of which are held out."""
    clips = database.clips
    return {
        "clips": len(clips),
        "minutes": round(database.seconds / 60, 2),
        "held_out": [clips[index].name + ("_mirrored" if clips[index].mirrored else "") for index in held],
    }
