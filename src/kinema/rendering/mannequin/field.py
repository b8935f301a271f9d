"""The field of a mannequin: signed distance to a body made of swept ellipses, one piece a bone.

A piece is a straight sweep of an ellipse whose two radii change along the bone. Neighbours in the skeleton's tree melt
into each other; pieces that are far apart in the tree are kept apart by a thin gap, however near they come in space,
so that no web grows between legs, fingers, or an arm and the ribs.
"""

# pyright: reportIndexIssue=false

from __future__ import annotations

import math

import numpy as np
from numba import njit
from numpy.typing import NDArray

KNOTS = 5
"""Places along a piece where its radii are given; cubic between them."""
# Columns of a piece: start (3), side, depth and bone axis (9), length, round of both ends, then the radii at the knots
# to the side and in depth, and the sweep's offsets to both.
START, FRAME, LENGTH, CAPS, WIDE, DEEP, ASIDE, BEHIND = 0, 3, 12, 13, 15, 20, 25, 30
COLUMNS = 35

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]


@njit(cache=True)
def _knot(row: Floats, first: int, at: float) -> float:
    """A value at `at` (0 to 1) along the bone, by a Catmull-Rom curve through the knots."""
    x = at * (KNOTS - 1)
    i = min(int(x), KNOTS - 2)
    t = x - i
    b, c = row[first + i], row[first + i + 1]
    a = row[first + i - 1] if i > 0 else 2 * b - c
    d = row[first + i + 2] if i < KNOTS - 2 else 2 * c - b
    return b + 0.5 * t * (c - a + t * (2 * a - 5 * b + 4 * c - d + t * (3 * (b - c) + d - a)))


@njit(cache=True, error_model="numpy")
def piece_distance(row: Floats, x: float, y: float, z: float) -> float:
    """Distance to one piece, negative inside; exact on the axes of the ellipse, near the surface to first order."""
    px, py, pz = x - row[0], y - row[1], z - row[2]
    u = px * row[3] + py * row[4] + pz * row[5]
    v = px * row[6] + py * row[7] + pz * row[8]
    w = px * row[9] + py * row[10] + pz * row[11]
    length = row[LENGTH]
    at = min(max(w / length, 0.0), 1.0) if length > 0 else 0.0
    a, b = _knot(row, WIDE, at), _knot(row, DEEP, at)
    u -= _knot(row, ASIDE, at)
    v -= _knot(row, BEHIND, at)
    over = w - at * length
    c = min(a, b) * (row[CAPS] if over < 0 else row[CAPS + 1])
    ku, kv, kw = u / a, v / b, over / c
    k = math.sqrt(ku * ku + kv * kv + kw * kw)
    if k < 1e-6:
        return -min(a, b)
    ku, kv, kw = ku / a, kv / b, kw / c
    return k * (k - 1) / math.sqrt(ku * ku + kv * kv + kw * kw)


@njit(cache=True, error_model="numpy")
def _between(parents: Ints, depths: Ints, near: Floats, first: int, second: int) -> float:
    """Least distance to the pieces on the way from one to the other, both left out; large where there are none."""
    a, b = parents[first], parents[second]
    least = 1e30
    i, j = first, second
    while i != j:
        if depths[i] >= depths[j]:
            i = parents[i]
        else:
            j = parents[j]
        if i < 0 or j < 0:
            break
        if i != second and i != first and near[i] < least:
            least = near[i]
        if j != first and j != second and near[j] < least:
            least = near[j]
    return least if a != second and b != first else -1e30


