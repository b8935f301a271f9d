"""Smoothness: jerk, and how often a controller jumps or switches to another take."""

from __future__ import annotations

import numpy as np

from kinema.arrays import Floats
from kinema.metrics.rollout import Rollout, Rollouts, each, per_minute, pooled

CHANGING = 0.5
"""Seconds after a change of the commanded style in which it must not be seen as a jump."""


def jerks(rollout: Rollout) -> Floats:
    """Third differences of the positions of all joints in the world, `[F - 3, J]`, m/s^3."""
    third = np.diff(np.asarray(rollout.positions, np.float64), n=3, axis=0)
    return np.linalg.norm(third, axis=-1) * rollout.fps**3


def jerk(rollouts: Rollouts) -> dict[str, float | None]:
    """Third differences of global joint positions: "mean" and "p95" over joints and frames in m/s^3, at "fps".

    The rate changes the figure (ground truth at 60 Hz has 30 to 40 % more than at 30 Hz): compare at one rate only.
    """
    values = pooled(jerks(rollout) for rollout in each(rollouts))
    if not len(values):
        return {"mean": None, "p95": None, "fps": None}
    return {"mean": float(values.mean()), "p95": float(np.percentile(values, 95)), "fps": each(rollouts)[0].fps}


def change_jerk(rollouts: Rollouts) -> float | None:
    """By how many percent jerk is larger in the `CHANGING` seconds after a change of the commanded style.

    None if the style never changes.
    """
    after: list[Floats] = []
    elsewhere: list[Floats] = []
    for rollout in each(rollouts):
        if rollout.commanded_styles is None or not (changes := np.flatnonzero(np.diff(rollout.commanded_styles))).size:
            continue
        values, near = jerks(rollout), np.zeros(rollout.frames, np.bool_)
        for change in changes:
            near[change + 1 : change + 1 + round(CHANGING * rollout.fps)] = True
        after.append(values[near[: len(values)]])
        elsewhere.append(values[~near[: len(values)]])
    if not after:
        return None
    return float(100.0 * (np.concatenate(after).mean() / np.concatenate(elsewhere).mean() - 1.0))


def transitions_per_second(rollouts: Rollouts) -> float | None:
    """How often the controller jumped elsewhere in its data; None if it does not say."""
    counted = [(r, r.transitions) for r in each(rollouts) if r.transitions is not None]
    rate = per_minute(sum(int(np.sum(jumps)) for _, jumps in counted), [r for r, _ in counted])
    return None if rate is None else rate / 60.0


def switches(rollouts: Rollouts) -> dict[str, float | None]:
    """How often the motion switches to another take ("takes"), to one of another style ("styles"), and between recorded
    and mirrored motion ("mirror"), per minute. A jump may be all, or none: to another place in the same take.

    None if the rollouts do not say where their frames come from.
    """
    played = [r for r in each(rollouts) if r.takes is not None]

    def rate(name: str) -> float | None:
        return per_minute(sum(int(np.count_nonzero(np.diff(getattr(r, name)))) for r in played), played)

    return {"takes": rate("takes"), "styles": rate("styles"), "mirror": rate("mirrored")}
