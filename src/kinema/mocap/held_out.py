"""Takes that are held out: to measure with, while nothing is made of them."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import numpy as np

from kinema.arrays import Bools
from kinema.errors import DatabaseError, UsageError
from kinema.mocap.database import Clip, MotionDatabase


def held_out(clips: Sequence[Clip], share: float, seed: int = 0) -> Bools:
    """Clips `[n]` that are held out: whole takes, drawn by name and seed, up to about a share of the frames.

    A take keeps its mirrored copy and all its pieces on one side. A single take is not held out.
    """
    lengths = dict.fromkeys((clip.take for clip in clips), 0)
    for clip in clips:
        lengths[clip.take] += clip.frames
    drawn = sorted(lengths, key=lambda take: hashlib.sha256(f"{seed}:{take}".encode()).digest())
    wanted, chosen = share * sum(lengths.values()), set()
    for take in drawn[:-1]:
        if wanted <= 0:
            break
        chosen.add(take)
        wanted -= lengths[take]
    return np.array([clip.take in chosen for clip in clips], bool)


def split(database: MotionDatabase, share: float, seed: int = 0) -> tuple[MotionDatabase, MotionDatabase]:
    """What a controller may know of a database, and the takes that are held out from it; see `held_out`.

    Raises:
        UsageError: the share is not between 0 and 1.
        DatabaseError: there is only one take.
    """
    if not 0 < share < 1:
        raise UsageError(f"the share of the takes that are held out must be between 0 and 1, not {share:g}")
    held = held_out(database.clips, share, seed)
    if not held.any():
        raise DatabaseError("a database of one take cannot hold takes out")
    return database.only(~held), database.only(held)
