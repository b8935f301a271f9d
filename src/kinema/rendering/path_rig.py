"""A camera rig that follows a smooth path through key cameras."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike

from kinema import rotations
from kinema.arrays import Floats
from kinema.errors import KinemaError
from kinema.rendering.camera import Camera

_FINE = 64  # samples between two keys for measuring the length of the path


@dataclass
class PathRig:
    """A camera that moves through key cameras on a centripetal Catmull-Rom spline.

    Sources: E. Catmull, R. Rom, "A class of local interpolating splines", 1974; C. Yuksel, S. Schaefer, J. Keyser,
    "Parameterization and applications of Catmull-Rom curves", 2011.

    Attributes:
        keys: cameras to pass through, at least one.
        seconds: duration of the whole path.
        times: when the camera passes each key, ascending, scaled to `seconds`. If None, `even` decides.
        even: without `times`: whether the camera moves at constant speed, or takes the same time between any two keys.
        loop: whether the path leads from the last key back to the first.

    Raises:
        KinemaError: there is no key, the times do not fit, or `seconds` is not above 0.
    """

    keys: Sequence[Camera]
    seconds: float = 10.0
    times: ArrayLike | None = None
    even: bool = True
    loop: bool = False
    time: float = 0.0
    _rows: Floats = field(init=False, repr=False)
    _stops: tuple[Floats, Floats] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        if not len(self.keys) or not self.seconds > 0:
            count = len(self.keys)
            raise KinemaError(f"a path needs a camera and a duration above 0, not {count} and {self.seconds:g} s")
        turns = rotations.unroll(np.stack([key.rotation for key in self.keys]).astype(np.float64), axis=0)
        places = np.stack([key.position for key in self.keys]).astype(np.float64)
        lenses = np.log(np.array([[key.fov] for key in self.keys], np.float64))
        self._rows = np.concatenate([places, turns, lenses], axis=-1)
        self._stops = self._schedule(len(self.keys) - (0 if self.loop else 1))

    def _schedule(self, spans: int) -> tuple[Floats, Floats]:
        """Fractions of the duration, ascending, and the position along the path at each; a position counts keys."""
        if self.times is not None:
            times = np.asarray(self.times, np.float64)
            if times.shape != (spans + 1,) or not (np.diff(times) > 0).all():
                raise KinemaError(f"a path of {spans} spans needs {spans + 1} ascending times, not {times.tolist()}")
            return (times - times[0]) / (times[-1] - times[0]), np.arange(spans + 1.0)
        if not (self.even and spans):
            return np.array([0.0, 1.0]), np.array([0.0, float(spans)])
        steps = np.linspace(0, spans, spans * _FINE + 1)
        lengths = np.linalg.norm(np.diff([self._row(step)[:3] for step in steps], axis=0), axis=-1)
        along = np.concatenate([[0.0], np.cumsum(lengths)])
        # If the camera only turns, its path has no length.
        return along / along[-1] if along[-1] > 1e-9 else steps / spans, steps

    def update(self, dt: float) -> Camera:
        """Advance by `dt` seconds. At the end the camera stays, or starts again with `loop`."""
        if dt > 0:
            self.time = (self.time + dt) % self.seconds if self.loop else min(self.time + dt, self.seconds)
        return self.at(self.time / self.seconds)

    def at(self, share: float) -> Camera:
        """The camera at a fraction of the duration, 0 to 1."""
        row = self._row(float(np.interp(share, *self._stops)))
        first = self.keys[0]
        turn = row[3:7] / max(float(np.linalg.norm(row[3:7])), 1e-12)
        return Camera(row[:3], turn, float(np.exp(row[7])), first.near, first.far, first.height)

    def _row(self, place: float) -> Floats:
        """Position, rotation and logarithm of the field of view at a position along the path, counted in keys."""
        count = len(self._rows)
        if count == 1:
            return self._rows[0]
        index = int(np.floor(place)) if self.loop else int(np.clip(np.floor(place), 0, count - 2))
        t = place - index
        around = np.arange(index - 1, index + 3)
        if self.loop:
            rows = self._rows[around % count].copy()
        else:
            rows = self._rows[np.clip(around, 0, count - 1)].copy()
            if index == 0:
                rows[0] = 2 * rows[1] - rows[2]
            if index == count - 2:
                rows[3] = 2 * rows[2] - rows[1]
        for i in (0, 2, 3):  # keep quaternions in one hemisphere, across the end of a loop too
            near = rows[1] if i < 3 else rows[2]
            if rows[i, 3:7] @ near[3:7] < 0:
                rows[i, 3:7] *= -1
        # Centripetal: knot intervals are square roots of the distances between keys, so close keys cause no loops.
        one, two, three = np.sqrt(np.linalg.norm(np.diff(rows, axis=0), axis=-1)) + 1e-6
        a, b, c, d = rows
        out = two * ((b - a) / one - (c - a) / (one + two)) + c - b
        into = two * ((d - c) / three - (d - b) / (two + three)) + c - b
        return b + t * (out + t * (3 * (c - b) - 2 * out - into + t * (2 * (b - c) + out + into)))
