"""All metrics of a run in one row, and the same row of the ground truth."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from kinema.errors import KinemaError
from kinema.metrics import distribution, feet, obedience, smoothness
from kinema.metrics.rollout import Reference, Rollouts, each

Row = dict[str, str | float | None]

COLUMNS = (
    "name",
    "skate_contact_cm_s",
    "skate_locked_cm_s",
    "skate_weighted_cm_s",
    "penetration_percent",
    "tracking_cm",
    "tracking_deg",
    "response_s",
    "jerk_m_s3",
    "frechet",
    "coverage",
    "diversity",
    "ms_per_frame",
)
"""Stable keys, in the order of a table. A row has more; what does not apply is None."""


@lru_cache(maxsize=1)
def _space(reference: Reference) -> tuple[distribution.PoseSpace, np.ndarray, np.ndarray, float]:
    space = distribution.PoseSpace.fit(reference.clips)
    halves = space.project(reference.halves[0]), space.project(reference.halves[1])
    return space, *halves, distribution.coverage_radius(*halves)


def evaluate(rollouts: Rollouts, reference: Reference, name: str = "") -> Row:
    """Metrics of a run beside the ground truth `reference`; several rollouts are pooled.

    Raises:
        KinemaError: nothing to measure, or rates differ (jerk and velocities would not compare).
    """
    runs = each(rollouts)
    if not runs or min(r.frames for r in runs) < 4:
        raise KinemaError("a rollout needs at least 4 frames to be measured")
    rates = sorted({r.fps for r in runs} | {reference.fps})
    if len(rates) != 1:
        listed = ", ".join(f"{rate:g}" for rate in rates)
        raise KinemaError(f"rates differ ({listed} frames per second): build the reference at the rate of the run")
    space, first, second, radius = _space(reference)
    generated = space.project(runs)
    truth = np.concatenate([first, second])
    row = _motion_row(runs, name)
    row["frechet"] = distribution.frechet(generated, truth)
    row["coverage"] = distribution.coverage(truth, generated, radius)
    row["diversity"] = distribution.diversity(generated)
    times = [r.ms_per_frame for r in runs if r.ms_per_frame is not None]
    row["ms_per_frame"] = float(np.mean(times)) if times else None
    return row


def ground_truth_row(reference: Reference) -> Row:
    """The same metrics of the ground truth: the floor that no figure should be read without.

    Fréchet distance and coverage are those of one half against the other, split by take.
    """
    _, first, second, radius = _space(reference)
    row = _motion_row(reference.clips, "ground truth")
    row["frechet"] = distribution.frechet(first, second)
    row["coverage"] = distribution.coverage(first, second, radius)
    row["diversity"] = distribution.diversity(np.concatenate([first, second]))
    row["ms_per_frame"] = None
    return row


def _motion_row(rollouts: Rollouts, name: str) -> Row:
    sunk, near = feet.penetration(rollouts), obedience.tracking(rollouts)
    met, shaken = obedience.response(rollouts), smoothness.jerk(rollouts)
    return {
        "name": name,
        "skate_contact_cm_s": feet.skate_contact(rollouts),
        "skate_locked_cm_s": feet.skate_locked(rollouts),
        "skate_weighted_cm_s": feet.skate_weighted(rollouts),
        "penetration_percent": sunk["percent"],
        "tracking_cm": near["cm"],
        "tracking_deg": near["deg"],
        "response_s": met["median"],
        "jerk_m_s3": shaken["mean"],
        "frechet": None,
        "coverage": None,
        "diversity": None,
        "ms_per_frame": None,
        "skate_height_cm_s": feet.skate_height(rollouts),
        "skate_ratio_percent": feet.skate_ratio(rollouts),
        "penetration_mean_cm": sunk["mean"],
        "penetration_max_cm": sunk["max"],
        "tracking_p95_cm": near["p95_cm"],
        "tracking_p95_deg": near["p95_deg"],
        "response_p90_s": met["p90"],
        "response_never_percent": met["never_percent"],
        "jerk_p95_m_s3": shaken["p95"],
        "jerk_fps": shaken["fps"],
        "transitions_per_s": smoothness.transitions_per_second(rollouts),
        "seconds": float(sum(r.frames / r.fps for r in each(rollouts))),
    }
