"""Bodies that swim with a wave that runs down to the tail and grows (Gray, "Studies in animal locomotion", 1933)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kinema import rotations
from kinema.arrays import Floats
from kinema.mocap.creatures.channels import Channels
from kinema.mocap.creatures.course import Course
from kinema.mocap.creatures.posing import lagged, turned
from kinema.mocap.creatures.puppet import Puppet
from kinema.mocap.creatures.standing import Standing

_STRIDE = 0.6  # body lengths per beat of the tail
_WAVES = 0.9  # waves on the body


def beat_phase(body: Standing, course: Course, unit: float, start: float) -> Floats:
    """Beats `[N]` of the tail since the start."""
    rate = np.maximum(course.speed / (_STRIDE * body.length), 0.12 / unit + 0.25 * np.abs(course.turning))
    rate = np.minimum(rate, course.fps / 6)
    return start + np.cumsum(rate) / course.fps


@dataclass(frozen=True)
class Wave:
    """A wave that runs from the nose to the end of the tail and grows on its way.

    Attributes:
        body: what swims.
        phase: `[N]` beats.
        height: `[N]` of the wave at the end of the tail, relative to the length of the body.
        level: whether it goes up and down, as in whales, rather than to the left and right.
    """

    body: Standing
    phase: Floats
    height: Floats
    level: bool = False

    @property
    def span(self) -> float:
        """Length of the body, metres."""
        return max(float(np.ptp(self.body.positions[:, 2])), 1e-6)

    def at(self, joint: int) -> tuple[Floats, Floats]:
        """How far to the left (or up) the wave is at a joint, `[N]` metres, and its slope, radians."""
        x = (float(self.body.positions[:, 2].max()) - self.body.positions[joint, 2]) / self.span
        high, rise = 0.12 + 0.88 * x**2, 1.76 * x
        angle = 2 * np.pi * (self.phase - _WAVES * x)
        slope = rise * np.sin(angle) - 2 * np.pi * _WAVES * high * np.cos(angle)
        return self.span * self.height * high * np.sin(angle), np.arctan(self.height * slope)


def wave_root(wave: Wave, channels: Channels) -> None:
    """Let the root go with the wave."""
    aside, slope = wave.at(wave.body.anatomy.root)
    if wave.level:
        channels.lift += aside
        channels.pitch += slope
        channels.neck_pitch -= 0.8 * slope
        return
    channels.sway += aside
    channels.yaw -= slope
    channels.neck_yaw += 0.8 * slope


def wave_tail(figure: Puppet, course: Course, channels: Channels, wave: Wave) -> None:
    """Bend the tail with the wave and into turns."""
    for tail in figure.body.anatomy.tails:
        _, last = wave.at(figure.body.anatomy.root)
        for at, joint in enumerate(tail):
            _, now = wave.at(joint)
            curl = lagged(channels.tail_yaw, course, 0.1 * at) / len(tail)
            pitch = lagged(channels.tail_pitch, course, 0.1 * at) / len(tail)
            wag = last - now
            figure.turn(
                joint, turned(-curl, pitch - wag, 0 * now) if wave.level else turned(wag - curl, pitch, 0 * now)
            )
            last = now


def paddle(figure: Puppet, channels: Channels, phase: Floats) -> None:
    """Fins beat slowly and trim turns."""
    for limb in figure.body.anatomy.fins:
        for at, joint in enumerate(limb.joints):
            beat = 2 * np.pi * (0.5 * phase - 0.12 * at + 0.25 * limb.order)
            up = limb.side * (0.22 * np.sin(beat) + channels.flap)
            figure.turn(joint, turned(limb.side * 0.15 * np.cos(beat), 0.12 * np.cos(beat), up))


def place_swimmer(body: Standing, course: Course, channels: Channels) -> Puppet:
    """The root on its course in the water."""
    spin = turned(course.facing + channels.yaw, channels.pitch, channels.roll)
    sine, cosine = np.sin(course.facing), np.cos(course.facing)
    place = np.stack(
        [
            course.position[:, 0] + channels.surge * sine + channels.sway * cosine,
            body.pivot[1] + course.altitude + channels.lift,
            course.position[:, 1] + channels.surge * cosine - channels.sway * sine,
        ],
        axis=-1,
    )
    offset = body.positions[body.anatomy.root] - body.pivot
    return Puppet(body, spin, place + rotations.rotate(spin, offset + np.zeros_like(place)))
