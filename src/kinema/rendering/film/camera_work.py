"""Where the camera stands while a shot is filmed: it knows the whole shot, so it follows smoothly and without lag.

Cameras for real time, which cannot look ahead, are in `kinema.rendering.rigs`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal, get_args

import numpy as np

from kinema.arrays import Floats, Reals
from kinema.errors import KinemaError
from kinema.rendering.camera import Camera
from kinema.rendering.film.cues import Cue, directed
from kinema.rendering.film.performance import Performance
from kinema.rendering.film.sightlines import clear_directions

Kind = Literal["follow", "orbit", "fixed", "third", "front", "side", "top"]
KINDS: tuple[str, ...] = get_args(Kind)

FOV = 0.46
"""Vertical angle of view, radians: a long lens, which keeps proportions."""

SCENE_FOV = 0.8
"""That of a camera in a captured scene, which shows what is around the body, too."""

_SURROUNDED = 1.8  # times as far away as a camera without surroundings, for bodies of the same size in the picture
_FAR = 200.0  # metres that are seen of a scene
_MARGIN = 0.08  # share of the picture that stays free at each border
_STILL = 1.2  # a camera that sees the whole clip does not move if it is at most this many times as far away
_SMOOTH, _SMOOTH_TURN = 0.55, 0.9  # seconds over which the camera's path, and its turning, are smoothed
_ORBIT = 12.0  # seconds of a turn around, at most
_TURNTABLE = 6.0  # seconds of a turn around a body without motion
_FLAT = 1.15  # times as long as high: longer bodies are animals, better seen from the side and from above


@dataclass(frozen=True)
class CameraWork:
    """What the camera does.

    Attributes:
        kind: "follow" moves along and looks from one direction (and stands still if it sees everything from there);
            "orbit" circles; "fixed" sees the whole clip; "third" stays behind; "front", "side" and "top" follow from
            there.
        azimuth: where the camera stands, radians from the front of the body toward its left; None chooses.
        elevation: radians above the horizon; None chooses.
        moment: for single pictures, the time in seconds whose pose and front count; None for a film.
        cues: what it does from some times on instead.
    """

    kind: str = "follow"
    azimuth: float | None = None
    elevation: float | None = None
    moment: float | None = None
    cues: tuple[Cue, ...] = ()

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise KinemaError(f"there is no camera {self.kind!r}; there are {', '.join(KINDS)}")


def plan(performance: Performance, work: CameraWork, aspect: float, seconds: float) -> Callable[[float], Camera]:
    """The camera at each time of a film of `seconds` in pictures `aspect` times as wide as high."""
    from scipy.interpolate import CubicSpline

    if work.cues:
        return _directed(performance, work, aspect, seconds)
    times, elevation = performance.times, _elevation(performance, work)
    azimuths = _azimuths(performance, work, seconds)
    targets, distance = _following(performance, azimuths, elevation, aspect)
    whole = performance.surface.reshape(-1, 3)
    middle = (whole.min(axis=0) + whole.max(axis=0)).astype(np.float64) / 2
    looks = np.linspace(0, seconds, 9) if work.kind in ("orbit", "third") else [0.0]
    around = max(_distance(whole - middle, azimuths(time), elevation, aspect) for time in looks)
    if work.kind == "fixed" or (work.kind != "third" and work.moment is None and around <= _STILL * distance):
        targets[:], distance = middle, around
    elif work.moment is not None:  # one picture: its pose in the middle, as large as possible
        nearest = int(np.abs(performance.surface_times - work.moment).argmin())
        body = performance.surface[nearest].astype(np.float64)
        targets[:] = (body.min(axis=0) + body.max(axis=0)) / 2
        distance = _distance(body - targets[0], azimuths(work.moment), elevation, aspect)
    path = CubicSpline(times, targets) if times[-1] > 0 else None

    def looked_at(moments: Reals) -> Floats:
        return np.asarray(np.repeat(targets[:1], len(moments), axis=0) if path is None else path(moments))

    scene, fov, far = performance.shot.scene, FOV, distance + 120 * performance.size
    direction: Callable[[float], tuple[float, float]] | None = None
    if scene is not None:
        fov, far = SCENE_FOV, max(far, _FAR)
        distance *= _SURROUNDED * np.tan(FOV / 2) / np.tan(SCENE_FOV / 2)
        if work.azimuth is None and work.kind != "top":
            length, size = max(seconds, 1e-3), performance.size
            direction = clear_directions(
                scene, looked_at, performance.middles_at, length, azimuths, elevation, distance, size
            )

    def camera(time: float) -> Camera:
        target = looked_at(np.clip([time], 0.0, times[-1]))[0]
        azimuth, rise = (azimuths(time), elevation) if direction is None else direction(time)
        eye = target + distance * _direction(azimuth, rise)
        if elevation < 1.5:
            eye[1] = max(eye[1], performance.floor + 0.05 * performance.size)
        return Camera.look_at(eye, target, fov, 0.05 * distance, far)

    return camera


def _directed(performance: Performance, work: CameraWork, aspect: float, seconds: float) -> Callable[[float], Camera]:
    """The camera of a film with cues; before the first one it does what it usually does."""
    cues = work.cues if work.cues[0].time <= 0 else (Cue(0.0, work.kind), *work.cues)
    middles = _smooth(performance.middles.astype(np.float64), performance.times, _SMOOTH)

    def usual(cue: Cue) -> Callable[[float], Camera]:
        plain = replace(work, kind=cue.kind or work.kind, elevation=cue.elevation, moment=None, cues=())
        return plan(performance, plain, aspect, seconds)

    def target(time: float) -> Floats:
        return np.stack([np.interp(time, performance.times, middles[:, axis]) for axis in range(3)])

    return directed(usual, cues, target)


def _following(
    performance: Performance, azimuths: Callable[[float], float], elevation: float, aspect: float
) -> tuple[Floats, float]:
    """What a following camera looks at `[N, 3]` at the performance's times, and from how far."""
    times, surface = performance.times, performance.surface
    targets = _smooth(performance.middles.astype(np.float64), times, _SMOOTH)
    low, high = surface[..., 1].min(axis=1), surface[..., 1].max(axis=1)
    if np.ptp((low + high) / 2) > 1.2 * performance.size:  # it climbs
        targets[:, 1] = _smooth(targets[:, 1:2], times, 2 * _SMOOTH)[:, 0]
    else:  # a level camera: jumps and crouches are seen as such
        targets[:, 1] = (np.quantile(low, 0.1) + np.quantile(high, 0.9)) / 2
    at = performance.surface_times
    places = np.stack([np.interp(at, times, targets[:, axis]) for axis in range(3)], axis=-1)
    looks = zip(surface, places, at, strict=True)
    needed = np.array([_distance(points - place, azimuths(time), elevation, aspect) for points, place, time in looks])
    # One wild frame must not make the body small in all of them.
    return targets, float(min(needed.max(), _STILL * np.quantile(needed, 0.8)))


