"""Smoothness: jerk, and how often a controller jumps."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from kinema.metrics.rollout import Rollouts, each, pooled


def _jerks(rollouts: Rollouts) -> Iterator[NDArray[np.floating]]:
    for rollout in each(rollouts):
        third = np.diff(np.asarray(rollout.positions, np.float64), n=3, axis=0)
        yield np.linalg.norm(third, axis=-1) * rollout.fps**3


def jerk(rollouts: Rollouts) -> dict[str, float | None]:
    """Third differences of global joint positions: "mean" and "p95" over joints and frames in m/s^3, at "fps".

    The rate changes the figure (ground truth at 60 Hz has 30 to 40 % more than at 30 Hz): compare at one rate only.
    """
    values = pooled(_jerks(rollouts))
    if not len(values):
        return {"mean": None, "p95": None, "fps": None}
    return {"mean": float(values.mean()), "p95": float(np.percentile(values, 95)), "fps": each(rollouts)[0].fps}


def transitions_per_second(rollouts: Rollouts) -> float | None:
    """How often the controller jumped elsewhere in its data; None if it does not say."""
    counted = [r for r in each(rollouts) if r.transitions is not None]
    seconds = sum(r.frames / r.fps for r in counted)
    return float(sum(int(np.sum(r.transitions)) for r in counted) / seconds) if seconds else None  # type: ignore[arg-type]
