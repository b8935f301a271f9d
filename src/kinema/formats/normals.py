"""Normals of meshes: of unit length, smooth where a file has none, and turned with the mesh."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

_UNIT = 1e-3  # how far from one a length may be and still be taken as one


def unit(vectors: NDArray[np.floating]) -> NDArray[np.float32]:
    """Vectors `[V, 3]` of length one, however long or short; up where there is none."""
    lengths = np.sqrt(np.einsum("vc,vc->v", vectors, vectors))
    if vectors.dtype == np.float32 and (np.abs(lengths - 1) < _UNIT).all():
        return vectors.astype(np.float32, copy=False)
    largest = np.abs(vectors).max(axis=1, keepdims=True, initial=0).astype(np.float64)
    scaled = vectors / np.where(largest > 0, largest, 1)  # squares of very long or short ones would not be finite
    lengths = np.linalg.norm(scaled, axis=1, keepdims=True)
    return np.where(largest > 0, scaled / np.where(lengths > 0, lengths, 1), [0.0, 1.0, 0.0]).astype(np.float32)


def smooth(positions: NDArray[np.floating], triangles: NDArray[np.integer]) -> NDArray[np.float64]:
    """Normals `[V, 3]` of points, weighted by the area of the triangles `[K, 3]` around them; of any length."""
    a, b, c = (positions[triangles[:, corner]].astype(np.float64) for corner in range(3))
    faces = np.cross(b - a, c - a)
    flat = triangles.ravel().astype(np.int64)
    columns = [np.bincount(flat, np.repeat(faces[:, axis], 3), len(positions)) for axis in range(3)]
    return np.stack(columns, axis=1).astype(np.float64)


def cofactors(m: NDArray[np.float64]) -> NDArray[np.float64]:
    """The map `[3, 3]` that turns normals when `m` turns points, up to sign and length; also of flat maps."""
    return np.stack([np.cross(m[:, 1], m[:, 2]), np.cross(m[:, 2], m[:, 0]), np.cross(m[:, 0], m[:, 1])], axis=1)
