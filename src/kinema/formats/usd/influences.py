"""Joint influences of USD meshes: which joints move each point, and by what share."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from kinema.errors import FormatError
from kinema.formats.checks import require

MAX_INFLUENCES = 64  # of one point
MAX_WEIGHTS = 64 * 1024**2


def read_influences(
    item: dict[str, Any], tokens: list[str], where: str, warnings: list[str]
) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
    """Joints of the skeleton `[P, I]` and weights that sum to one.

    Args:
        item: a mesh; see `meshes`.
        tokens: the skeleton's joint paths.

    Raises:
        FormatError: sizes that do not fit each other, a joint that does not exist, or a weight that cannot be.
    """
    joints, shares = _sets(item, where)
    names = tokens if item["skin"]["order"] is None else item["skin"]["order"]
    outside = (joints < 0) | (joints >= len(names))
    require(not (outside & (shares > 0)).any(), f"jointIndices lie beyond the {len(names)} joints", node=where)
    joints[outside] = 0
    if names is not tokens:
        place = {token: joint for joint, token in enumerate(tokens)}
        joints = np.array([place.get(token, -1) for token in names] or [-1])[joints]
        lost = joints < 0
        if (lost & (shares > 0)).any():
            warnings.append(f"{where} is bound to joints that its skeleton does not have; those weights were dropped")
        shares[lost], joints[lost] = 0, 0
    total = shares.sum(axis=1, keepdims=True)
    empty = total[:, 0] <= 0
    if empty.any():
        warnings.append(f"{where} has {int(empty.sum())} points without a joint; they follow the first one")
        joints[empty, 0], shares[empty, 0], total[empty] = 0, 1, 1
    used = np.flatnonzero((shares > 0).any(axis=0))
    return joints[:, used], (shares / total)[:, used].astype(np.float32)


def _sets(item: dict[str, Any], where: str) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Indices and weights `[P, I]` as the file has them, each point with its own."""
    skin, count = item["skin"], len(item["points"])
    indices, weights, size = skin["indices"], skin["weights"], skin["size"]
    rows, most = (1, MAX_INFLUENCES * len(indices)) if skin["constant"] else (count, MAX_INFLUENCES)
    require(0 < size <= most, f"has {size} joints a point; 1 to {MAX_INFLUENCES} are read", node=where)
    size = len(indices) if skin["constant"] else size
    if size > 4096 or {len(indices), len(weights)} != {rows * size} or size * count > MAX_WEIGHTS:
        raise FormatError(
            f"has {len(indices)} jointIndices and {len(weights)} jointWeights where {rows} times {size} belong",
            node=where,
        )
    finite = np.isfinite(weights) & (weights >= 0)
    require(finite.all(), "has a joint weight that is negative or not finite", node=where)
    shape = (count, size)
    joints = np.broadcast_to(indices.reshape(rows, size), shape).copy()
    return joints, np.broadcast_to(weights.reshape(rows, size), shape).copy()
