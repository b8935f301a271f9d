"""The trajectory: an ideal object that follows the command by springs, now and in the future."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from kinema import rotations, springs
from kinema.arrays import Singles
from kinema.control import goals, trajectory_kernels
from kinema.control.command import Commands
from kinema.control.membership import carried
from kinema.control.walls import Walls

VELOCITY_HALFLIFE, HEADING_HALFLIFE = 0.27, 0.25
"""Seconds in which a change of command is half obeyed, as is common in games."""

TURN_SPEED = 0.2
"""Below this commanded speed, an adult without a facing command keeps its heading, m/s."""

_FORESIGHT = 0.05  # seconds for which the velocity towards a goal is taken as constant when the way there is predicted


@dataclass
class Trajectory:
    """The simulated objects of `n` characters. The characters follow them.

    Attributes:
        position, velocity, acceleration: `[n, 3]` on the ground; metres and seconds.
        heading: `[n]`, radians from +Z towards +X; `turn`: its rate, `[n]` rad/s.
        goal: `[n, 3]`, the commanded velocities of the last step, m/s.
        velocity_halflife, heading_halflife: seconds. Smaller values respond faster and demand more of the animation.
        walk: speed of commands with a goal and without a velocity, m/s. braking: see `kinema.control.goals.towards`.
        sideways: angle between where a body faces and where it goes, radians, to its left or right: people 0, crabs a
            right angle.
        turning: commanded speed below which a character without a facing command keeps its heading, m/s.
    """

    position: NDArray[np.float32]
    velocity: NDArray[np.float32]
    acceleration: NDArray[np.float32]
    heading: NDArray[np.float32]
    turn: NDArray[np.float32]
    goal: NDArray[np.float32]
    velocity_halflife: float = VELOCITY_HALFLIFE
    heading_halflife: float = HEADING_HALFLIFE
    walk: float = goals.WALK
    braking: float = goals.BRAKING
    turning: float = TURN_SPEED
    sideways: float = 0.0

    @staticmethod
    def start(
        count: int, velocity_halflife: float = VELOCITY_HALFLIFE, heading_halflife: float = HEADING_HALFLIFE
    ) -> Trajectory:
        """`count` objects at rest at the origin, facing +Z."""
        zeros = np.zeros((count, 3), np.float32)
        flat = np.zeros(count, np.float32)
        return Trajectory(
            zeros, zeros.copy(), zeros.copy(), flat, flat.copy(), zeros.copy(), velocity_halflife, heading_halflife
        )

    def reset(self, count: int) -> None:
        """Restart with `count` objects at rest at the origin."""
        new = Trajectory.start(count)
        self.position, self.velocity, self.acceleration = new.position, new.velocity, new.acceleration
        self.heading, self.turn, self.goal = new.heading, new.turn, new.goal

    def select(self, keep: NDArray[np.integer], added: int) -> None:
        """Keep the objects `keep`, in that order, and add `added` new ones at rest at the origin."""
        self.position = carried(self.position, keep, added)
        self.velocity = carried(self.velocity, keep, added)
        self.acceleration = carried(self.acceleration, keep, added)
        self.heading = carried(self.heading, keep, added)
        self.turn = carried(self.turn, keep, added)
        self.goal = carried(self.goal, keep, added)

    def wanted_heading(self, commands: Commands) -> NDArray[np.float32]:
        """Commanded headings `[n]`: of the facing, else of the direction of travel, else the current heading."""
        velocity, facing = (_plain(part) for part in (commands.velocity, commands.facing))
        if self.sideways:
            velocity = self._sidelong(velocity)
        return trajectory_kernels.wanted_heading(velocity, facing, self.heading, self.turning)

    def _sidelong(self, velocity: Singles) -> Singles:
        """Velocities `[n, 3]` turned to where a body faces that goes along them sideways, to the nearer side."""
        ahead = rotations.rotate_yaw(self.heading, np.array([0, 0, 1], np.float32))
        left, right = (
            rotations.rotate_yaw(np.full_like(self.heading, angle), velocity)
            for angle in (-self.sideways, self.sideways)
        )
        nearer = np.sum((left - right) * ahead, axis=-1, keepdims=True) >= 0
        return _plain(np.where(nearer, left, right))

    def steered(self, commands: Commands) -> Commands:
        """The commands for now: those with a goal have the velocity and the facing that lead there."""
        return goals.towards(goals.walking(commands, self.walk), self.position + self.stopping, self.braking)

    def step(self, commands: Commands, dt: float, walls: Walls | None = None) -> None:
        """Step by `dt` seconds, up to walls around the objects and along them.

        Args:
            commands: for now, see `steered`.
        """
        self.goal = commands.velocity
        facing, before = self.wanted_heading(commands), self.position
        self.position, self.velocity, self.acceleration = self._moved(before, dt)
        if walls is not None and not walls.none:
            self.position = before + walls.stopped(self.position - before)
            self.velocity = walls.stopped(dt * self.velocity) / np.float32(dt)
        damping = springs.damping(self.heading_halflife)
        self.heading, self.turn = trajectory_kernels.turn(self.heading, self.turn, facing, damping, dt)

    @property
    def stopping(self) -> NDArray[np.float32]:
        """The ways `[n, 3]` of the objects if they are commanded to stop now."""
        y = springs.damping(self.velocity_halflife)
        return ((2 * self.velocity + self.acceleration / y) / y).astype(np.float32)

    def travel(self, seconds: float) -> NDArray[np.float32]:
        """The ways `[n, 3]` of the objects in the next seconds, if the command stays as it is."""
        ahead, _, _ = self._moved(np.zeros_like(self.position), seconds)
        return ahead

    def predict(self, commands: Commands, times: Sequence[float]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Predict the objects: positions `[n, S, 3]` and headings `[n, S]` at ascending times in seconds.

        The command stays as it is. Those with a goal go on to it.

        Args:
            commands: for now, see `steered`.
        """
        if goals.with_goals(commands).any():
            return self._on_the_way(commands, times)
        ahead = np.asarray(times, np.float32)[:, None]
        positions, _, _ = springs.move(
            self.position[:, None],
            self.velocity[:, None],
            self.acceleration[:, None],
            commands.velocity[:, None],
            self.velocity_halflife,
            ahead,
        )
        goal = self.wanted_heading(commands)
        y = springs.damping(self.heading_halflife)
        offset = rotations.wrap(self.heading - goal)
        slope = self.turn + offset * y
        seconds = ahead[:, 0]
        headings = goal[:, None] + np.exp(-y * seconds) * (offset[:, None] + slope[:, None] * seconds)
        return positions.astype(np.float32), headings.astype(np.float32)

    def _moved(self, position: Singles, dt: float) -> tuple[Singles, Singles, Singles]:
        """Positions, velocities and accelerations after a time in which the command stays as it is."""
        damping = springs.damping(self.velocity_halflife)
        return trajectory_kernels.move(position, self.velocity, self.acceleration, _plain(self.goal), damping, dt)

    def _on_the_way(self, commands: Commands, times: Sequence[float]) -> tuple[Singles, Singles]:
        """`predict` step by step, for characters with goals."""
        ahead, now = replace(self), 0.0
        positions: list[Singles] = []
        headings: list[Singles] = []
        for time in times:
            parts = math.ceil((time - now) / _FORESIGHT)
            for _ in range(parts):
                commands = goals.towards(commands, ahead.position + ahead.stopping, self.braking)
                ahead.step(commands, (time - now) / parts)
            now = time
            positions.append(ahead.position)
            headings.append(ahead.heading)
        return np.stack(positions, axis=1).astype(np.float32), np.stack(headings, axis=1).astype(np.float32)


def _plain(values: NDArray[np.floating]) -> Singles:
    """An array as kernels take it; commands may be views that cannot be written."""
    return np.require(values, np.float32, ("C", "W"))
