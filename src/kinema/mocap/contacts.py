"""Foot contacts: speed and height above the calibrated ground, with hysteresis.

A contact begins when a point is slow *and* low, and lasts until it is clearly fast *or* high. All thresholds are
for a leg of `REFERENCE_LEG` metres and are scaled with the legs of the character.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from kinema.arrays import Bools, Indices, Singles
from kinema.errors import SkeletonError
from kinema.mocap.legs import LEG_KINDS, find_legs, leg_over
from kinema.roles import Leg
from kinema.skeleton import Skeleton

REFERENCE_LEG = 0.82
"""Thigh and shin of an adult, metres: the size the thresholds below are given for."""

_MOST_LEGLESS = 8
"""Contact points of a body without recognised legs, at most."""


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


def contact_joints(skeleton: Skeleton) -> Indices:
    """The joints `[C]` whose contacts are labelled: left and right toe (or foot, where a rig has no toe).

    Bodies on more than two legs have one for each leg that reaches the ground: its lowest leaf joint in the rest pose.
    If some of their feet do not hang on their legs, or no legs are recognised, it is the lowest leaf joints of the
    whole body.
    """
    roles = skeleton.roles
    if roles.legs:
        ends = [leg.foot if leg.toe is None else leg.toe for leg in (roles.leg("left"), roles.leg("right"))]
        return np.asarray(ends, dtype=np.int32)
    leaves = np.asarray([joint for joint, below in enumerate(skeleton.children) if not below], dtype=np.int32)
    heights = skeleton.rest_pose.global_positions[leaves, 1]
    low = leaves[heights <= heights.min() + 0.1 * skeleton.height]
    legs = [leg_over(skeleton, joint) for joint in low.tolist()]
    standing = {leg for leg in legs if leg is not None}
    if any(chain.kind == "leg" and chain.joints not in standing for chain in roles.chains) or not standing:
        return low[:_MOST_LEGLESS]
    return _one_for_each_leg(skeleton, low, legs)


def _one_for_each_leg(skeleton: Skeleton, low: Indices, legs: list[tuple[int, ...] | None]) -> Indices:
    """The lowest of the joints `low` of each leg, and its mirror partner for the leg on the other side."""
    heights, partners = skeleton.rest_pose.global_positions[:, 1], skeleton.roles.partners
    under = {leg: [joint for joint, over in zip(low.tolist(), legs, strict=True) if over == leg] for leg in legs if leg}
    found: dict[tuple[int, ...], int] = {}
    for leg, joints in under.items():
        mirrored = {int(partners[joint]) for joint in found.values()} & set(joints)
        found[leg] = min(mirrored or joints, key=lambda joint: float(heights[joint]))
    return np.sort(np.asarray(list(found.values()), dtype=np.int32))


def contact_points(skeleton: Skeleton) -> tuple[str, ...]:
    """Names `C` of the contact joints as labels and edits call them (`contact.left`): `left` and `right`, or
    the joints' own names where there is no pair of legs."""
    if skeleton.roles.legs:
        return ("left", "right")
    return tuple(skeleton.names[joint] for joint in contact_joints(skeleton))


def leg_length(skeleton: Skeleton) -> float:
    """Thigh and shin in metres, the mean of all legs; half the rest height for a skeleton without legs."""
    if skeleton.roles.legs:
        length = float(np.mean([_length_of(skeleton, leg) for leg in skeleton.roles.legs]))
    else:
        length = _length_of_many(skeleton)
    return length if length > 1e-6 else REFERENCE_LEG


def _length_of_many(skeleton: Skeleton) -> float:
    if not any(chain.kind in LEG_KINDS for chain in skeleton.roles.chains):
        return 0.5 * skeleton.height
    try:
        legs = find_legs(skeleton, contact_joints(skeleton))
    except SkeletonError:  # the lowest leaves are not the ends of its legs
        return 0.5 * skeleton.height
    places = skeleton.rest_pose.global_positions[legs[:, :3]]
    return float(np.linalg.norm(np.diff(places, axis=1), axis=-1).sum(axis=1).mean())


