"""Worlds made by rules: a street, a room, a park, hills. What is ground and what stands on it is known exactly.

To add a kind of world, write a function like `room` and add it to `WORLDS`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from kinema.arrays import Bools, Floats, Reals
from kinema.errors import UsageError, listed
from kinema.terrain import Ground, Heightmap, Plane
from kinema.worlds.gaussians import GaussianScene
from kinema.worlds.obstacles import Obstacle, colour_word
from kinema.worlds.shapes import ball, box, column, relief
from kinema.worlds.surfels import ColouredSurface, surfels

SPACING = 0.05
"""Metres between the discs of a world."""

_SUN = np.asarray([0.45, 0.8, 0.4]) / np.linalg.norm([0.45, 0.8, 0.4])
_SUNLIGHT, _SKY, _BELOW = np.asarray([0.75, 0.72, 0.65]), np.asarray([0.42, 0.46, 0.52]), np.asarray([0.2, 0.19, 0.18])
_CELL = 0.1  # metres of a heightmap

_FURNITURE = {0.45: ("box", "chest"), 0.75: ("table", "desk"), 1.8: ("shelf", "cupboard", "bookcase")}
_LAMP = ("lamp", "street lamp", "lamppost", "lantern", "streetlight")
_TREE: dict[str, Any] = {"names": ("tree",), "colour": "green", "height": 3.5}


@dataclass(frozen=True, eq=False)
class MadeWorld:
    """A world with its truth.

    Attributes:
        surface: all triangles, in their own colours. ground: what is walked on.
        obstacles: what is not walked through.
        low, high: corners (x, z) of what can be walked on, metres.
    """

    name: str
    surface: ColouredSurface
    ground: Ground
    obstacles: tuple[Obstacle, ...]
    low: tuple[float, float]
    high: tuple[float, float]

    def scene(self, spacing: float = SPACING, seed: int = 0) -> GaussianScene:
        """It as Gaussians, in the light of a sun and a sky."""
        named = tuple(obstacle for obstacle in self.obstacles if obstacle.names)
        return replace(surfels(lit(self.surface), spacing, seed), name=self.name, things=named)

    def blocked(self, points: Reals, margin: float = 0.0) -> Bools:
        """Which points on the ground `[..., 2]` are in an obstacle, or nearer than a margin."""
        found = np.zeros(np.shape(points)[:-1], np.bool_)
        for obstacle in self.obstacles:
            found |= obstacle.holds(points, margin)
        return found


def make_world(kind: str, seed: int = 0) -> MadeWorld:
    """A world of a kind of `WORLDS`; the same seed makes the same one.

    Raises:
        UsageError: there is no such kind.
    """
    if kind not in WORLDS:
        raise UsageError(f"no world is called {kind!r}; there are: {listed(WORLDS)}")
    return WORLDS[kind](np.random.default_rng([sorted(WORLDS).index(kind), seed]))


def lit(surface: ColouredSurface) -> ColouredSurface:
    """A surface in the light of a sun, of the sky above and of the ground below (J. Lambert, 1760), as sRGB."""
    linear = np.power(np.maximum(surface.colours, 0.0), 2.2) * daylight(surface.normals)[:, None]
    return replace(surface, colours=np.power(np.minimum(linear, 1.0), 1.0 / 2.2).astype(np.float32))


def daylight(normals: Reals) -> Floats:
    """Linear light `[..., 3]` of a sun, a sky and the ground on surfaces with unit normals `[..., 3]`."""
    upward = 0.5 + 0.5 * normals[..., 1:2]
    return _SUNLIGHT * np.maximum(normals @ _SUN, 0.0)[..., None] + upward * _SKY + (1.0 - upward) * _BELOW


def room(rng: np.random.Generator) -> MadeWorld:
    """Four walls without a ceiling, tables, shelves and boxes."""
    wide, deep = float(rng.uniform(7, 11)), float(rng.uniform(7, 11))
    floor = relief(_level, _tiles(0.6, _tone(rng, 0.55), 0.06), (-wide / 2, -deep / 2), (wide / 2, deep / 2), 0.15)
    paint = _tone(rng, 0.8)
    parts, obstacles = [floor], []
    for x, z, w, d in (
        (0, deep / 2, wide, 0.2),
        (0, -deep / 2, wide, 0.2),
        (wide / 2, 0, 0.2, deep),
        (-wide / 2, 0, 0.2, deep),
    ):
        parts.append(box((x, 1.3, z), (w, 2.6, d), paint))
        obstacles.append(Obstacle(x, z, w, d, names=("wall",), height=2.6))
    for _ in range(int(rng.integers(4, 8))):
        w, d, h = rng.uniform(0.5, 1.6), rng.uniform(0.5, 1.2), rng.choice([0.45, 0.75, 1.8])
        spot = _free(rng, obstacles, (-wide / 2 + 1, -deep / 2 + 1), (wide / 2 - 1, deep / 2 - 1), float(max(w, d)))
        if spot is None:
            continue
        heading = float(rng.uniform(0, np.pi))
        paint = _tone(rng, 0.5, 0.25)
        parts.append(box((spot[0], h / 2, spot[1]), (w, h, d), paint, heading))
        called = {"names": _FURNITURE[float(h)], "colour": colour_word(paint), "height": float(h)}
        obstacles.append(Obstacle(*spot, float(w), float(d), heading, **called))
    return _world("room", parts, Plane(), obstacles, (-wide / 2, -deep / 2), (wide / 2, deep / 2))


def street(rng: np.random.Generator) -> MadeWorld:
    """A road between houses, with lamps, trees and cars."""
    long, wide = 36.0, float(rng.uniform(9, 13))
    paving, lane = _tone(rng, 0.55, 0.03), np.asarray([0.85, 0.83, 0.78])

    def colour(x: Floats, z: Floats) -> Floats:
        striped = (np.abs(x) < 0.08) & (z % 3.0 < 1.5)
        side = (np.abs(x) > 0.32 * wide)[..., None]
        return np.where(striped[..., None], lane, np.where(side, paving, np.asarray([0.27, 0.27, 0.29])))

    parts = [relief(_level, colour, (-wide / 2, -long / 2), (wide / 2, long / 2), 0.15)]
    obstacles = []
    for side in (-1, 1):
        z = -long / 2
        while z < long / 2 - 2:
            length = float(min(rng.uniform(4, 8), long / 2 - z))
            height, depth = float(rng.uniform(4, 8)), 3.0
            x = side * (wide / 2 + depth / 2)
            paint = _tone(rng, 0.6, 0.2)
            parts.append(box((x, height / 2, z + length / 2), (depth, height, length), paint))
            parts += _windows(side, wide / 2, z, length, height, rng)
            called = {"names": ("house", "building"), "colour": colour_word(paint), "height": height}
            obstacles.append(Obstacle(x, z + length / 2, depth, length, **called))
            z += length
        for z in np.arange(-long / 2 + 3, long / 2 - 2, 8.0):
            x = side * (wide / 2 - 0.8)
            lamp = rng.random() < 0.5
            if lamp:
                parts.append(column((x, 0, z), 4.0, (0.08, 0.05), (0.25, 0.25, 0.27)))
                parts.append(ball((x, 4.1, z), (0.2, 0.2, 0.2), (0.95, 0.93, 0.8)))
            else:
                parts += _tree(rng, x, 0.0, float(z))
            called = {"names": _LAMP, "height": 4.3} if lamp else _TREE
            obstacles.append(Obstacle(x, float(z), 0.4, 0.4, round=True, **called))
    for _ in range(int(rng.integers(1, 4))):
        spot = _free(rng, obstacles, (-0.28 * wide, -long / 2 + 4), (0.28 * wide, long / 2 - 4), 3.0)
        if spot:
            paint = _tone(rng, 0.5, 0.35)
            parts.append(box((spot[0], 0.55, spot[1]), (1.8, 0.7, 4.2), paint))
            parts.append(box((spot[0], 1.15, spot[1] - 0.2), (1.5, 0.55, 2.2), 0.4 * paint + 0.15))
            called = {"names": ("car", "vehicle"), "colour": colour_word(paint), "height": 1.4}
            obstacles.append(Obstacle(*spot, 1.8, 4.2, **called))
    return _world("street", parts, Plane(), obstacles, (-wide / 2, -long / 2), (wide / 2, long / 2))


def park(rng: np.random.Generator) -> MadeWorld:
    """A meadow with a path, trees, benches and stones."""
    size = 24.0
    bend = float(rng.uniform(1.5, 4.0))
    grass, gravel = np.asarray([0.33, 0.5, 0.22]), np.asarray([0.66, 0.6, 0.5])

    def colour(x: Floats, z: Floats) -> Floats:
        speckle = 0.04 * np.sin(37.0 * x + 11.0 * np.sin(23.0 * z))[..., None]
        on_path = np.abs(x - bend * np.sin(z / 5.0)) < 1.0
        return np.where(on_path[..., None], gravel, grass) + speckle

    parts, obstacles = [relief(_level, colour, (-size / 2, -size / 2), (size / 2, size / 2), 0.15)], []
    for _ in range(int(rng.integers(10, 18))):
        spot = _free(rng, obstacles, (-size / 2 + 1, -size / 2 + 1), (size / 2 - 1, size / 2 - 1), 1.2)
        if spot is None or abs(spot[0] - bend * np.sin(spot[1] / 5.0)) < 1.6:
            continue
        kind = rng.random()
        if kind < 0.6:
            parts += _tree(rng, spot[0], 0.0, spot[1])
            obstacles.append(Obstacle(*spot, 0.5, 0.5, round=True, **_TREE))
        elif kind < 0.8:
            heading = float(rng.uniform(0, np.pi))
            parts.append(box((spot[0], 0.42, spot[1]), (1.6, 0.08, 0.5), (0.45, 0.3, 0.18), heading))
            parts.append(box((spot[0], 0.2, spot[1]), (1.3, 0.4, 0.3), (0.35, 0.35, 0.36), heading))
            obstacles.append(Obstacle(*spot, 1.6, 0.5, heading, names=("bench", "seat"), height=0.46))
        else:
            wide = float(rng.uniform(0.6, 1.2))
            parts.append(ball((spot[0], 0.2 * wide, spot[1]), (wide / 2, 0.4 * wide, wide / 2), _tone(rng, 0.5, 0.05)))
            obstacles.append(
                Obstacle(*spot, wide, wide, round=True, names=("stone", "rock", "boulder"), height=0.6 * wide)
            )
    return _world("park", parts, Plane(), obstacles, (-size / 2, -size / 2), (size / 2, size / 2))


def hills(rng: np.random.Generator) -> MadeWorld:
    """Rolling ground with trees and rocks."""
    size = 24.0
    waves = [(rng.normal(0, 0.25, 2), rng.uniform(0, 2 * np.pi), rng.uniform(0.15, 0.45)) for _ in range(6)]

    def height(x: Reals, z: Reals) -> Floats:
        total = np.zeros(np.broadcast(x, z).shape)
        for (a, b), phase, tall in waves:
            total = total + tall * np.sin(a * x + b * z + phase)
        return total

    def colour(x: Floats, z: Floats) -> Floats:
        steep = np.clip(np.abs(height(x + 0.2, z) - height(x - 0.2, z)) * 2.5, 0, 1)[..., None]
        return (1 - steep) * np.asarray([0.38, 0.52, 0.24]) + steep * np.asarray([0.5, 0.42, 0.3])

    parts, obstacles = [relief(height, colour, (-size / 2, -size / 2), (size / 2, size / 2), 0.2)], []
    for _ in range(int(rng.integers(8, 14))):
        spot = _free(rng, obstacles, (-size / 2 + 1, -size / 2 + 1), (size / 2 - 1, size / 2 - 1), 1.2)
        if spot:
            foot = float(height(np.asarray(spot[0]), np.asarray(spot[1])))
            parts += _tree(rng, spot[0], foot - 0.1, spot[1])
            obstacles.append(Obstacle(*spot, 0.5, 0.5, round=True, **_TREE))
    ground = Heightmap.from_function(height, (size, size), _CELL)
    return _world("hills", parts, ground, obstacles, (-size / 2, -size / 2), (size / 2, size / 2))


WORLDS: Mapping[str, Callable[[np.random.Generator], MadeWorld]] = {
    "room": room,
    "street": street,
    "park": park,
    "hills": hills,
}
"""Kinds of worlds."""


def _world(
    name: str,
    parts: list[ColouredSurface],
    ground: Ground,
    obstacles: list[Obstacle],
    low: tuple[float, float],
    high: tuple[float, float],
) -> MadeWorld:
    return MadeWorld(name, parts[0].joined(*parts[1:]), ground, tuple(obstacles), low, high)


def _level(x: Floats, z: Floats) -> Floats:
    return np.zeros(np.broadcast(x, z).shape)


def _tone(rng: np.random.Generator, mean: float, spread: float = 0.1) -> Floats:
    """A colour about as bright as `mean`."""
    return np.clip(mean + rng.uniform(-spread, spread, 3), 0.05, 0.95)


def _tiles(side: float, colour: Floats, contrast: float) -> Callable[[Floats, Floats], Floats]:
    def painted(x: Floats, z: Floats) -> Floats:
        odd = (np.floor(x / side) + np.floor(z / side)) % 2
        return colour + contrast * (odd[..., None] - 0.5)

    return painted


def _free(
    rng: np.random.Generator,
    obstacles: list[Obstacle],
    low: tuple[float, float],
    high: tuple[float, float],
    margin: float,
) -> tuple[float, float] | None:
    """A place that is not near any obstacle; None if none is found soon."""
    for _ in range(40):
        spot = rng.uniform(low, high)
        if not any(obstacle.holds(spot, margin) for obstacle in obstacles):
            return float(spot[0]), float(spot[1])
    return None


def _tree(rng: np.random.Generator, x: float, y: float, z: float) -> list[ColouredSurface]:
    tall, wide = float(rng.uniform(1.6, 2.4)), float(rng.uniform(0.8, 1.4))
    leaves = np.asarray([0.25, 0.42, 0.18]) + rng.uniform(-0.06, 0.06, 3)
    return [
        column((x, y, z), tall, (0.2, 0.13), (0.36, 0.26, 0.17)),
        ball((x, y + tall + 0.6 * wide, z), (wide, 0.9 * wide, wide), leaves),
    ]


def _windows(
    side: int, edge: float, z: float, length: float, height: float, rng: np.random.Generator
) -> list[ColouredSurface]:
    """Panes on the front of a house."""
    glass = np.asarray([0.35, 0.42, 0.5]) + rng.uniform(-0.05, 0.05, 3)
    return [
        box((side * (edge - 0.02), level, along), (0.06, 1.1, 0.9), glass)
        for level in np.arange(1.6, height - 0.8, 2.2)
        for along in np.arange(z + 1.0, z + length - 0.8, 1.8)
    ]
