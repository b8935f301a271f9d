"""The signed distance field of a mannequin: swept ellipses, one for each bone.

A piece is a straight sweep of an ellipse whose two radii change along the bone. Neighbours in the skeleton's tree blend
into each other. A thin gap separates pieces that are far apart in the tree, however near they come in space, so that no
web grows between legs, between fingers, or between an arm and the ribs.
"""

# pyright: reportIndexIssue=false

from __future__ import annotations

import math

import numpy as np

from kinema.arrays import Bools, Floats, Ints
from kinema.compiled import njit
from kinema.kernels import assign

KNOTS = 5
"""Places along a piece where its radii are given; cubic between them."""
# Columns of a piece: start (3), side, depth and bone axis (9), length, round of both ends, then the radii at the knots
# to the side and in depth, and the sweep's offsets to both.
LENGTH, CAPS, WIDE, DEEP, ASIDE, BEHIND = 12, 13, 15, 20, 25, 30
COLUMNS = 35

Field = tuple[Floats, Ints, Ints, Bools, Ints, Floats, Floats]
"""A body, as its kernels take it: pieces `[P, COLUMNS]`; parents `[P]` and depths `[P]` in the tree of pieces;
strangers `[P, P]`, the pieces kept apart; pairs `[M, 2]` of pieces that blend into each other, and the widths `[M]` of
these blends, metres; and the gap `[P]` around each piece, the lesser of two counts, metres."""


@njit
def _knot(row: Floats, first: int, at: float) -> float:
    """A value at `at` (0 to 1) along the bone, by a Catmull-Rom curve through the knots."""
    x = at * (KNOTS - 1)
    i = min(int(x), KNOTS - 2)
    t = x - i
    b, c = row[first + i], row[first + i + 1]
    a = row[first + i - 1] if i > 0 else 2 * b - c
    d = row[first + i + 2] if i < KNOTS - 2 else 2 * c - b
    return b + 0.5 * t * (c - a + t * (2 * a - 5 * b + 4 * c - d + t * (3 * (b - c) + d - a)))


@njit(error_model="numpy")
def piece_distance(row: Floats, x: float, y: float, z: float) -> float:
    """Distance to one piece, negative inside; exact on the axes of the ellipse, first-order near the surface."""
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


@njit(error_model="numpy")
def _between(parents: Ints, depths: Ints, near: Floats, first: int, second: int) -> float:
    """Least distance to the pieces on the path between two pieces; very small for neighbours, else large if none."""
    if parents[first] == second or parents[second] == first:
        return -1e30
    least = 1e30
    i, j = first, second
    while i != j:
        if depths[i] >= depths[j]:
            i = parents[i]
            at = i
        else:
            j = parents[j]
            at = j
        if at < 0:
            break
        if at != first and at != second:
            least = min(least, float(near[at]))
    return least


@njit(error_model="numpy")
def distance(body: Field, near: Floats, x: float, y: float, z: float) -> tuple[float, int]:
    """Signed distance to a body and the nearest piece; `near` `[P]` is working memory."""
    pieces, parents, depths, strangers, pairs, blends, gaps = body
    best, nearest = 1e30, 0
    for i in range(len(pieces)):
        near[i] = piece_distance(pieces[i], x, y, z)
        if near[i] < best:
            best, nearest = near[i], i
    value = best
    for m in range(len(pairs)):
        one, two, k = near[pairs[m, 0]], near[pairs[m, 1]], blends[m]
        low, apart = min(one, two), abs(one - two)
        if apart < k and low < best + k:
            value = min(value, low - (k - apart) * (k - apart) / (4 * k))
    for i in range(len(pieces)):
        gap = min(gaps[i], gaps[nearest])
        if near[i] - best < gap and strangers[nearest, i]:
            between = _between(parents, depths, near, nearest, i)
            value = max(value, min(0.5 * (gap - (near[i] - best)), between))
    return value, nearest


@njit(error_model="numpy")
def distances(body: Field, points: Floats) -> tuple[Floats, Ints]:
    """`distance` at points `[N, 3]`."""
    values, nearest = np.empty(len(points)), np.empty(len(points), np.int64)
    near = np.empty(len(body[0]))
    for n in range(len(points)):
        values[n], nearest[n] = distance(body, near, points[n, 0], points[n, 1], points[n, 2])
    return values, nearest


@njit
def grown(array: Ints) -> Ints:
    """The array with room for twice as many rows."""
    wider = np.empty((2 * array.shape[0], array.shape[1]), array.dtype)
    assign(wider[: len(array)], array)
    return wider


@njit(error_model="numpy")
def _reaches(pieces: Floats, fineness: Floats, middle: Floats, reach: float) -> tuple[float, float]:
    """Least distance from the middle of a cell to a piece, and the largest cell that the pieces near it allow."""
    least, wanted = 1e30, 1e30
    for i in range(len(pieces)):
        d = piece_distance(pieces[i], middle[0], middle[1], middle[2])
        least = min(least, d)
        if d < 1.25 * reach:
            wanted = min(wanted, fineness[i])
    return least, wanted


@njit(error_model="numpy")
def divide(
    pieces: Floats, fineness: Floats, origin: Floats, size: float, levels: int, coarsest: int
) -> tuple[Ints, Ints]:
    """Cut a cube into cells that are small where the surface is, and smaller where a piece is thin.

    Args:
        fineness: `[P]`: the largest cell on each piece, metres.
        origin: low corner `[3]` of the cube.
        size: edge of the cube, metres.
        levels: how often it may be halved.
        coarsest: how often it is halved wherever the body may be.

    Returns:
        Children `[N, 8]` of each cell (-1 in all for a leaf) and `[N, 4]`: low corner in units of the smallest
        cell, and edge in those units. Cell 0 is the cube.
    """
    children, cells = np.full((4096, 8), -1, np.int64), np.zeros((4096, 4), np.int64)
    cells[0, 3] = 1 << levels
    unit = size / (1 << levels)
    count, at, middle = 1, 0, np.empty(3)
    while at < count:
        edge = cells[at, 3]
        half = 0.5 * edge * unit
        for k in range(3):
            middle[k] = origin[k] + cells[at, k] * unit + half
        reach = 1.7321 * half
        least, wanted = _reaches(pieces, fineness, middle, reach)
        early = edge > (1 << (levels - coarsest)) and least < 2.5 * reach
        fine = edge * unit > wanted and -1.6 * reach < least < 1.4 * reach
        if edge > 1 and (early or fine):
            if count + 8 > len(cells):
                children, cells = grown(children), grown(cells)
            for octant in range(8):
                children[at, octant] = count
                for k in range(8):
                    children[count, k] = -1
                cells[count, 3] = edge // 2
                for k in range(3):
                    cells[count, k] = cells[at, k] + ((octant >> k) & 1) * (edge // 2)
                count += 1
        at += 1
    return children[:count].copy(), cells[:count].copy()
