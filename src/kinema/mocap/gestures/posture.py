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
    hand, others = ([getattr(posture, name) for _, posture in keys] for name in ("hand", "other"))
    numbers = [[getattr(posture, name) for name in _NUMBERS] for _, posture in keys]
    columns = np.concatenate([np.asarray(numbers, np.float64), _filled(hand), _filled(others)], axis=1)
    found = _between(times, columns, seconds)
    values = {name: found[:, column] for column, name in enumerate(_NUMBERS)}
    first, second = found[:, len(_NUMBERS) : -4], found[:, -4:]
    return Curves(values, first[:, :3], second[:, :3], first[:, 3], second[:, 3])


def _filled(given: Sequence[Hand | None]) -> Floats:
    """Places of a hand at all keys, and how much they count, `[K, 4]`; where there is none, the nearest key has it."""
    known = [number for number, hand in enumerate(given) if hand is not None]
    if not known:
        return np.zeros((len(given), 4))
    nearest = [min(known, key=lambda one, at=at: (abs(one - at), one)) for at in range(len(given))]
    weights = np.asarray([[float(hand is not None)] for hand in given])
    return np.concatenate([np.asarray([given[at] for at in nearest], np.float64), weights], axis=1)


def _between(times: Floats, values: Floats, seconds: Reals) -> Floats:
    """Rows `[F, N]` at moments `[F]` between those `[K, N]` of keys."""
    from scipy.interpolate import PchipInterpolator

    at = np.clip(np.atleast_1d(np.asarray(seconds, np.float64)), times[0], times[-1])
    return np.repeat(values, len(at), axis=0) if len(times) == 1 else np.asarray(PchipInterpolator(times, values)(at))
