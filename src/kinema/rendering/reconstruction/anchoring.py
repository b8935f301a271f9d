"""Planes through known points: Gaussians near them are held on them, where colours alone say too little about depth."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.spatial import KDTree

from kinema import rotations
from kinema.arrays import Bools, Floats, Ints, Reals, Singles
from kinema.rendering.reconstruction.numbers import Numbers

_AROUND = 10  # points that a plane is laid through
_LONE, _ALONE = 2.5, 4.0  # times as far from the next ones as these are, and as most points are, a point is astray
_THICK = 0.2  # deviation across a plane, over the smaller one along it: above, points make no plane
_REACH, _THROUGH = 5.0, 0.5  # distances between points, up to which a plane goes on, and holds what is beside it
_HOLD = 0.2  # share of the way to its plane that a Gaussian goes at a time


@dataclass(frozen=True, eq=False)
class Planes:
    """Planes that fit the points around each of some points best.

    Attributes:
        points: `[P, 3]`, metres. middles, normals: `[P, 3]` of planes.
        apart: `[P]`: metres to the next points. flat: `[P]`: which are planes.
        astray: `[P]`: which points are far from the next ones, and not on a plane with them.
    """

    points: Singles
    middles: Floats
    normals: Floats
    apart: Floats
    flat: Bools
    astray: Bools

    @staticmethod
    def through(points: Singles) -> Planes:
        """Those of points `[P, 3]`; of too few, none is a plane."""
        count = len(points)
        if count <= _AROUND:
            upward = np.tile([0.0, 1.0, 0.0], (count, 1))
            none = np.zeros(count, np.bool_)
            return Planes(points, points.astype(np.float64), upward, np.zeros(count), none, none)
        away, beside = KDTree(points).query(points, _AROUND + 1)
        near = points[beside].astype(np.float64)
        middles = near.mean(axis=1)
        local = near - middles[:, None]
        spreads, axes = np.linalg.eigh(np.einsum("nki,nkj->nij", local, local))
        flat = spreads[:, 0] < _THICK**2 * spreads[:, 1]
        apart = np.sqrt(np.square(away[:, 1:4]).mean(axis=1))
        astray = apart > _LONE * np.median(apart[beside], axis=1)
        astray |= ~flat & (apart > _ALONE * np.median(apart))
        return Planes(points, middles, axes[..., 0], apart, np.asarray(flat & ~astray), np.asarray(astray))

    def nearest(self, means: Singles) -> Ints:
        """The plane `[G]` that each of some places `[G, 3]` is on, or should be; -1 where none is known."""
        flat = np.flatnonzero(self.flat)
        if not len(flat):
            return np.full(len(means), -1)
        away, which = KDTree(self.points[flat]).query(means)
        which = flat[which]
        across = np.linalg.norm(self.off(means, which), axis=-1)
        near = (away < _REACH * self.apart[which]) & (across < _THROUGH * np.maximum(self.apart[which], away))
        return np.where(near, which, -1)

    def off(self, means: Reals, which: Ints) -> Floats:
        """From its plane to each of some places: vectors `[G, 3]`, metres; 0 where it has none."""
        normals = self.normals[which]
        away = ((means - self.middles[which]) * normals).sum(axis=-1)
        return np.where(which >= 0, away, 0.0)[:, None] * normals

    def hold(self, numbers: Numbers, which: Ints) -> None:
        """Move Gaussians some of the way onto their planes, and turn them along these."""
        held = np.flatnonzero(which >= 0)
        means, turns = numbers.means[held], rotations.normalize(numbers.quaternions[held])
        numbers.means[held] = means - _HOLD * self.off(means, which[held])
        thin = rotations.to_matrix(turns)[np.arange(len(held)), :, numbers.log_scales[held].argmin(axis=1)]
        normals = self.normals[which[held]]
        normals = np.where((thin * normals).sum(axis=-1, keepdims=True) < 0.0, -normals, normals)
        toward = (1.0 - _HOLD) * thin + _HOLD * normals
        toward /= np.linalg.norm(toward, axis=-1, keepdims=True)
        numbers.quaternions[held] = rotations.multiply(rotations.between(thin, toward), turns)
