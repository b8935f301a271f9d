"""What a body does, apart from its feet: the channels that gaits and actions add to."""

from __future__ import annotations

import numpy as np
from scipy.ndimage import gaussian_filter1d

from kinema.arrays import Floats

NAMES = (
    "surge", "sway", "lift", "yaw", "pitch", "roll", "bend", "arch", "twist", "neck_yaw", "neck_pitch", "reach",
    "head_yaw", "head_pitch", "head_roll", "jaw", "tail_yaw", "tail_pitch", "fold", "flap", "sweep", "arm_swing",
    "arm_raise", "arm_bend", "slack", "curl", "wave",
)  # fmt: skip


class Channels:
    """Channels `[N]` of a body, all zero at first.

    Attributes:
        surge, sway, lift: metres ahead, to the left and up.
        yaw, pitch, roll: of the body relative to its course: left, nose down, left side up, radians.
        bend, arch, twist: of the trunk: to the left, rounded, rolled, radians.
        neck_yaw, neck_pitch: of the neck and head together: left, down, radians.
        reach: lower neck down and upper neck up by this angle, which moves the head forward, radians.
        head_yaw, head_pitch, head_roll: of the head alone.
        jaw: opening of the mouth, radians.
        tail_yaw, tail_pitch: of the tail: left, up, radians.
        fold: of wings: 0 spread, 1 folded.
        flap: of wings: up, radians.
        sweep: of wings: back, radians.
        arm_swing: left arm forward, right arm back, radians.
        arm_raise, arm_bend: both arms, radians.
        slack: share to which legs are loose.
        curl: share to which loose legs are drawn in.
        wave: share of a full swimming or crawling wave.
    """

    surge: Floats
    sway: Floats
    lift: Floats
    yaw: Floats
    pitch: Floats
    roll: Floats
    bend: Floats
    arch: Floats
    twist: Floats
    neck_yaw: Floats
    neck_pitch: Floats
    reach: Floats
    head_yaw: Floats
    head_pitch: Floats
    head_roll: Floats
    jaw: Floats
    tail_yaw: Floats
    tail_pitch: Floats
    fold: Floats
    flap: Floats
    sweep: Floats
    arm_swing: Floats
    arm_raise: Floats
    arm_bend: Floats
    slack: Floats
    curl: Floats
    wave: Floats

    def __init__(self, count: int) -> None:
        for name in NAMES:
            setattr(self, name, np.zeros(count))


def slow_noise(rng: np.random.Generator, count: int, fps: float, seconds: float) -> Floats:
    """Smooth noise `[N]` of unit variance that changes over about `seconds`."""
    sigma = max(seconds * fps, 1.0)
    noise = gaussian_filter1d(rng.standard_normal(count + int(8 * sigma)), sigma, mode="wrap")
    return noise[int(4 * sigma) :][:count] * np.sqrt(2 * sigma * np.sqrt(np.pi))
