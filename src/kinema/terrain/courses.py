"""Ground to drive on in all directions for a minute: stairs or slopes one after the other, and hills.

Each is drawn from a seed. Around the origin, where characters start, it is level.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from kinema.terrain.extrusion import Extrusion
from kinema.terrain.ground import Ground, Plane
from kinema.terrain.hills import hills

REACH = 300.0
"""Metres from the origin to each border: farther than anybody runs in a minute."""

_START = 1.5  # half the length of the landing at the origin, metres
_HIGHEST = 3.0  # height above or below the start at which a course turns back, metres


def stairs_course(seed: int = 0) -> Extrusion:
    """Flights of 3 to 8 steps up and down along Z, with landings of 1 to 4 m.

    Steps are 10 to 20 cm high and 26 to 40 cm deep.
    """

    def flight(rng: np.random.Generator, sign: float) -> tuple[list[float], list[float]]:
        count = int(rng.integers(3, 9))
        rise, tread = sign * rng.uniform(0.1, 0.2), rng.uniform(0.26, 0.4)
        lengths = [0.0, *[tread, 0.0] * (count - 1)]
        return lengths, [rise if length == 0 else 0.0 for length in lengths]

    return _course(seed, flight)


def slopes_course(seed: int = 0) -> Extrusion:
    """Ramps of 5 to 28 degrees up and down along Z, 1.5 to 5 m long, with landings of 1 to 4 m."""

    def ramp(rng: np.random.Generator, sign: float) -> tuple[list[float], list[float]]:
        length = rng.uniform(1.5, 5.0)
        return [length], [sign * length * np.tan(np.radians(rng.uniform(5, 28)))]

    return _course(seed, ramp)


COURSES: dict[str, Callable[[int], Ground]] = {
    "flat": lambda seed: Plane(),
    "stairs": stairs_course,
    "slopes": slopes_course,
    "hills": hills,
}
"""Courses by name; each takes a seed."""


def _course(seed: int, part: Callable[[np.random.Generator, float], tuple[list[float], list[float]]]) -> Extrusion:
    """A profile on both sides of the origin: landings, and parts given as lengths and rises along the way."""
    rng = np.random.default_rng(seed)
    sides = [_side(rng, part) for _ in range(2)]
    along = [np.cumsum(lengths) for lengths, _ in sides]
    heights = [np.cumsum(rises) for _, rises in sides]
    return Extrusion(
        np.concatenate([-along[1][::-1], along[0]]), np.concatenate([heights[1][::-1], heights[0]]), 2 * REACH
    )


def _side(
    rng: np.random.Generator, part: Callable[[np.random.Generator, float], tuple[list[float], list[float]]]
) -> tuple[list[float], list[float]]:
    """Lengths and rises from the origin to the border."""
    lengths, rises = [_START], [0.0]
    while sum(lengths) < REACH:
        height = sum(rises)
        sign = -np.sign(height) if abs(height) > _HIGHEST else rng.choice([-1.0, 1.0])
        more, up = part(rng, float(sign))
        lengths += [*more, rng.uniform(1.0, 4.0)]
        rises += [*up, 0.0]
    return lengths, rises
