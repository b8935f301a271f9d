"""What actions work on: a body on its course, its channels and feet, and windows of time."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from kinema.arrays import Floats
from kinema.mocap.creatures.channels import Channels
from kinema.mocap.creatures.course import Course, Deed
from kinema.mocap.creatures.kinds import Kind
from kinema.mocap.creatures.standing import Standing
from kinema.mocap.creatures.steps import FootMotion, bump
from kinema.mocap.procedural.script import smooth_step


@dataclass(frozen=True, eq=False)
class Scene:
    """A body on its course.

    Attributes:
        kind: how it moves.
        course: the plan.
        channels: what its body does; actions add to them.
        tracks: its feet; actions may lift them.
        rng: source of variation.
    """

    kind: Kind
    course: Course
    channels: Channels
    rng: np.random.Generator
    tracks: list[FootMotion] = field(default_factory=list)

    @property
    def body(self) -> Standing:
        return self.kind.body

    @property
    def times(self) -> Floats:
        return self.course.times

    @property
    def unit(self) -> float:
        return self.kind.pacing.unit

    @property
    def zero(self) -> Floats:
        return np.zeros(self.times.size)

    def held(self, start: float, end: float, rise: float = 1.6, fall: float = 1.6) -> Floats:
        """0, then 1 from `start` to `end`, with eased flanks inside that last `rise` and `fall` units of time."""
        room = max(end - start, 1e-3)
        up, down = min(rise * self.unit, 0.45 * room), min(fall * self.unit, 0.45 * room)
        return smooth_step((self.times - start) / up) * smooth_step((end - self.times) / down)

    def over(self, deed: Deed, rise: float = 1.6, fall: float = 1.6) -> Floats:
        """The window of a deed."""
        return self.held(deed.start, deed.end, rise, fall)

    def beat(self, at: float, width: float) -> Floats:
        """A bump around a moment, `width` seconds wide."""
        return bump((self.times - at) / width + 0.5)

    def beats(self, deed: Deed, units: float) -> tuple[list[float], float]:
        """Starts of repetitions within a deed, and how long each lasts, seconds."""
        period = max(units * self.unit, 0.6)
        count = max(int((deed.act.seconds - 0.5 * self.unit) / period), 1)
        period = min(max(period, 0.9 * deed.act.seconds / count), 1.4 * period)
        return [deed.start + 0.3 * self.unit + number * period for number in range(count)], period

    def lift_foot(self, at: int, window: Floats, aside: float, up: float, ahead: float) -> None:
        """Take a foot off the ground and away from its print, metres in the frame of the course."""
        track = self.tracks[at]
        facing = self.course.facing
        sine, cosine = np.sin(facing), np.cos(facing)
        away = np.stack([aside * cosine + ahead * sine, up + 0 * sine, -aside * sine + ahead * cosine], axis=-1)
        track.place = track.place + window[:, None] * away
        track.planted = track.planted & (window < 1e-4)
        track.swing = np.maximum(track.swing, smooth_step(4 * window))

    def free_foot(self, at: int, window: Floats) -> None:
        """Let the body carry a foot."""
        track = self.tracks[at]
        track.loose = np.maximum(track.loose, window)
        track.planted = track.planted & (window < 1e-4)
