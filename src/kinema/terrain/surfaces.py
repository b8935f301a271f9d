"""The triangles of a ground, to draw it."""

from __future__ import annotations

import weakref
from collections.abc import Iterator
from dataclasses import dataclass
from functools import singledispatch

import numpy as np

from kinema import rotations
from kinema.arrays import Floats, Indices, Ints, Reals, Singles
from kinema.terrain.extrusion import Extrusion
from kinema.terrain.ground import Ground, Plane, is_void
from kinema.terrain.heightmap import Heightmap
from kinema.terrain.moving import Moving
from kinema.terrain.placed import Placed
from kinema.terrain.union import Union

_CHUNK = 5.0  # metres of a side of the squares in which heights are drawn
_CELL = 0.1  # metres between the samples of a ground without a grid
_DETAIL = ((3.0, 0.05), (9.0, 0.125), (np.inf, 0.25))  # up to which distance cells are at least how large, metres
_LEAST = 1e-3  # of the reach: cells are not smaller
_MOST_KEPT = 400  # chunks of one ground
_PANEL = 0.5  # metres: largest faces of extrusions, so that screens can colour them by place
_SLAB = 0.3  # thickness of a block whose top is at its origin, metres


@dataclass(frozen=True, eq=False)
class SurfaceMesh:
    """Triangles of a ground in its own frame. The same triangles are the same object in every picture.

    Attributes:
        vertices: float32 `[V, 3]`, metres.
        normals: float32 `[V, 3]`, unit.
        triangles: int32 `[K, 3]`.
    """

    vertices: Singles
    normals: Singles
    triangles: Indices


@dataclass(frozen=True, eq=False)
class PlacedSurface:
    """A surface in the world.

    Attributes:
        position: of its origin, metres. heading: where its +Z points, radians from +Z to +X.
    """

    surface: SurfaceMesh
    position: tuple[float, float, float] = (0.0, 0.0, 0.0)
    heading: float = 0.0


@dataclass(frozen=True, eq=False)
class Relief:
    """What is drawn of a ground.

    Attributes:
        level: height of endless level ground, metres; None if there is none.
        surfaces: everything else. They may go through each other; what is highest is the ground.
    """

    level: float | None = None
    surfaces: tuple[PlacedSurface, ...] = ()


@singledispatch
def relief(ground: Ground, centre: Reals, reach: float) -> Relief:
    """What is drawn of a ground around a point.

    Heights are drawn in squares, with smaller cells near the point than far away from it.

    Args:
        ground: any ground at one moment.
        centre: `[3]`, metres, world.
        reach: how far to draw, metres.
    """
    return Relief(None, _chunks(ground, centre, reach, _Grid((0.0, 0.0), _CELL)))


@relief.register
def _(ground: Plane, centre: Reals, reach: float) -> Relief:
    return Relief(ground.y)


@relief.register
def _(ground: Heightmap, centre: Reals, reach: float) -> Relief:
    assert ground.origin is not None
    rows, columns = ground.heights.shape
    ends = (columns - 1, rows - 1) if ground.edge == "open" else None
    return Relief(None, _chunks(ground, centre, reach, _Grid(ground.origin, ground.cell, ends)))


@relief.register
def _(ground: Extrusion, centre: Reals, reach: float) -> Relief:
    kept = _kept_of(ground)
    if () not in kept:
        kept[()] = _extruded(ground)
    return Relief(None, (PlacedSurface(kept[()]),))


@relief.register
def _(ground: Placed, centre: Reals, reach: float) -> Relief:
    turn = rotations.from_yaw(np.float64(ground.heading))
    inner = relief(ground.ground, rotations.inverse_rotate(turn, centre - np.asarray(ground.position)), reach)
    surfaces = []
    for one in inner.surfaces:
        x, y, z = (rotations.rotate(turn, np.asarray(one.position)) + ground.position).tolist()
        surfaces.append(PlacedSurface(one.surface, (x, y, z), one.heading + ground.heading))
    return Relief(None if inner.level is None else inner.level + ground.position[1], tuple(surfaces))


@relief.register
def _(ground: Moving, centre: Reals, reach: float) -> Relief:
    return relief(ground.at(0.0), centre, reach)


@relief.register
def _(ground: Union, centre: Reals, reach: float) -> Relief:
    parts = [relief(part, centre, reach) for part in ground.parts]
    levels = [part.level for part in parts if part.level is not None]
    return Relief(max(levels, default=None), tuple(one for part in parts for one in part.surfaces))


# ---- heights in squares ----------------------------------------------------------------------------------------------

_kept: dict[int, dict[tuple[int, ...], SurfaceMesh]] = {}


