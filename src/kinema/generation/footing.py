"""Where and when a foot can stand: how far its limb reaches, and what is left of its contacts.

A foot stays where it stands while the body moves on above it. A contact that lasts for longer than the limb reaches
would drag the foot along; so it is cut where the foot would be out of reach, and what is cut off becomes further steps.
"""

from __future__ import annotations

import numpy as np

from kinema.arrays import Bools, Floats
from kinema.generation.soles import LEVEL, PlantedLimb
from kinema.generation.strides import Stand
from kinema.mocap.contacts import runs

SHORTEST = 3
"""Frames of a contact, and of a step that has to be taken, at least."""

_FARTHEST = 1.02  # share of the length of a limb at which a foot still stands, missing its place by as little
_HELD = 1.15  # the same of one that stands there already: what was not foreseen is no reason for a hasty step
_BRIEFEST = 2  # frames of a stand, where the limb does not reach farther
_ROUNDS = 8  # of moving a place towards the frame from which it is farthest out of reach


def stands(limb: PlantedLimb, positions: Floats, planted: Bools, still: Floats | None = None) -> list[Stand]:
    """When and where a foot stands, one stand after the other; it has every place within reach.

    Args:
        positions: `[F, K, 3]` of all animated joints in the world, units. planted: `[F]`: contacts.
        still: where it stands `[3]` already if it is planted in the first frame; None if that is open.
    """
    found: list[Stand] = []
    for first, stop in runs(planted):
        place = still if first == 0 else None
        found += _within_reach(limb, positions, first, stop, place)
    return found


def _within_reach(limb: PlantedLimb, positions: Floats, first: int, stop: int, still: Floats | None) -> list[Stand]:
    """The stands of one contact: a foot that stands `still` does so from the first frame on, as long as it can."""
    if stop - first < (1 if still is not None else _BRIEFEST):
        return []
    line = (limb.top, limb.middle, limb.end, limb.foot)
    top, middle, end, foot = (positions[first:stop, joint] for joint in line)
    share = _FARTHEST if still is None else _HELD
    length = share * (np.linalg.norm(middle - top, axis=-1) + np.linalg.norm(end - middle, axis=-1))
    top = top + foot - end  # above the foot as the top is above the ankle
    place = _place(limb, top, foot, length) if still is None else still
    near = np.linalg.norm(place - top, axis=-1) <= length
    if still is not None:
        begin, over = 0, int(np.argmin(near)) if not near.all() else len(near)
    else:
        begin, over = max(runs(near), key=lambda run: run[1] - run[0], default=(0, 0))
    begin, over = first + begin, first + over
    if over - begin < (1 if still is not None else _BRIEFEST):
        return [] if still is None else _within_reach(limb, positions, first + SHORTEST, stop, None)
    return [
        *_within_reach(limb, positions, first, begin - SHORTEST, None),
        Stand.at(place, positions[:, limb.foot], begin, over),
        *_within_reach(limb, positions, over + SHORTEST, stop, None),
    ]


def _place(limb: PlantedLimb, top: Floats, foot: Floats, length: Floats) -> Floats:
    """Where a foot stands `[3]` during a contact in which it is at `foot` `[N, 3]`, under the top of its limb `[N, 3]`.

    The mean of the middle half, moved along the ground no farther than it takes to be within a limb's `length` `[N]`.
    """
    place = foot[len(foot) // 4 : len(foot) - len(foot) // 4].mean(axis=0)
    place[1] = np.clip(place[1], limb.floor - LEVEL, limb.floor + LEVEL)
    around = np.sqrt(np.maximum(length**2 - (place[1] - top[:, 1]) ** 2, 0.0))
    for _ in range(_ROUNDS):
        away = top[:, [0, 2]] - place[[0, 2]]
        distance = np.hypot(away[:, 0], away[:, 1])
        worst = int((distance - around).argmax())
        missing = distance[worst] - around[worst]
        if missing <= 0.0:
            break
        place[[0, 2]] += away[worst] * missing / distance[worst]
    return place
