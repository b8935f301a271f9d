"""Where the camera stands while a shot is filmed: it knows the whole shot, so it follows without lag and without haste.

Real-time cameras, which do not know what comes, are in `kinema.rendering.rigs`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from kinema.errors import KinemaError
from kinema.rendering.camera import Camera
from kinema.rendering.film.performance import Performance

Floats = NDArray[np.floating]
Kind = Literal["follow", "orbit", "fixed", "third", "front", "side", "top"]
KINDS: tuple[str, ...] = get_args(Kind)

FOV = 0.46
"""Vertical angle of view, radians: a long lens, which keeps proportions."""

_MARGIN = 0.08  # share of the picture that stays free at each border
_STILL = 1.2  # a camera that sees the whole clip need not move if it stands at most so many times as far away
_CALM, _CALM_TURN = 0.55, 0.9  # seconds over which the camera's way, and its turning, are smoothed
_ORBIT = 12.0  # seconds of a turn around, at most
_TURNTABLE = 6.0  # seconds of a turn around what does not move
_FLAT = 1.15  # times as long as high: from here on a body is an animal, better seen from the side and from above


@dataclass(frozen=True)
class CameraWork:
    """What the camera does.

    Attributes:
        kind: "follow" goes along and looks from one direction (and stands still where that is enough); "orbit" goes
            around; "fixed" sees the whole clip; "third" stays behind; "front", "side" and "top" follow from there.
        azimuth: where the camera stands, radians from the front of the body toward its left; None chooses.
        elevation: radians above the horizon; None chooses.
        moment: for single pictures, the second whose pose fills the picture and whose front counts; None is a film.
    """

    kind: str = "follow"
    azimuth: float | None = None
    elevation: float | None = None
    moment: float | None = None

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise KinemaError(f"there is no camera {self.kind!r}; there are {', '.join(KINDS)}")


def plan(performance: Performance, work: CameraWork, aspect: float, seconds: float) -> Callable[[float], Camera]:
    """The camera at each time of a film of `seconds` in pictures `aspect` times as wide as high."""
    from scipy.interpolate import CubicSpline

    times, elevation = performance.times, _elevation(performance, work)
    azimuths = _azimuths(performance, work, seconds)
    followed = _calm(performance.middles.astype(np.float64), times, _CALM)
    at = performance.surface_times
    whole = performance.surface.reshape(-1, 3)
    low, high = performance.surface[..., 1].min(axis=1), performance.surface[..., 1].max(axis=1)
    climbs = np.ptp((low + high) / 2) > 1.2 * performance.size
    if climbs:
        followed[:, 1] = _calm(followed[:, 1:2], times, 2 * _CALM)[:, 0]
    else:  # a level camera: jumps and crouches are seen as such
        followed[:, 1] = (np.quantile(low, 0.1) + np.quantile(high, 0.9)) / 2
    places = np.stack([np.interp(at, times, followed[:, axis]) for axis in range(3)], axis=-1)
    needed = np.array(
        [
            _distance(points - place, azimuths(time), elevation, aspect)
            for points, place, time in zip(performance.surface, places, at, strict=True)
        ]
    )
    # One wild frame must not make the body small in all of them.
    distance = float(min(needed.max(), _STILL * np.quantile(needed, 0.8)))
    turning = work.kind in ("orbit", "third")
    middle = (whole.min(axis=0) + whole.max(axis=0)).astype(np.float64) / 2
    looks = np.linspace(0, seconds, 9) if turning else [0.0]
    around = max(_distance(whole - middle, azimuths(time), elevation, aspect) for time in looks)
    if work.kind == "fixed" or (work.kind != "third" and work.moment is None and around <= _STILL * distance):
        followed[:] = middle
        distance = around
    elif work.moment is not None:  # one picture: its pose in the middle, as large as it goes
        nearest = int(np.abs(at - work.moment).argmin())
        body = performance.surface[nearest].astype(np.float64)
        followed[:] = (body.min(axis=0) + body.max(axis=0)) / 2
        distance = _distance(body - followed[0], azimuths(work.moment), elevation, aspect)

    way = CubicSpline(times, followed) if times[-1] > 0 else None

    def camera(time: float) -> Camera:
        target = followed[0] if way is None else np.asarray(way(np.clip(time, 0.0, times[-1])))
        eye = target + distance * _direction(azimuths(time), elevation)
        if elevation < 1.5:
            eye[1] = max(eye[1], performance.floor + 0.05 * performance.size)
        return Camera.look_at(eye, target, FOV, 0.05 * distance, distance + 120 * performance.size)

    return camera


def still_seconds(performance: Performance) -> float:
    """How long to film: the clip, or a turn around what does not move."""
    return performance.seconds or _TURNTABLE


def default_kind(performance: Performance) -> str:
    """What suits a shot: things that do not move are shown from all sides."""
    return "follow" if performance.seconds else "orbit"


def _azimuths(performance: Performance, work: CameraWork, seconds: float) -> Callable[[float], float]:
    flat = _flatness(performance)
    chosen = {"third": np.pi, "front": 0.0, "side": np.pi / 2, "top": np.pi}
    usual = float(np.interp(flat, [_FLAT, 2 * _FLAT], [0.62, 1.05]))  # from the front; animals more from the side
    azimuth = chosen.get(work.kind, usual) if work.azimuth is None else work.azimuth
    if work.kind == "third":
        turns = _calm(performance.headings[:, None], performance.times, _CALM_TURN)[:, 0]
        return lambda time: float(np.interp(time, performance.times, turns)) + azimuth
    heading = performance.heading
    if work.moment is not None:
        heading = float(np.interp(work.moment, performance.times, performance.headings))
    start = heading + azimuth
    if work.kind == "orbit":
        speed = 2 * np.pi * max(1, round(seconds / _ORBIT)) / max(seconds, 1e-6)
        return lambda time: start + speed * time
    return lambda time: start


def _elevation(performance: Performance, work: CameraWork) -> float:
    if work.elevation is not None:
        return float(np.clip(work.elevation, -1.5, np.pi / 2))
    chosen = {"third": 0.26, "front": 0.09, "side": 0.09, "top": np.pi / 2}
    return chosen.get(work.kind, float(np.interp(_flatness(performance), [_FLAT, 4.0], [0.16, 0.45])))


def _flatness(performance: Performance) -> float:
    """How many times as long as high the body is in typical poses."""
    extents = np.median(np.ptp(performance.surface, axis=1), axis=0)
    return float(np.hypot(extents[0], extents[2]) / max(extents[1], 1e-6) / np.sqrt(2))


def _direction(azimuth: float, elevation: float) -> NDArray[np.float64]:
    """From what is looked at to the camera, unit `[3]`."""
    level = np.cos(elevation)
    return np.array([np.sin(azimuth) * level, np.sin(elevation), np.cos(azimuth) * level])


def _distance(points: Floats, azimuth: float, elevation: float, aspect: float) -> float:
    """How far away a camera sees all points `[N, 3]` around what it looks at, with room at the borders."""
    axes = Camera.look_at(_direction(azimuth, elevation), np.zeros(3))
    ahead, across, upward = points @ axes.ahead, np.abs(points @ axes.left), np.abs(points @ axes.up)
    half = np.tan(FOV / 2) * (1 - 2 * _MARGIN)
    return float(np.max(np.maximum(across / (half * aspect), upward / half) - ahead))


def _calm(values: NDArray[np.float64], times: NDArray[np.float64], seconds: float) -> NDArray[np.float64]:
    """Values `[N, D]` smoothed by a Gaussian; the ends are extended along the way they go."""
    from scipy.ndimage import gaussian_filter1d

    if len(values) < 3:
        return values.copy()
    sigma = seconds / max(float(times[1] - times[0]), 1e-9)
    room = min(int(3 * sigma) + 1, len(values) - 1)
    before = 2 * values[0] - values[room:0:-1]
    after = 2 * values[-1] - values[-2 : -room - 2 : -1]
    smooth = gaussian_filter1d(np.concatenate([before, values, after]), sigma, axis=0, mode="nearest")
    return smooth[room : room + len(values)]
