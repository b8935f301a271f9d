"""Cameras of training clips: always with the body in the picture, never within or behind what stands around.

A camera is tried out before anything is drawn: points of the body in every picture must be in the frame, the way of the
camera must be free, and hardly anything may be between it and the body.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from kinema.arrays import Bools, Floats
from kinema.footage.scenery import Scenery
from kinema.rendering.camera import Camera
from kinema.rendering.film.sightlines import Blocks

KINDS = ("follow", "orbit", "rail", "still")
"""Goes along at the same side; goes around; goes along a straight line and looks at the body; does not move."""

_MARGIN = 0.05  # share of the picture that stays free at each border
_FARTHEST = 1.5  # times as far away as a camera that follows, up to which one may stand still or roll along
_SMOOTH = 3.0  # pictures over which a following camera smooths what it looks at
_SAMPLES = 24  # points on each line of sight
_NEAR_BODY = 0.15  # share of the line of sight next to the body that may be blocked: ground, and what it holds
_MARKS = 10  # points of the body that lines of sight lead to, in each picture
_FREE, _FREE_EACH = 0.85, 0.7  # share of the lines of sight that must be free: of all, and of those of each picture
_WAYS = 12  # directions that are tried
_HIGHEST = 0.55  # radians above the horizon


@dataclass(frozen=True, eq=False)
class Shots:
    """Cameras of the pictures of a clip.

    Attributes:
        kind: one of `KINDS`. cameras: one for each picture. free: share of the lines of sight that are free.
    """

    kind: str
    cameras: tuple[Camera, ...]
    free: float


def choose_cameras(
    points: Floats, around: Scenery, kind: str, rng: np.random.Generator, seconds: float
) -> Shots | None:
    """Cameras for a body; None if none of those that were tried sees it well.

    Args:
        points: `[F, P, 3]` of the body's surface in each picture, metres, world.
        kind: wanted; another one where it would be too far away.
        seconds: of the clip.
    """
    fov = float(rng.uniform(0.5, 0.85))
    apart = float(rng.uniform(1.0, 1.25))
    turns = rng.permutation(_WAYS) * (2 * np.pi / _WAYS) + rng.uniform(0, 2 * np.pi / _WAYS)
    rises = rng.uniform(0.0, _HIGHEST, _WAYS) ** 1.3
    pace = float(rng.choice([-1.0, 1.0]) * rng.uniform(0.5, 1.4))
    kinds = [kind, *(other for other in KINDS if other != kind)]
    for wanted in kinds:
        for azimuth, rise in zip(turns.tolist(), rises.tolist(), strict=True):
            path = _path(points, wanted, azimuth, rise, pace * seconds, fov, apart)
            if path is None:
                break
            eyes, targets = path
            free = _free(points, eyes, around)
            if free >= _FREE:
                return Shots(wanted, _cameras(eyes, targets, fov), free)
    return None


def in_frame(points: Floats, cameras: Sequence[Camera], margin: float = 0.0) -> Bools:
    """Which points `[F, P, 3]` are in the picture of their camera, `[F, P]`; pictures are square."""
    found = []
    for seen, camera in zip(points, cameras, strict=True):
        pixels = camera.project(seen, 1, 1)
        near = (pixels[:, :2] >= margin) & (pixels[:, :2] <= 1 - margin)
        found.append((pixels[:, 2] > camera.near) & near.all(axis=-1))
    return np.stack(found)


def _path(
    points: Floats, kind: str, azimuth: float, rise: float, turned: float, fov: float, apart: float
) -> tuple[Floats, Floats] | None:
    """Eyes and targets `[F, 3]` of a kind of camera that sees all points; None if it would be too far away."""
    count = len(points)
    middles = (points.min(axis=1) + points.max(axis=1)) / 2
    following = _smoothed(middles)
    share = np.linspace(-0.5, 0.5, count)
    usual = _needed(points - following[:, None], np.tile(_way(azimuth, rise), (count, 1)), fov)
    if kind == "follow":
        return following + apart * usual * _way(azimuth, rise), following
    if kind == "orbit":
        ways = np.stack([_way(azimuth + turned * at, rise) for at in share])
        return following + apart * _needed(points - following[:, None], ways, fov) * ways, following
    whole = points.reshape(-1, 3)
    middle = (whole.min(axis=0) + whole.max(axis=0)) / 2
    way = _way(azimuth, rise)
    if kind == "still":
        away = _needed((points - middle).reshape(1, -1, 3), way[None], fov)
        targets = np.tile(middle, (count, 1))
        return (targets + away * way, targets) if away <= _FARTHEST * usual else None
    across = np.asarray([way[2], 0.0, -way[0]])
    for away in apart * usual * np.asarray([1.0, 1.15, 1.3, _FARTHEST]):
        eyes = middle + away * way + (0.8 * away * np.tanh(turned) * share)[:, None] * across
        toward = following - eyes
        distance = np.linalg.norm(toward, axis=-1, keepdims=True)
        if (_needed_each(points - following[:, None], -toward / distance, fov) <= distance[:, 0]).all():
            return eyes, following
    return None


def _needed(points: Floats, ways: Floats, fov: float) -> float:
    """From how far `[F, P, 3]` around their targets are all seen from directions `[F, 3]`, metres."""
    return float(_needed_each(points, ways, fov).max())


def _needed_each(points: Floats, ways: Floats, fov: float) -> Floats:
    """The same for each picture, `[F]`."""
    ahead = -ways
    left = np.stack([ahead[:, 2], np.zeros(len(ahead)), -ahead[:, 0]], axis=-1)
    left /= np.maximum(np.linalg.norm(left, axis=-1, keepdims=True), 1e-9)
    upward = np.asarray(np.cross(ahead, left), np.float64)
    half = np.tan(fov / 2) * (1 - 2 * _MARGIN)
    aside = np.maximum(np.abs(_along(points, left)), np.abs(_along(points, upward)))
    return (aside / half - _along(points, ahead)).max(axis=-1)


def _along(points: Floats, ways: Floats) -> Floats:
    return np.einsum("fpc,fc->fp", points, ways)


def _smoothed(values: Floats) -> Floats:
    from scipy.ndimage import gaussian_filter1d

    return gaussian_filter1d(values, _SMOOTH, axis=0, mode="nearest")


def _way(azimuth: float, rise: float) -> Floats:
    level = np.cos(rise)
    return np.asarray([np.sin(azimuth) * level, np.sin(rise), np.cos(azimuth) * level])


def _cameras(eyes: Floats, targets: Floats, fov: float) -> tuple[Camera, ...]:
    return tuple(Camera.look_at(eye, target, fov, 0.1, 120.0) for eye, target in zip(eyes, targets, strict=True))


def _free(points: Floats, eyes: Floats, around: Scenery) -> float:
    """Share of the lines of sight that are free; 0 if the camera itself is not."""
    ground = np.asarray(around.ground.height(eyes), np.float64)
    if not around.within(eyes).all() or (eyes[:, 1] < ground + 0.25).any():
        return 0.0
    blocks = around.blocks
    if blocks is None:
        return 1.0
    if _crowded(blocks, eyes):
        return 0.0
    marks = points[:, :: max(points.shape[1] // _MARKS, 1)]
    shares = np.linspace(_NEAR_BODY, 1.0, _SAMPLES)[:, None, None, None]
    lines = marks + shares * (eyes[:, None] - marks)
    free = 1.0 - blocks.hold(lines).any(axis=0).mean(axis=1)
    return float(free.mean()) if free.min() >= _FREE_EACH else 0.0


def _crowded(blocks: Blocks, eyes: Floats) -> bool:
    """Whether anything is near the way of a camera."""
    steps = 0.35 * np.asarray([(0, 0, 0), (1, 0, 0), (-1, 0, 0), (0, 0, 1), (0, 0, -1), (0, -0.5, 0)], np.float64)
    return bool(blocks.hold(eyes[:, None] + steps).any())
