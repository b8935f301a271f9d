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
from kinema.generation.clearing import EASE, clear
from kinema.generation.footing import SHORTEST, stands
from kinema.generation.planting import standing, with_contacts
from kinema.generation.reaching import meeting, reach
from kinema.generation.rig import AnyRig
from kinema.generation.soles import PlantedLimb, find_feet, on_soles
from kinema.generation.strides import SWING, Stand, insistence, remaining, stride
from kinema.mocap.contacts import drop_short


class LivePlanting:
    """Plants the feet of one motion, piece by piece. Places are relative to the hips' in the last frame."""

    def __init__(self, rig: AnyRig) -> None:
        self.rig = rig
        self._last: Singles | None = None
        self._heading = 0.0
        self._stands: dict[int, Stand] = {}  # the last of each foot, in frames from the last one on
        self._goals: dict[int, Floats] = {}
        self._ends: frozenset[int] = frozenset()  # what has stood so far
        self._rises: dict[int, float] = {}  # how far ankles were raised in the last frame

    def fork(self) -> LivePlanting:
        """One that goes on from here by itself."""
        other = copy(self)
        other._stands, other._goals, other._rises = dict(self._stands), dict(self._goals), dict(self._rises)
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
        self._ends |= set(np.flatnonzero(planted.any(axis=0)).tolist())
        feet = find_feet(self.rig, sorted(self._ends))
        last, goals = {}, {}

        def way(limb: PlantedLimb, positions: Floats) -> tuple[Floats, Floats]:
            foot = limb.foot
            found, weight, every = self._schedule(limb, positions, planted[:, foot])
            planted[:, foot] = standing(every, len(planted))
            if (found[end - 1] != positions[end - 1, foot]).any():
                goals[foot] = found[end - 1]
            begun = [stand for stand in every if stand.first < end and stand.stop > end - SWING]
            if begun:
                last[foot] = begun[-1]
            return found, weight

        made, rises = clear(
            self.rig, reach(self.rig, window, feet, meeting(way), start), feet, start, self._rises if begin else None
        )
        path, heading = travelled(window[: end - 1], self.rig, start)
        moved = np.asarray([path[-1, 0], 0.0, path[-1, 1]])
        self._stands = {
            foot: replace(stand, first=stand.first - (end - 1), stop=stand.stop - (end - 1), place=stand.place - moved)
            for foot, stand in last.items()
        }
        self._goals = {foot: place - moved for foot, place in goals.items()}
        self._rises = {ankle: float(rise[end - 1]) for ankle, rise in rises.items()}
        self._last, self._heading = piece[-1:], float(heading[-1])
        return with_contacts(made, planted)[begin:end]

    def _planted(self, window: Singles, known: int) -> Bools:
        """Which joints `[W, K]` are called planted for long enough; what stands has stood for long enough."""
        planted = on_soles(self.rig, window[..., CONTACT][..., 0] > 0.5, self._ends)
        for foot in range(self.rig.count if known else 0):
            planted[0, foot] = foot in self._stands and self._stands[foot].stop > 0
        return drop_short(np.concatenate([np.repeat(planted[:known], SHORTEST, axis=0), planted]), SHORTEST)[
            SHORTEST * known :
        ]

    def _schedule(self, limb: PlantedLimb, positions: Floats, planted: Bools) -> tuple[Floats, Floats, list[Stand]]:
        """Where a foot `[W, 3]` is to be and how much `[W]`, and where and when it stands.

        Args:
            positions: `[W, K, 3]` of all joints. planted: `[W]`: contacts.
        """
        held = self._stands.get(limb.foot)
        still = held.place if held is not None and held.stop > 0 else None
        every = [held] if held is not None and held.stop <= 0 else []
        every += stands(limb, positions, planted, still)
        way = positions[:, limb.foot]
        found, weight = stride(way, every, limb.length), insistence(every, len(way))
        if self._last is not None:
            jump, fading = self._goals.get(limb.foot, way[0]) - found[0], remaining(np.arange(len(found)), EASE)
            found += fading[:, None] * jump
            weight = np.maximum(weight, fading * (limb.foot in self._goals))
        return found, weight, every
