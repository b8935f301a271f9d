"""Goals: from a place to reach, and a facing there, to the velocity and facing of the moment, for every family.

What is steered is the place where a character would come to a stand if it were commanded to stop now. That place moves
with the commanded velocity, so it goes straight to the goal, slows down before it, and does not pass it.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from kinema.arrays import Bools, Reals, Singles
from kinema.control.command import Commands

WALK = 1.4
"""Speed at which an adult goes to a goal without a commanded speed, m/s."""

BRAKING = 0.4
"""Time in which an adult stops before a goal or a wall, seconds: the last way takes as long at every speed."""

_AHEAD = np.array([0, 0, 1], np.float32)
_LEVEL = np.array([1, 0, 1], np.float32)


def with_goals(commands: Commands) -> Bools:
    """Which characters `[n]` have a goal."""
    return np.isfinite(commands.goals.sum(axis=-1))


def walking(commands: Commands, speed: float) -> Commands:
    """These commands, in which characters with a goal and without a velocity go at `speed`, m/s."""
    idle = with_goals(commands) & ~commands.velocity.any(axis=-1)
    if not idle.any():
        return commands
    return replace(commands, velocity=np.where(idle[:, None], _AHEAD * np.float32(speed), commands.velocity))


def towards(commands: Commands, stops: Reals, seconds: float) -> Commands:
    """Commands whose velocities and facings lead to their goals. Commands without a goal stay as they are.

    The speed is that of the commanded velocity, whatever its direction. Characters face as commanded until they slow
    down before the goal, and then as the goal wants it.

    Args:
        stops: `[n, 3]`, metres, world: where the characters come to a stand if they are commanded to stop now.
        seconds: the speed is at most the distance divided by this time.
    """
    there = with_goals(commands)
    if not there.any():
        return commands
    way = np.where(there[:, None], commands.goals - stops, 0) * _LEVEL
    distance = np.linalg.norm(way, axis=-1)
    speed = np.linalg.norm(commands.velocity, axis=-1)
    slower = distance / seconds
    velocity: Singles = way * (np.minimum(speed, slower) / np.maximum(distance, 1e-6))[:, None]
    arriving = there & (slower <= speed) & np.isfinite(commands.goal_facings).all(axis=-1)
    return replace(
        commands,
        velocity=np.where(there[:, None], velocity, commands.velocity).astype(np.float32),
        facing=np.where(arriving[:, None], commands.goal_facings, commands.facing),
    )
