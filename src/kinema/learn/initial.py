"""Trained weights that a training starts from, in place of new ones."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from kinema.errors import LearningError
from kinema.learn.folder import SPEC, WEIGHTS, TrainedModel, fill, load_model, read_json
from kinema.learn.model import Model, kept_random_state, own_state
from kinema.learn.setting import Setting
from kinema.learn.task import Task


@dataclass(frozen=True)
class InitialWeights:
    """Weights of another training, by which a run begins. Use `of`.

    Attributes:
        folder: where they are. hash: of their file.
        lineage: what their spec says of how they came about, as JSON values; it is kept with what is learned from them.
    """

    folder: str
    hash: str
    lineage: Mapping[str, Any]

    @staticmethod
    def of(folder: str | os.PathLike[str], name: str, task: type[Task]) -> InitialWeights:
        """The weights in a folder.

        Args:
            name, task: name and class of the task that is to go on with them.

        Raises:
            LearningError: there are none, they are damaged, or they are those of another task.
        """
        found = read_json(Path(folder) / SPEC, "no trained model there to start from").get("task")
        if found != name:
            raise LearningError(f"{folder}: a model of the task {found!r}, not {name!r}")
        document = load_model(folder, task=task).document
        kept = {key: document[key] for key in ("command", "training", "data", "initial") if key in document}
        return InitialWeights(os.path.abspath(folder), str(document["hash"]), kept)

    @staticmethod
    def from_dict(values: Mapping[str, Any]) -> InitialWeights:
        """The inverse of `to_dict`; KeyError or TypeError where the values are damaged."""
        return InitialWeights(str(values["folder"]), str(values["hash"]), dict(values["lineage"]))

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return asdict(self)

    def describe(self) -> dict[str, Any]:
        """For the spec of a model: which weights these are, without where they were."""
        return {"hash": self.hash, **self.lineage}

    def check(self, task: Task, setting: Setting) -> None:
        """Whether the weights fit the model of a training.

        Raises:
            LearningError: they are made for something else, or of another shape; says what would fit.
        """
        trained = self._load(task)
        difference = trained.setting.difference(setting.skeleton, setting.specs)
        if difference:
            raise LearningError(f"{self.folder}: the weights were made for something else: {difference}")
        with kept_random_state():
            model = task.model(setting)
        try:
            _fill(model, trained, Path(self.folder))
        except LearningError as error:
            theirs, ours = asdict(trained.task.options), asdict(task.options)
            changed = [key for key in ours if ours[key] != theirs[key]]
            if not changed:
                raise
            shapes, given = str(error).partition(": ")[2], " ".join(f"--set {key}={theirs[key]}" for key in changed)
            raise LearningError(
                f"{self.folder}: weights of another shape ({shapes}); they were trained with {given}"
            ) from None

    def fill(self, model: Model, task: Task) -> None:
        """Put the weights, and the scalings that belong to them, into a model.

        Raises:
            LearningError: they are gone, or no longer those that the run began with.
        """
        trained = self._load(task)
        if trained.document["hash"] != self.hash:
            raise LearningError(
                f"{self.folder}: the weights have changed since the run was started; start over with --force"
            )
        _fill(model, trained, Path(self.folder))

    def _load(self, task: Task) -> TrainedModel:
        return load_model(self.folder, task=type(task))


def _fill(model: Model, trained: TrainedModel, folder: Path) -> None:
    if not trained.whole:
        raise LearningError(f"{folder}: packed for use, without the parts that only training needs")
    fill(model, own_state(trained.model), folder / WEIGHTS)
