"""Where a foot is while it goes from one place where it stands to the next.

It goes as the motion has it, moved so that it leaves one place and comes to the other. A network blurs footfalls: its
feet set off while it still calls them planted, and stop late. Such a foot starts from rest and comes to rest: its speed
at either end fades in and out as its place does (D. Bollo, "Inertialization: High-Performance Animation Transitions",
2018). Where the motion would drag a foot along the ground, it is lifted.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from kinema.arrays import Floats

SWING = 15
"""Frames over which what a place asks for fades out, where no other place is nearer: those of a step, at most."""

_STEEP = 0.7  # slope at which a foot rises from where it stood, and comes down where it will stand, at least
_LIFT = 0.08  # height of a step above which it need not rise, share of the leg
_DRAGGED = 3  # steps before a foot leaves, and after it came, that tell whether it is dragged
_SOFT = 0.3  # share of the height that a foot needs, within which it is raised gently


@dataclass(frozen=True, eq=False)
class Stand:
    """A time for which a foot stands.

    Attributes:
        first, stop: frames; both may be before the motion that is seen.
        place: where it stands `[3]`, units.
        early, late: how far that is from where the motion has the foot, `[3]`, in the first and in the last frame.
        coming, leaving: step away from it, `[3]`, in the frame before the first and in the one after the last, as far
            as the motion drags the foot already where it should stand.
    """

    first: int
    stop: int
    place: Floats
    early: Floats
    late: Floats
    coming: Floats
    leaving: Floats

    @staticmethod
    def at(place: Floats, positions: Floats, first: int, stop: int) -> Stand:
        """A foot that stands at a place while the motion has it at positions `[F, 3]`."""
        coming, leaving = _dragged(positions[max(first - 1, 0) : stop][::-1]), _dragged(positions[first : stop + 1])
        return Stand(first, stop, place, place - positions[first], place - positions[stop - 1], coming, leaving)


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


def insistence(stands: Sequence[Stand], frames: int) -> Floats:
    """How much `[F]` a foot has to be where a stride has it: wholly where it stands, less and less away from that."""
    number, found = np.arange(frames), np.zeros(frames)
    for stand in stands:
        away = np.maximum(np.maximum(stand.first - number, number - stand.stop + 1), 0)
        found = np.maximum(found, remaining(away, SWING))
    return found


def _between(way: Floats, frames: np.ndarray, before: Stand | None, after: Stand | None, leg: float) -> Floats:
    """The part `[N, 3]` of a way from one stand to the next, or away from one, or to one; it is changed."""
    length = after.first - before.stop + 1 if before and after else SWING
    over = min(SWING, length)
    left, coming = np.zeros(len(way)), np.zeros(len(way))
    if before:
        gone = frames - before.stop + 1
        left = remaining(gone, over)
        way += left[:, None] * before.late - _held_back(gone, over)[:, None] * before.leaving
    if after:
        ahead = after.first - frames
        coming = remaining(ahead, over)
        way += coming[:, None] * after.early - _held_back(ahead, over)[:, None] * after.coming
    share = np.ones(len(way)) if before and after and length <= 2 * SWING else left + coming
    way[:, 1] += share * _missing(way, [stand.place for stand in (before, after) if stand], leg)
    return way


def _missing(way: Floats, places: Sequence[Floats], leg: float) -> Floats:
    """How much higher `[N]` a foot on its way `[N, 3]` has to be so that it is not dragged from or to places.

    It needs some height for each unit that it is away from the nearer place, up to that of a low step.
    """
    if not places:
        return np.zeros(len(way))
    away = np.stack([np.hypot(way[:, 0] - place[0], way[:, 2] - place[2]) for place in places])
    level = np.asarray([place[1] for place in places])[away.argmin(axis=0)]
    height, most = way[:, 1] - level, _LIFT * leg
    needed = most * np.tanh(_STEEP * away.min(axis=0) / max(most, 1e-9))
    soft = np.maximum(_SOFT * needed, 1e-9)
    return np.maximum(needed - height, np.clip(needed + soft - height, 0.0, 2.0 * soft) ** 2 / (4.0 * soft))


def _dragged(way: Floats) -> Floats:
    """The last step of a way `[N, 3]`, or as much of it `[3]` as the foot goes in the few steps before."""
    if len(way) < 3:
        return np.zeros(3)
    step, before = way[-1] - way[-2], way[-2] - way[max(len(way) - 2 - _DRAGGED, 0)]
    return step * min(float(np.linalg.norm(before)) / max(float(np.linalg.norm(step)), 1e-9), 1.0)


def _held_back(steps: np.ndarray, over: float) -> Floats:
    """How many of its first steps a foot is held back after so many, if it starts from rest and makes up for it over
    `over` steps."""
    return steps * np.clip(1.0 - steps / over, 0.0, 1.0) ** 2


def remaining(steps: np.ndarray, over: float) -> Floats:
    """Shares of a correction that are left so many frames beyond where it counts, when it fades out over `over`."""
    share = np.clip(np.asarray(steps, np.float64) / over, 0.0, 1.0)
    return 1.0 - share * share * (3.0 - 2.0 * share)
