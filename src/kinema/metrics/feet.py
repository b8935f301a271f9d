"""Feet: skating on the ground, and sinking into it. Speeds are between a frame and the next, by joint `feet`."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from kinema.metrics.rollout import Rollout, Rollouts, each, mean_or_none, pooled

LOW = 0.05
"""m; a foot lower than this above its stance height counts as low."""
SLIDING = 0.20
"""m/s; a low foot faster than this slides."""
WEIGHT_HEIGHT = 0.025
"""m; at this height above its stance a foot weighs nothing in `skate_weighted`."""
DEEP = 0.01
"""m; a frame with a foot deeper than this counts as penetrating."""


def _speeds(rollout: Rollout, axes: tuple[int, ...] = (0, 1, 2)) -> NDArray[np.float32]:
    """Foot speeds [F - 1, C], m/s."""
    step = np.diff(rollout.foot_positions()[..., list(axes)], axis=0)
    return np.linalg.norm(step, axis=-1) * rollout.fps


def _while(rollout: Rollout, state: NDArray[np.generic] | None) -> NDArray[np.floating]:
    """Foot speeds where `state` [F, C] holds in both frames of a step."""
    if state is None:
        return np.zeros(0)
    on = np.asarray(state, np.float32) > 0.5
    return _speeds(rollout)[on[:-1] & on[1:]]


def skate_contact(rollouts: Rollouts) -> float | None:
    """Mean foot speed, cm/s, while the motion's own contact labels say that the foot stands; None without contacts."""
    mean = mean_or_none(pooled(_while(r, r.contacts) for r in each(rollouts)))
    return None if mean is None else 100.0 * mean


def skate_locked(rollouts: Rollouts) -> float | None:
    """Mean foot speed, cm/s, while the foot lock says that it holds the foot; None if it never does."""
    mean = mean_or_none(pooled(_while(r, r.locked) for r in each(rollouts)))
    return None if mean is None else 100.0 * mean


def skate_weighted(rollouts: Rollouts) -> float | None:
    """Mean over all frames and feet of horizontal speed x clip(2 - 2^(h / 2.5 cm), 0, 1), cm/s.

    h is the height above the stance height. After Zhang et al., "Mode-Adaptive Neural Networks", 2018.
    """

    def weighted(rollout: Rollout) -> NDArray[np.floating]:
        height = rollout.foot_heights()[:-1] / WEIGHT_HEIGHT
        return _speeds(rollout, (0, 2)) * np.clip(2.0 - np.exp2(np.minimum(height, 8.0)), 0.0, 1.0)

    mean = mean_or_none(pooled(weighted(r) for r in each(rollouts)))
    return None if mean is None else 100.0 * mean


def skate_height(rollouts: Rollouts) -> float | None:
    """Mean speed, cm/s, of feet less than 5 cm above their stance height. Large on ground truth as well."""
    mean = mean_or_none(pooled(_speeds(r)[r.foot_heights()[:-1] < LOW] for r in each(rollouts)))
    return None if mean is None else 100.0 * mean


def skate_ratio(rollouts: Rollouts) -> float | None:
    """Share, %, of steps with the foot below 5 cm in both frames in which it is faster than 20 cm/s."""

    def sliding(rollout: Rollout) -> NDArray[np.floating]:
        low = rollout.foot_heights() < LOW
        return (_speeds(rollout) > SLIDING)[low[:-1] & low[1:]].astype(np.float64)

    mean = mean_or_none(pooled(sliding(r) for r in each(rollouts)))
    return None if mean is None else 100.0 * mean


def _depths(rollouts: Rollouts) -> Iterator[NDArray[np.floating]]:
    for rollout in each(rollouts):
        yield np.maximum(-rollout.foot_heights(), 0.0).max(axis=1)


def penetration(rollouts: Rollouts) -> dict[str, float | None]:
    """How deep the deeper foot is in the ground: "mean" and "max" in cm, "percent" of frames deeper than 1 cm."""
    depth = pooled(_depths(rollouts))
    if not len(depth):
        return {"mean": None, "max": None, "percent": None}
    return {
        "mean": 100.0 * float(depth.mean()),
        "max": 100.0 * float(depth.max()),
        "percent": 100.0 * float((depth > DEEP).mean()),
    }
