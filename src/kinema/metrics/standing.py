"""Standing: what a character does that is commanded to stand still."""

from __future__ import annotations

import numpy as np

from kinema.metrics.rollout import Rollout, Rollouts, each
from kinema.mocap.contacts import runs

STILL = 0.05
"""m/s; commands below this are commands to stand."""
SETTLING = 2.0
"""s; time after such a command in which the character may still step."""


def spans(rollout: Rollout) -> list[tuple[int, int]]:
    """First frame and frame after the last of each stretch in which the character should stand, at least a second."""
    if rollout.commanded_velocities is None:
        return []
    still = np.linalg.norm(rollout.commanded_velocities, axis=-1) < STILL * rollout.scale
    settled = [(begin + round(SETTLING * rollout.fps), end) for begin, end in runs(still)]
    return [(begin, end) for begin, end in settled if end - begin >= rollout.fps]


def standing(rollouts: Rollouts) -> dict[str, float | None]:
    """While a character should stand: the height of its highest foot above the stance height ("foot_cm"), jumps of the
    controller ("jumps_per_min"), and how far the hips stray from their mean place along the ground ("sway_cm").

    None if it never should stand long enough. Heights and sway are maxima, those of an adult.
    """
    found = [(rollout, begin, end) for rollout in each(rollouts) for begin, end in spans(rollout)]
    if not found:
        return {"foot_cm": None, "jumps_per_min": None, "sway_cm": None}
    feet, sways = [], []
    for rollout, begin, end in found:
        hips = rollout.positions[begin:end, rollout.motion.skeleton.roles.hips][:, [0, 2]]
        sways.append(np.linalg.norm(hips - hips.mean(axis=0), axis=1).max() / rollout.scale)
        feet.append(rollout.foot_heights()[begin:end].max() / rollout.scale)
    jumps, minutes = 0, 0.0
    for rollout, begin, end in found:
        if rollout.transitions is not None:
            jumps += int(np.count_nonzero(rollout.transitions[begin:end]))
            minutes += (end - begin) / rollout.fps / 60
    return {
        "foot_cm": 100.0 * float(max(feet)),
        "jumps_per_min": jumps / minutes if minutes else None,
        "sway_cm": 100.0 * float(max(sways)),
    }