def still_seconds(performance: Performance) -> float:
    """How long to film: the clip, or one turn around a body without motion."""
    return performance.seconds or _TURNTABLE


def default_kind(performance: Performance) -> str:
    """The default kind of camera: a body without motion is shown from all sides."""
    return "follow" if performance.seconds else "orbit"


def _azimuths(performance: Performance, work: CameraWork, seconds: float) -> Callable[[float], float]:
    flat = _flatness(performance)
    chosen = {"third": np.pi, "front": 0.0, "side": np.pi / 2, "top": np.pi}
    usual = float(np.interp(flat, [_FLAT, 2 * _FLAT], [0.62, 1.05]))  # from the front; animals more from the side
    azimuth = chosen.get(work.kind, usual) if work.azimuth is None else work.azimuth
    if work.kind == "third":
        turns = _smooth(performance.headings[:, None], performance.times, _SMOOTH_TURN)[:, 0]
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
    """How many times as long as high the body typically is."""
    extents = np.median(np.ptp(performance.surface, axis=1), axis=0)
    return float(np.hypot(extents[0], extents[2]) / max(extents[1], 1e-6) / np.sqrt(2))


def _direction(azimuth: float, elevation: float) -> Floats:
    """From the target to the camera, unit `[3]`."""
    level = np.cos(elevation)
    return np.array([np.sin(azimuth) * level, np.sin(elevation), np.cos(azimuth) * level])


def _distance(points: Reals, azimuth: float, elevation: float, aspect: float) -> float:
    """The distance from which a camera sees all points `[N, 3]` around its target, with room at the borders."""
    axes = Camera.look_at(_direction(azimuth, elevation), np.zeros(3))
    ahead, across, upward = points @ axes.ahead, np.abs(points @ axes.left), np.abs(points @ axes.up)
    half = np.tan(FOV / 2) * (1 - 2 * _MARGIN)
    return float(np.max(np.maximum(across / (half * aspect), upward / half) - ahead))


def _smooth(values: Floats, times: Floats, seconds: float) -> Floats:
    """Values `[N, D]` smoothed by a Gaussian; beyond the ends they continue in their direction."""
    from scipy.ndimage import gaussian_filter1d

    if len(values) < 3:
        return values.copy()
    sigma = seconds / max(float(times[1] - times[0]), 1e-9)
    room = min(int(3 * sigma) + 1, len(values) - 1)
    before = 2 * values[0] - values[room:0:-1]
    after = 2 * values[-1] - values[-2 : -room - 2 : -1]
    smooth = gaussian_filter1d(np.concatenate([before, values, after]), sigma, axis=0, mode="nearest")
    return smooth[room : room + len(values)]
