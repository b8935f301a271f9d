"""Adjustment: characters are pulled towards where their commands would have them, slowly enough to go unnoticed."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from kinema import rotations, springs
from kinema.control import adjust_kernels
from kinema.control.membership import carried
from kinema.control.trajectory import Trajectory
from kinema.pose import Pose
from kinema.terrain import Ground


@dataclass
class Adjustment:
    """The stage that pulls root positions and headings towards the simulated objects.

    Attributes:
        trajectory: the simulated objects of the controller.
        halflife: half-life of the distance without the limits, seconds.
        ratio: largest correction, as a fraction of the character's own speed and turning. Steps hide the correction.
        bend: largest correction of the heading, in radians per metre walked.
        slack: distance in metres that is tolerated beyond the limits. Beyond it the pull grows with the distance.
        slack_turn: the same for the heading, radians.
        smooth: half-life of changes of the correction itself, seconds.
        size: of the body, relative to an adult. The settings in metres are multiplied by it, those in seconds by its
            root.
    """

    trajectory: Trajectory
    halflife: float = 0.08
    ratio: float = 0.5
    bend: float = 0.1
    slack: float = 0.03
    slack_turn: float = 0.1
    smooth: float = 0.05
    size: float = 1.0
    _velocity: NDArray[np.float32] = field(default_factory=lambda: np.zeros((0, 3), np.float32))
    _turn: NDArray[np.float32] = field(default_factory=lambda: np.zeros(0, np.float32))
    _position: NDArray[np.float32] = field(default_factory=lambda: np.zeros((0, 3), np.float32))
    _heading: NDArray[np.float32] = field(default_factory=lambda: np.zeros(0, np.float32))

    def reset(self, count: int) -> None:
        """Restart with `count` characters at the origin."""
        self._velocity, self._turn = np.zeros((count, 3), np.float32), np.zeros(count, np.float32)
        self._position, self._heading = np.zeros((count, 3), np.float32), np.zeros(count, np.float32)

    def select(self, keep: NDArray[np.integer], added: int) -> None:
        """Keep the characters `keep`, in that order, and add `added` new ones at rest at the origin."""
        self._velocity = carried(self._velocity, keep, added)
        self._turn = carried(self._turn, keep, added)
        self._position = carried(self._position, keep, added)
        self._heading = carried(self._heading, keep, added)

    def apply(self, pose: Pose, ground: Ground, dt: float) -> Pose:
        """The poses with their roots pulled towards the trajectory; see `kinema.control.stage.Stage`."""
        position = pose.root_positions
        heading, speed, turn = adjust_kernels.moves(position, pose.root_rotations, self._position, self._heading, dt)
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
            position, heading: positions `[n, 3]` and headings `[n]` of the roots.
            speed, turn: speeds at which they move and turn by themselves, `[n]` m/s and `[n]` rad/s.
        """
        tempo, slack, bend = math.sqrt(self.size), self.size * self.slack, self.bend / self.size
        rate, kept = math.log(2.0) / (tempo * self.halflife), springs.kept(tempo * self.smooth, dt)
        settings = adjust_kernels.Pull(self.ratio, bend, slack, self.slack_turn, rate, kept)
        goal = (self.trajectory.position, self.trajectory.heading)
        corrections = (self._velocity, self._turn)
        return adjust_kernels.pull(position, heading, speed, turn, *goal, *corrections, settings, dt)
