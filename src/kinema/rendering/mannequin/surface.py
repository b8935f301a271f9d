"""From the field of a mannequin to one closed surface of well-shaped triangles.

Dual contouring on an octree (Ju, Losasso, Schaefer and Warren 2002): every cell that the surface crosses has a vertex,
and every smallest edge that it crosses has a face of the cells around it. Neighbouring cells may differ in size without
cracks. Where a cell holds two sheets its vertex is split, so that every edge has exactly two triangles.
"""

# pyright: reportIndexIssue=false

from __future__ import annotations

import numpy as np

from kinema.arrays import Bools, Floats, Ints
from kinema.compiled import njit
from kinema.rendering.mannequin import field

_ROUNDS = 12  # of cutting edges that two sheets share; one or two do in practice


def extract(body: field.Field, fineness: Floats, unit: float) -> tuple[Floats, Ints]:
    """Vertices `[V, 3]` and triangles `[K, 3]`, outward, of the zero set of the field.

    Args:
        fineness: `[P]`: the largest cell on each piece, metres.
        unit: size of the smallest cell, metres.
    """
    low, high = _bounds(body[0])
    reach = float((high - low).max()) + 8 * unit
    levels = max(int(np.ceil(np.log2(reach / unit))), 3)
    size = unit * 2.0**levels
    # The middle of the cube is a cell's corner: a symmetric body gets a symmetric mesh.
    origin = 0.5 * (low + high) - 0.5 * size
    origin[0] = unit * np.round(0.5 * (low + high)[0] / unit) - 0.5 * size
    children, cells = field.divide(body[0], fineness, origin, size, levels, min(levels, 4))
    leaves = np.flatnonzero(children[:, 0] < 0)
    corner = np.array([[k & 1, (k >> 1) & 1, k >> 2] for k in range(8)], np.int64)
    places = cells[leaves, None, :3] + corner * cells[leaves, None, 3:]
    side = (1 << levels) + 1
    keys = (places[..., 0] * side + places[..., 1]) * side + places[..., 2]
    distinct, number = np.unique(keys, return_inverse=True)
    grid = np.stack([distinct // (side * side), distinct // side % side, distinct % side], axis=1)
    values, _ = field.distances(body, np.asarray(origin + grid * unit, np.float64))
    values = np.where(values == 0, 1e-12 * unit, values)
    quads, sums = _contour(children, cells, leaves, number.reshape(-1, 8), values)
    used, renumbered = np.unique(quads, return_inverse=True)
    vertices = origin + sums[used, :3] / np.maximum(sums[used, 3:], 1) * unit
    return _split_sheets(vertices, _triangles(vertices, renumbered.reshape(-1, 4)))


def _bounds(pieces: Floats) -> tuple[Floats, Floats]:
    ends = np.concatenate([pieces[:, :3], pieces[:, :3] + pieces[:, 9:12] * pieces[:, 12:13]])
    radii = pieces[:, field.WIDE : field.ASIDE].max(axis=1) + np.abs(pieces[:, field.ASIDE :]).max(axis=1)
    reach = np.tile(radii * np.maximum(pieces[:, 13:15].max(axis=1), 1.0), 2)[:, None]
    return (ends - reach).min(axis=0), (ends + reach).max(axis=0)


@njit
def _leaf(children: Ints, cells: Ints, point: Ints) -> int:
    """The leaf that holds a point given in halves of the smallest cell."""
    at = 0
    while children[at, 0] >= 0:
        octant = 0
        for k in range(3):  # the edge of a cell is half of it, in halves of the smallest cell
            if point[k] >= 2 * cells[at, k] + cells[at, 3]:
                octant += 1 << k
        at = children[at, octant]
    return at


@njit
def _owns(children: Ints, cells: Ints, cell: int, base: Ints, axis: int, around: Ints) -> bool:
    """Fill `around` with the four cells around an edge, in turn; returns whether `cell` is the first of the smallest.

    Args:
        base: middle of the edge `[3]` in halves of the smallest cell.
    """
    owns = True
    first, second = (axis + 1) % 3, (axis + 2) % 3
    for m in range(4):
        point = base.copy()
        point[first] -= 0 if m in (1, 2) else 1
        point[second] -= 0 if m >= 2 else 1
        other = _leaf(children, cells, point)
        around[m] = other
        smaller = cells[other, 3] < cells[cell, 3]
        earlier = cells[other, 3] == cells[cell, 3] and other < cell
        owns = owns and not smaller and not earlier
    return owns


@njit
def _edge(cells: Ints, cell: int, axis: int, k: int) -> Ints:
    """Middle of the `k`-th edge of a cell along an axis, `[3]` in halves of the smallest cell."""
    edge, base = cells[cell, 3], np.empty(3, np.int64)
    first, second = (axis + 1) % 3, (axis + 2) % 3
    base[axis] = 2 * cells[cell, axis] + edge
    base[first] = 2 * (cells[cell, first] + (k & 1) * edge)
    base[second] = 2 * (cells[cell, second] + (k >> 1) * edge)
    return base


@njit(error_model="numpy")
def _contour(children: Ints, cells: Ints, leaves: Ints, corners: Ints, values: Floats) -> tuple[Ints, Floats]:
    """Quads `[Q, 4]` of cell numbers (one repeated in a triangle), and for each cell the sum of the places where the
    surface crosses its edges, in units of the smallest cell, and their number `[N, 4]`."""
    quads, count = np.empty((4096, 4), np.int64), 0
    sums, around = np.zeros((len(cells), 4)), np.empty(4, np.int64)
    for n in range(len(leaves)):
        cell, edge = leaves[n], cells[leaves[n], 3]
        for side in range(12):
            axis, k = side // 4, side % 4
            a = (k & 1) * (1 << (axis + 1) % 3) + (k >> 1) * (1 << (axis + 2) % 3)
            va, vb = values[corners[n, a]], values[corners[n, a + (1 << axis)]]
            base = _edge(cells, cell, axis, k)
            if (va < 0) == (vb < 0) or not _owns(children, cells, cell, base, axis, around):
                continue
            along = 0.5 * (base[axis] - edge) + va / (va - vb) * edge
            for m in range(4):
                if m == 0 or not (around[m] == around[m - 1] or (m == 3 and around[3] == around[0])):
                    for d in range(3):
                        sums[around[m], d] += along if d == axis else 0.5 * base[d]
                    sums[around[m], 3] += 1
            if count == len(quads):
                quads = field.grown(quads)
            for m in range(4):
                quads[count, m] = around[m if va < 0 else 3 - m]
            count += 1
    return quads[:count].copy(), sums


def _triangles(vertices: Floats, quads: Ints) -> Ints:
    """Quads cut along their shorter diagonal; quads that are triangles once; what has no area left out."""
    first = np.linalg.norm(vertices[quads[:, 0]] - vertices[quads[:, 2]], axis=1)
    second = np.linalg.norm(vertices[quads[:, 1]] - vertices[quads[:, 3]], axis=1)
    other = second < first * (1 - 1e-6)
    ordered = np.where(other[:, None], np.roll(quads, -1, axis=1), quads)
    both = np.concatenate([ordered[:, [0, 1, 2]], ordered[:, [0, 2, 3]]])
    distinct = (both[:, 0] != both[:, 1]) & (both[:, 1] != both[:, 2]) & (both[:, 2] != both[:, 0])
    return both[distinct]


def _split_sheets(vertices: Floats, faces: Ints) -> tuple[Floats, Ints]:
    """Give every fan of triangles that only touches another in a vertex or an edge a vertex of its own."""
    for _ in range(_ROUNDS):
        start = faces.reshape(-1)
        end = np.roll(faces, -1, axis=1).reshape(-1)
        key = np.minimum(start, end) * len(vertices) + np.maximum(start, end)
        # Edges of four triangles: pairs are those that follow one another around the edge with the body between them.
        order = np.lexsort((_angle(vertices, faces, start, end), key))
        other = _paired(order, key, start < end, start.size)
        used, number = np.unique(_fans(other), return_inverse=True)
        vertices, faces = vertices[start[used]], number.reshape(-1, 3)
        split = _doubled(faces, other)
        if not split.size:
            break
        vertices, faces = _halved(vertices, faces, split, other[split])
    return vertices, faces


def _doubled(faces: Ints, other: Ints) -> Ints:
    """Half-edges `[S]` to be cut so that no two edges have the same ends; no triangle stands in two of them."""
    start, end = faces.reshape(-1), np.roll(faces, -1, axis=1).reshape(-1)
    half = np.flatnonzero(start < end)
    pairs = start[half] * (int(faces.max()) + 1) + end[half]
    _, first = np.unique(pairs, return_index=True)
    found: list[int] = []
    touched: set[int] = set()
    for edge in np.delete(half, first).tolist():
        both = {edge // 3, int(other[edge]) // 3}
        if not both & touched:
            touched |= both
            found.append(edge)
    return np.array(found, np.int64)


def _halved(vertices: Floats, faces: Ints, one: Ints, two: Ints) -> tuple[Floats, Ints]:
    """The surface with each edge, given by its half-edges `[S]`, cut in its middle, and both triangles with it."""
    start, end = faces.reshape(-1), np.roll(faces, -1, axis=1).reshape(-1)
    middle = 0.5 * (vertices[start[one]] + vertices[end[one]])
    number = len(vertices) + np.arange(len(one))
    faces, added = faces.copy(), []
    for half in (one, two):
        row, k = half // 3, half % 3
        tail = faces[row].copy()
        tail[np.arange(len(row)), k] = number
        faces[row, (k + 1) % 3] = number
        added.append(tail)
    return np.concatenate([vertices, middle]), np.concatenate([faces, *added])


def _angle(vertices: Floats, faces: Ints, start: Ints, end: Ints) -> Floats:
    """Angle of each triangle's third corner around its edge, seen along the edge from the lower vertex number."""
    low, high = vertices[np.minimum(start, end)], vertices[np.maximum(start, end)]
    third = vertices[np.roll(faces, -2, axis=1).reshape(-1)]
    axis = high - low
    axis /= np.maximum(np.linalg.norm(axis, axis=1, keepdims=True), 1e-30)
    smallest = np.argmin(np.abs(axis), axis=1)
    side = np.cross(axis, np.eye(3)[smallest])
    up = np.cross(axis, side)
    away = third - low
    return np.arctan2((away * up).sum(-1), (away * side).sum(-1))


@njit
def _paired(order: Ints, key: Ints, forward: Bools, count: int) -> Ints:
    """The half-edge on the other side of each half-edge `[3K]`, from half-edges sorted by edge, then by angle."""
    other = np.full(count, -1, np.int64)
    at = 0
    while at < count:
        stop = at
        while stop < count and key[order[stop]] == key[order[at]]:
            stop += 1
        number = stop - at
        for i in range(number):
            mine = order[at + i]
            # Outside is toward larger angles: the first free partner toward smaller ones encloses body, not air.
            if not forward[mine] or other[mine] >= 0:
                continue
            for step in range(1, number):
                theirs = order[at + (i - step) % number]
                if not forward[theirs] and other[theirs] < 0:
                    other[mine], other[theirs] = theirs, mine
                    break
        at = stop
    return other


def _fans(other: Ints) -> Ints:
    """For each corner `[3K]` the lowest corner of its fan: corners joined across paired edges."""
    half = np.flatnonzero(other >= 0)
    theirs = other[half]
    after = np.where(theirs % 3 == 2, theirs - 2, theirs + 1)  # their half-edge ends where mine starts
    label = _connected(other.size, half, after)
    _, first, number = np.unique(label, return_index=True, return_inverse=True)
    return first[number]


def _connected(count: int, one: Ints, other: Ints) -> Ints:
    """The number of the connected part that each of `count` nodes belongs to, by links `[L]` between nodes."""
    from scipy.sparse import coo_matrix
    from scipy.sparse.csgraph import connected_components

    links = coo_matrix((np.ones(len(one)), (one, other)), shape=(count, count))
    return connected_components(links, directed=False)[1]


def largest(vertices: Floats, faces: Ints, count: int) -> tuple[Floats, Ints, float]:
    """The `count` connected surfaces that enclose most, and the share of the volume that is left out.

    Voids, which enclose a negative volume, are always left out.
    """
    label = _connected(len(vertices), faces[:, [0, 1]].reshape(-1), faces[:, [1, 2]].reshape(-1))
    corners = vertices[faces] - vertices.mean(axis=0)
    volumes = np.einsum("kc,kc->k", corners[:, 0], np.cross(corners[:, 1], corners[:, 2])) / 6
    enclosed = np.bincount(label[faces[:, 0]], volumes, label.max(initial=-1) + 1)
    kept = np.argsort(-enclosed, kind="stable")[:count]
    faces = faces[np.isin(label[faces[:, 0]], kept[enclosed[kept] > 0])]
    used, number_of = np.unique(faces, return_inverse=True)
    whole = float(enclosed[enclosed > 0].sum())
    return vertices[used], number_of.reshape(-1, 3), 1 - float(enclosed[kept].sum()) / max(whole, 1e-300)
