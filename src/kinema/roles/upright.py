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


def find_upright_lying(middle: Floats, head: Floats, across: Floats, fins: Floats) -> Upright:
    """Up of a body without legs, such as a fish or a snake: what is neither along the trunk nor across it.

    Args:
        middle: positions `[N, 3]` of the joints in the middle.
        head: position `[3]` of the head, or of the last joint.
        across: from one side to the other `[3]`; zero without pairs, and then a body winds from side to side.
        fins: mean of the unit vectors `[3]` along the fins; zero without fins.
    """
    trunk = head - middle.mean(axis=0)
    across = across if across.any() else _sway(middle)
    along, side = nearest_axis(trunk), nearest_axis(across)
    known = min(float(np.linalg.norm(trunk)), float(np.linalg.norm(across))) > 1e-9
    if known and abs(float(along @ side)) < 0.5:
        up = np.abs(np.cross(along, side))
        up = -up if up[1] < 0.5 and float(fins @ up) > 0.1 else up  # fins hang rather than rise
        if float(up @ _Y) > 0.5 or abs(float(side @ _Y)) > 0.5 or float(np.linalg.norm(fins)) > 1e-9:
            return Upright(up, True)
    if float(np.linalg.norm(trunk)) < 1e-9 or abs(float(along @ _Y)) < 0.5:
        return Upright(_Y, True)
    return Upright(_Y, False) if along[1] > 0 else Upright(_Z, False)  # few bodies hang head down


def _sway(middle: Floats) -> Floats:
    """The axis `[3]` to whose sides a winding body goes; zero if it is straight or winds up and down too."""
    spread = np.ptp(middle, axis=0)
    order = np.argsort(spread)
    winds = (
        0.02 * spread[order[2]] < spread[order[1]] < 0.5 * spread[order[2]] and spread[order[1]] > 5 * spread[order[0]]
    )
    return np.eye(3)[order[1]] if winds else np.zeros(3)
