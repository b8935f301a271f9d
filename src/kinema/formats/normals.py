"""Normals of meshes: of unit length, smooth where a file has none, and transformed with the mesh."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from kinema.arrays import Floats, Reals, Singles

_UNIT = 1e-3  # how far from one a length may be and still count as one


def unit(vectors: Reals) -> Singles:
    """Vectors `[V, 3]` scaled to length one, also very long or short ones; up in place of zero."""
    lengths = np.sqrt(np.einsum("vc,vc->v", vectors, vectors))
    if vectors.dtype == np.float32 and (np.abs(lengths - 1) < _UNIT).all():
        return vectors.astype(np.float32, copy=False)
    largest = np.abs(vectors).max(axis=1, keepdims=True, initial=0).astype(np.float64)
    scaled = vectors / np.where(largest > 0, largest, 1)  # squares of very long or short ones would not be finite
    lengths = np.linalg.norm(scaled, axis=1, keepdims=True)
    return np.where(largest > 0, scaled / np.where(lengths > 0, lengths, 1), [0.0, 1.0, 0.0]).astype(np.float32)


def smooth(positions: Reals, triangles: NDArray[np.integer]) -> Floats:
    """Normals `[V, 3]` of points, weighted by the area of the triangles `[K, 3]` around them; of any length."""
    a, b, c = (positions[triangles[:, corner]].astype(np.float64) for corner in range(3))
    faces = np.cross(b - a, c - a)
    flat = triangles.ravel().astype(np.int64)
    columns = [np.bincount(flat, np.repeat(faces[:, axis], 3), len(positions)) for axis in range(3)]
    return np.stack(columns, axis=1).astype(np.float64)


def normal_map(linear: Floats) -> tuple[Floats, bool]:
    """The map `[3, 3]` of normals and their offsets if `linear` is that of points, and whether that mirrors."""
    determinant = float(np.linalg.det(linear))
    mirrored, size = determinant < 0, abs(determinant) ** (2 / 3)
    return cofactors(linear) * (-1 if mirrored else 1) / (size or 1.0), mirrored


def cofactors(m: Floats) -> Floats:
    """The map `[3, 3]` of normals if `m` is that of points, up to sign and length; also of flat maps."""
    return np.stack([np.cross(m[:, 1], m[:, 2]), np.cross(m[:, 2], m[:, 0]), np.cross(m[:, 0], m[:, 1])], axis=1)
