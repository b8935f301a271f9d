"""Ground with one profile along its length: stairs, ramps and blocks, with exact vertical edges."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kinema.arrays import Floats, Reals, Singles
from kinema.errors import UsageError
from kinema.terrain.ground import Ground, flat, up

MOST_STEPS = 10_000
"""Most steps of a flight of stairs."""


@dataclass(frozen=True, eq=False)
class Extrusion(Ground):
    """A polyline of heights along +Z, as wide on both sides of x = 0. Beyond it there is no ground.

    Two corners at the same z are a vertical edge. A point exactly on it belongs to what comes after it.

    Attributes:
        along: float64 `[K]`, increasing: z of the corners, metres.
        heights: float64 `[K]`: their heights, metres.
        width: extent along x, metres.

    Raises:
        UsageError: the corners do not go along +Z, are not finite, or the width is not positive.
    """

    along: Floats
    heights: Floats
    width: float

    def __post_init__(self) -> None:
        along, heights = (np.ascontiguousarray(one, np.float64) for one in (self.along, self.heights))
        fits = along.ndim == 1 and along.shape == heights.shape and len(along) > 1
        if not fits or not (np.isfinite(along) & np.isfinite(heights)).all() or not along[0] < along[-1]:
            raise UsageError("a profile needs at least two corners with finite heights, at different z")
        if (np.diff(along) < 0).any():
            raise UsageError("the corners of a profile must go along +Z")
        _check(width=self.width)
        object.__setattr__(self, "along", along)
        object.__setattr__(self, "heights", heights)

    def height(self, points: Reals) -> Singles:
        """See `Ground`."""
        from kinema.terrain.kernels import extruded

        return extruded(self.along, self.heights, 0.5 * self.width, flat(points)).reshape(points.shape[:-1])

    def normal(self, points: Reals) -> Singles:
        """See `Ground`."""
        from kinema.terrain.kernels import extruded_normals

        if self._level:
            return up(points)
        return extruded_normals(self.along, self.heights, 0.5 * self.width, flat(points)).reshape(points.shape)

    @property
    def _level(self) -> bool:
        return bool((np.diff(self.heights)[np.diff(self.along) > 0] == 0).all())


def stairs(
    steps: int = 6,
    rise: float = 0.17,
    tread: float = 0.29,
    *,
    landing: float = 1.5,
    width: float = 2.0,
    down: bool = True,
) -> Extrusion:
    """Stairs that go up along +Z from z = 0, then a landing, then down again.

    Args:
        steps: risers of each flight; the last one leads to the landing.
        rise: height of a step, metres.
        tread: depth of a step, metres.
        landing: length of the landing, metres.
        width: extent along x, metres.
        down: a second flight goes down behind the landing; False: the stairs end with it.

    Raises:
        UsageError: a size is not positive.
    """
    _check(steps=steps, rise=rise, tread=tread, landing=landing, width=width)
    if steps > MOST_STEPS:
        raise UsageError(f"stairs have at most {MOST_STEPS} steps, not {steps}")
    levels = [*range(1, steps + 1), *(range(steps - 1, 0, -1) if down else ())]
    lengths = [tread] * (steps - 1) + [landing] + [tread] * (len(levels) - steps)
    bounds = np.cumsum([0.0, *lengths])
    return Extrusion(np.repeat(bounds, 2)[1:-1], np.repeat(levels, 2) * rise, width)


def slope(
    length: float = 4.0, rise: float = 1.0, *, landing: float = 1.5, width: float = 2.0, down: bool = True
) -> Extrusion:
    """A ramp that goes up along +Z from z = 0, then a landing, then down again.

    Args:
        length: horizontal length of each ramp, metres.
        rise: height of the landing, metres.
        landing: length of the landing, metres.
        width: extent along x, metres.
        down: a second ramp goes down behind the landing; False: the ground ends with the landing.

    Raises:
        UsageError: a size is not positive.
    """
    _check(length=length, rise=rise, landing=landing, width=width)
    along, heights = [0.0, length, length + landing, 2 * length + landing], [0.0, rise, rise, 0.0]
    kept = slice(None) if down else slice(3)
    return Extrusion(np.array(along[kept]), np.array(heights[kept]), width)


def block(length: float, width: float, height: float) -> Extrusion:
    """A block with a level top, centred on the origin: a platform, or a stone to step on.

    Args:
        length, width: extent along z and x, metres.
        height: height of its top, metres.

    Raises:
        UsageError: length or width is not positive.
    """
    _check(length=length, width=width)
    return Extrusion(np.array([-0.5 * length, 0.5 * length]), np.array([height, height]), width)


def _check(**sizes: float) -> None:
    for name, size in sizes.items():
        if not 0 < size < np.inf:
            raise UsageError(f"{name} must be above zero, not {size}")
