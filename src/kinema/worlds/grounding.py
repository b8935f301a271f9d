"""Recovers the ground of a captured scene: how high it is, how well that is supported, and where a body can walk."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.ndimage import distance_transform_edt, maximum_filter, minimum_filter
from scipy.signal import fftconvolve
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from kinema import rotations
from kinema.arrays import Bools, Floats, Ints, Reals, Singles
from kinema.errors import SceneError
from kinema.terrain import Ground, Heightmap
from kinema.terrain.ground import VOID
from kinema.terrain.heightmap import MOST_SAMPLES
from kinema.worlds import sampling
from kinema.worlds.cleaning import FAINT, area
from kinema.worlds.gaussians import GaussianScene

_OPAQUE = float(np.log(2.0))  # optical depth of what stops half of the light
_LEVEL = float(np.cos(np.radians(70.0)))  # mean upward part of normals; of leaves that are turned every way, it is 0.5
_STEEPEST = 1.0  # rise over run: 45 degrees, where shoes with a friction coefficient of 1 begin to slide
_FOOT = 0.25  # metres: half the window over which slopes are measured, so that treads of stairs are no slopes
_NOISE = 0.03  # metres that heights of neighbouring samples may be off
_STAND = 0.8  # metres: a body of 0.3 m radius does not step onto what is narrower and higher than half a step
_FILL = 1.0  # metres from known ground up to which gaps are filled: half a car
_FADE = 0.25 * _FILL  # metres over which known ground loses all but 1/e of its weight in a gap
_LEAST = 0.1  # square metres of what hangs in the air alone and is no noise: a sign of 30 by 30 cm
_MARGIN = 1e-3  # share of what is seen that may lie outside the map on each side
_MOST_SAMPLES_EACH = 4096  # of one Gaussian


@dataclass(frozen=True, eq=False)
class SceneGround(Ground):
    """The ground of a captured scene, on a regular grid. Rows go along +Z and columns along +X.

    Attributes:
        heights: float32 `[Z, X]`, metres; `VOID` far from everything that is known.
        confidence: float32 `[Z, X]`, 0 to 1: how much of the light from above the ground stops; 0 where the height is
            interpolated from its neighbours.
        walkable: `[Z, X]`: where a body can be.
        cell: metres between two samples.
        origin: x and z of the first sample, metres.
    """

    heights: Singles
    confidence: Singles
    walkable: Bools
    cell: float
    origin: tuple[float, float]

    @cached_property
    def heightmap(self) -> Heightmap:
        """The heights alone; there is no ground beyond the border."""
        return Heightmap(self.heights, self.cell, self.origin, "open")

    def height(self, points: Reals) -> Singles:
        """See `Ground`."""
        return self.heightmap.height(points)

    def normal(self, points: Reals) -> Singles:
        """See `Ground`."""
        return self.heightmap.normal(points)

    def cells_of(self, points: Reals) -> Ints:
        """Rows and columns `[..., 2]` of the samples nearest to points `[..., 2]` (x, z), in the map or not."""
        places = (np.asarray(points, np.float64) - np.asarray(self.origin)) / self.cell
        return np.rint(places[..., ::-1]).astype(np.int64)

    def points_of(self, cells: Ints) -> Floats:
        """x and z `[..., 2]` of samples, metres, by their rows and columns `[..., 2]`."""
        return np.asarray(cells, np.float64)[..., ::-1] * self.cell + np.asarray(self.origin)

    def walkable_at(self, points: Reals) -> Bools:
        """Whether a body can be at points `[..., 2]` (x, z), metres; never outside the map."""
        cells = self.cells_of(points)
        inside = np.asarray(((cells >= 0) & (cells < self.walkable.shape)).all(axis=-1))
        row, column = np.moveaxis(np.where(inside[..., None], cells, 0), -1, 0)
        return self.walkable[row, column] & inside


def recover_ground(
    scene: GaussianScene, *, cell: float = 0.1, step: float = 0.35, height: float = 1.8, seed: int = 0
) -> SceneGround:
    """The ground of a level scene (see `kinema.worlds.levelling`).

    The scene is cut into columns, and these into layers half a cell high. A surface is a layer that stops half of the
    light from above and has room for a body over it. Surfaces of neighbouring columns belong together if they differ by
    less than a step. The ground is the group that is the lowest surface in most columns, so ceilings and roofs are not,
    nor what lies unseen below a floor (after the heightfields of spans of M. Mononen, "Recast Navigation", 2009).

    A body cannot be where the ground stops less than half of the light, is steeper than 45 degrees over half a metre,
    or rises by more than a step within a quarter of a metre; where anything between `step` and `height` above it has an
    opaque area that would hide half of a cell; on what is narrower than 0.8 m and stands out by more than half a
    step; nor where no steps lead to from the largest part of the rest. Groups of Gaussians in the air with less than
    0.1 square metres are left out.

    Args:
        cell: metres between two samples.
        step: what a body can step up or down, metres.
        height: free height that a body needs above the ground, metres.
        seed: of the samples that stand for each Gaussian.

    Raises:
        SceneError: a length is not positive, the step is not below the height, there is no ground, or the map would be
            too large.
    """
    if not (0 < cell < np.inf and 0 < step < height < np.inf):
        raise SceneError(f"a cell, a step and a height above it are needed, not {cell:g}, {step:g} and {height:g} m")
    seen = scene.opacities >= FAINT
    if not seen.any():
        raise SceneError("the scene has nothing that can be seen")
    scene = scene.taken(seen)
    grid = _Grid.around(scene, cell)
    voxels = _held(_voxels(scene, grid, seed), grid)
    surfaces = _surfaces(voxels, grid, step, height)
    lowest = _lowest_of_ground(surfaces, grid, step)
    hidden = _hidden(surfaces, grid, lowest)
    own = np.maximum(lowest, hidden)
    known = own >= 0
    gaps = ~known & (_distances(known, cell) <= _FILL)
    heights = _filled(np.where(known, surfaces.heights[own], 0.0), known, gaps, cell)
    confidence = np.where(known, surfaces.confidence[own], 0.0)
    passable = (_slopes(heights, known, cell) <= _STEEPEST) & (_rises(heights, known, cell) <= step)
    passable &= _things(heights, known, cell) <= 0.5 * step
    walkable = _largest((lowest >= 0) & passable, heights, step)
    heights = np.where(known | gaps, heights, VOID)
    return SceneGround(
        heights.astype(np.float32), confidence.astype(np.float32), walkable, cell, (grid.low[0], grid.low[1])
    )


@dataclass(frozen=True)
class _Grid:
    """Columns from `low` (x, z) on and layers from `bottom` on, metres."""

    low: tuple[float, float]
    bottom: float
    rows: int
    columns: int
    layers: int
    cell: float

    @property
    def layer(self) -> float:
        """Height of a layer, metres."""
        return 0.5 * self.cell

    @property
    def stride(self) -> int:
        """From the number of a voxel to that of the one in the next column; there are empty layers in between."""
        return self.layers + 2

    @classmethod
    def around(cls, scene: GaussianScene, cell: float) -> _Grid:
        weights = area(scene)
        ends = [_quantiles(scene.means[:, axis], weights) for axis in range(3)]
        (left, right), (bottom, top), (near, far) = ends
        columns, rows = (max(int(np.ceil((b - a) / cell)), 1) + 1 for a, b in ((left, right), (near, far)))
        if rows * columns > MOST_SAMPLES:
            raise SceneError(
                f"a ground of {right - left:.3g} x {far - near:.3g} m is too large for cells of {cell:g} m;"
                " crop the scene or use larger cells"
            )
        return cls((left, near), bottom - cell, rows, columns, int(np.ceil((top - bottom) / (0.5 * cell))) + 4, cell)


@dataclass(frozen=True)
class _Voxels:
    """What is in the voxels that hold anything, sorted: number, area from above, own area, and mean height `[V]`."""

    number: Ints
    above: Floats
    own: Floats
    heights: Floats


@dataclass(frozen=True)
class _Surfaces:
    """Level surfaces, sorted.

    Attributes:
        number: of the voxel `[K]`. heights: metres `[K]`. confidence: 0 to 1 `[K]`.
        top: `[K]`: no other surface is within a step above. free: `[K]`: a body has room above.
    """

    number: Ints
    heights: Floats
    confidence: Floats
    top: Bools
    free: Bools


def _quantiles(values: Reals, weights: Floats) -> tuple[float, float]:
    """Between which values all but `_MARGIN` of the weight lies on each side."""
    order = np.argsort(values)
    share = np.cumsum(weights[order])
    first, last = np.searchsorted(share, np.asarray([_MARGIN, 1.0 - _MARGIN]) * share[-1])
    return float(values[order[first]]), float(values[order[min(last, len(order) - 1)]])


def _voxels(scene: GaussianScene, grid: _Grid, seed: int) -> _Voxels:
    """What samples of the Gaussians fill; they are half a cell apart, or nearer.

    The surface that a flat Gaussian shows is in its middle, and how thick it is only says how well that is known. So
    the flatter it is, the less its thickness raises and lowers samples.
    """
    scales = scene.scales.astype(np.float64)
    axes = rotations.to_matrix(scene.rotations.astype(np.float64)) * scales[:, None]
    across = np.einsum("nij,nkj->nik", axes[:, [0, 2]], axes[:, [0, 2]])
    large = np.sort(scales, axis=-1)[:, 1:]
    wanted = np.prod(np.maximum(4.0 * large / grid.layer, 1.0), axis=-1)
    counts = np.clip(np.ceil(wanted), 1, _MOST_SAMPLES_EACH).astype(np.int64)
    shift = np.random.default_rng(seed).random((len(scene), 3))
    weight = 2.0 * np.pi * scene.opacities / counts
    from_above = weight * np.sqrt(np.maximum(across[:, 0, 0] * across[:, 1, 1] - across[:, 0, 1] ** 2, 0.0))
    areas = from_above, weight * large.prod(axis=-1)
    numbers, thin = np.arange(len(scene)), scales.argmin(axis=-1)
    axes[numbers, 1, thin] *= scales[numbers, thin] / np.maximum(large[:, 0], 1e-30)
    sizes = grid.low, grid.bottom, grid.cell, grid.layer, (grid.rows, grid.columns, grid.layers), grid.stride
    number, sums = sampling.sample(scene.means.astype(np.float64), axes, counts, shift, *areas, *sizes)
    order = np.argsort(number)
    above, own, moment = np.ascontiguousarray(sums[order].T)
    return _Voxels(number[order], above, own, moment / np.maximum(above, 1e-30))


def _held(voxels: _Voxels, grid: _Grid) -> _Voxels:
    """Voxels without those that hang in the air in groups with less than `_LEAST` of area."""
    number = voxels.number
    ends = []
    for away in (1, grid.stride, grid.stride * grid.columns):
        beside = _beside(number, away)
        linked = np.flatnonzero(beside < len(number))
        ends.append(np.stack([linked, beside[linked]]))
    of = _connected(np.concatenate(ends, axis=1), len(number))
    kept = np.bincount(of, voxels.own)[of] >= _LEAST
    return _Voxels(number[kept], voxels.above[kept], voxels.own[kept], voxels.heights[kept])


def _connected(pairs: Ints, count: int) -> Ints:
    """The group `[count]` of things that pairs `[2, P]` connect."""
    links = coo_array((np.ones(pairs.shape[1], np.bool_), (pairs[0], pairs[1])), shape=(count, count))
    return connected_components(links, directed=False)[1].astype(np.int64)


def _surfaces(voxels: _Voxels, grid: _Grid, step: float, height: float) -> _Surfaces:
    """Layers that stop half of the light from above, together with those just below and above them."""
    neighbours = [_beside(voxels.number, offset) for offset in (-1, 1)]
    above, own, moment = (
        values + sum(np.append(values, 0.0)[beside] for beside in neighbours)
        for values in (voxels.above, voxels.own, voxels.above * voxels.heights)
    )
    below, over = (np.append(voxels.above, 0.0)[beside] for beside in neighbours)
    depth = above / grid.cell**2
    solid = (depth >= _OPAQUE) & (above >= _LEVEL * own)
    found = np.flatnonzero(solid & (voxels.above > over) & (voxels.above >= below))
    number, heights = voxels.number[found], moment[found] / above[found]
    column = number // grid.stride
    gap = np.append(heights[1:] - heights[:-1], np.inf)
    gap[:-1][column[1:] != column[:-1]] = np.inf
    free = _room(voxels, grid, number, heights, step, height) & (gap >= height)
    return _Surfaces(number, heights, 1.0 - np.exp(-depth[found]), gap > step, free)


def _beside(number: Ints, offset: int) -> Ints:
    """Where `number + offset` is in sorted numbers; their count if it is not."""
    at = np.minimum(np.searchsorted(number, number + offset), len(number) - 1)
    return np.where(number[at] == number + offset, at, len(number))


def _room(voxels: _Voxels, grid: _Grid, number: Ints, heights: Floats, step: float, height: float) -> Bools:
    """Whether too little to hide half of a cell is between a step and the height of a body above surfaces."""
    until = np.append(0.0, np.cumsum(voxels.own))
    column = number // grid.stride
    first, last = (np.searchsorted(voxels.number, _numbered(grid, column, heights + rise)) for rise in (step, height))
    return until[last] - until[first] < _OPAQUE * grid.cell**2


def _numbered(grid: _Grid, column: Ints, heights: Floats) -> Ints:
    """Numbers of the voxels of columns at heights, which may be above the highest."""
    layer = np.floor((heights - grid.bottom) / grid.layer).astype(np.int64)
    return column * grid.stride + np.clip(layer, 0, grid.layers) + 1


def _lowest_of_ground(surfaces: _Surfaces, grid: _Grid, step: float) -> Ints:
    """The surface `[Z, X]` that is the ground of each column; -1 where there is none."""
    free = np.flatnonzero(surfaces.free)
    if not len(free):
        raise SceneError("no ground was found: nothing level has room for a body above it")
    column = surfaces.number[free] // grid.stride
    of = _groups(surfaces.number[free], surfaces.heights[free], grid, step)
    tops = np.flatnonzero(surfaces.top)
    _, first = np.unique(surfaces.number[tops] // grid.stride, return_index=True)
    lowest = np.isin(free, tops[first])
    ground = of == np.bincount(of[lowest], minlength=len(of)).argmax()
    columns, first = np.unique(column[ground], return_index=True)
    out = np.full(grid.rows * grid.columns, -1)
    out[columns] = free[ground][first]
    return out.reshape(grid.rows, grid.columns)


def _groups(number: Ints, heights: Floats, grid: _Grid, step: float) -> Ints:
    """The group `[K]` of each surface: steps lead from one to the next in a neighbouring column."""
    column = number // grid.stride
    ends = []
    for away, has_neighbour in ((1, column % grid.columns < grid.columns - 1), (grid.columns, column >= 0)):
        start = np.flatnonzero(has_neighbour)
        low, high = (_numbered(grid, column[start] + away, heights[start] + rise) for rise in (-step, step))
        first = np.searchsorted(number, low)
        count = np.searchsorted(number, high, "right") - first
        within = np.arange(count.sum()) - np.repeat(np.cumsum(count) - count, count)
        pair = np.repeat(start, count), np.repeat(first, count) + within
        near = np.abs(heights[pair[0]] - heights[pair[1]]) <= step
        ends.append(np.stack(pair)[:, near])
    return _connected(np.concatenate(ends, axis=1), len(number))


def _distances(known: Bools, cell: float) -> Floats:
    """How far each cell `[Z, X]` is from what is known, metres."""
    found = distance_transform_edt(~known)
    assert isinstance(found, np.ndarray)
    return found * cell


def _filled(heights: Floats, known: Bools, gaps: Bools, cell: float) -> Floats:
    """Heights with gaps filled: planes go on through what is known around, the nearest of which counts most."""
    reach = round((_FILL + 4.0 * _FADE) / cell)
    along, across = np.mgrid[-reach : reach + 1, -reach : reach + 1] * cell
    out = heights.copy()
    out[gaps] = _planes(heights, known, gaps, np.exp(-np.hypot(along, across) / _FADE), cell)[:, 2]
    return out


def _hidden(surfaces: _Surfaces, grid: _Grid, lowest: Ints) -> Ints:
    """The surface `[Z, X]` on which the ground goes on without room for a body, as below a tree; -1 where none does."""
    column = surfaces.number // grid.stride
    of = _groups(surfaces.number, surfaces.heights, grid, _STEEPEST * grid.cell + _NOISE)
    ground = np.zeros(len(of), np.bool_)
    ground[of[lowest[lowest >= 0]]] = True
    goes_on = np.flatnonzero(ground[of] & surfaces.top & (lowest.ravel()[column] < 0))
    columns, first = np.unique(column[goes_on], return_index=True)
    out = np.full(grid.rows * grid.columns, -1)
    out[columns] = goes_on[first]
    return out.reshape(grid.rows, grid.columns)


def _slopes(heights: Floats, known: Bools, cell: float) -> Floats:
    """Rise over run `[Z, X]` of the planes that fit best to what is known within a foot of each sample; 0 in gaps."""
    side = 2 * max(round(_FOOT / cell), 1) + 1
    out = np.zeros(known.shape)
    out[known] = np.hypot(*_planes(heights, known, known, np.ones((side, side)), cell)[:, :2].T)
    return out


def _planes(heights: Floats, known: Bools, wanted: Bools, weights: Floats, cell: float) -> Floats:
    """Rises along x and z, and heights, `[W, 3]` at wanted samples, of the planes that fit best to what is known.

    Slopes steeper than `_STEEPEST` are as unlikely as errors of `_NOISE`, so few samples far away make no cliff.

    Args:
        weights: `[2 N + 1, 2 N + 1]` of the samples around each.
    """
    reach = len(weights) // 2
    along, across = (part * cell for part in np.mgrid[-reach : reach + 1, -reach : reach + 1].astype(np.float64))
    basis = (across, along, np.ones_like(across))
    sums = [[_summed(known, weights * a * b)[wanted] for b in basis] for a in basis]
    right = [_summed(np.where(known, heights, 0.0), weights * a)[wanted] for a in basis]
    steep = (_NOISE / _STEEPEST) ** 2
    matrix = np.stack([np.stack(row, axis=-1) for row in sums], axis=-2) + np.diag([steep, steep, 1e-12])
    return np.linalg.solve(matrix, np.stack(right, axis=-1)[..., None])[..., 0].astype(np.float64)


def _rises(heights: Floats, known: Bools, cell: float) -> Floats:
    """How much higher or lower what is known within a foot of each sample is, metres `[Z, X]`."""
    near = _disc(_FOOT / cell)
    highest = maximum_filter(np.where(known, heights, -np.inf), footprint=near, mode="nearest")
    lowest = minimum_filter(np.where(known, heights, np.inf), footprint=near, mode="nearest")
    return np.maximum(highest - heights, heights - lowest)


def _summed(values: Reals | Bools, weights: Floats) -> Floats:
    """Weighted sums of the values `[Z, X]` around each sample."""
    return np.asarray(fftconvolve(values.astype(np.float64), weights[::-1, ::-1], mode="same"))


def _largest(mask: Bools, heights: Floats, step: float) -> Bools:
    """The largest part of a mask `[Z, X]` whose cells are linked by steps."""
    if not mask.any():
        return mask
    number = np.arange(mask.size).reshape(mask.shape)
    ends = []
    for here, there in ((np.s_[:, :-1], np.s_[:, 1:]), (np.s_[:-1], np.s_[1:])):
        linked = mask[here] & mask[there] & (np.abs(heights[here] - heights[there]) <= step)
        ends.append(np.stack([number[here][linked], number[there][linked]]))
    of = _connected(np.concatenate(ends, axis=1), mask.size)
    return mask & (of == np.bincount(of[mask.ravel()]).argmax()).reshape(mask.shape)


def _things(heights: Floats, known: Bools, cell: float) -> Floats:
    """How far things narrower than `_STAND` stand out from what is around them, metres `[Z, X]`: a white top-hat."""
    disc = _disc(0.5 * _STAND / cell)
    lowest = minimum_filter(np.where(known, heights, np.inf), footprint=disc, mode="nearest")
    return heights - maximum_filter(lowest, footprint=disc, mode="nearest")


def _disc(radius: float) -> Bools:
    """A disc with a radius in samples."""
    reach = max(round(radius), 1)
    along, across = np.mgrid[-reach : reach + 1, -reach : reach + 1]
    return np.asarray(np.hypot(along, across) <= max(radius, 1.0))
