"""Postures: how far a body departs from what it does, in shares of its own size, and postures over time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields

import numpy as np

from kinema.arrays import Floats, Reals

Hand = tuple[float, float, float]
"""Where a hand is from its shoulder, in lengths of the arm: outward, up, ahead."""


@dataclass(frozen=True)
class KeyPosture:
    """A key of a gesture. What is not given stays as it is in the motion below.

    Attributes:
        hand, other: of the side that the gesture is done with, and of the other; None leaves an arm alone.
        reach: 0 to 1, how far the first hand goes to what the gesture is aimed at instead.
        look: 0 to 1, how far the head turns to it.
        pitch, yaw, roll: of the trunk, radians: forward, to the left, to the left.
        nod, shake: of the head, radians: down, to the left.
        sink, back: of the hips, in lengths of the leg: down, backward. Feet stay where they are.
        rise: of the whole body off the ground, in lengths of the leg.
    """

    hand: Hand | None = None
    other: Hand | None = None
    reach: float = 0.0
    look: float = 0.0
    pitch: float = 0.0
    yaw: float = 0.0
    roll: float = 0.0
    nod: float = 0.0
    shake: float = 0.0
    sink: float = 0.0
    back: float = 0.0
    rise: float = 0.0


Key = tuple[float, KeyPosture]
"""Seconds from the beginning of a gesture, and the posture then."""

_NUMBERS = tuple(field.name for field in fields(KeyPosture) if field.name not in ("hand", "other"))


@dataclass(frozen=True, eq=False)
class Curves:
    """Postures over `F` moments.

    Attributes:
        values: `[F]` by the names of the numbers of `KeyPosture`.
        hand, other: `[F, 3]`. hand_weight, other_weight: `[F]`: how much they count.
    """

    values: dict[str, Floats]
    hand: Floats
    other: Floats
    hand_weight: Floats
    other_weight: Floats

    def __getitem__(self, name: str) -> Floats:
        return self.values[name]


def curves(keys: Sequence[Key], seconds: Reals) -> Curves:
    """Postures at times `[F]`, seconds: smooth from key to key, without overshoot, held before and after.

    (F. Fritsch and R. Carlson, "Monotone Piecewise Cubic Interpolation", 1980.) A hand that comes from where an arm
    hangs appears at the key where it is wanted, and its weight leads it there.
    """
    times = np.asarray([time for time, _ in keys], np.float64)
    values = {
        name: _between(times, np.asarray([getattr(posture, name) for _, posture in keys], np.float64), seconds)
        for name in _NUMBERS
    }
    first, weight = _hand(times, [posture.hand for _, posture in keys], seconds)
    other, other_weight = _hand(times, [posture.other for _, posture in keys], seconds)
    return Curves(values, first, other, weight, other_weight)


def _hand(times: Floats, given: Sequence[Hand | None], seconds: Reals) -> tuple[Floats, Floats]:
    known = [number for number, hand in enumerate(given) if hand is not None]
    weight = _between(times, np.asarray([float(hand is not None) for hand in given]), seconds)
    if not known:
        return np.zeros((len(np.atleast_1d(seconds)), 3)), weight
    nearest = [min(known, key=lambda one, at=at: (abs(one - at), one)) for at in range(len(given))]
    filled = np.asarray([given[at] for at in nearest], np.float64)
    return np.stack([_between(times, filled[:, axis], seconds) for axis in range(3)], axis=-1), weight


def _between(times: Floats, values: Floats, seconds: Reals) -> Floats:
    from scipy.interpolate import PchipInterpolator

    at = np.clip(np.atleast_1d(np.asarray(seconds, np.float64)), times[0], times[-1])
    return np.full(len(at), values[0]) if len(times) == 1 else np.asarray(PchipInterpolator(times, values)(at))
