"""The task of learning motion of any skeleton from a collection, for the training loop."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from kinema.errors import LearningError
from kinema.generation.batch import RigBatch, to_batch
from kinema.generation.channels import FPS
from kinema.generation.collection import ClipRecord, MotionCollection
from kinema.generation.model import SIZES, AnySkeletonModel
from kinema.generation.sentences import described
from kinema.generation.windows import WindowSource
from kinema.learn.model import Model
from kinema.learn.recipe import Recipe
from kinema.learn.sentences import SentenceEncoder
from kinema.learn.setting import Setting
from kinema.learn.task import Task, TrainingData
from kinema.mocap.creatures.acts import ACTIONS

_HELD = 128  # held-out windows that a training is validated with


@dataclass(frozen=True)
class Options:
    """Attributes:
    size: one of `SIZES`.
    plans: body plans to learn from, separated by commas; "all" for all.
    actions: of `kinema.mocap.creatures.ACTIONS`, to learn from, likewise.
    told: share of samples that are told all that is asked, and nothing else, and begin at noise, where that decides.
    sentences: folder of an encoder of sentences, which is used beside words; see `SentenceEncoder`.
    """

    size: str = "S"
    plans: str = "all"
    actions: str = "all"
    told: float = 0.25
    sentences: str = ""

    def __post_init__(self) -> None:
        if self.size not in SIZES:
            raise LearningError(f"option size is {self.size!r}; it must be one of {', '.join(SIZES)}")
        unknown = [] if self.actions == "all" else sorted(set(self.actions.split(",")) - set(ACTIONS))
        if unknown:
            raise LearningError(f"option actions has {unknown[0]!r}; the actions are: {', '.join(ACTIONS)}")
        if not 0.0 <= self.told <= 1.0:
            raise LearningError(f"option told is {self.told:g}; it must be a share from 0 to 1")


class AnySkeletonData(TrainingData):
    """Windows of the clips of a collection; held-out clips and rigs are for validation."""

    def __init__(self, collection: MotionCollection, options: Options, recipe: Recipe) -> None:
        plans = {rig.plan for rig in collection.rigs}
        missing = [] if options.plans == "all" else sorted(set(options.plans.split(",")) - plans)
        if missing:
            raise LearningError(
                f"{collection.path}: no skeleton has the body plan {missing[0]!r}; there are: "
                f"{', '.join(sorted(plans))}"
            )
        clips = [clip for clip in collection.clips if _chosen(collection, clip, options.plans)]
        patch = SIZES[options.size][3]
        self.collection, self.seed = collection, recipe.seed
        encoder = SentenceEncoder.load(options.sentences) if options.sentences else None
        actions = None if options.actions == "all" else options.actions.split(",")
        self.windows = WindowSource(
            collection, [clip for clip in clips if not clip.held], patch, encoder, actions, options.told
        )
        kept = [clip for clip in clips if clip.held and not collection.rigs[clip.rig].held]
        self.kept = WindowSource(collection, kept or clips, patch, encoder, actions)
        self.setting = Setting(fps=FPS, more={"size": options.size} | described(encoder))
        self.held = _HELD

    def batch(self, positions: range) -> RigBatch:
        rng = np.random.default_rng([self.seed, positions.start])
        return to_batch(self.windows.draw(len(positions), rng))

    def held_batch(self, positions: range) -> RigBatch:
        rng = np.random.default_rng([2**31, positions.start])
        return to_batch(self.kept.draw(len(positions), rng))

    def origin(self) -> dict[str, Any]:
        rigs = {clip.rig for clip in self.windows.clips}
        return {
            "clips": len(self.windows.clips),
            "rigs": len(rigs),
            "minutes": round(sum(clip.frames for clip in self.windows.clips) / FPS / 60, 1),
            "plans": sorted({self.collection.rigs[rig].plan for rig in rigs}),
            "origin": dict(self.collection.origin),
        }


def _chosen(collection: MotionCollection, clip: ClipRecord, plans: str) -> bool:
    return plans == "all" or collection.rigs[clip.rig].plan in plans.split(",")


class AnySkeletonTask(Task):
    Options = Options

    def open(self, path: Any) -> MotionCollection:
        return MotionCollection.open(path)

    def fingerprint(self, source: MotionCollection) -> str:
        return source.fingerprint

    def data(self, source: MotionCollection, folder: Path, recipe: Recipe) -> AnySkeletonData:
        return AnySkeletonData(source, self.options, recipe)

    def model(self, setting: Setting) -> AnySkeletonModel:
        return AnySkeletonModel(setting, self.options.size)

    def start(self, model: Model, data: TrainingData) -> None:
        assert isinstance(model, AnySkeletonModel) and isinstance(data, AnySkeletonData)
        rng = np.random.default_rng(0)
        model.scales.take([window for _ in range(64) for window in data.windows.draw(4, rng, plain=True)])

    def evaluate(self, model: Model, data: TrainingData, source: MotionCollection) -> list[dict[str, Any]]:
        return []
