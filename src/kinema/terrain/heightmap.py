"""Ground from heights on a regular grid."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from kinema.arrays import Floats, Ints, Reals, Singles
from kinema.errors import UsageError
from kinema.terrain.ground import VOID, Ground, flat, is_void

MOST_SAMPLES = 2**26
"""Most samples that a heightmap is made with: 8192 x 8192."""

MOST_WORK = 2**32
"""Most tests of a sample against a triangle when a mesh becomes a heightmap: about ten seconds."""

Edge = Literal["open", "extend", "repeat"]
_EDGES = ("open", "extend", "repeat")


@dataclass(frozen=True, eq=False)
class Heightmap(Ground):
    """Heights on a regular grid, bilinear in between. Normals are those of the interpolated surface.

    Attributes:
        heights: float32 `[Z, X]`, metres: rows go along +Z and columns along +X. `VOID` is a hole.
        cell: metres between two samples.
        origin: x and z of the first sample, metres; default: the map is centred on the origin of the world.
        edge: what lies beyond the border: nothing ("open"), the height of the border ("extend"), or the map again
            ("repeat"; the samples after the last ones are the first ones).

    Raises:
        UsageError: fewer than two samples along an axis or too many, heights that are not finite, or a cell that is not
            positive.
    """

    heights: Singles
    cell: float
    origin: tuple[float, float] | None = None
    edge: Edge = "extend"

    def __post_init__(self) -> None:
        heights = np.asarray(self.heights)
        if heights.ndim != 2 or min(heights.shape) < 2:
            raise UsageError(f"a heightmap needs at least 2 x 2 heights, not the shape {list(heights.shape)}")
        check_size(heights.shape[1], heights.shape[0])
        check_cell(self.cell)
        if self.edge not in _EDGES:
            raise UsageError(f"the edge of a heightmap is one of {', '.join(_EDGES)}, not {self.edge!r}")
        heights = np.ascontiguousarray(heights, np.float32)
        if not np.isfinite(heights).all():
            raise UsageError("a heightmap needs finite heights; holes are kinema.terrain.VOID")
        object.__setattr__(self, "heights", heights)
        if self.origin is None:
            rows, columns = heights.shape
            object.__setattr__(self, "origin", (-0.5 * self.cell * (columns - 1), -0.5 * self.cell * (rows - 1)))

    @classmethod
    def from_function(
        cls,
        function: Callable[[Reals, Reals], ArrayLike],
        size: tuple[float, float],
        cell: float = 0.05,
        *,
        edge: Edge = "extend",
    ) -> Heightmap:
        """A map of a function, centred on the origin.

        Args:
            function: takes x and z, `[Z, X]` in metres, and returns heights `[Z, X]` in metres.
            size: extent along x and z, metres.
            cell: metres between two samples.

        Raises:
            UsageError: as for the class.
        """
        check_cell(cell)
        columns, rows = (_count(extent, cell) for extent in size)
        check_size(columns, rows)
        x, z = ((np.arange(count) - 0.5 * (count - 1)) * cell for count in (columns, rows))
        grid_x, grid_z = np.meshgrid(x, z)
        heights = np.broadcast_to(np.asarray(function(grid_x, grid_z), np.float32), grid_x.shape)
        return cls(heights, cell, edge=edge)

    @classmethod
    def from_triangles(cls, vertices: Reals, triangles: Ints, cell: float = 0.05) -> Heightmap:
        """The highest surface of triangles; where there is none, the map has a hole.

        Vertical walls become slopes one cell wide.

        Args:
            vertices: `[V, 3]`, metres, world.
            triangles: integers `[K, 3]`.
            cell: metres between two samples.

        Raises:
            UsageError: as for the class; no triangle seen from above is larger than a cell; a triangle uses a vertex
                that does not exist; or there are too many samples to compare with.
        """
        from kinema.terrain.kernels import rasterise

        check_cell(cell)
        vertices, triangles = np.asarray(vertices, np.float64), np.asarray(triangles, np.int64)
        if not len(triangles):
            raise UsageError("a heightmap needs at least one triangle")
        if triangles.min() < 0 or triangles.max() >= len(vertices):
            raise UsageError(f"triangles use vertices up to {triangles.max()}, but there are {len(vertices)}")
        corners = vertices[triangles][..., [0, 2]]
        if not np.isfinite(vertices[triangles]).all():
            raise UsageError("a heightmap needs triangles with finite vertices")
        low, high = corners.min((0, 1)), corners.max((0, 1))
        columns, rows = (_count(extent, cell) for extent in (high - low).tolist())
        check_size(columns, rows)
        work = float((np.ptp(corners, axis=1) / cell + 1).prod(-1).sum())
        if work > MOST_WORK:
            raise UsageError(f"{len(triangles)} triangles overlap too many samples; use cells larger than {cell:g} m")
        heights = np.full((rows, columns), VOID, np.float32)
        rasterise(vertices, triangles, float(low[0]), float(low[1]), float(cell), heights)
        if is_void(heights).all():
            raise UsageError(f"no triangle is seen from above at cells of {cell:g} m")
        return cls(heights, cell, (float(low[0]), float(low[1])), "open")

    def height(self, points: Reals) -> Singles:
        """See `Ground`."""
        from kinema.terrain.kernels import bilinear

        return bilinear(*self._map, flat(points)).reshape(points.shape[:-1])

    def normal(self, points: Reals) -> Singles:
        """See `Ground`."""
        from kinema.terrain.kernels import bilinear_normals

        return bilinear_normals(*self._map, flat(points)).reshape(points.shape)

    @property
    def _map(self) -> tuple[Singles, Floats, bool, bool]:
        assert self.origin is not None
        grid = np.array([*self.origin, self.cell], np.float64)
        return self.heights, grid, self.edge == "repeat", self.edge == "open"


def check_cell(cell: float) -> None:
    """UsageError if samples cannot be `cell` metres apart."""
    if not 0 < cell < np.inf:
        raise UsageError(f"the cells of a heightmap need a size above zero, not {cell}")


def check_size(columns: int, rows: int) -> None:
    """UsageError if a heightmap would have more samples than `MOST_SAMPLES`."""
    if columns * rows > MOST_SAMPLES:
        raise UsageError(f"a heightmap of {columns} x {rows} samples is larger than {MOST_SAMPLES}; use larger cells")


def _count(extent: float, cell: float) -> int:
    """Samples along an extent, both ends included."""
    if not 0 <= extent < np.inf:
        raise UsageError(f"a heightmap needs a finite extent, not {extent} m")
    return max(int(min(np.ceil(extent / cell - 1e-6), 1e12)) + 1, 2)
