"""Where a foot is while it goes from one place where it stands to the next.

It goes as the motion has it, moved so that it leaves one place and comes to the other. Where the motion would drag it
along the ground, it is lifted.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from kinema.arrays import Floats

SWING = 15
"""Frames over which the move that a place asks for fades out, where no other place is nearer."""

_LIFT, _STEEP = 0.1, 0.25  # least height of a step: shares of the leg, and of the way, whichever is less
_LONGEST = 30  # frames; a foot that is longer on its way does more than a step


@dataclass(frozen=True, eq=False)
class Stand:
    """A time for which a foot stands.

    Attributes:
        first, stop: frames; both may be before the motion that is seen.
        place: where it stands `[3]`, units.
        early, late: how far that is from where the motion has the foot, `[3]`, in the first and in the last frame.
    """

    first: int
    stop: int
    place: Floats
    early: Floats
    late: Floats

    @staticmethod
    def at(place: Floats, positions: Floats, first: int, stop: int) -> Stand:
        """A foot that stands at a place while the motion has it at positions `[F, 3]`."""
        return Stand(first, stop, place, place - positions[first], place - positions[stop - 1])


def stride(positions: Floats, stands: Sequence[Stand], leg: float) -> Floats:
    """Where a foot is `[F, 3]`, units.

    Args:
        positions: `[F, 3]`: where the motion has it.
        stands: one after the other, without overlap.
        leg: length of the limb, units.
    """
    found = np.array(positions, np.float64)
    for stand in stands:
        found[max(stand.first, 0) : max(stand.stop, 0)] = stand.place
    for before, after in pairwise((None, *stands, None)):
        begin, end = before.stop if before else 0, after.first if after else len(found)
        frames = np.arange(max(begin, 0), min(end, len(found)))
        if len(frames):
            found[frames] = _between(found[frames], frames, before, after, leg)
    return found


def _between(way: Floats, frames: np.ndarray, before: Stand | None, after: Stand | None, leg: float) -> Floats:
    """The part `[N, 3]` of a way from one stand to the next, or away from one, or to one; it is changed."""
    length = after.first - before.stop + 1 if before and after else SWING
    if before:
        way += remaining(frames - before.stop + 1, min(SWING, length))[:, None] * before.late
    if after:
        way += remaining(after.first - frames, min(SWING, length))[:, None] * after.early
    if length > _LONGEST:
        return way
    begin = before.stop if before else frames[-1] + 1 - SWING
    share = np.clip((frames - begin + 1) / length, 0.0, 1.0)
    if before and after:
        step, level = after.place - before.place, (1.0 - share) * before.place[1] + share * after.place[1]
    elif before:
        step, level = before.late, before.place[1]
    elif after:
        step, level = after.early, after.place[1]
    else:
        return way
    missing = min(_LIFT * leg, _STEEP * float(np.hypot(step[0], step[2]))) - float((way[:, 1] - level).max())
    way[:, 1] += 4.0 * share * (1.0 - share) * max(missing, 0.0)
    return way


def remaining(steps: np.ndarray, over: float) -> Floats:
    """Shares of a correction that are left so many frames beyond where it counts, when it fades out over `over`."""
    share = np.clip(np.asarray(steps, np.float64) / over, 0.0, 1.0)
    return 1.0 - share * share * (3.0 - 2.0 * share)
