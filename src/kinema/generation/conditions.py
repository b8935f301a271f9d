"""What is asked of each patch of frames: an action, a speed, a rate of turning, a cadence, words, and places on a path.

A patch is also told how long ago what it is part of began, and how long it goes on: a strike comes at its own time
after an attack has begun, and a network that does not know that time can only make all of them at once, which is none.

Every part may be left open, and in training each is left open at random, so any of them can be given alone.
"""

from __future__ import annotations

import numpy as np

from kinema.arrays import Floats, Ints, Singles
from kinema.generation.channels import FPS, TRAVEL
from kinema.mocap.creatures.acts import ACTIONS

WAVES = 16
"""Numbers of a time since what is done began, and of the time until it ends."""

LONGEST = 6.0
"""Seconds; longer times since something began, or until it ends, count as this."""

ASKED = len(ACTIONS) + 8 + 2 * WAVES
"""Numbers of a patch besides words.

One per action, then speed and whether it is given, yaw rate and whether, cadence and whether, the clock, then those of
both times.
"""

SPEED, TURNING, CADENCE = len(ACTIONS), len(ACTIONS) + 2, len(ACTIONS) + 4
"""Where the root of the speed, the yaw rate and the logarithm of the cadence stand in them.

The number behind each says whether it is given.
"""

CLOCK = len(ACTIONS) + 6
"""Where cosine and sine of the phase of strides stand, in the middle of the patch; both are 0 where it is open."""

TIMES = len(ACTIONS) + 8
"""Where the numbers of the two times begin."""

SLOWEST = 0.1
"""Hz; slower cadences count as this."""

PATH = 5
"""Numbers of a patch's place: x and z in units, sine and cosine of the heading, and whether they are given."""

SECOND = 30
"""Frames over which speed and yaw rate are averaged."""

PATH_SCALE = 0.25
"""Of the positions of a path."""


def asked(
    action: Ints, speed: Floats, turn: Floats, cadence: Floats, phase: Floats, since: Floats, until: Floats
) -> Singles:
    """Numbers `[..., ASKED]` of what is asked. NaN leaves a number open.

    Args:
        action: `[...]`, indices into `ACTIONS`; -1 leaves it open.
        speed: `[...]`, units a second. turn: `[...]`, rad/s. cadence: `[...]`, Hz.
        phase: `[...]`, strides.
        since, until: `[...]`, seconds since what is done began, and until it ends.
    """
    out = np.zeros((*np.shape(action), ASKED), np.float32)
    out[..., : len(ACTIONS)] = np.asarray(action)[..., None] == np.arange(len(ACTIONS))
    numbers = np.sqrt(np.maximum(speed, 0.0)), np.asarray(turn), np.log2(np.maximum(cadence, SLOWEST))
    for place, values in zip((SPEED, TURNING, CADENCE), numbers, strict=True):
        given = np.isfinite(values)
        out[..., place] = np.where(given, values, 0.0)
        out[..., place + 1] = given
    angle = 2.0 * np.pi * np.asarray(phase, np.float64)
    out[..., CLOCK : CLOCK + 2] = np.nan_to_num(np.stack([np.cos(angle), np.sin(angle)], axis=-1))
    out[..., TIMES : TIMES + WAVES], out[..., TIMES + WAVES :] = _waves(since), _waves(until)
    return out


def shifted_clock(numbers: Singles, strides: float) -> Singles:
    """Numbers `[..., ASKED]` whose clock is so many strides further; one that is open stays open."""
    out = numbers.copy()
    cosine, sine = numbers[..., CLOCK], numbers[..., CLOCK + 1]
    c, s = np.cos(2 * np.pi * strides), np.sin(2 * np.pi * strides)
    out[..., CLOCK], out[..., CLOCK + 1] = c * cosine - s * sine, s * cosine + c * sine
    return out


def _waves(seconds: Floats) -> Singles:
    """Numbers `[..., WAVES]` of times `[...]`: cosines of rising frequency; all are 0 where a time is open."""
    share = np.clip(np.asarray(seconds, np.float64), 0.0, LONGEST)[..., None] / LONGEST
    return np.nan_to_num(np.cos(np.pi * share * np.arange(WAVES))).astype(np.float32) * np.isfinite(share)


def measured(channels: Singles, patch: int) -> tuple[Floats, Floats]:
    """Speed, units a second, and yaw rate, rad/s, `[P]` of each patch of a clip, averaged over a second."""
    travel = channels[:, 0, TRAVEL].astype(np.float64)
    window = np.ones(min(SECOND, len(travel)))
    share = np.convolve(np.ones(len(travel)), window, "same")
    smooth = np.stack([np.convolve(column, window, "same") / share for column in travel.T], axis=-1)
    middle = smooth[patch // 2 :: patch][: len(channels) // patch]
    return np.hypot(middle[:, 0], middle[:, 1]), middle[:, 2]


def places(path: Singles, heading: Singles, patch: int) -> Singles:
    """Where the root is at the end of each patch, `[P, PATH]`, seen from where it is at the start.

    Args:
        path: `[F, 2]`, x and z in units. heading: `[F]`.
    """
    last = np.arange(patch - 1, len(path), patch)
    sine, cosine = np.sin(heading[0]), np.cos(heading[0])
    x, z = (path[last] - path[0]).T
    turned = heading[last] - heading[0]
    return np.stack(
        [
            PATH_SCALE * (x * cosine - z * sine),
            PATH_SCALE * (x * sine + z * cosine),
            np.sin(turned),
            np.cos(turned),
            np.ones(len(last)),
        ],
        axis=-1,
    ).astype(np.float32)


def patch_seconds(patch: int) -> float:
    """Duration of a patch."""
    return patch / FPS