@njit(cache=True, error_model="numpy")
def distance(
    pieces: Floats,
    parents: Ints,
    depths: Ints,
    strangers: Flags,
    pairs: Ints,
    blends: Floats,
    gaps: Floats,
    near: Floats,
    x: float,
    y: float,
    z: float,
) -> tuple[float, int]:
    """Signed distance to the body and the piece that is nearest.

    Args:
        pieces: `[P, COLUMNS]`. parents, depths: `[P]`: the tree of pieces.
        strangers: `[P, P]`: pieces that are kept apart.
        pairs: `[M, 2]`: pieces that melt into each other. blends: `[M]`: how far, metres.
        gaps: `[P]`: width kept open between strangers, the lesser of the two, metres.
        near: `[P]`: room to work in.
    """
    count = pieces.shape[0]
    best, nearest = 1e30, 0
    for i in range(count):
        near[i] = piece_distance(pieces[i], x, y, z)
        if near[i] < best:
            best, nearest = near[i], i
    value = best
    for m in range(pairs.shape[0]):
        one, two, k = near[pairs[m, 0]], near[pairs[m, 1]], blends[m]
        low, apart = min(one, two), abs(one - two)
        if apart < k and low < best + k:
            melted = low - (k - apart) * (k - apart) / (4 * k)
            if melted < value:
                value = melted
    for i in range(count):
        gap = min(gaps[i], gaps[nearest])
        if near[i] - best < gap and strangers[nearest, i]:
            between = _between(parents, depths, near, nearest, i)
            shut = min(0.5 * (gap - (near[i] - best)), between)
            if shut > value:
                value = shut
    return value, nearest


@njit(cache=True, error_model="numpy")
def distances(
    pieces: Floats,
    parents: Ints,
    depths: Ints,
    strangers: Flags,
    pairs: Ints,
    blends: Floats,
    gaps: Floats,
    points: Floats,
) -> tuple[Floats, Ints]:
    """`distance` at points `[N, 3]`."""
    values, nearest = np.empty(len(points)), np.empty(len(points), np.int64)
    near = np.empty(len(pieces))
    for n in range(len(points)):
        values[n], nearest[n] = distance(
            pieces, parents, depths, strangers, pairs, blends, gaps, near, points[n, 0], points[n, 1], points[n, 2]
        )
    return values, nearest


@njit(cache=True, error_model="numpy")
def divide(
    pieces: Floats, fineness: Floats, origin: Floats, size: float, levels: int, coarsest: int
) -> tuple[Ints, Ints]:
    """Cut a cube into cells that are small where the surface is, and smaller where a piece is thin.

    Args:
        fineness: `[P]`: the largest cell on each piece, metres.
        origin: low corner `[3]` of the cube. size: its edge, metres.
        levels: how often it may be halved. coarsest: how often it is halved wherever the body may be.

    Returns:
        Children `[N, 8]` of each cell (-1 in all for a leaf) and `[N, 4]`: low corner in units of the smallest
        cell, and edge in those units. Cell 0 is the cube.
    """
    room = 4096
    children = np.full((room, 8), -1, np.int64)
    cells = np.zeros((room, 4), np.int64)
    cells[0, 3] = 1 << levels
    unit = size / (1 << levels)
    count, at = 1, 0
    while at < count:
        edge = cells[at, 3]
        if edge > 1:
            half = 0.5 * edge * unit
            x = origin[0] + cells[at, 0] * unit + half
            y = origin[1] + cells[at, 1] * unit + half
            z = origin[2] + cells[at, 2] * unit + half
            reach = 1.7321 * half
            least, wanted = 1e30, 1e30
            for i in range(pieces.shape[0]):
                d = piece_distance(pieces[i], x, y, z)
                least = min(least, d)
                if d < 1.25 * reach and fineness[i] < wanted:
                    wanted = fineness[i]
            early = edge > (1 << (levels - coarsest))
            if (early and least < 2.5 * reach) or (
                edge * unit > wanted and least > -1.6 * reach and least < 1.4 * reach
            ):
                if count + 8 > room:
                    more_children = np.full((2 * room, 8), -1, np.int64)
                    more_cells = np.zeros((2 * room, 4), np.int64)
                    more_children[:room], more_cells[:room] = children, cells
                    children, cells, room = more_children, more_cells, 2 * room
                part = edge // 2
                for octant in range(8):
                    children[at, octant] = count
                    cells[count, 0] = cells[at, 0] + (octant & 1) * part
                    cells[count, 1] = cells[at, 1] + ((octant >> 1) & 1) * part
                    cells[count, 2] = cells[at, 2] + (octant >> 2) * part
                    cells[count, 3] = part
                    count += 1
        at += 1
    return children[:count].copy(), cells[:count].copy()
