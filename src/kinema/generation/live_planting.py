"""Plants feet while motion is made, piece by piece.

As `planting` does for whole clips, with what is known: the piece, and what will probably follow. A foot that stands
keeps its place from piece to piece. Where what follows turns out otherwise than expected, the difference fades out, so
no foot jumps.
"""

from __future__ import annotations

from copy import copy

import numpy as np

from kinema.arrays import Bools, Floats, Singles
from kinema.generation.channels import CONTACT, Start, travelled
from kinema.generation.planting import EASE, SHORTEST, fade, find_limb, put_feet, remaining, standing_place
from kinema.generation.rig import AnyRig
from kinema.mocap.contacts import drop_short, runs

_SLIDE = 0.25
"""Share of its limb's length that a standing foot may be away from where the motion has it, before it takes a step."""


class LivePlanting:
    """Plants the feet of one motion, piece by piece. Places are relative to the hips' in the last frame."""

    def __init__(self, rig: AnyRig) -> None:
        self.rig = rig
        self._last: Singles | None = None
        self._heading = 0.0
        self._standing: dict[int, Floats] = {}
        self._goals: dict[int, Floats] = {}

    def fork(self) -> LivePlanting:
        """One that goes on from here by itself."""
        other = copy(self)
        other._standing, other._goals = dict(self._standing), dict(self._goals)
        return other

    def next(self, piece: Singles, expected: Singles) -> Singles:
        """The next channels `[F, K, CHANNELS]`, with planted feet.

        Args:
            expected: `[E, K, CHANNELS]`: what will probably follow; `EASE + SHORTEST` frames of it are of use, and
                with fewer, feet come to a stand more abruptly.
        """
        before = self._last if self._last is not None else piece[:0]
        begin, end = len(before), len(before) + len(piece)
        window = np.concatenate([before, piece, expected])
        start = Start(heading=self._heading)
        planted = window[..., CONTACT][..., 0] > 0.5
        for foot in range(self.rig.count if begin else 0):
            planted[0, foot] = foot in self._standing
        planted = drop_short(planted, SHORTEST)
        wanted = set(np.flatnonzero(planted.any(axis=0)).tolist()) | self._goals.keys()
        feet = [foot for foot in sorted(wanted) if find_limb(self.rig, foot)]
        standing, goals = {}, {}

        def goal(foot: int, positions: Singles) -> Floats:
            found, places = self._schedule(foot, positions.astype(np.float64), planted[:, foot])
            if (found[end - 1] != positions[end - 1]).any():
                goals[foot] = found[end - 1]
            for first, stop in runs(planted[:, foot]):
                if first < end <= stop:
                    standing[foot] = places[first]
            return found

        made = put_feet(self.rig, window, feet, goal, start)[begin:end]
        path, heading = travelled(window[: end - 1], self.rig, start)
        moved = np.asarray([path[-1, 0], 0.0, path[-1, 1]])
        self._standing = {foot: place - moved for foot, place in standing.items()}
        self._goals = {foot: place - moved for foot, place in goals.items()}
        self._last, self._heading = piece[-1:], float(heading[-1])
        return made

    def _schedule(self, foot: int, positions: Floats, planted: Bools) -> tuple[Floats, dict[int, Floats]]:
        """Where a foot `[W, 3]` is to be, and where it stands in each contact, by its first frame.

        `planted` is changed where the foot has to take a step.
        """
        places: dict[int, Floats] = {}
        held = self._standing.get(foot)
        if held is not None:
            _take_step(planted, np.linalg.norm(positions - held, axis=-1) > _SLIDE * self._length(foot))
        shift = np.zeros_like(positions)
        for first, stop in runs(planted):
            during = positions[first:stop]
            place = held if held is not None and first == 0 else standing_place(self.rig, foot, during)
            places[first] = place
            shift[first:stop] = place - during
            fade(shift, planted, first, -1)
            fade(shift, planted, stop - 1, 1)
        found = positions + shift
        if self._last is not None:
            jump = self._goals.get(foot, positions[0]) - found[0]
            found += np.asarray([remaining(step) for step in range(len(found))])[:, None] * jump
        return found, places

    def _length(self, foot: int) -> float:
        """Length of the bones of a limb, in units."""
        limb = find_limb(self.rig, foot)
        assert limb is not None
        length, joint = 0.0, foot
        while joint != limb.top:
            length += float(np.linalg.norm(self.rig.offsets[joint]))
            joint = int(self.rig.parents[joint])
        return length


def _take_step(planted: Bools, far: Bools) -> None:
    """Lift a foot that stands at the first frame for a moment, when it is too far away."""
    first, stop = runs(planted)[0]
    away = np.flatnonzero(far[first:stop])
    if len(away):
        planted[max(int(away[0]), 1) : int(away[0]) + EASE] = False
