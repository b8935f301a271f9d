"""Finds short paths over the ground of a scene that keep away from what a body cannot walk through."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from scipy.ndimage import distance_transform_edt, map_coordinates
from scipy.sparse import csr_array
from scipy.sparse.csgraph import dijkstra

from kinema.arrays import Bools, Floats, Ints
from kinema.errors import SceneError
from kinema.worlds.grounding import SceneGround

_SNAP = 1.0  # metres from a place to where a path may begin or end instead
_ROOM = 0.25  # metres more than the radius that a path keeps away where that costs little
_CUT = 0.5  # metres of a corner that are cut off at most
_ROUNDS = 3  # of cutting corners
_AROUND = ((0, 1), (1, 0), (1, 1), (1, -1))


def find_path(ground: SceneGround, start: ArrayLike, goal: ArrayLike, *, radius: float = 0.3) -> Floats:
    """A short path over walkable ground.

    The shortest path over the cells of the ground (E. Dijkstra, 1959), on which cells less than a quarter of a metre
    farther from obstacles than `radius` count up to twice, is pulled straight where nothing is in the way; then its
    corners are cut where that leaves enough room (G. Chaikin, 1974). A start or a goal where a body cannot be is moved
    to the nearest place, if one is within a metre.

    Args:
        start, goal: x and z, metres.
        radius: of the body, metres: how far it keeps from what is not walkable, measured to the centres of cells.

    Returns:
        Points of a polyline `[N, 2]` (x, z) from start to goal, metres; `N` is at least 1.

    Raises:
        SceneError: a place is not two finite numbers, no body can be near the start or the goal, or no path connects
            them; the radius is negative.
    """
    if not 0 <= radius < np.inf:
        raise SceneError(f"the radius of a body is not negative, so not {radius:g} m")
    clearance = _clearance(ground)
    open_cells = clearance >= max(radius, 0.5 * ground.cell)
    first, last = (_snapped(ground, open_cells, place, name) for place, name in ((start, "start"), (goal, "goal")))
    cells = _shortest(open_cells, clearance, ground.cells_of(first), ground.cells_of(last), radius, ground.cell)
    if not len(cells):
        raise SceneError(
            f"no path for a body of {radius:g} m radius leads from {_said(first)} to {_said(last)}"
            "; a smaller one may find a way"
        )
    points = np.concatenate([first[None], ground.points_of(cells[1:-1]), last[None]])
    return _rounded(ground, clearance, _pulled(ground, clearance, points, radius + _ROOM), radius)


def path_length(path: Floats) -> float:
    """Length of a polyline `[N, 2]`, metres."""
    return float(np.linalg.norm(np.diff(path, axis=0), axis=-1).sum())


def _clearance(ground: SceneGround) -> Floats:
    """How far each cell `[Z, X]` is from the nearest one that is not walkable, metres; what is outside is not."""
    found = distance_transform_edt(np.pad(ground.walkable, 1))
    assert isinstance(found, np.ndarray)
    return found[1:-1, 1:-1] * ground.cell


def _snapped(ground: SceneGround, open_cells: Bools, place: ArrayLike, name: str) -> Floats:
    """The place `[2]` if its cell is open, otherwise the nearest open cell within `_SNAP`."""
    point = np.asarray(place, np.float64)
    if point.shape != (2,) or not np.isfinite(point).all():
        raise SceneError(f"a {name} is x and z in metres, not {place}")
    if not open_cells.any():
        raise SceneError("nowhere in the scene is room for a body of this radius")
    cell = ground.cells_of(point)
    if ((cell >= 0) & (cell < open_cells.shape)).all() and open_cells[cell[0], cell[1]]:
        return point
    candidates = ground.points_of(np.argwhere(open_cells))
    away = np.linalg.norm(candidates - point, axis=-1)
    nearest = candidates[away.argmin()]
    if away.min() > _SNAP:
        raise SceneError(f"nobody can be at the {name} {_said(point)}; the nearest place is {_said(nearest)}")
    return nearest


def _said(point: Floats) -> str:
    return f"({point[0]:.2f}, {point[1]:.2f})"


def _shortest(open_cells: Bools, clearance: Floats, start: Ints, goal: Ints, radius: float, cell: float) -> Ints:
    """Rows and columns `[N, 2]` of the cheapest path between two open cells; none if there is no path."""
    number = np.full(open_cells.shape, -1)
    number[open_cells] = np.arange(int(open_cells.sum()))
    cost = 1.0 + np.clip((radius + _ROOM - clearance) / _ROOM, 0.0, 1.0)
    links = [_links(number, cost, rows, columns) for rows, columns in _AROUND]
    first, second, length = (np.concatenate(part) for part in zip(*links, strict=True))
    count = int(open_cells.sum())
    graph = csr_array((length * cell, (first, second)), shape=(count, count))
    begin, end = int(number[start[0], start[1]]), int(number[goal[0], goal[1]])
    _, before = dijkstra(graph, directed=False, indices=begin, return_predecessors=True)
    if begin != end and before[end] < 0:
        return np.empty((0, 2), np.int64)
    way = [end]
    while way[-1] != begin:
        way.append(int(before[way[-1]]))
    return np.argwhere(open_cells)[way[::-1]]


def _links(number: Ints, cost: Floats, rows: int, columns: int) -> tuple[Ints, Ints, Floats]:
    """Pairs of open cells that are `rows` and `columns` apart, and how long the way between them counts, in cells.

    The way is not open from corner to corner between two cells that are not.
    """
    height, width = number.shape
    left, right = max(-columns, 0), max(columns, 0)
    here = np.s_[: height - rows, left : width - right]
    there = np.s_[rows:, left + columns : width - right + columns]
    beside = np.s_[: height - rows, left + columns : width - right + columns]
    below = np.s_[rows:, left : width - right]
    both = (number[here] >= 0) & (number[there] >= 0) & ((number[beside] >= 0) | (number[below] >= 0))
    length = np.hypot(rows, columns) * 0.5 * (cost[here] + cost[there])
    return number[here][both], number[there][both], length[both]


def _least(ground: SceneGround, clearance: Floats, start: Floats, ends: Floats) -> Floats:
    """The least clearance `[N]` on the straight ways from a point `[2]` to points `[N, 2]`, metres."""
    longest = float(np.linalg.norm(ends - start, axis=-1).max(initial=0.0))
    shares = np.linspace(0.0, 1.0, int(np.ceil(longest / (0.5 * ground.cell))) + 2)
    points = start + shares[:, None, None] * (ends - start)
    places = (points - np.asarray(ground.origin)) / ground.cell
    return map_coordinates(clearance, [places[..., 1], places[..., 0]], order=1, mode="constant").min(axis=0)


def _pulled(ground: SceneGround, clearance: Floats, points: Floats, room: float) -> Floats:
    """The points `[N, 2]` of a path that remain where straight ways keep as much room as it does, or `room`."""
    kept = [0]
    while kept[-1] < len(points) - 1:
        here = kept[-1]
        ahead = points[here + 1 :]
        on_path = np.minimum.accumulate(_at(ground, clearance, ahead))
        sees = _least(ground, clearance, points[here], ahead) >= np.minimum(on_path, room) - 1e-9
        kept.append(here + 1 + int(np.flatnonzero(sees).max(initial=0)))
    return points[kept]


def _at(ground: SceneGround, clearance: Floats, points: Floats) -> Floats:
    """Clearance `[N]` of the cells of points `[N, 2]`, metres."""
    rows, columns = ground.cells_of(points).T
    return clearance[rows, columns]


def _rounded(ground: SceneGround, clearance: Floats, points: Floats, radius: float) -> Floats:
    """A path `[N, 2]` with its corners cut where the cuts keep the radius."""
    for _ in range(_ROUNDS):
        parts = [points[:1]]
        for before, corner, after in zip(points[:-2], points[1:-1], points[2:], strict=True):
            ends = np.stack([_toward(corner, before), _toward(corner, after)])
            free = float(_least(ground, clearance, ends[0], ends[1:])[0]) >= radius
            parts.append(ends if free else corner[None])
        points = np.concatenate([*parts, points[1:][-1:]])
    return points


def _toward(corner: Floats, end: Floats) -> Floats:
    """The point a third of the way from a corner to the next one, and not farther than `_CUT`."""
    way = end - corner
    length = max(float(np.linalg.norm(way)), 1e-12)
    return corner + way * min(1.0 / 3.0, _CUT / length)