def relative_size(skeleton: Skeleton) -> float:
    """Size of a body over that of the adult for whom thresholds in metres are given, by the legs."""
    return leg_length(skeleton) / REFERENCE_LEG


def tempo(skeleton: Skeleton) -> float:
    """Time in which a body does something over the time that the adult needs, by the legs.

    Bodies of different sizes move alike at the same Froude number: times, and speeds, grow with the root of the length.
    """
    return math.sqrt(relative_size(skeleton))


def _length_of(skeleton: Skeleton, leg: Leg) -> float:
    last = leg.foot if leg.attached else leg.lower
    bones = [last, *(j for j in skeleton.ancestors(last) if skeleton.depths[j] > skeleton.depths[leg.upper])]
    places = skeleton.rest_pose.global_positions
    apart = 0.0 if leg.attached else float(np.linalg.norm(places[leg.foot] - places[last]))
    return float(skeleton.bone_lengths[bones].sum()) + apart


def point_speeds(positions: Singles, fps: float) -> Singles:
    """Speeds `[F, C]` in m/s of points `[F, C, 3]`: the slower of the steps to the frame before and after.

    The usual central difference spreads the swing into the first and last frame of a stance, which at 30 frames per
    second is half of a running step.
    """
    if len(positions) < 2:
        return np.zeros(positions.shape[:2], np.float32)
    steps = np.linalg.norm(np.diff(positions, axis=0), axis=-1) * fps
    return np.minimum(np.concatenate([steps[:1], steps]), np.concatenate([steps, steps[-1:]])).astype(np.float32)


def detect(
    positions: Singles,
    fps: float,
    stance_height: float | Singles,
    scale: float = 1.0,
    thresholds: Thresholds | None = None,
) -> Bools:
    """Which points are in contact in which frames.

    Args:
        positions: `[F, C, 3]` of the contact joints in the world, metres.
        fps: frames per second.
        stance_height: height of a point in contact, metres; one for all or one for each `[C]`.
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
    return drop_short(~drop_short(~standing, frames), frames)


def swing_time(contacts: Iterable[NDArray[np.number]], fps: float) -> float | None:
    """The median time in seconds for which a foot is off the ground between two stances; None if none steps.

    Args:
        contacts: of each clip `[F, C]`, contact where > 0.5.
    """
    swings = [
        stop - start
        for clip in contacts
        for foot in np.less_equal(clip, 0.5).T
        for start, stop in runs(foot)
        if start > 0 and stop < len(foot)
    ]
    return float(np.median(swings)) / fps if swings else None


def hysteresis(start: Bools, stop: Bools) -> Bools:
    """A state `[F, ...]` that turns on where `start`, off where `stop`, and else stays; it is off at first."""
    frames = np.arange(len(start)).reshape(-1, *[1] * (start.ndim - 1))
    decided = np.maximum.accumulate(np.where(start | stop, frames, -1), axis=0)
    state = np.take_along_axis(start & ~stop, np.maximum(decided, 0), axis=0)
    return state & (decided >= 0)


def drop_short(state: Bools, frames: int) -> Bools:
    """Turn off runs of `state` `[F, C]` that are shorter than `frames`.

    Runs that touch the first or last frame stay: the clip's border cut them, not their shortness.
    """
    kept = state.copy()
    for column in range(state.shape[1]):
        for start, stop in runs(state[:, column]):
            if stop - start < frames and start > 0 and stop < len(state):
                kept[start:stop, column] = False
    return kept


def runs(state: Bools) -> list[tuple[int, int]]:
    """Frames `start` to `stop` (not included) of each run of true in `[F]`."""
    change = np.flatnonzero(np.diff(np.pad(state.astype(np.int8), 1)))
    return list(zip(change[::2].tolist(), change[1::2].tolist(), strict=True))
