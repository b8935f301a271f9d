"""Where to look at a captured scene from, and the way of a camera around it.

Most scenes are seen from outside and above, from where little hides what is behind it. Rooms with a ceiling are seen
from within.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.ndimage import maximum_filter1d, uniform_filter1d

from kinema import rotations
from kinema.arrays import Bools, Floats
from kinema.errors import UsageError
from kinema.rendering.camera import Camera
from kinema.worlds.cleaning import area
from kinema.worlds.gaussians import GaussianScene

FOV = 0.8
"""Vertical angle of view, radians."""

CameraPath = Callable[[float], Camera]
"""The camera after a share of a turn, 0 to 1."""

_MOST = 20_000  # places that stand for a scene
_JUDGED = 300  # places whose lines of sight are looked at
_CELLS = 48  # of the grid of what is opaque, along its longest side
_OPAQUE = 0.3
_EDGE = 0.02  # share of what is seen that lies outside of the core, on each side of each axis
_MARGIN = 1.06  # around the core in the picture
_AZIMUTHS, _ELEVATIONS = 24, (0.2, 0.35, 0.55, 0.8, 1.1)  # the elevations are radians
_USUAL_AZIMUTH, _USUAL_ELEVATION = 0.5, 0.35
_AWAY = 0.3  # share of what is seen that is as good as a radian nearer to the usual direction
_ROOM, _EYES = 2.5, 1.6  # metres: size of the smallest room, and how high above its floor one sees
_SMOOTH = 5  # azimuths over which the distance of the camera is smoothed
_SURROUNDING = 0.2  # share of a room that is seen from its middle; the outsides of walls are not
_CLOSED = 0.9  # share of directions from the middle in which a room has a wall, a floor or a ceiling


@dataclass(frozen=True, eq=False)
class Core:
    """What a scene consists of, without what is scattered around it.

    Attributes:
        places: `[P, 3]`, metres: samples of what is seen, everywhere the same area a sample.
        low, high: `[3]`, corners of the box that holds them.
        opaque: `[X, Y, Z]`: cells of a grid from `low` on that hold something. cell: their size, metres.
    """

    places: Floats
    low: Floats
    high: Floats
    opaque: Bools
    cell: float

    @staticmethod
    def of(scene: GaussianScene) -> Core:
        """The core of a scene; of what is opaque, if anything is."""
        shown = np.flatnonzero(scene.opacities >= _OPAQUE)
        shown = shown if len(shown) else np.arange(len(scene))
        share = np.maximum(area(scene)[shown], 1e-30)
        rng = np.random.default_rng(0)
        places = scene.means[rng.choice(shown, _MOST, p=share / share.sum())].astype(np.float64)
        low, high = np.quantile(places, (_EDGE, 1.0 - _EDGE), axis=0)
        around = 0.01 * float((high - low).max()) + 2.0 * float(np.median(scene.scales[shown].max(axis=-1))) + 1e-6
        low, high = low - around, high + around
        cell = float((high - low).max()) / _CELLS
        shape = np.floor((high - low) / cell).astype(int) + 1
        means = scene.means[shown].astype(np.float64)
        means = means[((means >= low) & (means <= high)).all(axis=1)]
        opaque = np.zeros(shape, np.bool_)
        opaque[tuple(np.floor((means - low) / cell).astype(int).T)] = True
        return Core(places[((places >= low) & (places <= high)).all(axis=1)], low, high, opaque, cell)

    @property
    def middle(self) -> Floats:
        """`[3]`, metres."""
        return 0.5 * (self.low + self.high)

    def hold(self, points: Floats) -> Bools:
        """Which points `[..., 3]` are in an opaque cell."""
        cells = np.floor((points - self.low) / self.cell).astype(np.int64)
        inside = ((cells >= 0) & (cells < self.opaque.shape)).all(axis=-1)
        found = np.zeros(points.shape[:-1], np.bool_)
        found[inside] = self.opaque[tuple(cells[inside].T)]
        return found

    def seen(self, eye: Floats) -> float:
        """Share of the places that nothing hides from a place `[3]`."""
        targets = self.places[:: max(len(self.places) // _JUDGED, 1)]
        toward = eye - targets
        far = np.linalg.norm(toward, axis=-1, keepdims=True)
        steps = self.cell * np.arange(2.0, 2.0 * _CELLS)  # the next cells are those of the place itself
        points = targets[:, None] + steps[:, None] * (toward / np.maximum(far, 1e-12))[:, None]
        return float(1.0 - (self.hold(points) & (steps < far - self.cell)).any(axis=-1).mean())

    def free(self, eye: Floats, ways: Floats) -> Floats:
        """How far one sees from a place in unit directions `[D, 3]`, metres; infinite where nothing is in the way."""
        steps = self.cell * np.arange(1.0, 2.0 * _CELLS)
        held = self.hold(eye + steps[:, None] * ways[:, None])
        return np.where(held.any(axis=-1), steps[held.argmax(axis=-1)], np.inf)


def camera_path(
    scene: GaussianScene,
    aspect: float,
    fov: float = FOV,
    eye: ArrayLike | None = None,
    target: ArrayLike | None = None,
) -> CameraPath:
    """A turn of a camera around a scene, or around what it is told to look at; it begins with the best view.

    Args:
        aspect: width over height of the picture. fov: vertical angle of view, radians.
        eye, target: `[3]`, metres: where it begins and what it looks at; None, both, leaves that to it.

    Raises:
        UsageError: only one of both is given, or they are no places.
    """
    if (eye is None) != (target is None):
        raise UsageError("a camera needs both a place and a target, or neither")
    if eye is not None and target is not None:
        start, at = np.asarray(eye, np.float64), np.asarray(target, np.float64)
        if start.shape != (3,) or at.shape != (3,) or not np.isfinite([start, at]).all() or np.allclose(start, at):
            raise UsageError("a camera looks from one place to another, each x, y and z in metres")
        return _around(at, start, fov)
    core = Core.of(scene)
    if _is_room(core):
        return _within(core, fov)
    azimuths = np.linspace(0.0, 2.0 * np.pi, _AZIMUTHS, endpoint=False)
    seen = np.zeros((len(_ELEVATIONS), _AZIMUTHS))
    away = np.zeros_like(seen)
    for row, elevation in enumerate(_ELEVATIONS):
        for column, azimuth in enumerate(azimuths.tolist()):
            way = _way(azimuth, elevation)
            away[row, column] = _fitting(core, way, aspect, fov)
            seen[row, column] = core.seen(core.middle + away[row, column] * way)
    row = int((seen.mean(axis=1) - _AWAY * np.abs(np.asarray(_ELEVATIONS) - _USUAL_ELEVATION)).argmax())
    turned = np.abs((azimuths - _USUAL_AZIMUTH + np.pi) % (2.0 * np.pi) - np.pi)
    best = int((seen[row] - _AWAY * turned).argmax())
    distances = uniform_filter1d(maximum_filter1d(away[row], _SMOOTH, mode="wrap"), _SMOOTH, mode="wrap")

    def camera(share: float) -> Camera:
        azimuth = float(azimuths[best]) + 2.0 * np.pi * share
        distance = float(np.interp(azimuth, azimuths, distances, period=2.0 * np.pi))
        return _looking(core.middle + distance * _way(azimuth, _ELEVATIONS[row]), core.middle, fov)

    return camera


def _around(target: Floats, eye: Floats, fov: float) -> CameraPath:
    def camera(share: float) -> Camera:
        turn = rotations.from_yaw(np.asarray(2.0 * np.pi * share))
        return _looking(target + rotations.rotate(turn, eye - target), target, fov)

    return camera


def _looking(eye: Floats, target: Floats, fov: float) -> Camera:
    away = float(np.linalg.norm(eye - target))
    return Camera.look_at(eye, target, fov, near=min(0.05, 0.01 * away), far=100.0 * away)


def _within(core: Core, fov: float) -> CameraPath:
    """A look around from the middle of a room; it begins where the room is longest."""
    eye = core.middle
    eye[1] = min(core.low[1] + _EYES, eye[1])
    azimuths = np.linspace(0.0, 2.0 * np.pi, _AZIMUTHS, endpoint=False)
    free = core.free(eye, np.stack([_way(azimuth, 0.0) for azimuth in azimuths.tolist()]))
    first = float(azimuths[int(np.where(np.isfinite(free), free, 0.0).argmax())])

    def camera(share: float) -> Camera:
        return Camera.look_at(eye, eye + _way(first + 2.0 * np.pi * share, -0.1), fov)

    return camera


def _is_room(core: Core) -> bool:
    """Whether a scene is large enough to be in, and closed on all sides."""
    if float((core.high - core.low)[[0, 2]].min()) < _ROOM or core.hold(core.middle):
        return False
    ways = np.random.default_rng(0).normal(size=(256, 3))
    ways /= np.linalg.norm(ways, axis=1, keepdims=True)
    closed = np.isfinite(core.free(core.middle, ways)).mean()
    return bool(closed > _CLOSED and core.seen(core.middle) > _SURROUNDING)


def _way(azimuth: float, elevation: float) -> Floats:
    """Unit vector `[3]`: an azimuth from +Z to +X, an elevation above the horizon, radians."""
    level = np.cos(elevation)
    return np.asarray([np.sin(azimuth) * level, np.sin(elevation), np.cos(azimuth) * level])


def _fitting(core: Core, way: Floats, aspect: float, fov: float) -> float:
    """How far away along a direction the whole core is in the picture, metres."""
    camera = Camera.look_at(core.middle + way, core.middle)
    corners = np.stack(np.meshgrid(*np.stack([core.low, core.high], axis=1), indexing="ij"), axis=-1).reshape(-1, 3)
    seen = _MARGIN * (corners - core.middle) @ np.stack([camera.left, camera.up, camera.ahead], axis=1)
    high = float(np.tan(0.5 * fov))
    needed = np.maximum(np.abs(seen[:, 0]) / aspect, np.abs(seen[:, 1])) / high
    return float((needed - seen[:, 2]).max())