def _kept_of(ground: Ground) -> dict[tuple[int, ...], SurfaceMesh]:
    """The surfaces of a ground that were made before; they are dropped with the ground."""
    if id(ground) not in _kept:
        weakref.finalize(ground, _kept.pop, id(ground), None)
    return _kept.setdefault(id(ground), {})


@dataclass(frozen=True)
class _Grid:
    """Where a ground is sampled.

    Attributes:
        origin: x and z of sample 0, metres. cell: metres between samples.
        ends: numbers of the last samples along x and z; None: there is no end.
    """

    origin: tuple[float, float]
    cell: float
    ends: tuple[int, int] | None = None


def _chunks(ground: Ground, centre: Reals, reach: float, grid: _Grid) -> tuple[PlacedSurface, ...]:
    """The squares of a ground that are nearer than `reach`."""
    kept = _kept_of(ground)
    if len(kept) > _MOST_KEPT:
        kept.clear()
    cells = max(round(_CHUNK / grid.cell), 1)
    found = []
    for column, row, away in _near(np.asarray(centre)[[0, 2]], reach, grid, cells):
        wanted = max(next(cell for distance, cell in _DETAIL if away < distance), _LEAST * reach)
        key = column, row, min(max(int(wanted / grid.cell), 1), cells)
        if key not in kept:
            kept[key] = _chunk(ground, grid, cells, *key)
        if len(kept[key].triangles):
            found.append(PlacedSurface(kept[key]))
    return tuple(found)


