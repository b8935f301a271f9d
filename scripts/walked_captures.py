"""Captures of made worlds as somebody takes them who walks through, with the points that structure from motion gives.

`captured` makes what COLMAP would: pictures from eye height that look ahead and down at the floor, and points on what
is seen in three pictures or more, each off by a centimetre, with a few anywhere.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kinema.arrays import Bools, Floats, Singles
from kinema.rendering.camera import Camera
from kinema.rendering.reconstruction.photos import Capture, Lens, Photo
from kinema.rendering.splats.rasterise import rasterise
from kinema.worlds.gaussians import GaussianScene
from kinema.worlds.made import MadeWorld

FOV = 1.0
SKY = (0.72, 0.82, 0.93)
OFF, STRAY = 0.01, 0.02  # metres that points are off; share of points that are anywhere
SEEN = 3  # pictures that see a point
_LOW, _HIGH = 1.2, 1.8  # metres of the eye above the ground
_GRID, _FREE = 0.25, 0.5  # metres between places to stand; from obstacles and borders
_SIZE = 400  # pixels of pictures that points are found in
_AGREED = 0.02  # by which depths of a point may differ, of the depth


@dataclass(frozen=True, eq=False)
class Walked:
    """A capture, the pictures that were kept back, and depths `[H, W]`, metres, of what these truly show."""

    capture: Capture
    unseen: tuple[Photo, ...]
    depths: tuple[Singles, ...]


def captured(
    world: MadeWorld, scene: GaussianScene, count: int, kept_back: int, size: int, points: int, noise: float, seed: int
) -> Walked:
    """Pictures of a walk through a world; some of them are kept back.

    Args:
        size: pixels of a side. points: how many structure from motion finds. noise: of pictures, 0 to 1.
    """
    rng = np.random.default_rng(seed)
    cameras = walk(world, scene, count + kept_back, rng)
    held = set(rng.choice(len(cameras), kept_back, replace=False).tolist())
    kept = [camera for number, camera in enumerate(cameras) if number not in held]
    back = [camera for number, camera in enumerate(cameras) if number in held]
    places, colours = sparse_points(scene, kept, points, rng)
    photos = tuple(photo(scene, camera, size, noise, rng) for camera in kept)
    unseen = tuple(photo(scene, camera, size, 0.0, rng) for camera in back)
    depths = tuple(rasterise(scene, camera, size, size).depth for camera in back)
    return Walked(Capture(photos, places, colours), unseen, depths)


def walk(world: MadeWorld, scene: GaussianScene, count: int, rng: np.random.Generator) -> list[Camera]:
    """Cameras at places that are spread over all where one can stand, from each to the nearest that is left."""
    places = _spread(_free(world), count, rng)
    found = []
    for place, following in zip(places, np.roll(places, -1, axis=0), strict=True):
        way = float(np.arctan2(*(following - place))) + rng.normal(0.0, 0.6)
        level = float(world.ground.height(np.asarray([place[0], 0.0, place[1]])))
        eye = np.asarray([place[0], level + rng.uniform(_LOW, _HIGH), place[1]])
        down = rng.uniform(np.radians(10.0), np.radians(40.0))
        choices = [_looking(eye, way + turn, down) for turn in (0.0, 1.6, -1.6, 3.1)]
        clear = [float(np.median(rasterise(scene, camera, 24, 24).depth)) for camera in choices]
        found.append(choices[int(np.argmax(np.asarray(clear) > 1.2)) if max(clear) > 1.2 else int(np.argmax(clear))])
    return found


def photo(scene: GaussianScene, camera: Camera, size: int, noise: float, rng: np.random.Generator) -> Photo:
    """A picture, drawn twice as fine, with noise."""
    drawn = rasterise(scene, camera, 2 * size, 2 * size, background=SKY).colour
    drawn = drawn.reshape(size, 2, size, 2, 3).mean(axis=(1, 3)) + rng.normal(0.0, noise, (size, size, 3))
    return Photo("", np.rint(255 * np.clip(drawn, 0, 1)).astype(np.uint8), Lens.of(camera, size, size))


def sparse_points(
    scene: GaussianScene, cameras: list[Camera], count: int, rng: np.random.Generator
) -> tuple[Singles, Singles]:
    """Places and colours `[count, 3]` of points that `SEEN` cameras or more see."""
    lenses = [Lens.of(camera, _SIZE, _SIZE) for camera in cameras]
    drawn = [rasterise(scene, camera, _SIZE, _SIZE, background=SKY) for camera in cameras]
    each = 4 * count // len(cameras) + 1
    places, colours = [], []
    for lens, picture in zip(lenses, drawn, strict=True):
        row, column = rng.integers(0, _SIZE, (2, each))
        depth = picture.depth[row, column]
        good = np.isfinite(depth) & (picture.alpha[row, column] > 0.95)
        pixels = np.stack([column + 0.5, row + 0.5], axis=-1)[good]
        places.append(lens.position + lens.rays(pixels) * depth[good, None])
        colours.append(picture.colour[row, column][good])
    found, shown = np.concatenate(places), np.concatenate(colours)
    seen = sum(_sees(lens, picture.depth, found).astype(int) for lens, picture in zip(lenses, drawn, strict=True))
    chosen = rng.permutation(np.flatnonzero(seen >= SEEN))[:count]
    out = found[chosen] + rng.normal(0.0, OFF, (len(chosen), 3))
    low, high = np.quantile(out, (0.01, 0.99), axis=0)
    stray = rng.random(len(out)) < STRAY
    out[stray] = rng.uniform(low, high, (int(stray.sum()), 3))
    return out.astype(np.float32), shown[chosen].astype(np.float32)


def _sees(lens: Lens, depths: Singles, points: Floats) -> Bools:
    """Which points are in a picture, and not behind what it shows."""
    seen = lens.seen(points)
    column, row = np.clip(np.floor(seen[:, :2]), 0, _SIZE - 1).astype(int).T
    inside = (seen[:, 2] > 0.1) & (seen[:, :2] >= 0).all(axis=1) & (seen[:, :2] < _SIZE).all(axis=1)
    return np.asarray(inside & (np.abs(depths[row, column] - seen[:, 2]) < _AGREED * seen[:, 2]))


def _looking(eye: Floats, way: float, down: float) -> Camera:
    ahead = [np.sin(way) * np.cos(down), -np.sin(down), np.cos(way) * np.cos(down)]
    return Camera.look_at(eye, eye + ahead, FOV)


def _free(world: MadeWorld) -> Floats:
    """Places `[N, 2]` to stand on."""
    low, high = np.asarray(world.low) + _FREE, np.asarray(world.high) - _FREE
    sides = [np.arange(a, b, _GRID) for a, b in zip(low, high, strict=True)]
    points = np.stack(np.meshgrid(*sides, indexing="ij"), axis=-1).reshape(-1, 2)
    return points[~world.blocked(points, _FREE)]


def _spread(points: Floats, count: int, rng: np.random.Generator) -> Floats:
    """Points `[count, 2]`, each as far from those before it as can be, in the order of a walk."""
    chosen = [points[rng.integers(len(points))]]
    away = np.full(len(points), np.inf)
    for _ in range(count - 1):
        away = np.minimum(away, np.linalg.norm(points - chosen[-1], axis=1))
        chosen.append(points[int(away.argmax())])
    left, order = np.asarray(chosen), []
    here = left[0]
    while len(left):
        nearest = int(np.linalg.norm(left - here, axis=1).argmin())
        here = left[nearest]
        order.append(here)
        left = np.delete(left, nearest, axis=0)
    return np.asarray(order)
