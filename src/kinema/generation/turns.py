"""A rig whose names do not say which way it faces: the quarter turns after which left and right mirror each other."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import permutations, product

import numpy as np

from kinema import rotations
from kinema.arrays import Floats
from kinema.generation.rig import AnyRig
from kinema.generation.symmetry import mirror_image

_ALONE = 0.2
"""How far off, units, a joint without a mirror image counts."""

_CLEARLY = 0.8
"""A plane of symmetry other than the given one has to be this much better."""


@dataclass(frozen=True, eq=False)
class Turn:
    """A rig turned by quarters.

    Attributes:
        swaps: whether its left is what was its right. topples: whether another direction is up.
        sideways: whether the rig was read sideways, so that nothing is known of which way it faces.
    """

    rig: AnyRig
    swaps: bool
    topples: bool
    sideways: bool


def symmetric_turns(rig: AnyRig) -> list[Turn]:
    """A rig turned by quarters so that x = 0 is its plane of symmetry.

    The first is the rig as it is, if that is a plane of symmetry of it; the others face, or stand, other ways.
    """
    turns = _quarter_turns()
    size = len(turns) // 3
    off = [asymmetry(turned(rig, turn)) for turn in turns[::size]]
    plane = 0 if off[0] * _CLEARLY <= min(off) else int(np.argmin(off))
    found = turns[plane * size : (plane + 1) * size]
    return [
        Turn(turned(rig, turn), bool(turn[0] @ found[0][0] < 0), bool(turn[1, 1] < 0.5), plane != 0) for turn in found
    ]


def turned(rig: AnyRig, turn: Floats) -> AnyRig:
    """A rig turned about the origin by a matrix `[3, 3]`."""
    rotation = rotations.from_matrix(turn).astype(np.float32)
    return replace(
        rig,
        rest_positions=(rig.rest_positions @ turn.T).astype(np.float32),
        rest_rotations=rotations.multiply(rotation, rig.rest_rotations).astype(np.float32),
    )


def asymmetry(rig: AnyRig) -> float:
    """How far joints are from the mirror images of others on average, units."""
    image = mirror_image(rig)
    mirrored = rig.rest_positions[image] * np.asarray([-1.0, 1.0, 1.0])
    apart = np.linalg.norm(rig.rest_positions - mirrored, axis=-1)
    return float(np.where(image < 0, _ALONE, np.minimum(apart, _ALONE)).mean())


def _quarter_turns() -> list[Floats]:
    """The 24 rotations by quarters `[3, 3]`: those that keep the x axis first, then those that turn y or z into it."""
    found = []
    for order in permutations(range(3)):
        for signs in product((1.0, -1.0), repeat=3):
            matrix = np.zeros((3, 3))
            matrix[range(3), order] = signs
            if np.linalg.det(matrix) > 0:
                found.append(matrix)
    return sorted(found, key=lambda matrix: (int(np.abs(matrix[0]).argmax()), -float(np.trace(matrix))))
