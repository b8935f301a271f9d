"""Joints: how far they turn in a moment, and knees that bend backwards. Positions alone show neither."""

from __future__ import annotations

import numpy as np

from kinema import rotations
from kinema.arrays import Singles
from kinema.metrics.calibration import Calibration
from kinema.metrics.rollout import Rollouts, each, mean_or_none, pooled
from kinema.motion import Motion

MOMENT = 1.0 / 30.0
"""s; the time over which a joint's turn is measured, whatever the rate of the motion."""
HYPER = float(np.radians(5.0))
"""rad; a knee that is bent backwards by more than this is hyperextended. People reach a few degrees."""


def joint_turns(motion: Motion) -> Singles:
    """How far each joint turns relative to its parent within 1/30 s, degrees [F - S, J].

    Row f is the angle between the frames f and f + S, S being the whole number of frames nearest to 1/30 s. Where that
    is not exactly 1/30 s, angles are scaled as if the joint rotated at constant speed.
    """
    step = max(1, round(MOMENT * motion.fps))
    local = motion.local_rotations
    angles = rotations.angle(rotations.relative(local[:-step], local[step:]))
    return np.degrees(angles) * (MOMENT * motion.fps / step)


def joint_turn(rollouts: Rollouts) -> dict[str, str | float | None]:
    """The largest turn of any joint in 1/30 s, degrees: "max" over all frames, the 99.9th percentile "p999" of frames,
    and the name of the "joint" of the maximum.
    """
    largest: list[Singles] = []
    worst: tuple[float, str | None] = (-1.0, None)
    for rollout in each(rollouts):
        turns = joint_turns(rollout.motion)
        if not len(turns):
            continue
        largest.append(turns.max(axis=1))
        joint = int(turns.max(axis=0).argmax())
        worst = max(worst, (float(turns.max()), rollout.motion.skeleton.names[joint]), key=lambda found: found[0])
    values = pooled(iter(largest))
    if not len(values):
        return {"max": None, "p999": None, "joint": None}
    return {"max": worst[0], "p999": float(np.percentile(values, 99.9)), "joint": worst[1]}


def knee_hyperextension(rollouts: Rollouts, calibration: Calibration) -> float | None:
    """Share, %, of frames in which a knee is bent backwards by more than 5 degrees; None without knees."""
    if not len(calibration.knees):
        return None
    return mean_or_none(pooled(calibration.flexions(r).min(axis=1) < -HYPER for r in each(rollouts)), 100.0)
