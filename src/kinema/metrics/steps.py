"""Steps: feet that glide instead of being planted, steps that are not lifted, contacts in the air.

Thresholds in metres and metres per second are those of an adult; they are scaled by the size of the body.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from kinema import kinematics
from kinema.arrays import Bools, Floats, Reals
from kinema.metrics.feet import NEAR, SLIDING, foot_speeds
from kinema.metrics.rollout import Rollout, Rollouts, above_half, each, mean_or_none, per_minute, pooled
from kinema.mocap.contacts import runs

FAR = 0.10
"""m; a foot that travels farther than this has moved to another place."""
SWING = 2.0
"""m/s; a foot that is faster than this, and than the body, swings."""
FLAT = 0.035
"""m; a step that stays lower than this above the stance height is not lifted."""


def ground_phases(rollout: Rollout) -> Bools:
    """Frames and feet `[F, C]` that are within 2.5 cm of their stance height and do not swing.

    A swinging foot is faster than 2 m/s and overtakes the body: it is faster than one and a half times the hips. Feet
    swing within 2.5 cm of the ground in natural walking; a foot that is dragged along is not faster than the body.
    """
    ground = [0, 2]
    positions = rollout.foot_positions()[..., ground]
    hips = rollout.positions[:, rollout.motion.skeleton.roles.hips, ground]
    speed = np.linalg.norm(kinematics.velocities(positions, 1.0 / rollout.fps), axis=-1)
    body = np.linalg.norm(kinematics.velocities(hips, 1.0 / rollout.fps), axis=-1)
    swinging = speed > np.maximum(SWING * rollout.scale, 1.5 * body[:, None])
    return (rollout.foot_heights() < NEAR * rollout.scale) & ~swinging


def glides(rollout: Rollout) -> list[tuple[int, int, int]]:
    """First frame, frame after the last, and column of the foot of each glide.

    A glide is a ground phase at whose end the foot is more than 10 cm away, along the ground, from where it was at the
    beginning; see `ground_phases`.
    """
    positions, down = rollout.foot_positions(), ground_phases(rollout)
    return [
        (begin, end, foot)
        for foot in range(down.shape[1])
        for begin, end in runs(down[:, foot])
        if _apart(positions[begin, foot], positions[end - 1, foot]) > FAR * rollout.scale
    ]


def glides_per_minute(rollouts: Rollouts) -> float | None:
    """Glides of all feet per minute of motion; see `glides`."""
    return per_minute(sum(len(glides(rollout)) for rollout in each(rollouts)), rollouts)


def steps(rollout: Rollout) -> list[tuple[int, int, int]]:
    """First frame, frame at whose beginning the foot stands again, and column of the foot of each step, foot by foot.

    A step is a stretch of frames in which a foot moves faster than 20 cm/s along the ground, farther than 10 cm.
    """
    positions = rollout.foot_positions()
    moving = foot_speeds(rollout, (0, 2)) > SLIDING * rollout.scale
    return [
        (begin, end, foot)
        for foot in range(moving.shape[1])
        for begin, end in runs(moving[:, foot])
        if _apart(positions[begin, foot], positions[end, foot]) > FAR * rollout.scale
    ]


def step_heights(rollout: Rollout) -> Floats:
    """Apex of each step, m above the stance height, divided by the body's size. See `steps`."""
    heights = rollout.foot_heights()
    found = [float(heights[begin : end + 1, foot].max()) / rollout.scale for begin, end, foot in steps(rollout)]
    return np.asarray(found)


def low_steps(rollouts: Rollouts) -> float | None:
    """Share, %, of steps whose apex stays below 3.5 cm; None without steps. See `step_heights`."""
    return mean_or_none(pooled(step_heights(r) for r in each(rollouts)) < FLAT, 100.0)


def floating(rollouts: Rollouts) -> float | None:
    """Share, %, of frames with feet in contact in which no foot is near the ground.

    Contact is by the motion's own labels. Near is within 2.5 cm of the stance height. None without contacts.
    """

    def high(rollout: Rollout, contacts: NDArray[np.generic]) -> Bools:
        near = np.any(rollout.foot_heights() < NEAR * rollout.scale, axis=1)
        return np.asarray(~near)[np.any(above_half(contacts), axis=1)]

    return mean_or_none(pooled(high(r, r.contacts) for r in each(rollouts) if r.contacts is not None), 100.0)


def _apart(a: Reals, b: Reals) -> float:
    """Distance along the ground of two points `[3]`."""
    return float(np.hypot(b[0] - a[0], b[2] - a[2]))
