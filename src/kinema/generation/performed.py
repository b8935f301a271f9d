"""What `kinema.perform` does on the skeletons of files, as a collection: a model learns bodies that nobody captured."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from kinema.errors import KinemaError
from kinema.formats import accepted, iterate, load
from kinema.generation.acceptance import STRETCHED, refusal
from kinema.generation.channels import FPS, decode, encode
from kinema.generation.collection import CollectionWriter
from kinema.generation.creature_clips import HELD_CLIPS, stretches
from kinema.generation.file_clips import SkippedClip, nouns_of
from kinema.generation.rig import AnyRig
from kinema.generation.stance import standing_pose
from kinema.mocap.creatures.coverage import random_script
from kinema.mocap.creatures.perform import allowed_actions, kind_of_creature, perform
from kinema.skeleton import Skeleton

_SECONDS = 3.5, 6.0  # shortest and longest clip


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
        data: files, folders and archives. A skeleton that several files have counts once.
        count: number of clips of each skeleton; one of twelve is held out. seed: of them.
        reading: options for the readers.
        progress: called with clips done and in all.

    Returns:
        What was left out, and why; clips of one body together.

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
            if skeleton is None or key in known:
                continue
            known.add(key)
            stance = standing_pose(skeleton, asset.motions)
            if stance is not None:
                skeleton = replace(skeleton, rest_rotations=stance.local_rotations, known_roles=None)
            reasons: list[str] = []
            for done, reason in enumerate(_act(writer, skeleton, source.path, count, seed), start=number * count):
                reasons += [reason] if reason else []
                if progress is not None:
                    progress(done + 1, len(sources) * count)
            if reasons:
                skipped.append(SkippedClip(f"{source.path}: {len(reasons)} of {count} clips", reasons[0]))
        except KinemaError as error:
            skipped.append(SkippedClip(source.path, str(error)))
    return skipped


def _act(writer: CollectionWriter, skeleton: Skeleton, path: str, count: int, seed: int) -> Iterator[str | None]:
    """Add clips of the body of a file, on bones of fixed length. Yields for each why it was refused, or None."""
    plan, allowed, rig = kind_of_creature(skeleton).plan, allowed_actions(skeleton), AnyRig.of(skeleton)
    name, nouns = os.path.splitext(os.path.basename(path))[0], nouns_of(path)
    index = writer.add_rig(skeleton, name, plan)
    for number in range(count):
        rng = np.random.default_rng((seed, number))
        script = random_script(skeleton, rng, float(rng.uniform(*_SECONDS)), allowed[number % len(allowed)])
        motion = perform(skeleton, script, FPS, int(rng.integers(2**31)), f"{name}-{number:05d}")
        channels, start = encode(rig, motion)
        reason = refusal(rig, motion, channels, start, STRETCHED)
        if reason is None:
            fixed, _ = encode(rig, decode(rig, channels, start))
            held = number % HELD_CLIPS == HELD_CLIPS - 1
            writer.add_channels(index, motion.name, fixed, stretches(nouns, plan, script, len(fixed), rng), held)
        yield reason