def _near(place: Reals, reach: float, grid: _Grid, cells: int) -> Iterator[tuple[int, int, float]]:
    """Column, row and distance of the squares of `cells` cells that are nearer than `reach`."""
    size = cells * grid.cell
    local = (place - grid.origin) / size
    low, high = np.floor(local - reach / size).astype(int), np.floor(local + reach / size).astype(int)
    if grid.ends is not None:
        low, high = np.maximum(low, 0), np.minimum(high, (np.asarray(grid.ends) - 1) // cells)
    columns, rows = np.meshgrid(np.arange(low[0], high[0] + 1), np.arange(low[1], high[1] + 1))
    corners = np.stack([columns, rows], -1).reshape(-1, 2)
    away = size * np.linalg.norm(np.maximum(np.abs(local - corners - 0.5) - 0.5, 0), axis=-1)
    for (column, row), distance in zip(corners.tolist(), away.tolist(), strict=True):
        if distance < reach:
            yield column, row, distance


def _chunk(ground: Ground, grid: _Grid, cells: int, column: int, row: int, stride: int) -> SurfaceMesh:
    """One square of a ground, with every `stride`-th sample and a rim that hides gaps beside coarser squares."""
    samples = [_samples(cells * number, cells, stride, axis, grid) for axis, number in enumerate((column, row))]
    x, z = (origin + grid.cell * numbers for origin, numbers in zip(grid.origin, samples, strict=True))
    ringed_x, ringed_z = (np.concatenate([[2 * axis[0] - axis[1]], axis, [2 * axis[-1] - axis[-2]]]) for axis in (x, z))
    heights = ground.height(_points(ringed_x, ringed_z, grid)).astype(np.float64)
    inner = heights[1:-1, 1:-1]
    normals = _normals(heights, ringed_x, ringed_z)
    vertices = np.stack([*np.meshgrid(x, z), inner], -1)[..., [0, 2, 1]]
    numbers = np.arange(inner.size).reshape(inner.shape)
    there = ~is_void(inner)
    quads = np.stack([numbers[:-1, :-1], numbers[1:, :-1], numbers[1:, 1:], numbers[:-1, 1:]], -1).reshape(-1, 4)
    quads = quads[there.reshape(-1)[quads].all(-1)]
    vertices, normals = vertices.reshape(-1, 3), normals.reshape(-1, 3)
    vertices[is_void(vertices[:, 1]), 1] = 0.0  # no triangle uses them
    if stride > 1 or grid.cell < _DETAIL[-1][1]:
        border = [numbers[0], numbers[-1, ::-1], numbers[::-1, 0], numbers[:, -1]]
        edges = np.concatenate([np.stack([line[:-1], line[1:]], -1) for line in border])
        edges = edges[there.reshape(-1)[edges].all(-1)]
        drop = 0.5 * grid.cell * max(stride, int(_DETAIL[-1][1] / grid.cell))
        under = len(vertices)
        quads = np.concatenate([quads, np.concatenate([edges, edges[:, ::-1] + under], -1)])
        vertices = np.concatenate([vertices, vertices - [0, drop, 0]])
        normals = np.concatenate([normals, normals])
    return _surface(vertices, normals, quads)


def _samples(first: int, cells: int, stride: int, axis: int, grid: _Grid) -> Ints:
    last = first + cells if grid.ends is None else min(first + cells, grid.ends[axis])
    return np.append(np.arange(first, last, stride), last)


def _points(x: Floats, z: Floats, grid: _Grid) -> Singles:
    """Points `[Z, X, 3]` of samples; those at the ends of a ground are not moved beyond them by rounding."""
    if grid.ends is not None:
        slack = 1e-4 * grid.cell
        x, z = (
            np.clip(axis, origin + slack, origin + grid.cell * end - slack)
            for axis, origin, end in zip((x, z), grid.origin, grid.ends, strict=True)
        )
    grid_x, grid_z = np.meshgrid(x, z)
    return np.stack([grid_x, np.zeros_like(grid_x), grid_z], -1).astype(np.float32)


def _normals(heights: Floats, x: Floats, z: Floats) -> Floats:
    """Normals `[Z - 2, X - 2, 3]` of the inner samples of heights `[Z, X]`, by central differences."""
    middle = heights[1:-1, 1:-1]

    def slope(before: Floats, after: Floats, width: Floats) -> Floats:
        before, after = (np.where(is_void(one), middle, one) for one in (before, after))
        return (after - before) / width

    slope_x = slope(heights[1:-1, :-2], heights[1:-1, 2:], (x[2:] - x[:-2])[None])
    slope_z = slope(heights[:-2, 1:-1], heights[2:, 1:-1], (z[2:] - z[:-2])[:, None])
    normals = np.stack([-slope_x, np.ones_like(middle), -slope_z], -1)
    return normals / np.linalg.norm(normals, axis=-1, keepdims=True)


def _surface(vertices: Reals, normals: Reals, quads: Ints) -> SurfaceMesh:
    triangles = np.concatenate([quads[:, [0, 1, 2]], quads[:, [0, 2, 3]]]).astype(np.int32)
    return SurfaceMesh(vertices.astype(np.float32), normals.astype(np.float32), triangles)


# ---- extrusions ------------------------------------------------------------------------------------------------------


def _extruded(ground: Extrusion) -> SurfaceMesh:
    """The top, the risers and the walls of an extrusion, down to the origin of its frame."""
    across = np.linspace(-0.5 * ground.width, 0.5 * ground.width, _panels(ground.width) + 1)
    along, heights = _divided(ground)
    base = min(0.0, float(heights.min()))
    base -= _SLAB if heights.max() - base < 0.05 else 0.0
    run, climb = np.diff(along), np.diff(heights)
    facing = np.stack([np.zeros_like(run), run, -climb], -1) / np.maximum(np.hypot(run, climb), 1e-12)[:, None]
    left, right = across[:-1, None], across[1:, None]
    top = _quads(
        (left, heights[:-1], along[:-1]),
        (left, heights[1:], along[1:]),
        (right, heights[1:], along[1:]),
        (right, heights[:-1], along[:-1]),
    )
    normals = [np.broadcast_to(facing, (len(across) - 1, *facing.shape)).reshape(-1, 3)]
    quads = [top]
    for side in (-1, 1):
        x = np.full((1, 1), 0.5 * side * ground.width)
        wall = ((x, base, along[:-1]), (x, base, along[1:]), (x, heights[1:], along[1:]), (x, heights[:-1], along[:-1]))
        quads.append(_quads(*wall)[run > 0])
        normals.append(np.tile([side, 0.0, 0.0], (len(quads[-1]), 1)))
        end = 0 if side < 0 else -1
        cap = ((left, base), (right, base), (right, heights[end]), (left, heights[end]))
        quads.append(_quads(*((x, np.atleast_1d(y), along[[end]]) for x, y in cap)))
        normals.append(np.tile([0.0, 0.0, side], (len(quads[-1]), 1)))
    corners = np.concatenate(quads)
    vertices = corners.reshape(-1, 3)
    return _surface(vertices, np.repeat(np.concatenate(normals), 4, 0), np.arange(len(vertices)).reshape(-1, 4))


def _divided(ground: Extrusion) -> tuple[Floats, Floats]:
    """The profile with corners at most a panel apart."""
    counts = np.array([_panels(run) for run in np.diff(ground.along).tolist()])
    segment = np.repeat(np.arange(len(counts)), counts)
    share = (np.arange(len(segment)) - np.repeat(np.cumsum(counts) - counts, counts)) / counts[segment]
    along, heights = (
        np.append(line[segment] + share * np.diff(line)[segment], line[-1]) for line in (ground.along, ground.heights)
    )
    return along, heights


def _panels(length: float) -> int:
    return int(np.clip(np.ceil(length / _PANEL), 1, 64))


def _quads(*corners: tuple[Reals | float, Reals | float, Reals | float]) -> Floats:
    """Quads `[Q, 4, 3]` from four corners, each with x, y and z that broadcast to the same shape."""
    shaped = [np.stack(np.broadcast_arrays(*corner), -1) for corner in corners]
    return np.stack(np.broadcast_arrays(*shaped), -2).reshape(-1, 4, 3)
