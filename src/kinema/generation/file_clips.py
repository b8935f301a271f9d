"""Motion files as a collection: every file keeps its own skeleton."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from kinema.arrays import Singles
from kinema.errors import KinemaError
from kinema.formats import accepted, iterate, load
from kinema.generation.acceptance import STRETCHED, refusal
from kinema.generation.channels import FPS, decode, encode
from kinema.generation.collection import CollectionWriter, Stretch
from kinema.generation.conditions import measured
from kinema.generation.rig import AnyRig
from kinema.mocap.contacts import leg_length
from kinema.mocap.creatures.acts import ACTIONS, Act
from kinema.mocap.creatures.animals import creature_of
from kinema.mocap.creatures.captions import caption
from kinema.mocap.creatures.words import concepts_of
from kinema.mocap.ingest import IngestedClip, ingest, words_of
from kinema.mocap.loose_feet import with_attached_feet
from kinema.mocap.root import root_layout
from kinema.motion import Motion
from kinema.skeleton import Skeleton

_PIECE = 180  # frames of the longest clip: captions of longer ones would say too little
_HELD = 8  # one of so many pieces is held out
_STILL, _RUNNING = 0.08, 0.7  # Froude speeds below which a body stands, and above which it runs
_CAPTIONS = 4
_PLANS = {"biped": "biped", "quadruped": "digitigrade", "many-legged": "hexapod", "winged": "bird", "legless": "snake"}


class SkippedClip(NamedTuple):
    """A file or clip that was left out.

    Attributes:
        path: of the file, with the name of the clip. reason: why.
    """

    path: str
    reason: str


def add_files(
    writer: CollectionWriter,
    data: Iterable[str | os.PathLike[str]],
    *,
    mirror: bool = True,
    reading: Mapping[str, Any] | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> list[SkippedClip]:
    """Add motion files, folders and archives to a collection.

    Clips in place get the travel of their standing feet. Captions come from the names of clips and from how fast they
    go.

    Args:
        mirror: add the mirror image of each clip.
        reading: options for the readers.
        progress: called with files done and in all.

    Returns:
        What was left out, and why.

    Raises:
        FormatError: there is no such file or folder.
    """
    sources = [source for path in data for source in iterate(path)]
    adding = _Adding(writer)
    for number, source in enumerate(sources):
        try:
            asset = load(source, **accepted(source.path, reading or {}))
            for motion in asset.motions:
                adding.add(source.path, motion, mirror)
        except KinemaError as error:
            adding.skipped.append(SkippedClip(source.path, str(error)))
        if progress is not None:
            progress(number + 1, len(sources))
    return adding.skipped


@dataclass
class _Adding:
    """What has been added: rigs by what tells skeletons apart, what was left out, and how many pieces of takes."""

    writer: CollectionWriter
    rigs: dict[tuple[Any, ...], int] = field(default_factory=dict)
    skipped: list[SkippedClip] = field(default_factory=list)
    pieces: int = 0

    def add(self, path: str, motion: Motion, mirror: bool) -> None:
        named = motion.replace(name=motion.name or os.path.basename(path))
        try:
            clips = ingest(named, fps=FPS, mirror=mirror)
        except KinemaError as error:
            self.skipped.append(SkippedClip(f"{path}: {named.name}", str(error)))
            return
        # All clips of a file are on its rest pose: some repeat the lengths of bones, each with errors of its own.
        body = AnyRig.of(root_layout(with_attached_feet(named.skeleton)).skeleton)
        plan, take = _plan(path, named.name, body.skeleton), self.pieces
        for clip in clips:
            channels = _checked(body, clip)
            if isinstance(channels, str):
                self.skipped.append(SkippedClip(f"{path}: {_title(clip)}", channels))
                continue
            take = take if clip.info.mirrored else self.pieces  # an image is held out with its take
            pieces = list(_pieces(len(channels)))
            for number, (begin, end) in enumerate(pieces, start=take):
                piece = channels[begin:end]
                told = _told(body, piece, clip.info.name, plan, path, begin)
                stretch = Stretch(0, end - begin, *told, whole=len(pieces) == 1)
                held = number % _HELD == _HELD - 1
                self.writer.add_channels(self._rig(body, path, plan), clip.info.name, piece, (stretch,), held)
                self.pieces = max(self.pieces, number + 1)

    def _rig(self, body: AnyRig, path: str, plan: str) -> int:
        skeleton = body.skeleton
        key = (skeleton.names, skeleton.parents.tobytes(), skeleton.rest_translations.round(3).tobytes())
        if key not in self.rigs:
            self.rigs[key] = self.writer.add_rig(skeleton, os.path.splitext(os.path.basename(path))[0], plan)
        return self.rigs[key]


def _title(clip: IngestedClip) -> str:
    return f"{clip.info.name}, mirrored" if clip.info.mirrored else clip.info.name


def _checked(body: AnyRig, clip: IngestedClip) -> Singles | str:
    """The channels `[F, K, CHANNELS]` of a clip on bones of fixed length, or why it is refused."""
    lowered = clip.pose.replace(
        root_positions=clip.pose.root_positions - np.asarray([0, clip.info.stance_height, 0], np.float32)
    )
    motion = Motion.from_pose(lowered, FPS, clip.info.name)
    planted = np.zeros((motion.frames, body.count), np.bool_)
    columns = body.followed[clip.info.contact_joints]
    planted[:, columns[columns >= 0]] = clip.pose.contacts[:, columns >= 0] > 0.5
    channels, start = encode(body, motion, planted)
    reason = refusal(body, motion, channels, start, STRETCHED)
    return reason or encode(body, decode(body, channels, start), planted)[0]


def _pieces(frames: int) -> Iterator[tuple[int, int]]:
    """Pieces of about the same length."""
    count = max(-(-frames // _PIECE), 1)
    edges = np.linspace(0, frames, count + 1).astype(int).tolist()
    return pairwise(edges)


def _told(rig: AnyRig, channels: np.ndarray, name: str, plan: str, path: str, seed: int) -> tuple[str, tuple[str, ...]]:
    """The action of a piece, by the name of its clip or by its speed, and captions."""
    speed, turn = measured(channels, 8)
    froude = float(np.median(speed)) * rig.unit / np.sqrt(9.81 * max(leg_length(rig.skeleton), 1e-3))
    named = [concept for concept in concepts_of(" ".join(words_of(name))) if concept in ACTIONS]
    moving = "swim" if plan == "fish" else "walk" if froude < _RUNNING else "run"
    action = named[0] if named else "idle" if froude < _STILL else moving
    act = Act(action, len(channels) / FPS, curve=float(np.median(turn)) if froude > _STILL else 0.0)
    rng = np.random.default_rng((len(name), seed))
    return action, tuple(caption(nouns_of(path), [act], rng, plan) for _ in range(_CAPTIONS))


def nouns_of(path: str) -> tuple[str, ...]:
    """What captions call the body of a file."""
    noun = os.path.splitext(os.path.basename(path))[0].lower()
    return (noun, "creature", "animal") if creature_of(noun) else ("creature", "character")


def _plan(path: str, name: str, skeleton: Skeleton) -> str:
    """The body plan that a file's name or a skeleton tells."""
    words = " ".join((*words_of(os.path.basename(path)), *words_of(name)))
    return creature_of(words) or _PLANS.get(skeleton.roles.plan, "biped")
