"""Terrain for motion that was captured without it: patches of a ground that fit the footfalls.

After Holden, Komura and Saito, "Phase-Functioned Neural Networks for Character Control" (2017): of many patches those
are kept that are high where feet stand and not higher than feet that swing. Then a smooth correction brings them to the
feet that stand.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from kinema import rotations
from kinema.arrays import Bools, Floats, Reals, Singles
from kinema.errors import UsageError
from kinema.terrain.ground import VOID, Ground, flat, is_void
from kinema.terrain.placed import Placed

_STANDING = 0.1  # weight of the error of feet that stand: the correction removes most of it
_MOST_FOOTFALLS = 400
_BATCH = 200_000  # points that are asked for at once
_SMOOTHING = 1e-3  # metres: footfalls at one place need not agree


@dataclass(frozen=True, eq=False)
class Corrected(Ground):
    """A ground with offsets at some places, interpolated by linear radial basis functions; level far away from them.

    Attributes:
        ground: what is corrected.
        places: float64 `[K, 2]`: x and z, metres.
        weights: `[K]`: slopes of the cones at the places; their sum is zero.
        offset: metres added everywhere.
    """

    ground: Ground
    places: Floats
    weights: Reals
    offset: float

    @classmethod
    def through(cls, ground: Ground, points: Reals) -> Corrected:
        """The ground moved so that it goes through points `[K, 3]`; points at one place share their mean."""
        points = np.asarray(points, np.float64).reshape(-1, 3)
        count, places = len(points), points[:, [0, 2]]
        residuals = points[:, 1] - ground.height(points)
        system = np.ones((count + 1, count + 1))
        system[:-1, :-1] = np.linalg.norm(places[:, None] - places, axis=-1) - _SMOOTHING * np.eye(count)
        system[-1, -1] = 0.0
        solution = np.linalg.solve(system, np.append(residuals, 0.0))
        return cls(ground, places, solution[:-1], float(solution[-1]))

    def height(self, points: Reals) -> Singles:
        """See `Ground`."""
        from kinema.terrain.kernels import cones

        heights = self.ground.height(points)
        added = cones(self.places, self.weights, flat(points)).reshape(heights.shape) + np.float32(self.offset)
        return np.where(is_void(heights), np.float32(VOID), heights + added)

    def normal(self, points: Reals) -> Singles:
        """See `Ground`."""
        from kinema.terrain.kernels import cone_slopes

        normals = self.ground.normal(points)
        slopes = cone_slopes(self.places, self.weights, flat(points)).reshape(*points.shape[:-1], 2)
        tilted = normals / np.maximum(normals[..., 1:2], 1e-6)
        tilted[..., 0] -= slopes[..., 0]
        tilted[..., 2] -= slopes[..., 1]
        return tilted / np.linalg.norm(tilted, axis=-1, keepdims=True)


@dataclass(frozen=True, eq=False)
class Patch:
    """A ground that fits some motion.

    Attributes:
        ground: the patch in the world of the motion, with its correction.
        error: m^2: how badly it fitted before the correction. Smaller is better.
    """

    ground: Corrected
    error: float


def fit_patches(
    candidates: Sequence[Ground],
    feet: Reals,
    contacts: Bools,
    *,
    tries: int = 1000,
    keep: int = 10,
    extent: float = 20.0,
    seed: int = 0,
) -> list[Patch]:
    """The places of grounds that fit the feet of a motion best.

    The error of a place is 0.1 times the mean square distance of the ground from feet that stand, plus the mean square
    depth of other feet in the ground. Its height is that with which feet stand on it on average.

    Args:
        candidates: grounds to take patches from, such as `[hills(seed) for seed in range(4)]`.
        feet: `[F, C, 3]`: points that touch the ground in contact (soles), metres, world.
        contacts: bool `[F, C]`.
        tries: places to compare.
        keep: number of patches to return.
        extent: places are at most so far from the origin of a candidate, along x and z, metres.
        seed: seed of the places and their headings.

    Returns:
        At most `keep` patches, the best first; fewer where the candidates have holes.

    Raises:
        UsageError: no foot ever stands, or the arrays, numbers or candidates do not fit.
    """
    grounds = tuple(candidates)
    feet, contacts = np.asarray(feet, np.float64), np.asarray(contacts, bool)
    if feet.ndim != 3 or feet.shape[-1] != 3 or contacts.shape != feet.shape[:2] or not np.isfinite(feet).all():
        raise UsageError(f"feet [F, C, 3] and contacts [F, C] do not fit: {list(feet.shape)}, {list(contacts.shape)}")
    if not contacts.any():
        raise UsageError("no foot stands on the ground, so no patch can be fitted")
    if not grounds or tries < 1 or keep < 1 or not 0 <= extent < np.inf:
        raise UsageError("fitting patches needs candidates, tries, a number to keep and an extent")
    random = np.random.default_rng(seed)
    which = random.integers(len(grounds), size=tries)
    places, headings = random.uniform(-extent, extent, (tries, 2)), random.uniform(-np.pi, np.pi, tries)
    middle = feet.reshape(-1, 3).mean(0) * [1, 0, 1]
    errors, offsets = np.full(tries, np.inf), np.zeros(tries)
    for number, ground in enumerate(grounds):
        mine = np.flatnonzero(which == number)
        for chosen in np.array_split(mine, max(len(mine) * contacts.size // _BATCH, 1)):
            errors[chosen], offsets[chosen] = _errors(ground, feet - middle, contacts, places[chosen], headings[chosen])
    steps = footfalls(feet, contacts)
    steps = steps[:: -(-len(steps) // _MOST_FOOTFALLS)]
    found = []
    for index in np.argsort(errors, kind="stable")[:keep].tolist():
        if np.isfinite(errors[index]):
            placed = _placed(
                grounds[which[index]], places[index], float(headings[index]), float(offsets[index]), middle
            )
            found.append(Patch(Corrected.through(placed, steps), float(errors[index])))
    return found


def footfalls(feet: Reals, contacts: Bools) -> Floats:
    """Mean places `[K, 3]` of all stretches in which a foot of `[F, C, 3]` is in contact `[F, C]`."""
    rows = np.ascontiguousarray(np.swapaxes(contacts, 0, 1))
    begins = rows & ~np.pad(rows, ((0, 0), (1, 0)))[:, :-1]
    number = np.cumsum(begins.reshape(-1)) - 1  # stretches of one foot after those of another
    standing = rows.reshape(-1)
    places = np.swapaxes(feet, 0, 1).reshape(-1, 3)[standing]
    stretch = number[standing]
    sums = np.stack([np.bincount(stretch, places[:, axis]) for axis in range(3)], axis=-1)
    return sums / np.bincount(stretch)[:, None]


def heights_across(ground: Ground, positions: Reals, headings: Reals, width: float = 0.25) -> Singles:
    """Heights `[..., 3]` of the ground to the left of, at and to the right of a path, metres.

    With one path position per trajectory time these are the terrain inputs of phase-functioned networks, and the label
    `height` that features read.

    Args:
        positions: `[..., 3]`, metres. headings: `[...]`, radians from +Z to +X.
        width: distance of the outer lines, metres.
    """
    turn = np.asarray(rotations.from_yaw(np.asarray(headings, np.float64)))
    aside = np.array([[width, 0.0, 0.0], [0.0, 0.0, 0.0], [-width, 0.0, 0.0]])  # +X is left of +Z
    return ground.height(positions[..., None, :] + rotations.rotate(turn[..., None, :], aside))


def _errors(ground: Ground, feet: Floats, contacts: Bools, places: Floats, headings: Floats) -> tuple[Floats, Floats]:
    """Errors `[T]` of a ground at places `[T, 2]`, and how far it has to be raised there `[T]`."""
    turn = rotations.from_yaw(headings)[:, None, None]
    points = rotations.rotate(turn, feet) + np.insert(places, 1, 0.0, axis=-1)[:, None, None]
    heights = ground.height(points).astype(np.float64)
    above = heights - feet[..., 1]  # of the ground over the feet
    offsets = -(above * contacts).sum((1, 2)) / contacts.sum()
    above = above + offsets[:, None, None]
    standing = np.where(contacts, above**2, 0.0).sum((1, 2)) / contacts.sum()
    inside = np.where(contacts, 0.0, np.maximum(above, 0.0) ** 2).sum((1, 2)) / max((~contacts).sum(), 1)
    there = ~is_void(heights).any((1, 2))
    return np.where(there, _STANDING * standing + inside, np.inf), np.where(there, offsets, 0.0)


def _placed(ground: Ground, place: Floats, heading: float, offset: float, middle: Floats) -> Placed:
    """The ground in the world of the motion, whose middle is at `place` of the ground and turned by `heading` there."""
    x, _, z = rotations.rotate(rotations.from_yaw(np.float64(-heading)), np.array([place[0], 0.0, place[1]])).tolist()
    return Placed(ground, (float(middle[0]) - x, offset, float(middle[2]) - z), -heading)
