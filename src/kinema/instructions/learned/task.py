"""The task of reading instructions, for the training loop."""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from kinema.errors import LearningError
from kinema.instructions.learned.model import Options, ReaderModel, Texts, guess, to_texts
from kinema.instructions.learned.notation import SYMBOLS
from kinema.instructions.learned.sentences import Sentence, Varied, read_sentences
from kinema.learn.model import Model
from kinema.learn.recipe import Recipe
from kinema.learn.setting import Setting
from kinema.learn.stream import Shuffled
from kinema.learn.task import Task, TrainingData

_JUDGED = 64  # sentences at once
_POOL = 8  # batches that are drawn together, so that sentences of like length are beside each other


@dataclass(frozen=True)
class SentenceFile:
    """Sentences of a file: programme by programme, so that none is in both parts of a split."""

    path: Path
    sentences: list[Sentence]
    digest: str


class SentenceData(TrainingData):
    """Sentences, varied; whole programmes are held out."""

    def __init__(self, source: SentenceFile, recipe: Recipe) -> None:
        self.seed, self.setting = recipe.seed, Setting(more={"symbols": list(SYMBOLS)})
        groups = sorted({each.symbols for each in source.sentences})
        chosen = np.random.default_rng([recipe.seed, 5]).permutation(len(groups))
        held = {groups[at] for at in chosen[: max(int(recipe.held_out * len(groups)), 1)].tolist()}
        self.kept = [each for each in source.sentences if each.symbols in held]
        trained = [each for each in source.sentences if each.symbols not in held]
        if not trained:
            raise LearningError(f"{source.path}: has too few programmes to train with and to hold some out")
        self.varied, self.held = Varied(trained), len(self.kept)
        self.order = Shuffled(np.arange(len(trained)), recipe.seed)
        self._pool = lru_cache(maxsize=2)(self._drawn)

    def batch(self, positions: range) -> Texts:
        pool, at = divmod(positions.start // len(positions), _POOL)
        return to_texts(self._pool(pool, len(positions))[at])

    def _drawn(self, pool: int, size: int) -> list[list[Sentence]]:
        """Batches of sentences of like length, in random order."""
        rng = np.random.default_rng([self.seed, pool])
        first = pool * _POOL * size
        chosen = self.order(range(first, first + _POOL * size)).tolist()
        drawn = [self.varied.draw(at, rng) for at in chosen]
        drawn.sort(key=lambda each: len(each.words) + len(each.symbols))
        return [drawn[at * size : (at + 1) * size] for at in rng.permutation(_POOL).tolist()]

    def held_batch(self, positions: range) -> Texts:
        return to_texts([self.kept[at] for at in positions])

    def origin(self) -> dict[str, Any]:
        return {"sentences": len(self.varied.sentences), "held_out": self.held}


class InstructionReaderTask(Task):
    """Sentences become programmes; see `kinema.instructions.learned.model`."""

    Options = Options

    def open(self, path: str | os.PathLike[str]) -> SentenceFile:
        where = Path(path)
        sentences = read_sentences(where)
        return SentenceFile(where, sentences, hashlib.sha256(where.read_bytes()).hexdigest())

    def fingerprint(self, source: SentenceFile) -> str:
        return source.digest

    def data(self, source: SentenceFile, folder: Path, recipe: Recipe) -> SentenceData:
        return SentenceData(source, recipe)

    def model(self, setting: Setting) -> ReaderModel:
        return ReaderModel(setting, self.options)

    def evaluate(self, model: Model, data: TrainingData, source: SentenceFile) -> list[dict[str, Any]]:
        """The share of held-out sentences that are read right, of all of a programme."""
        assert isinstance(model, ReaderModel) and isinstance(data, SentenceData)
        return [{"name": "held-out programmes", "right_percent": 100.0 * share_right(model, data.kept)}]


def share_right(model: ReaderModel, sentences: list[Sentence]) -> float:
    """Share of sentences that are read just as they were meant."""
    model.eval()
    right = 0
    for first in range(0, len(sentences), _JUDGED):
        some = sentences[first : first + _JUDGED]
        found = guess(model, [each.words for each in some], beams=1)
        right += sum(bool(each) and each[0].symbols == meant.symbols for each, meant in zip(found, some, strict=True))
    return right / max(len(sentences), 1)
