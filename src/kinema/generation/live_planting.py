"""Plants feet while motion is made, piece by piece.

As `planting` does for whole clips, with what is known: the piece, and what will probably follow. A foot that stands
keeps its place from piece to piece. Where what follows turns out otherwise than expected, the difference fades out, so
no foot jumps.
"""

from __future__ import annotations

from copy import copy
from dataclasses import replace

import numpy as np

from kinema.arrays import Bools, Floats, Singles
from kinema.generation.channels import CONTACT, Start, travelled
from kinema.generation.planting import SHORTEST, find_limb, limb_length, put_feet, standing_place, with_contacts
from kinema.generation.rig import AnyRig
from kinema.generation.strides import SWING, Stand, remaining, stride
from kinema.mocap.contacts import drop_short, runs

_EASE = 6  # frames over which what was not foreseen fades out, and for which a step lasts that a foot has to take
_SLIDE = 0.25
"""Share of its limb's length that a standing foot may be away from where the motion has it, before it takes a step."""


class LivePlanting:
    """Plants the feet of one motion, piece by piece. Places are relative to the hips' in the last frame."""

    def __init__(self, rig: AnyRig) -> None:
        self.rig = rig
        self._last: Singles | None = None
        self._heading = 0.0
        self._stands: dict[int, Stand] = {}  # the last of each foot, in frames from the last one on
        self._goals: dict[int, Floats] = {}

    def fork(self) -> LivePlanting:
        """One that goes on from here by itself."""
        other = copy(self)
        other._stands, other._goals = dict(self._stands), dict(self._goals)
        return other

    def next(self, piece: Singles, expected: Singles) -> Singles:
        """The next channels `[F, K, CHANNELS]`, with planted feet.

        Args:
            expected: `[E, K, CHANNELS]`: what will probably follow; `SWING` frames of it are of use, and with fewer,
                feet come to a stand more abruptly.
        """
        before = self._last if self._last is not None else piece[:0]
        begin, end = len(before), len(before) + len(piece)
        window = np.concatenate([before, piece, expected])
        start = Start(heading=self._heading)
        planted = self._planted(window, begin)
        wanted = set(np.flatnonzero(planted.any(axis=0)).tolist()) | self._stands.keys() | self._goals.keys()
        feet = [foot for foot in sorted(wanted) if find_limb(self.rig, foot)]
        last, goals = {}, {}

        def goal(foot: int, positions: Floats) -> Floats:
            found, stands = self._schedule(foot, positions, planted[:, foot])
            if (found[end - 1] != positions[end - 1]).any():
                goals[foot] = found[end - 1]
            begun = [stand for stand in stands if stand.first < end and stand.stop > end - SWING]
            if begun:
                last[foot] = begun[-1]
            return found

        made = put_feet(self.rig, window, feet, goal, start)
        made = with_contacts(made, planted, feet)[begin:end]
        path, heading = travelled(window[: end - 1], self.rig, start)
        moved = np.asarray([path[-1, 0], 0.0, path[-1, 1]])
        self._stands = {
            foot: replace(stand, first=stand.first - (end - 1), stop=stand.stop - (end - 1), place=stand.place - moved)
            for foot, stand in last.items()
        }
        self._goals = {foot: place - moved for foot, place in goals.items()}
        self._last, self._heading = piece[-1:], float(heading[-1])
        return made

    def _planted(self, window: Singles, known: int) -> Bools:
        """Which joints `[W, K]` are called planted for long enough; what stands has stood for long enough."""
        planted = window[..., CONTACT][..., 0] > 0.5
        for foot in range(self.rig.count if known else 0):
            planted[0, foot] = foot in self._stands and self._stands[foot].stop > 0
        return drop_short(np.concatenate([np.repeat(planted[:known], SHORTEST, axis=0), planted]), SHORTEST)[
            SHORTEST * known :
        ]

    def _schedule(self, foot: int, positions: Floats, planted: Bools) -> tuple[Floats, list[Stand]]:
        """Where a foot `[W, 3]` is to be, and where and when it stands.

        `planted` is changed where the foot has to take a step.
        """
        held, leg = self._stands.get(foot), limb_length(self.rig, foot)
        stands = [held] if held is not None and held.stop <= 0 else []
        still = held.place if held is not None and held.stop > 0 else None
        if still is not None:
            _take_step(planted, np.linalg.norm(positions - still, axis=-1) > _SLIDE * leg)
        for first, stop in runs(planted):
            place = still if still is not None and first == 0 else None
            if place is None:
                place = standing_place(self.rig, foot, positions[first:stop])
            stands.append(Stand.at(place, positions, first, stop))
        found = stride(positions, stands, leg)
        if self._last is not None:
            jump = self._goals.get(foot, positions[0]) - found[0]
            found += remaining(np.arange(len(found)), _EASE)[:, None] * jump
        return found, stands


def _take_step(planted: Bools, far: Bools) -> None:
    """Lift a foot that stands at the first frame for a moment, when it is too far away."""
    first, stop = runs(planted)[0]
    away = np.flatnonzero(far[first:stop])
    if len(away):
        planted[max(int(away[0]), 1) : int(away[0]) + _EASE] = False
