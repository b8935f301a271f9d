"""Collections of motion of any skeletons, out of files and generated creatures."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from kinema.errors import DatabaseError, UsageError
from kinema.generation.channels import FPS
from kinema.generation.collection import writing
from kinema.generation.creature_clips import add_creatures
from kinema.generation.file_clips import SkippedClip, add_files
from kinema.generation.performed import add_performed


@dataclass(frozen=True)
class CollectionReport:
    """What a collection holds.

    Attributes:
        clips, rigs, frames: their numbers. seconds: of motion.
        skipped: what was left out, and why.
    """

    clips: int
    rigs: int
    frames: int
    seconds: float
    skipped: tuple[SkippedClip, ...]


def gather(
    data: Iterable[str | os.PathLike[str]],
    output: str | os.PathLike[str],
    *,
    creatures: int = 0,
    plans: Sequence[str] | None = None,
    perform: int = 0,
    seed: int = 0,
    mirror: bool = True,
    licence: str = "",
    reading: Mapping[str, Any] | None = None,
    workers: int | None = None,
    force: bool = False,
    progress: Callable[[int, int], None] | None = None,
) -> CollectionReport:
    """Make a collection, in which every file keeps its own skeleton.

    Args:
        data: motion files, folders and archives.
        creatures: number of clips of generated creatures. plans: their body plans or names; None for all.
        perform: number of clips that `kinema.perform` acts out on each skeleton of the files. seed: of both.
        mirror: add the mirror images of the clips of files.
        licence: of the files, kept with the collection and with what is learned from it.
        reading: options for the readers of files.
        workers: processes; None one a core.
        force: replace a collection that is there.
        progress: called with files done and in all, then with creatures done and in all.

    Raises:
        UsageError: neither files nor creatures are asked for.
        DatabaseError: nothing of the files can be learned from, something is there already, or the disk is full.
    """
    files = list(data)
    if not files and not creatures:
        raise UsageError("a collection needs motion files, or a number of generated creatures")
    if perform and not files:
        raise UsageError("clips are acted out on the skeletons of files; none is given")
    origin: dict[str, Any] = {"files": [os.path.basename(os.fspath(path)) for path in files]}
    origin |= {"licence": licence or "unknown"} if files else {}
    with writing(output, origin, force) as writer:
        skipped = add_files(writer, files, mirror=mirror, reading=reading, progress=progress) if files else []
        if perform:
            origin["performed"] = {"clips": perform, "seed": seed}
            also = add_performed(writer, files, perform, seed, reading=reading, progress=progress)
            skipped += [each for each in also if each not in skipped]
        if files and not writer.clips:
            why = (
                f"{skipped[0].path}: {skipped[0].reason}" if skipped else "they hold no motion; --perform N makes some"
            )
            raise DatabaseError(f"nothing of the files can be learned from: {why}")
        if creatures:
            made = add_creatures(writer, creatures, seed, plans, workers=workers, progress=progress)
            origin["generated"] = made
        frames = sum(clip.frames for clip in writer.clips)
        return CollectionReport(len(writer.clips), len(writer.rigs), frames, frames / FPS, tuple(skipped))
