"""Reaching a place: where a character ends that was sent to goals, how it faces there, and how long it took."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from kinema import rotations
from kinema.arrays import Floats
from kinema.metrics.rollout import Rollout, Rollouts, each, mean_or_none

NEAR = 0.2
"""m of an adult: closer to the goal than this it is reached."""

TURNED = 20.0
"""degrees: it is reached once the character faces within this of what was asked for."""


def reached(rollouts: Rollouts) -> dict[str, float | None]:
    """How goals are reached, one after the other; None without goals.

    "cm" and "deg" are the mean distance and angle at the end of the time given for a goal, "s" the mean time after
    which a character stays within `NEAR` and `TURNED` of it, and "missed_percent" the share of goals that are not.
    """
    ends = [end for rollout in each(rollouts) for end in _ends(rollout)]
    cm, deg, seconds = (np.asarray([end[part] for end in ends], np.float64) for part in range(3))
    missed = np.isnan(seconds)
    return {
        "cm": mean_or_none(cm),
        "deg": mean_or_none(deg[np.isfinite(deg)]),
        "s": mean_or_none(seconds[~missed]),
        "missed_percent": mean_or_none(missed, 100.0),
    }


def _ends(rollout: Rollout) -> list[tuple[float, float, float]]:
    """Centimetres, degrees and seconds of each goal; NaN where it does not apply."""
    if rollout.goals is None:
        return []
    goals = np.asarray(rollout.goals, np.float64)[:, [0, 2]]
    distance = np.linalg.norm(np.asarray(rollout.root_positions)[:, [0, 2]] - goals, axis=1)
    angle = _angles(rollout)
    changes = np.flatnonzero((np.diff(goals, axis=0) != 0).any(axis=1)) + 1
    found: list[tuple[float, float, float]] = []
    for begin, end in pairwise([0, *changes.tolist(), rollout.frames]):
        if np.isfinite(goals[begin]).all():
            away = (distance[begin:end] > NEAR * rollout.scale) | (angle[begin:end] > TURNED)
            frames = len(away) - int(np.argmax(away[::-1])) if away.any() else 0
            seconds = np.nan if away[-1] else frames / rollout.fps
            found.append((100.0 * float(distance[end - 1]), float(angle[end - 1]), seconds))
    return found


def _angles(rollout: Rollout) -> Floats:
    """Degrees `[F]` between the facing and that at the goal; NaN where any will do."""
    if rollout.goal_facings is None:
        return np.full(rollout.frames, np.nan)
    facing = np.asarray(rollout.goal_facings, np.float64)
    yaw = rotations.yaw(np.asarray(rollout.root_rotations, np.float64))
    return np.degrees(np.abs(rotations.wrap(yaw - np.arctan2(facing[:, 0], facing[:, 2]))))
