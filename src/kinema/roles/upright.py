"""Which way is up in a pose: +Y, unless legs and trunk agree on another direction."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from kinema.arrays import Floats

_X, _Y, _Z = np.eye(3)
_PARALLEL = 0.7  # length of the mean of unit vectors along limbs that point one way, within 45 degrees
_AGREES = 0.7  # cosine of the angle between trunk and up
_ALONG = 0.8  # likewise of a direction that is taken as an axis of model space

WHOLE = 3
"""Joints of a leg that shows where its foot is: a thigh alone points anywhere."""


class Upright(NamedTuple):
    """The direction away from the ground.

    Attributes:
        up: unit vector `[3]` in model space.
        sure: False if the legs point elsewhere but nothing else confirms that the body stands so.
    """

    up: Floats
    sure: bool


def nearest_axis(direction: Floats) -> Floats:
    """The axis of model space nearest to a direction; +Y for zero."""
    if float(np.linalg.norm(direction)) < 1e-6:
        return _Y
    axis = int(np.argmax(np.abs(direction)))
    return np.eye(3)[axis] * np.sign(direction[axis])


def find_upright(legs: Floats, trunk: Floats, front_legs: Floats) -> Upright:
    """Up in a pose.

    Args:
        legs: mean of the unit vectors `[3]` from the tops of the legs to their feet; short if they point apart, zero
            without legs.
        trunk: from the tops of whole legs to those of the arms, or to the head `[3]`; zero if there is none.
        front_legs: like `legs`, of front legs; zero without them.
    """
    size = float(np.linalg.norm(legs))
    if size < 1e-6 or -legs[1] > 0.5 * size:
        return Upright(_Y, True)
    up = nearest_axis(-legs) if np.abs(legs).max() > _ALONG * size else -legs / size
    rise = float(trunk @ up) > _AGREES * float(np.linalg.norm(trunk)) > 0
    stands = rise or float(-front_legs @ up) > _PARALLEL
    if size > _PARALLEL and stands:
        return Upright(up, True)
    return Upright(_Y, size < _PARALLEL)
