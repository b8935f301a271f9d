"""The task of learning to tell actions apart from the ground truth of a collection, for the training loop."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import torch

from kinema.arrays import Floats
from kinema.errors import LearningError
from kinema.generation.channels import FPS
from kinema.generation.classifier import FRAMES, ActionModel, Sight, seen_motion, shape_of, to_sight
from kinema.generation.collection import ClipRecord, MotionCollection
from kinema.generation.takes import Takes
from kinema.learn.folder import load_model
from kinema.learn.model import Model
from kinema.learn.recipe import Recipe
from kinema.learn.setting import Setting
from kinema.learn.task import Task, TrainingData
from kinema.mocap.creatures.acts import ACTIONS

_HELD = 256  # windows of held-out clips that a training is validated with
_JUDGED = 512  # windows that the accuracy is measured with
_MARGIN = 5  # frames after the beginning of a stretch in which the one before fades


@dataclass(frozen=True)
class Options:
    """No options: the classifier is a ruler, and rulers are alike."""


@dataclass(frozen=True)
class Spot:
    """Where a window of one action may begin: from `start` to `stop`, both included."""

    clip: ClipRecord
    action: int
    start: int
    stop: int


class Spots:
    """Draws windows in which one thing is done, balanced over actions, then rigs.

    Raises:
        LearningError: no stretch is as long as a window.
    """

    def __init__(self, collection: MotionCollection, clips: Sequence[ClipRecord]) -> None:
        self.collection = collection
        self.spots = [spot for clip in clips for spot in _spots(clip)]
        if not self.spots:
            raise LearningError(f"{collection.path}: no stretch of a known action has {FRAMES + _MARGIN} frames")
        self._weights = _balanced(self.spots)
        self._shape = lru_cache(maxsize=None)(lambda rig: shape_of(collection.rig(rig)))

    def draw(self, count: int, rng: np.random.Generator) -> Sight:
        """A batch of `count` windows."""
        chosen = [self.spots[at] for at in rng.choice(len(self.spots), count, p=self._weights).tolist()]
        windows = []
        for spot in chosen:
            begin = int(rng.integers(spot.start, spot.stop + 1))
            rig = self.collection.rig(spot.clip.rig)
            channels = self.collection.channels(spot.clip, begin, begin + FRAMES)
            windows.append((rig, self._shape(spot.clip.rig), seen_motion(Takes(rig, channels[None]))[0]))
        return to_sight(windows, [spot.action for spot in chosen])


def _spots(clip: ClipRecord) -> list[Spot]:
    found = []
    for part in clip.stretches:
        start = part.start + (_MARGIN if part.start else 0)
        if part.action in ACTIONS and part.stop - FRAMES >= start:
            found.append(Spot(clip, ACTIONS.index(part.action), start, part.stop - FRAMES))
    return found


def _balanced(spots: Sequence[Spot]) -> Floats:
    """Probabilities `[N]`: as much for each action, within it for each rig, within that for each place."""
    actions = np.asarray([spot.action for spot in spots])
    rigs = np.asarray([spot.clip.rig for spot in spots])
    weights = np.zeros(len(spots))
    for action in np.unique(actions):
        for rig in np.unique(rigs[actions == action]):
            mine = (actions == action) & (rigs == rig)
            weights[mine] = 1.0 / (mine.sum() * len(np.unique(rigs[actions == action])))
    return weights / weights.sum()


class ActionData(TrainingData):
    """Windows of the clips of a collection; held-out clips are for validation."""

    def __init__(self, collection: MotionCollection, recipe: Recipe) -> None:
        self.seed, self.held = recipe.seed, _HELD
        self.spots = Spots(collection, [clip for clip in collection.clips if not clip.held])
        self.kept = Spots(collection, held_clips(collection, False) or collection.clips)
        self.setting = Setting(fps=FPS)

    def batch(self, positions: range) -> Sight:
        return self.spots.draw(len(positions), np.random.default_rng([self.seed, positions.start]))

    def held_batch(self, positions: range) -> Sight:
        return self.kept.draw(len(positions), np.random.default_rng([2**31, positions.start]))


def held_clips(collection: MotionCollection, unseen: bool) -> list[ClipRecord]:
    """Held-out clips of rigs that are held out themselves (`unseen`), or of the others."""
    return [clip for clip in collection.clips if clip.held and collection.rigs[clip.rig].held == unseen]


class ActionTask(Task):
    Options = Options

    def open(self, path: Any) -> MotionCollection:
        return MotionCollection.open(path)

    def fingerprint(self, source: MotionCollection) -> str:
        return source.fingerprint

    def data(self, source: MotionCollection, folder: Path, recipe: Recipe) -> ActionData:
        return ActionData(source, recipe)

    def model(self, setting: Setting) -> ActionModel:
        return ActionModel(setting)

    def evaluate(self, model: Model, data: TrainingData, source: MotionCollection) -> list[dict[str, Any]]:
        """The accuracy on held-out clips of rigs that were trained with, and on rigs that were not."""
        assert isinstance(model, ActionModel)
        groups = {"held-out clips": False, "held-out rigs": True}
        return [{"name": name, "accuracy_percent": accuracy(model, source, on)} for name, on in groups.items()]


@torch.inference_mode()
def accuracy(model: ActionModel, collection: MotionCollection, unseen: bool) -> float | None:
    """Share of windows of held-out clips, balanced over actions and rigs, that are told right, in percent.

    Args:
        unseen: of rigs that are held out themselves.

    Returns:
        None if there are no such clips.
    """
    clips = held_clips(collection, unseen)
    if not any(_spots(clip) for clip in clips):
        return None
    sight = Spots(collection, clips).draw(_JUDGED, np.random.default_rng(0))
    return 100.0 * float((model.eval()(sight).argmax(-1) == sight.action).double().mean())


def load_classifier(path: str | os.PathLike[str]) -> ActionModel:
    """Read a trained classifier.

    Raises:
        LearningError: it is not there, damaged, or a model of something else.
    """
    trained = load_model(path)
    if not isinstance(trained.model, ActionModel):
        raise LearningError(
            f"{os.fspath(path)}: a model of the task {trained.document['task']!r}; judging actions needs one of "
            "action-classifier (kinema train action-classifier)"
        )
    return trained.model
