"""The task of reading captions, for the training loop."""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from kinema.errors import LearningError
from kinema.generation.captions.model import CaptionModel, Options, found_in
from kinema.generation.captions.seen import Captions, to_captions
from kinema.generation.captions.told import Told, VariedCaptions, by_grammar, in_order, read_told
from kinema.learn.model import Model
from kinema.learn.recipe import Recipe
from kinema.learn.setting import Setting
from kinema.learn.stream import Shuffled
from kinema.learn.task import Task, TrainingData
from kinema.mocap.creatures.acts import ACTIONS
from kinema.mocap.creatures.words import actions_of

_BY_GRAMMAR = 0.3  # as many captions as are in the file, times this, are added of those that the grammar reads
_JUDGED = 64  # captions at once


@dataclass(frozen=True)
class CaptionFile:
    """Captions of a file."""

    path: Path
    captions: list[Told]
    digest: str


class CaptionData(TrainingData):
    """Captions, varied; some are held out."""

    def __init__(self, source: CaptionFile, recipe: Recipe) -> None:
        self.seed, self.setting = recipe.seed, Setting()
        order = np.random.default_rng([recipe.seed, 5]).permutation(len(source.captions)).tolist()
        held = set(order[: max(int(recipe.held_out * len(order)), 1)])
        self.kept = [each for at, each in enumerate(source.captions) if at in held]
        trained = [each for at, each in enumerate(source.captions) if at not in held]
        if not any(each.heads for each in trained):
            raise LearningError(f"{source.path}: has too few captions to train with and to hold some out")
        self.written = len(trained)
        trained += by_grammar(int(_BY_GRAMMAR * len(trained)), recipe.seed)
        self.varied, self.held = VariedCaptions(trained), len(self.kept)
        self.order = Shuffled(np.arange(len(trained)), recipe.seed)

    def batch(self, positions: range) -> Captions:
        rng = np.random.default_rng([self.seed, positions.start])
        return numbered([self.varied.draw(at, rng) for at in self.order(positions).tolist()])

    def held_batch(self, positions: range) -> Captions:
        return numbered([self.kept[at] for at in positions])

    def origin(self) -> dict[str, Any]:
        return {"captions": self.written, "held_out": self.held}


def numbered(captions: list[Told]) -> Captions:
    """Captions as a batch."""
    return to_captions(
        [(each.text, each.body) for each in captions], [(each.heads, each.actions, each.earlier) for each in captions]
    )


class CaptionReaderTask(Task):
    """Captions become acts; see `kinema.generation.captions.model`."""

    Options = Options

    def open(self, path: str | os.PathLike[str]) -> CaptionFile:
        where = Path(path)
        captions = read_told(where)
        return CaptionFile(where, captions, hashlib.sha256(where.read_bytes()).hexdigest())

    def fingerprint(self, source: CaptionFile) -> str:
        return source.digest

    def data(self, source: CaptionFile, folder: Path, recipe: Recipe) -> CaptionData:
        return CaptionData(source, recipe)

    def model(self, setting: Setting) -> CaptionModel:
        return CaptionModel(setting, self.options)

    def score(self, model: Model, data: TrainingData, source: CaptionFile) -> float:
        """The share of held-out captions that are misread."""
        assert isinstance(model, CaptionModel) and isinstance(data, CaptionData)
        return 1.0 - share_right(model, data.kept)

    def evaluate(self, model: Model, data: TrainingData, source: CaptionFile) -> list[dict[str, Any]]:
        """The share of held-out captions of which all acts are read in their order, by the network and the grammar."""
        assert isinstance(model, CaptionModel) and isinstance(data, CaptionData)
        return [
            {"name": "held-out captions", "right_percent": 100.0 * share_right(model, data.kept)},
            {"name": "the grammar alone", "right_percent": 100.0 * share_right_of_grammar(data.kept)},
        ]


def share_right(model: CaptionModel, captions: list[Told]) -> float:
    """Share of captions of which a network reads all acts in their order."""
    right = 0
    for first in range(0, len(captions), _JUDGED):
        some = captions[first : first + _JUDGED]
        found = found_in(model, [(each.text, each.body) for each in some])
        right += sum(in_order(one.actions, one.earlier) == each.order for one, each in zip(found, some, strict=True))
    return right / max(len(captions), 1)


def share_right_of_grammar(captions: list[Told]) -> float:
    """The same of the grammar."""
    right = 0
    for each in captions:
        read = [ACTIONS.index(action) for _, action in actions_of(each.text, each.body) if action]
        right += in_order(read, [False] * len(read)) == each.order
    return right / max(len(captions), 1)
