"""Soles on uneven ground: where they find room, how they tilt, and the height at which feet travel to get there."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kinema import rotations, springs
from kinema.arrays import Bools, Ints, Singles
from kinema.control.membership import PerCharacter
from kinema.pose import Pose
from kinema.skeleton import Skeleton
from kinema.terrain import Ground
from kinema.terrain.ground import is_void

_ALONG = np.array([-1.25, -0.6, 0.0, 0.4], np.float32)  # heel, middle, ball and tip, in lengths from ankle to ball
_ACROSS = 0.3  # half of the width, in lengths from ankle to ball
_FLAT = 0.015  # metres over which ground may be uneven under a sole without a shift
_STEEPEST = 1.0  # slope of ground on which soles still stand
_AHEAD = np.array([0.0, 0.04, 0.08, 0.12], np.float32)  # seconds over which feet look ahead, ...
_TIP = 0.06  # metres, and further by the tip of the foot, ...
_SLOW = 0.1  # m/s, if they move faster than this


@dataclass
class Soles:
    """The soles of feet: straight lines from heel to tip through the ball.

    Attributes:
        lengths: `[C]`, from ankle to ball, metres.
        legs: `[C, 4]`, see `kinema.mocap.legs.find_legs`.
    """

    lengths: Singles
    legs: Ints

    @staticmethod
    def of(skeleton: Skeleton, legs: Ints, size: float) -> Soles:
        """The soles of a skeleton. A leg without toes has the foot of an adult, scaled by `size`."""
        rest = skeleton.rest_pose.global_positions
        lengths = np.linalg.norm((rest[legs[:, 3]] - rest[legs[:, 2]])[:, [0, 2]], axis=-1)
        return Soles(np.where(lengths > 0.02 * size, lengths, 0.14 * size).astype(np.float32), legs)

    def directions(self, pose: Pose) -> Singles:
        """Level unit vectors `[n, C, 3]` from ankles to balls; of the root where a foot points straight down."""
        ankle, ball = (pose.global_positions[:, self.legs[:, joint]] for joint in (2, 3))
        ahead = rotations.rotate(pose.root_rotations, np.array([0, 0, 1], np.float32))[:, None]
        line = (ball - ankle) * np.array([1, 0, 1], np.float32) + np.float32(1e-3) * ahead
        return rotations.normalize_vector(line.astype(np.float32))

    def samples(self, balls: Singles, directions: Singles) -> Singles:
        """Points `[..., C, 4, 3]` of the soles with balls at `[..., C, 3]`."""
        along = self.lengths[:, None, None] * _ALONG[:, None]
        return balls[..., None, :] + (along * directions[..., None, :]).astype(np.float32)

    def room(self, balls: Singles, directions: Singles, ground: Ground, reach: float) -> Singles:
        """The nearest places `[n, C, 3]` to `balls`, along the soles, where the ground under them is even.

        Args:
            reach: longest way, metres.
        """
        shifts = np.linspace(-reach, reach, 17, dtype=np.float32)
        places = (balls[:, :, None] + shifts[:, None] * directions[:, :, None]).astype(np.float32)  # [n, C, S, 3]
        along = self.lengths[:, None, None, None] * _ALONG[:, None]
        heights = ground.height(places[..., None, :] + along * directions[:, :, None, None, :])  # [n, C, S, 4]
        uneven = unevenness(heights) + 10.0 * is_void(heights).any(axis=-1)
        cost = np.maximum(uneven - _FLAT, 0) * 8 + np.abs(shifts)
        best = cost.argmin(axis=-1)
        return np.take_along_axis(places, best[..., None, None], axis=2)[:, :, 0]

    def normals(self, balls: Singles, directions: Singles, ground: Ground) -> Singles:
        """Unit normals `[n, C, 3]` of the ground under the soles, from heel to tip and from side to side.

        Straight up where the ground is not even: there a sole stands on an edge.
        """
        side = np.stack([directions[..., 2], np.zeros_like(directions[..., 0]), -directions[..., 0]], axis=-1)
        along = ground.height(self.samples(balls, directions))
        width = (_ACROSS * self.lengths)[:, None]
        across = np.stack([ground.height(balls + sign * width * side) for sign in (-1, 0, 1)], axis=-1)
        length = (_ALONG[-1] - _ALONG[0]) * self.lengths
        pitch, roll = (along[..., -1] - along[..., 0]) / length, (across[..., 2] - across[..., 0]) / (2 * width[:, 0])
        even = (unevenness(along) < _FLAT) & (np.abs(across[..., 1] - across[..., [0, 2]].mean(-1)) < _FLAT)
        even &= (np.abs(pitch) < _STEEPEST) & (np.abs(roll) < _STEEPEST)
        slope = np.where(even[..., None], pitch[..., None] * directions + roll[..., None] * side, 0)
        return rotations.normalize_vector((np.array([0, 1, 0]) - slope).astype(np.float32))


def unevenness(heights: Singles) -> Singles:
    """How far `[...]` the heights under a sole `[..., 4]` are from a straight line from heel to tip, metres."""
    share = (_ALONG - _ALONG[0]) / (_ALONG[-1] - _ALONG[0])
    line = heights[..., :1] + share * (heights[..., -1:] - heights[..., :1])
    return np.abs(heights - line).max(axis=-1)


@dataclass
class Rise(PerCharacter):
    """Height of the ground over which each foot travels: it rises before an edge, and falls behind it.

    Attributes:
        feet: number of feet.
        halflife: half-life of changes, seconds.
        height: `[n, C]`, metres.
    """

    feet: int
    halflife: float = 0.025
    height: Singles = field(init=False, repr=False)
    _rate: Singles = field(init=False, repr=False)

    def fresh(self, count: int) -> dict[str, NDArray[Any]]:
        """See `PerCharacter`."""
        return {name: np.zeros((count, self.feet), np.float32) for name in ("height", "_rate")}

    def step(
        self, balls: Singles, velocity: Singles, standing: Bools, anchors: Singles, ground: Ground, dt: float
    ) -> None:
        """Move `height` towards the highest ground under a foot and ahead of it; where there is none, it stays.

        Args:
            balls, velocity: `[n, C, 3]`, metres, m/s.
            standing: feet `[n, C]` that stand.
            anchors: height `[n, C]` of the ground where a foot stands or goes to; `VOID` if that is open.
        """
        speed = np.linalg.norm(velocity, axis=-1, keepdims=True)[..., None]
        way = (_AHEAD[:, None] + _TIP / (speed + _SLOW)) * velocity[..., None, :]
        points = np.concatenate([balls[..., None, :], balls[..., None, :] + way], axis=-2)
        heights = ground.height(points).max(axis=-1)
        highest = np.where(standing, anchors, np.maximum(heights, anchors))
        wanted = np.where(is_void(highest), self.height, highest)
        self.height, self._rate = springs.spring(self.height, self._rate, wanted, self.halflife, dt)
