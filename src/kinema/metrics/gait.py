"""Gait: how the steps and the smoothness of a run compare with those of the data at the same speeds."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from kinema.arrays import Bools, Floats, Reals
from kinema.metrics.obedience import smoothed_velocity
from kinema.metrics.rollout import Rollout, Rollouts, each
from kinema.metrics.smoothness import jerks
from kinema.metrics.steps import ground_phases, steps

WIDTH = 0.25
"""m/s; width of the bins of speed, for an adult."""
LEAST = 5.0
"""s; how much of the data a bin needs."""
PAUSE = 2.0
"""s; a foot that stands longer than this has stopped: its next step begins no stride."""

Samples = Floats
"""`[N, 3]`: speed of the body, m/s of an adult; a quantity at that speed; the seconds that the sample stands for."""


@dataclass(frozen=True, eq=False)
class BySpeed:
    """Means `[B]` of a quantity over bins of the body's speed, NaN for bins with too little data."""

    means: Floats

    @staticmethod
    def of(samples: Samples) -> BySpeed:
        bins, values, seconds = _bins(samples), samples[:, 1], samples[:, 2]
        total = np.bincount(bins, seconds)
        enough = total >= LEAST
        return BySpeed(np.where(enough, np.bincount(bins, seconds * values) / np.where(enough, total, 1), np.nan))

    def percent(self, samples: Samples) -> float | None:
        """The mean of samples, % of the mean here at their speeds; None if the data have too little of all of them."""
        usual = np.append(self.means, np.nan)[np.minimum(_bins(samples), len(self.means))]
        known = np.isfinite(usual)
        seconds = samples[known, 2]
        expected = float(np.sum(seconds * usual[known]))
        return 100.0 * float(np.sum(seconds * samples[known, 1])) / expected if expected > 0 else None


def _bins(samples: Samples) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    return (samples[:, 0] / WIDTH).astype(np.int64)


def strides(rollout: Rollout) -> Floats:
    """Strides `[N, 4]`: speed of the body, m/s; seconds; length, m; apex of the foot above its stance height, m.

    A stride is from the end of a step of a foot to the end of its next one; see `kinema.metrics.steps.steps`. Lengths
    and speeds are those of an adult: divided by the size of the body.
    """
    ground = [0, 2]
    feet, heights = rollout.foot_positions()[..., ground], rollout.foot_heights()
    hips = rollout.positions[:, rollout.motion.skeleton.roles.hips, ground]
    found = []
    made = steps(rollout)
    for (_, before, last), (begin, end, foot) in pairwise(made):
        if foot != last or begin - before > PAUSE * rollout.fps:
            continue
        seconds = (end - before) / rollout.fps
        speed = np.linalg.norm(hips[end] - hips[before]) / seconds
        length = np.linalg.norm(feet[end, foot] - feet[before, foot])
        found.append((speed, seconds, length, heights[begin : end + 1, foot].max()))
    return np.asarray(found, np.float64).reshape(-1, 4) / [rollout.scale, 1.0, rollout.scale, rollout.scale]


def _of_strides(quantity: Callable[[Floats], Floats]) -> Callable[[Rollout], Samples]:
    def samples(rollout: Rollout) -> Samples:
        rows = strides(rollout)
        return np.stack([rows[:, 0], quantity(rows), rows[:, 1]], axis=1)

    return samples


def _of_frames(quantity: Callable[[Rollout], Reals | Bools]) -> Callable[[Rollout], Samples]:
    def samples(rollout: Rollout) -> Samples:
        values = np.asarray(quantity(rollout), np.float64)
        speeds = np.linalg.norm(smoothed_velocity(rollout), axis=1)[: len(values)] / rollout.scale
        return np.stack([speeds, values, np.full(len(values), 1.0 / rollout.fps)], axis=1)

    return samples


QUANTITIES: Mapping[str, Callable[[Rollout], Samples]] = {
    "cadence_percent": _of_strides(lambda rows: 1.0 / rows[:, 1]),
    "stride_percent": _of_strides(lambda rows: rows[:, 2]),
    "clearance_percent": _of_strides(lambda rows: rows[:, 3]),
    "support_percent": _of_frames(lambda rollout: np.any(ground_phases(rollout), axis=1)),
    "jerk_percent": _of_frames(lambda rollout: jerks(rollout).mean(axis=1)),
}
"""Keys of a row: strides a second, their length and apex, time with a foot on the ground, jerk of all joints."""


@dataclass(frozen=True, eq=False)
class UsualGait:
    """What the ground truth does at each speed."""

    usual: Mapping[str, BySpeed]

    @staticmethod
    def of(rollouts: Rollouts) -> UsualGait:
        """Measured on the ground truth."""
        return UsualGait({name: BySpeed.of(_pooled(sample, rollouts)) for name, sample in QUANTITIES.items()})

    def percent(self, rollouts: Rollouts) -> dict[str, float | None]:
        """Each of `QUANTITIES`, % of the ground truth's at the same speeds."""
        return {name: self.usual[name].percent(_pooled(sample, rollouts)) for name, sample in QUANTITIES.items()}


def _pooled(sample: Callable[[Rollout], Samples], rollouts: Rollouts) -> Samples:
    return np.concatenate([np.zeros((0, 3)), *(sample(rollout) for rollout in each(rollouts))])
