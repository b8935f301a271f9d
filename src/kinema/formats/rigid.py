"""Rigid poses out of matrices that scale and shear: skeletons have no scale, many files do.

Positions stay exact. What is left of each frame is the rotation nearest to it.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from kinema import rotations


def affine(linear: NDArray[np.float64], position: NDArray[np.float64]) -> NDArray[np.float64]:
    """Matrices `[..., 4, 4]` of linear maps `[..., 3, 3]` and positions `[..., 3]`."""
    result = np.zeros((*np.broadcast_shapes(linear.shape[:-2], position.shape[:-1]), 4, 4))
    result[..., :3, :3], result[..., :3, 3], result[..., 3, 3] = linear, position, 1.0
    return result


def rigid_part(matrices: NDArray[np.float64]) -> NDArray[np.float64]:
    """The rotations `[..., 3, 3]` nearest to linear maps `[..., 3, 3]`.

    Axes are normalised where they are at right angles; a sheared map takes its polar rotation. A mirroring map has its
    X axis reversed first, always the same, so that the result moves as smoothly as the map does. A map that
    flattens space has no rotation; it gets an arbitrary one, and stays finite.
    """
    lengths = np.sqrt(np.einsum("...ij,...ij->...j", matrices, matrices))[..., None, :]
    flat = lengths[..., 0, :] <= 1e-12
    axes = matrices / np.where(flat[..., None, :], 1.0, lengths)
    x, y, z = np.moveaxis(axes, -1, 0)
    cosines = [np.abs(np.einsum("...i,...i->...", a, b)) for a, b in ((x, y), (y, z), (z, x))]
    axes[..., 0] *= np.where(np.einsum("...i,...i->...", np.cross(x, y), z) < 0, -1.0, 1.0)[..., None]
    skewed = (np.max(cosines, axis=0) > 1e-6) | flat.any(axis=-1)
    if skewed.any():
        left, _, right = np.linalg.svd(axes[skewed] * lengths[skewed])
        left[..., 2] *= np.where(np.linalg.det(left @ right) < 0, -1.0, 1.0)[..., None]
        axes[skewed] = left @ right
    return axes


def rigid_rotations(world: NDArray[np.float64]) -> NDArray[np.float64]:
    """Quaternions `[..., 4]` of the rotations nearest to matrices `[..., 4, 4]`."""
    return rotations.from_matrix(rigid_part(world[..., :3, :3]))


def rigid_frames(world: NDArray[np.float64]) -> NDArray[np.float64]:
    """The rigid frames `[..., 4, 4]` at the places of world matrices `[..., 4, 4]`."""
    return _matrices(rigid_part(world[..., :3, :3]), world[..., :3, 3])


def transforms(turns: NDArray[np.float64], places: NDArray[np.floating]) -> NDArray[np.float64]:
    """Matrices `[..., 4, 4]` of rotations `[..., 4]` and positions `[..., 3]`."""
    return _matrices(rotations.to_matrix(turns), places)


def _matrices(linear: NDArray[np.float64], places: NDArray[np.floating]) -> NDArray[np.float64]:
    matrices = np.zeros((*linear.shape[:-2], 4, 4))
    matrices[..., :3, :3], matrices[..., :3, 3], matrices[..., 3, 3] = linear, places, 1.0
    return matrices
