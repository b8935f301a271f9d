"""Adjustment: the character is pulled to where its command would have it, no faster than its own steps can hide."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from kinema import rotations, springs
from kinema.control.ground import Ground
from kinema.control.membership import carried
from kinema.control.trajectory import Trajectory
from kinema.pose import Pose

_LEVEL = np.array([1, 0, 1], np.float32)


@dataclass
class Adjustment:
    """The stage that pulls root positions and headings toward the simulated objects.

    Attributes:
        trajectory: the simulated objects, those of the controller.
        halflife: seconds in which the distance would halve without the limits.
        ratio: greatest correction as a share of the character's own speed and turning; it hides in the steps.
        bend: radians that the heading may be corrected by for each metre walked.
        slack: metres that are forgiven beyond the limits; beyond it the pull grows with the distance.
        slack_turn: the same for the heading, radians.
        smooth: half-life in seconds of changes of the correction itself.
    """

    trajectory: Trajectory
    halflife: float = 0.08
    ratio: float = 0.5
    bend: float = 0.1
    slack: float = 0.03
    slack_turn: float = 0.1
    smooth: float = 0.05
    _velocity: NDArray[np.float32] = field(default_factory=lambda: np.zeros((0, 3), np.float32))
    _turn: NDArray[np.float32] = field(default_factory=lambda: np.zeros(0, np.float32))
    _position: NDArray[np.float32] = field(default_factory=lambda: np.zeros((0, 3), np.float32))
    _heading: NDArray[np.float32] = field(default_factory=lambda: np.zeros(0, np.float32))

    def reset(self, count: int) -> None:
        """Start over with `count` characters at the origin."""
        self._velocity, self._turn = np.zeros((count, 3), np.float32), np.zeros(count, np.float32)
        self._position, self._heading = np.zeros((count, 3), np.float32), np.zeros(count, np.float32)

    def select(self, keep: NDArray[np.integer], added: int) -> None:
        """Go on with the characters `keep`, in that order, and `added` new ones at rest at the origin."""
        self._velocity = carried(self._velocity, keep, added)
        self._turn = carried(self._turn, keep, added)
        self._position = carried(self._position, keep, added)
        self._heading = carried(self._heading, keep, added)

    def apply(self, pose: Pose, ground: Ground, dt: float) -> Pose:
        """The poses with their roots nearer to the trajectory; see `kinema.control.stage.Stage`."""
        position, heading = pose.root_positions, rotations.yaw(pose.root_rotations)
        speed = np.linalg.norm(position - self._position, axis=-1) / dt
        turn = rotations.wrap(heading - self._heading) / dt
        self._position, self._heading = self.pull(position, heading, speed, turn, dt)
        return pose.replace(root_positions=self._position, root_rotations=rotations.from_yaw(self._heading))

    def pull(
        self,
        position: NDArray[np.float32],
        heading: NDArray[np.float32],
        speed: NDArray[np.float32],
        turn: NDArray[np.float32],
        dt: float,
    ) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """New root positions `[n, 3]` and headings `[n]`.

        Args:
            position, heading: where the roots are.
            speed, turn: how fast they move by themselves, `[n]` m/s and `[n]` rad/s.
        """
        rate = np.log(2.0) / self.halflife
        behind = (self.trajectory.position - position) * _LEVEL
        distance = np.sqrt((behind * behind).sum(-1))
        allowed = self.ratio * speed + rate * np.maximum(distance - self.slack, 0)
        wanted = rate * distance
        scale = np.where(wanted > 1e-6, np.minimum(wanted, allowed) / np.maximum(wanted, 1e-6), 0.0)
        self._velocity = springs.approach(self._velocity, rate * behind * scale[:, None], self.smooth, dt)

        off = rotations.wrap(self.trajectory.heading - heading)
        allowed = self.ratio * np.abs(turn) + rate * np.maximum(np.abs(off) - self.slack_turn, 0) + self.bend * speed
        self._turn = springs.approach(self._turn, np.clip(rate * off, -allowed, allowed), self.smooth, dt)
        return (
            (position + self._velocity * dt).astype(np.float32),
            rotations.wrap(heading + self._turn * dt).astype(np.float32),
        )
