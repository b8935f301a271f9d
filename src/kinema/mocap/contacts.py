"""Foot contacts: speed and height above the calibrated ground, with hysteresis.

A contact begins when a point is slow *and* low, and lasts until it is clearly fast *or* high. All thresholds are
for a leg of `REFERENCE_LEG` metres and are scaled with the legs of the character.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from kinema.roles import Leg
from kinema.skeleton import Skeleton

REFERENCE_LEG = 0.82
"""Thigh and shin of an adult, metres: the size the thresholds below are given for."""

MOST_CONTACT_POINTS = 8


@dataclass(frozen=True)
class Thresholds:
    """When a contact of a reference-sized character begins and ends.

    Attributes:
        speed_on, speed_off: m/s, see `point_speeds`.
        height_on, height_off: metres above the height of the point in stance.
        shortest: seconds; shorter contacts, and shorter gaps between two, are noise.
    """

    speed_on: float = 0.20
    speed_off: float = 0.30
    height_on: float = 0.05
    height_off: float = 0.08
    shortest: float = 0.05


def contact_joints(skeleton: Skeleton) -> NDArray[np.int32]:
    """The joints `[C]` whose contacts are labelled: left and right toe (or foot, where a rig has no toe).

    A skeleton without a pair of legs gives its lowest leaf joints in the rest pose, at most `MOST_CONTACT_POINTS`.
    """
    roles = skeleton.roles
    if roles.is_biped:
        ends = [leg.foot if leg.toe is None else leg.toe for leg in (roles.leg("left"), roles.leg("right"))]
        return np.asarray(ends, dtype=np.int32)
    leaves = np.asarray([joint for joint, below in enumerate(skeleton.children) if not below], dtype=np.int32)
    heights = skeleton.rest_pose.global_positions[leaves, 1]
    low = leaves[heights <= heights.min() + 0.1 * skeleton.height]
    return low[:MOST_CONTACT_POINTS]


def contact_points(skeleton: Skeleton) -> tuple[str, ...]:
    """Names `C` of the contact joints as labels and edits call them (`contact.left`): `left` and `right`, or
    the joints' own names where there is no pair of legs."""
    if skeleton.roles.is_biped:
        return ("left", "right")
    return tuple(skeleton.names[joint] for joint in contact_joints(skeleton))


def leg_length(skeleton: Skeleton) -> float:
    """Thigh and shin in metres, the mean of both legs; half the rest height for a skeleton without legs."""
    if skeleton.roles.is_biped:
        length = float(np.mean([_length_of(skeleton, leg) for leg in skeleton.roles.legs]))
    else:
        length = 0.5 * skeleton.height
    return length if length > 1e-6 else REFERENCE_LEG


def _length_of(skeleton: Skeleton, leg: Leg) -> float:
    bones = [leg.foot, *(j for j in skeleton.ancestors(leg.foot) if skeleton.depths[j] > skeleton.depths[leg.upper])]
    return float(skeleton.bone_lengths[bones].sum())


def point_speeds(positions: NDArray[np.float32], fps: float) -> NDArray[np.float32]:
    """Speeds `[F, C]` in m/s of points `[F, C, 3]`: the slower of the steps to the frame before and after.

    The usual central difference spreads the swing into the first and last frame of a stance, which at 30 frames per
    second is half of a running step.
    """
    if len(positions) < 2:
        return np.zeros(positions.shape[:2], np.float32)
    steps = np.linalg.norm(np.diff(positions, axis=0), axis=-1) * fps
    return np.minimum(np.concatenate([steps[:1], steps]), np.concatenate([steps, steps[-1:]])).astype(np.float32)


def detect(
    positions: NDArray[np.float32],
    fps: float,
    stance_height: float | NDArray[np.float32],
    scale: float = 1.0,
    thresholds: Thresholds | None = None,
) -> NDArray[np.bool_]:
    """Which points are in contact in which frames.

    Args:
        positions: `[F, C, 3]` of the contact joints in the world, metres.
        fps: frames per second.
        stance_height: height of a point in contact, metres; one for all or one each `[C]`.
        scale: size of the character over a reference adult (leg length over `REFERENCE_LEG`).
        thresholds: what counts as slow and low; the defaults where None.

    Returns:
        `[F, C]`.
    """
    limits = thresholds or Thresholds()
    speed = point_speeds(positions, fps) / scale
    height = (positions[..., 1] - np.asarray(stance_height, np.float32)) / scale
    start = (speed < limits.speed_on) & (height < limits.height_on)
    stop = (speed > limits.speed_off) | (height > limits.height_off)
    standing = hysteresis(start, stop)
    frames = int(np.ceil(limits.shortest * fps - 1e-6))
    return drop_short(~drop_short(~standing, frames, keep_ends=True), frames, keep_ends=True)


def hysteresis(start: NDArray[np.bool_], stop: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """A state `[F, ...]` that turns on where `start`, off where `stop`, and else stays; it is off at first."""
    frames = np.arange(len(start)).reshape(-1, *[1] * (start.ndim - 1))
    decided = np.maximum.accumulate(np.where(start | stop, frames, -1), axis=0)
    state = np.take_along_axis(start & ~stop, np.maximum(decided, 0), axis=0)
    return state & (decided >= 0)


def drop_short(state: NDArray[np.bool_], frames: int, *, keep_ends: bool = False) -> NDArray[np.bool_]:
    """Turn off runs of `state` `[F, C]` that are shorter than `frames`.

    Args:
        keep_ends: keep runs that touch the first or last frame: the clip's border cut them, not their shortness.
    """
    if frames <= 1 or not state.size:
        return state
    kept = state.copy()
    padded = np.pad(state, ((1, 1), (0, 0))).astype(np.int8)
    change = np.diff(padded, axis=0)
    for column in range(state.shape[1]):
        begins, ends = np.flatnonzero(change[:, column] == 1), np.flatnonzero(change[:, column] == -1)
        short = ends - begins < frames
        if keep_ends:
            short &= (begins > 0) & (ends < len(state))
        for begin, end in zip(begins[short], ends[short], strict=True):
            kept[begin:end, column] = False
    return kept
