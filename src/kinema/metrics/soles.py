"""Soles: how near they are to uneven ground while they stand, and how often they are inside of it.

A sole is a line of points from the heel to the tip of the foot, fixed to the foot and to its toe. The ground truth says
where they are: on a plane while the foot stands flat, and hardly ever lower than the ground.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from kinema import rotations
from kinema.arrays import Bools, Floats, Singles
from kinema.metrics.rollout import Rollout, Rollouts, above_half, each, mean_or_none, pooled

NEAR = 0.015
"""m; a sole within this of the ground stands on it."""
INSIDE = 0.015
"""m; a sole or toe deeper than this is inside the ground, or through an edge of it."""

_LOWEST = 1.0  # percentile of the heights of a point in contact that is the ground, as for ankles
_FLAT = 10.0  # percentile of the heights of the ankle in contact, up to which the foot counts as flat
_FOOT = (-0.25, 0.4)  # heel and middle: lengths from ankle to ball, ahead of the ankle
_TIP = 0.4  # lengths from the ball to the tip


@dataclass(frozen=True, eq=False)
class Sole:
    """Points of one sole.

    Attributes:
        column: column of the foot in `Rollout.feet`.
        joints: `[P]`: the joint to which each point is fixed.
        offsets: `[P, 3]`, m, in the frames of the joints.
    """

    column: int
    joints: tuple[int, ...]
    offsets: Floats

    def points(self, rollout: Rollout) -> Singles:
        """Positions `[F, P, 3]` in the world, m."""
        pose, joints = rollout.motion[:], list(self.joints)
        turned = rotations.rotate(pose.global_rotations[:, joints], self.offsets.astype(np.float32))
        return pose.global_positions[:, joints] + turned


def soles_of(truth: Sequence[Rollout]) -> tuple[Sole, ...]:
    """The soles of the feet that have toes and stand somewhere in the ground truth."""
    legs = truth[0].motion.skeleton.roles.legs
    made = [_sole(truth, leg.foot, truth[0].feet[column], column) for column, leg in enumerate(legs)]
    return tuple(sole for sole in made if sole is not None)


def near(rollouts: Rollouts) -> float | None:
    """Among frames with a contact, the share, %, with the toe of a foot in contact within 1.5 cm of its stance height.

    Contacts are the motion's own labels. None without contacts.
    """

    def standing(rollout: Rollout) -> Bools:
        if rollout.contacts is None:
            return np.zeros(0, np.bool_)
        down = above_half(rollout.contacts)
        close = np.abs(rollout.foot_heights()) < NEAR * rollout.scale
        return np.any(down & close, axis=1)[np.any(down, axis=1)]

    return mean_or_none(pooled(standing(r) for r in each(rollouts)), 100.0)


def inside(rollouts: Rollouts, soles: Sequence[Sole]) -> float | None:
    """Share, %, of frames in which a toe, or a point of a sole, is more than 1.5 cm inside the ground."""

    def deep(rollout: Rollout) -> Bools:
        depth = -rollout.foot_heights()
        for sole in soles:
            points = sole.points(rollout)
            depth = np.concatenate([depth, rollout.ground.height(points) - points[..., 1]], axis=1)
        return np.asarray(np.any(depth > INSIDE * rollout.scale, axis=1))

    return mean_or_none(pooled(deep(r) for r in each(rollouts)), 100.0)


def _sole(truth: Sequence[Rollout], ankle: int, toe: int, column: int) -> Sole | None:
    if ankle == toe:
        return None
    ups: list[Floats] = []
    aheads: list[Floats] = []
    heights: list[Floats] = []
    lengths: list[Floats] = []
    for rollout in truth:
        down = _down(rollout, column)
        places = rollout.positions[down][:, [ankle, toe]].astype(np.float64)
        line = (places[:, 1] - places[:, 0]) * [1, 0, 1]
        turns = rollout.motion[:].global_rotations[down][:, [ankle, toe]].astype(np.float64)
        ups.append(rotations.inverse_rotate(turns, np.array([0.0, 1.0, 0.0])))
        aheads.append(rotations.inverse_rotate(turns, rotations.normalize_vector(line)[:, None]))
        heights.append(places[:, :, 1])
        lengths.append(np.linalg.norm(line, axis=-1))
    height = np.concatenate(heights)
    if not len(height):
        return None
    flat = height[:, 0] <= np.percentile(height[:, 0], _FLAT)
    up, ahead = (rotations.normalize_vector(np.concatenate(parts)[flat].mean(0)) for parts in (ups, aheads))
    length, (ankle_height, toe_height) = np.concatenate(lengths)[flat].mean(), height[flat].mean(0)
    foot = [share * length * ahead[0] - ankle_height * up[0] for share in _FOOT]
    tip = _TIP * length * ahead[1] - toe_height * up[1]
    sole = Sole(column, (ankle, ankle, toe), np.array([*foot, tip]))
    lowest = np.percentile(np.concatenate([sole.points(r)[_down(r, column), :, 1] for r in truth]), _LOWEST, axis=0)
    return replace(sole, offsets=sole.offsets - lowest[:, None] * up[[0, 0, 1]])


def _down(rollout: Rollout, column: int) -> Bools:
    """Frames `[F]` in which a foot is in contact; all without contacts."""
    return np.ones(rollout.frames, np.bool_) if rollout.contacts is None else above_half(rollout.contacts[:, column])
