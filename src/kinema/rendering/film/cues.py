"""Cameras that are told what to do during a film: circle, zoom in, look from above, stay."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from kinema.arrays import Floats
from kinema.rendering.camera import Camera

_BLEND = 1.2  # seconds in which the camera goes from one task to the next
_ZOOM = 3.0  # seconds that a zoom takes


@dataclass(frozen=True, eq=False)
class Cue:
    """What a camera does from a time on.

    Attributes:
        time: seconds.
        kind: of `kinema.rendering.film.camera_work.KINDS`; empty stays where it is then.
        elevation: radians above the horizon; None leaves that to the kind.
        distance: how many times as far away as usual. zoom: how many times as far away after three seconds.
        aim: `[3]`, metres: what it looks at; None is the body.
    """

    time: float
    kind: str = "follow"
    elevation: float | None = None
    distance: float = 1.0
    zoom: float = 1.0
    aim: Floats | None = None


Track = Callable[[float], Camera]
"""The camera at each time, seconds."""


def directed(usual: Callable[[Cue], Track], cues: Sequence[Cue], target: Callable[[float], Floats]) -> Track:
    """A camera that does one thing after the other.

    Args:
        usual: the camera of a cue, without its distance, zoom and aim. cues: in the order of their times; at least one.
        target: what the camera looks at if nothing else is said, `[3]` at each time.
    """
    tracks = [_track(usual, cue, target) for cue in cues]

    def placed(number: int, time: float) -> tuple[Floats, Floats, Camera]:
        if cues[number].kind == "" and number:
            eye, _, camera = placed(number - 1, cues[number].time)
            return eye, target(time) if cues[number].aim is None else np.asarray(cues[number].aim), camera
        return tracks[number](time)

    def camera(time: float) -> Camera:
        number = max(at for at, cue in enumerate(cues) if cue.time <= time or at == 0)
        eye, aim, found = placed(number, time)
        share = np.clip((time - cues[number].time) / _BLEND, 0.0, 1.0)
        if number and share < 1.0:
            before_eye, before_aim, _ = placed(number - 1, time)
            share = share * share * (3.0 - 2.0 * share)
            body = target(time)
            eye = body + _swung(before_eye - body, eye - body, float(share))
            aim = before_aim + share * (aim - before_aim)
        return Camera.look_at(eye, aim, found.fov, found.near, found.far)

    return camera


def _track(
    usual: Callable[[Cue], Track], cue: Cue, target: Callable[[float], Floats]
) -> Callable[[float], tuple[Floats, Floats, Camera]]:
    base = usual(cue)

    def placed(time: float) -> tuple[Floats, Floats, Camera]:
        camera, body = base(time), target(time)
        share = np.clip((time - cue.time) / _ZOOM, 0.0, 1.0)
        far = cue.distance * cue.zoom ** float(share * share * (3.0 - 2.0 * share))
        eye = body + far * (camera.position - body)
        return eye, body if cue.aim is None else np.asarray(cue.aim, np.float64), camera

    return placed


def _swung(one: Floats, other: Floats, share: float) -> Floats:
    """Between two places `[3]` around a body, around it: a straight way could lead through it."""
    (first, first_height, near), (second, second_height, far) = (
        (np.arctan2(each[0], each[2]), each[1], np.hypot(each[0], each[2])) for each in (one, other)
    )
    turn = (second - first + np.pi) % (2.0 * np.pi) - np.pi
    azimuth, level = first + share * turn, near + share * (far - near)
    height = first_height + share * (second_height - first_height)
    return np.asarray([level * np.sin(azimuth), height, level * np.cos(azimuth)])
