"""Feet: skating on the ground, and sinking into it. Speeds are those of the joints `feet` from a frame to the next.

Thresholds in metres and metres per second are those of an adult; they are scaled by the size of the body.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from kinema.arrays import Bools, Reals, Singles
from kinema.metrics.calibration import Calibration
from kinema.metrics.rollout import Rollout, Rollouts, above_half, each, mean_or_none, pooled

NEAR = 0.025
"""m; a foot lower than this above its stance height is near the ground, as if on it."""
LOW = 0.05
"""m; a foot lower than this above its stance height counts as low."""
SLIDING = 0.20
"""m/s; a low foot faster than this slides."""
DEEP = 0.01
"""m; a frame with a toe or ankle deeper than this counts as penetrating."""


def foot_speeds(rollout: Rollout, axes: tuple[int, ...] = (0, 1, 2)) -> Singles:
    """Foot speeds [F - 1, C] along some axes, m/s."""
    step = np.diff(rollout.foot_positions()[..., list(axes)], axis=0)
    return np.linalg.norm(step, axis=-1) * rollout.fps


def _while(rollout: Rollout, state: NDArray[np.generic] | None) -> Reals:
    """Foot speeds where `state` `[F, C]` holds in a frame and the next."""
    if state is None:
        return np.zeros(0)
    on = above_half(state)
    return foot_speeds(rollout)[on[:-1] & on[1:]]


def skate_contact(rollouts: Rollouts) -> float | None:
    """Mean foot speed, cm/s, while the motion's own contact labels say that the foot stands; None without contacts."""
    return mean_or_none(pooled(_while(r, r.contacts) for r in each(rollouts)), 100.0)


def skate_locked(rollouts: Rollouts) -> float | None:
    """Mean foot speed, cm/s, while the foot lock says that it holds the foot; None if it never does."""
    return mean_or_none(pooled(_while(r, r.locked) for r in each(rollouts)), 100.0)


def skate_weighted(rollouts: Rollouts) -> float | None:
    """Mean over all frames and feet of horizontal speed x clip(2 - 2^(h / 2.5 cm), 0, 1), cm/s.

    h is the height above the stance height in the first of the two frames. After Zhang et al., "Mode-Adaptive Neural
    Networks", 2018.
    """

    def weighted(rollout: Rollout) -> Reals:
        height = rollout.foot_heights()[:-1] / (NEAR * rollout.scale)
        return foot_speeds(rollout, (0, 2)) * np.clip(2.0 - np.exp2(np.minimum(height, 8.0)), 0.0, 1.0)

    return mean_or_none(pooled(weighted(r) for r in each(rollouts)), 100.0)


def skate_near(rollouts: Rollouts) -> float | None:
    """Mean horizontal speed, cm/s, of feet that are within 2.5 cm of their stance height in a frame and the next.

    It needs no labels, so feet that should be planted but are not count as well.
    """

    def sliding(rollout: Rollout) -> Reals:
        near = rollout.foot_heights() < NEAR * rollout.scale
        return foot_speeds(rollout, (0, 2))[near[:-1] & near[1:]]

    return mean_or_none(pooled(sliding(r) for r in each(rollouts)), 100.0)


def skate_ratio(rollouts: Rollouts) -> float | None:
    """Share, %, of pairs of successive frames with the foot below 5 cm in which it is faster than 20 cm/s."""

    def sliding(rollout: Rollout) -> Bools:
        low = rollout.foot_heights() < LOW * rollout.scale
        return (foot_speeds(rollout) > SLIDING * rollout.scale)[low[:-1] & low[1:]]

    return mean_or_none(pooled(sliding(r) for r in each(rollouts)), 100.0)


def _depths(rollouts: Rollouts, calibration: Calibration) -> Iterator[Reals]:
    for rollout in each(rollouts):
        ankles = rollout.above_ground(calibration.ankles) - calibration.ankle_heights
        heights = np.concatenate([rollout.foot_heights(), ankles], axis=1)
        yield np.maximum(-heights, 0.0).max(axis=1) / rollout.scale


def penetration(rollouts: Rollouts, calibration: Calibration) -> dict[str, float | None]:
    """How deep the deepest toe or ankle is in the ground: "mean", "max" in cm, "percent" of frames deeper than 1 cm.

    Depth is that of an adult: divided by the size of the body.
    """
    depth = pooled(_depths(rollouts, calibration))
    if not len(depth):
        return {"mean": None, "max": None, "percent": None}
    return {
        "mean": 100.0 * float(depth.mean()),
        "max": 100.0 * float(depth.max()),
        "percent": 100.0 * float((depth > DEEP).mean()),
    }
