"""What must be known of a character before its ankles and knees can be measured, taken from the ground truth."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from kinema import rotations
from kinema.arrays import Floats, Ints
from kinema.metrics.rollout import Rollout, Rollouts, above_half, each
from kinema.metrics.soles import Sole, soles_of

LOWEST = 1.0
"""Percentile of the heights of an ankle in stance; it stands for the height with the whole sole on the ground."""


@dataclass(frozen=True, eq=False)
class Calibration:
    """How the ankles of a character stand and its knees bend.

    Attributes:
        ankles: foot joints `[A]` whose toes touch the ground; empty where the feet themselves do, or without legs.
        ankle_heights: `[A]`, m: height of each ankle above the ground in stance.
        knees: joint indices `[L, 3]` of thigh, shin and foot of each leg; empty without legs.
        hinges: `[L, 3]`, unit: the axis about which each knee bends, in the frame of the thigh.
        soles: those of feet with toes; empty where the feet themselves touch the ground, or without legs.
    """

    ankles: tuple[int, ...]
    ankle_heights: Floats
    knees: Ints
    hinges: Floats
    soles: tuple[Sole, ...] = ()

    @staticmethod
    def of(rollouts: Rollouts) -> Calibration:
        """Measured on the ground truth; every run beside it is measured with the same calibration."""
        truth = each(rollouts)
        legs = truth[0].motion.skeleton.roles.legs
        standing = [(leg.foot, column) for column, leg in enumerate(legs) if leg.foot != truth[0].feet[column]]
        heights = [_stance_height(truth, ankle, column) for ankle, column in standing]
        knees = np.asarray([(leg.upper, leg.lower, leg.foot) for leg in legs], np.int64).reshape(-1, 3)
        bends = np.sum([_mean_bend(rollout, knees) for rollout in truth], axis=0)
        ankles = tuple(ankle for ankle, _ in standing)
        return Calibration(ankles, np.asarray(heights), knees, rotations.normalize_vector(bends), soles_of(truth))

    def flexions(self, rollout: Rollout) -> Floats:
        """Angles `[F, L]` of the knees about their hinges, rad: 0 for a straight leg, negative when bent backwards."""
        pose = rollout.motion[:]
        positions = pose.global_positions
        upper, lower, foot = self.knees.T
        thigh = (positions[:, lower] - positions[:, upper]).astype(np.float64)
        shin = (positions[:, foot] - positions[:, lower]).astype(np.float64)
        axis = rotations.rotate(pose.global_rotations[:, upper].astype(np.float64), self.hinges)
        return np.arctan2(np.sum(np.cross(thigh, shin) * axis, axis=-1), np.sum(thigh * shin, axis=-1))


def _stance_height(truth: Sequence[Rollout], ankle: int, column: int) -> float:
    """A low percentile of an ankle's height over the frames in which its toe is in contact."""
    found = []
    for rollout in truth:
        heights = rollout.positions[:, ankle, 1]
        found.append(heights if rollout.contacts is None else heights[above_half(rollout.contacts[:, column])])
    heights = np.concatenate(found)
    return float(np.percentile(heights, LOWEST)) if len(heights) else 0.0


def _mean_bend(rollout: Rollout, knees: Ints) -> Floats:
    """Sum `[L, 3]` over frames of thigh x shin (the axis of the bend, times its sine), in the frame of the thigh."""
    pose = rollout.motion[:]
    positions = pose.global_positions
    upper, lower, foot = knees.T
    thigh = rotations.normalize_vector(positions[:, lower] - positions[:, upper])
    shin = rotations.normalize_vector(positions[:, foot] - positions[:, lower])
    bends = rotations.inverse_rotate(pose.global_rotations[:, upper], np.cross(thigh, shin))
    return bends.sum(axis=0, dtype=np.float64)
