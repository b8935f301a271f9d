"""Shapes of debug drawing as points: ribbons on the ground, dashes, wireframe boxes and capsules."""

from __future__ import annotations

import numpy as np

from kinema import rotations
from kinema.arrays import Floats, Singles


def dashes(points: Singles, drawn: float, gap: float) -> list[Singles]:
    """Cut a line `[N, D]` into dashes `[K, D]` of length `drawn` with `gap` between them."""
    lengths = np.linalg.norm(np.diff(points, axis=0), axis=-1)
    along = np.concatenate([[0.0], np.cumsum(lengths, dtype=np.float64)])
    if not (drawn > 0 and gap > 0 and np.isfinite(along[-1])) or along[-1] / (drawn + gap) > 10_000:
        return [points]
    pieces = []
    for start in np.arange(0.0, along[-1], drawn + gap):
        end = min(start + drawn, along[-1])
        stops = np.concatenate([[start], along[(along > start) & (along < end)], [end]])
        pieces.append(np.stack([np.interp(stops, along, points[:, axis]) for axis in range(points.shape[1])], axis=-1))
    return [piece.astype(np.float32) for piece in pieces]


def ribbon(points: Singles, width: float) -> Singles:
    """Corners `[N - 1, 4, 3]` of a level band around a line `[N, 3]`: left and right at the start, then at the end.

    Neighbours share their corners. A corner is at most twice as far from the line as the edge, so that sharp turns have
    no spikes. Vertical steps take the side of their neighbour.
    """
    ways = np.diff(points, axis=0)[:, [0, 2]].astype(np.float64)
    lengths = np.linalg.norm(ways, axis=-1)
    known = np.flatnonzero(lengths > 1e-9)
    if not len(known):
        return np.zeros((0, 4, 3), np.float32)
    nearest = known[np.abs(np.arange(len(ways))[:, None] - known).argmin(axis=1)]
    units = ways[nearest] / lengths[nearest, None]
    sides = np.stack([units[:, 1], -units[:, 0]], axis=-1)  # to the left
    before, after = sides[[0, *range(len(sides))]], sides[[*range(len(sides)), -1]]
    middle = before + after
    size = np.linalg.norm(middle, axis=-1, keepdims=True)
    middle = np.where(size > 1e-6, middle / np.maximum(size, 1e-6), after)
    middle /= np.maximum((middle * after).sum(axis=-1, keepdims=True), 0.5)
    across = np.zeros((len(points), 3), np.float32)
    across[:, [0, 2]] = 0.5 * width * middle
    left, right = points + across, points - across
    return np.stack([left[:-1], right[:-1], left[1:], right[1:]], axis=1)


_CORNERS = np.array([[x, y, z] for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)], np.float32)
_EDGES = np.array([[a, b] for a in range(8) for b in range(a, 8) if bin(a ^ b).count("1") == 1])


def boxes(centers: Singles, quaternions: Singles, sizes: Singles) -> Singles:
    """Edges `[n, 12, 2, 3]` of boxes at `[n, 3]` with rotations `[n, 4]` and sizes `[n, 3]`, metres."""
    corners = centers[:, None] + rotations.rotate(quaternions[:, None], sizes[:, None] * _CORNERS)
    return corners[:, _EDGES].astype(np.float32)


def capsules(starts: Singles, ends: Singles, radii: Singles, corners: int = 24) -> tuple[Singles, Singles, Singles]:
    """Lines of capsules: rings `[n, 2, K, 3]`, half circles `[n, 4, K', 3]` over the ends, sides `[n, 4, 2, 3]`.

    Args:
        starts, ends: `[n, 3]`, the centres of the round ends.
        radii: `[n]`, metres.
    """
    around, over = np.linspace(0, 2 * np.pi, corners + 1), np.linspace(0, np.pi, corners // 2 + 1)
    ring = np.stack([np.cos(around), np.zeros(corners + 1), np.sin(around)], axis=-1)
    arches = np.stack(
        [np.stack([np.cos(over) * x, np.sin(over), np.cos(over) * z], axis=-1) for x, z in ((1, 0), (0, 1))]
    )
    sides = np.repeat(ring[: -1 : corners // 4, None], 2, axis=1)
    up = np.broadcast_to(np.array([0, 1, 0], np.float32), starts.shape)
    ways = ends - starts
    lengths = np.linalg.norm(ways, axis=-1, keepdims=True)
    turns = rotations.between(up, np.where(lengths > 1e-9, ways / np.maximum(lengths, 1e-9), up).astype(np.float32))

    def at(lines: Floats, end: Floats) -> Singles:
        centers = starts[:, None, None] + end[..., None] * ways[:, None, None]
        offsets = radii[:, None, None, None] * rotations.rotate(turns[:, None, None], lines.astype(np.float32))
        return (centers + offsets).astype(np.float32)

    two, four = np.array([[0.0], [1.0]]), np.array([[0.0], [0.0], [1.0], [1.0]])
    return (
        at(np.stack([ring, ring]), two),
        at(np.concatenate([arches * [1, -1, 1], arches]), four),
        at(sides, np.array([[0.0, 1.0]])),
    )
