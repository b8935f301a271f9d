"""Which feet of a person in a video stand."""

from __future__ import annotations

import numpy as np

from kinema.arrays import Bools, Floats, Reals
from kinema.keypoints.proportions import Proportions, index
from kinema.mocap.contacts import Thresholds, drop_short, hysteresis

_FEET = [[index(f"{side}_{part}") for part in ("ankle", "toe")] for side in ("left", "right")]
_SLOW, _FAST = 0.35, 0.6  # m/s of an adult in the picture plane, at which feet begin and cease to stand
_LOW, _HIGH = 0.10, 0.16  # metres over the lowest sole
_FEWEST = 3  # pictures in which anything stands


def standing(flat: Reals, points: Floats, places: Floats, body: Proportions, fps: float) -> Bools:
    """Which feet stand, `[N, 2]`, left and right: what stands is still in the pictures of a camera that stands still.

    How near somebody is, is known far less well than where in the picture, so feet that stand seem to slide towards
    the viewer and back in space.

    Args:
        flat: `[N, 21, 2]`, pixels. points: `[N, 21, 3]`, metres from the middle of the hips.
        places: where this is, `[N, 3]`, metres.
        body: whose scale is used.
    """
    if len(flat) < _FEWEST:
        return np.zeros((len(flat), len(_FEET)), np.bool_)
    pixels = np.stack([flat[:, foot].mean(axis=1) for foot in _FEET], axis=1)
    speed = np.linalg.norm(np.gradient(pixels, axis=0), axis=-1) * fps / body.scale[:, None]
    heights = np.stack([(points[:, foot, 1] + places[:, None, 1]).min(axis=1) for foot in _FEET], axis=1)
    heights = heights - np.quantile(heights.min(axis=1), 0.05)
    begin, end = (speed < _SLOW) & (heights < _LOW), (speed > _FAST) | (heights > _HIGH)
    frames = int(np.ceil(Thresholds().shortest * fps))
    return drop_short(~drop_short(~hysteresis(begin, end), frames), frames)
