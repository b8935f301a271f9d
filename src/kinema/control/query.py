"""The query to a family: the commands and the state of `n` characters."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from kinema import rotations
from kinema.control.command import Commands
from kinema.control.goals import with_goals
from kinema.control.trajectory import Trajectory
from kinema.terrain import Ground


@dataclass(frozen=True, eq=False)
class Query:
    """The commands of `n` characters with everything else that a family needs to plan.

    Attributes:
        commands: velocity, facing, style, action and goal.
        trajectory: the simulated objects that the characters should follow.
        ground: the ground under the characters.
        root_positions: `[n, 3]`, metres, world. root_headings: `[n]`, radians from +Z to +X.
        due: bool `[n]`: which characters need a new plan.
    """

    commands: Commands
    trajectory: Trajectory
    ground: Ground
    root_positions: NDArray[np.float32]
    root_headings: NDArray[np.float32]
    due: NDArray[np.bool_]
    _paths: dict[tuple[float, ...], tuple[NDArray[np.float32], NDArray[np.float32]]] = field(
        default_factory=dict, init=False, repr=False
    )

    def path(self, times: Sequence[float]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """The wanted positions and facings `[n, S, 3]` at `times` seconds from now, in the characters' root frames."""
        asked = tuple(times)
        if asked not in self._paths:  # several features ask for the same times
            positions, headings = self.trajectory.predict(self.commands, times)
            relative = headings - self.root_headings[:, None]
            directions = np.stack([np.sin(relative), np.zeros_like(relative), np.cos(relative)], axis=-1)
            self._paths[asked] = self.to_root(positions), directions
        return self._paths[asked]

    def to_root(self, points: NDArray[np.floating]) -> NDArray[np.float32]:
        """Transform points `[n, ..., 3]` from the world to the characters' root frames."""
        shape = (len(points), *([1] * (points.ndim - 2)))
        turns = rotations.from_yaw(-self.root_headings).reshape(*shape, 4)
        return rotations.rotate(turns, points - self.root_positions.reshape(*shape, 3))

    @property
    def goal_directions(self) -> NDArray[np.float32]:
        """Unit facings `[n, 3]` at the goals in the root frames; those of the moment where any will do.

        NaN where there is no goal.
        """
        facing = self.commands.goal_facings
        stated = np.arctan2(facing[:, 0], facing[:, 2])
        turn = np.where(np.isfinite(stated), stated, self.trajectory.wanted_heading(self.commands)) - self.root_headings
        directions = np.stack([np.sin(turn), np.zeros_like(turn), np.cos(turn)], axis=-1)
        return np.where(with_goals(self.commands)[:, None], directions, np.nan).astype(np.float32)

    @property
    def goals(self) -> NDArray[np.float32]:
        """The goals `[n, 3]` in the characters' root frames; NaN where there is none."""
        return self.to_root(self.commands.goals)
