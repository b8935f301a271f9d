"""What `kinema.perform` does on the skeletons of files, as a collection: a model learns bodies that nobody captured."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np

from kinema.errors import KinemaError
from kinema.formats import accepted, iterate, load
from kinema.generation.acceptance import refusal
from kinema.generation.channels import FPS, decode, encode
from kinema.generation.collection import CollectionWriter
from kinema.generation.creature_clips import HELD_CLIPS, stretches
from kinema.generation.file_clips import SkippedClip
from kinema.generation.rig import AnyRig
from kinema.generation.stance import standing_pose
from kinema.mocap.creatures.animals import creature_of
from kinema.mocap.creatures.coverage import random_script
from kinema.mocap.creatures.perform import allowed_actions, kind_of_creature, perform
from kinema.pose import Pose
from kinema.skeleton import Skeleton

_SECONDS = 3.5, 6.0  # shortest and longest clip
_SHORT = (
    0.02  # units by which a leg may be too short for where its foot stands; rigs whose feet hang elsewhere have such
)


def add_performed(
    writer: CollectionWriter,
    data: Iterable[str | os.PathLike[str]],
    count: int,
    seed: int = 0,
    *,
    reading: Mapping[str, Any] | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> list[SkippedClip]:
    """Add clips that `kinema.perform` acts out on the skeletons of files: all that each body can do, in turn.

    Args:
        data: files, folders and archives with skeletons; one that was there before is left out.
        count: number of clips of each skeleton; one of twelve is held out. seed: of them.
        reading: options for the readers.
        progress: called with files done and in all.

    Returns:
        What was left out, and why.

    Raises:
        FormatError: there is no such file or folder.
    """
    sources = [source for path in data for source in iterate(path)]
    skipped: list[SkippedClip] = []
    known: set[bytes] = set()
    for number, source in enumerate(sources):
        try:
            asset = load(source, **accepted(source.path, reading or {}))
            skeleton = asset.skeleton
            key = b"" if skeleton is None else repr(skeleton.names).encode() + skeleton.rest_translations.tobytes()
            if skeleton is not None and key not in known:
                known.add(key)
                stance = standing_pose(skeleton, asset.motions)
                body = skeleton if stance is None else _at_rest_in(stance)
                skipped += _act(writer, body, os.path.splitext(os.path.basename(source.path))[0], count, seed)
        except KinemaError as error:
            skipped.append(SkippedClip(source.path, str(error)))
        if progress is not None:
            progress(number + 1, len(sources))
    return skipped


def _at_rest_in(stance: Pose) -> Skeleton:
    """The skeleton of a pose that has it as its rest pose."""
    skeleton = stance.skeleton
    tips = list(zip(skeleton.tip_joints.tolist(), skeleton.tip_offsets, strict=True))
    return Skeleton.create(
        skeleton.names, skeleton.parents.tolist(), skeleton.rest_translations, stance.local_rotations, tips
    )


def _act(writer: CollectionWriter, skeleton: Skeleton, name: str, count: int, seed: int) -> list[SkippedClip]:
    """Add clips of one body, on bones of fixed length: no foot stands farther than its leg reaches."""
    plan, allowed, rig = kind_of_creature(skeleton).plan, allowed_actions(skeleton), AnyRig.of(skeleton)
    noun = name.lower()
    names = (noun, "creature", "animal") if creature_of(noun) else ("creature", "character")
    index, skipped = writer.add_rig(skeleton, name, plan), []
    for number in range(count):
        rng = np.random.default_rng((seed, number))
        script = random_script(skeleton, rng, float(rng.uniform(*_SECONDS)), allowed[number % len(allowed)])
        motion = perform(skeleton, script, FPS, int(rng.integers(2**31)), f"{name}-{number:05d}")
        channels, start = encode(rig, motion)
        reason = refusal(rig, motion, channels, start, _SHORT)
        if reason is not None:
            skipped.append(SkippedClip(f"{name}: {motion.name}", reason))
            continue
        fixed, _ = encode(rig, decode(rig, channels, start))
        held = number % HELD_CLIPS == HELD_CLIPS - 1
        writer.add_channels(index, motion.name, fixed, stretches(names, plan, script, len(fixed), rng), held)
    return skipped
