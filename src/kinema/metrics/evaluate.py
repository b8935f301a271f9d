"""All metrics of a run in one row, and the same row of the ground truth."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from kinema.arrays import Floats
from kinema.errors import KinemaError
from kinema.metrics import distribution, feet, goals, joints, obedience, smoothness, soles, standing, steps
from kinema.metrics.calibration import Calibration
from kinema.metrics.gait import UsualGait
from kinema.metrics.rollout import Reference, Rollouts, each, mean_or_none

MetricsRow = dict[str, str | float | None]

COST = ("megabytes", "parameters_m", "training_cpu_min")
"""Keys of what a controller takes."""

COLUMNS = (
    "name",
    "skate_contact_cm_s",
    "skate_locked_cm_s",
    "skate_weighted_cm_s",
    "skate_near_cm_s",
    "glides_per_min",
    "low_steps_percent",
    "floating_percent",
    "penetration_percent",
    "sole_inside_percent",
    "tracking_cm",
    "tracking_deg",
    "response_s",
    "jerk_m_s3",
    "joint_turn_max_deg",
    "joint_turn_p999_deg",
    "knee_hyper_percent",
    "switches_per_min",
    "style_switches_per_min",
    "mirror_switches_per_min",
    "cadence_percent",
    "stride_percent",
    "clearance_percent",
    "support_percent",
    "jerk_percent",
    "standing_foot_cm",
    "standing_jumps_per_min",
    "standing_sway_cm",
    "frechet",
    "coverage",
    "diversity",
    "ms_per_frame",
    *COST,
)
"""Stable keys, in the order of a table. A row has more; what does not apply is None."""

OVER_GROUND = ("sole_near_percent", "speed_percent")
"""Keys of a table of drives over uneven ground, after `COLUMNS`."""

IN_STYLES = ("change_jerk_percent",)
"""Keys of a table of drives in changing styles, after `COLUMNS`."""

ALONG_PATHS = ("path_cm", "path_p95_cm", "path_max_cm")
"""Keys of a table of drives along paths, after `COLUMNS`."""

AT_GOALS = ("goal_cm", "goal_deg", "goal_s", "goal_missed_percent")
"""Keys of a table of drives to goals, after `COLUMNS`."""


@dataclass(frozen=True, eq=False)
class _Truth:
    """What is computed of the ground truth once, for all runs beside it."""

    calibration: Calibration
    gait: UsualGait
    space: distribution.PoseSpace
    halves: tuple[Floats, Floats]
    radius: float


@lru_cache(maxsize=1)
def _truth(reference: Reference) -> _Truth:
    space = distribution.PoseSpace.fit(reference.clips)
    halves = space.project(reference.halves[0]), space.project(reference.halves[1])
    radius = distribution.coverage_radius(*halves)
    return _Truth(Calibration.of(reference.clips), UsualGait.of(reference.clips), space, halves, radius)


def evaluate(
    rollouts: Rollouts, reference: Reference, name: str = "", cost: Mapping[str, float | None] | None = None
) -> MetricsRow:
    """Metrics of a run beside the ground truth `reference`; several rollouts are pooled.

    Args:
        cost: what the controller takes, by the keys of `COST`.

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
    truth = _truth(reference)
    generated, real = truth.space.project(runs), np.concatenate(truth.halves)
    return _row(
        name,
        motion_metrics(runs, truth.calibration),
        **truth.gait.percent(runs),
        frechet=distribution.frechet(generated, real),
        coverage=distribution.coverage(real, generated, truth.radius),
        diversity=distribution.diversity(generated),
        ms_per_frame=mean_or_none(np.asarray([r.ms_per_frame for r in runs if r.ms_per_frame is not None])),
        **{key: (cost or {}).get(key) for key in COST},
    )


def ground_truth_row(reference: Reference) -> MetricsRow:
    """The same metrics of the ground truth: the floor that no figure should be read without.

    Fréchet distance, coverage and the shares at the same speeds are those of one half against the other, split by take.
    """
    truth = _truth(reference)
    return _row(
        "ground truth",
        motion_metrics(reference.clips, truth.calibration),
        **UsualGait.of(reference.halves[0]).percent(reference.halves[1]),
        frechet=distribution.frechet(*truth.halves),
        coverage=distribution.coverage(*truth.halves, truth.radius),
        diversity=distribution.diversity(np.concatenate(truth.halves)),
        ms_per_frame=None,
        **dict.fromkeys(COST),
    )


def _row(name: str, motion: MetricsRow, **beside: float | None) -> MetricsRow:
    """A row with the stable keys first, in their order."""
    values: MetricsRow = {"name": name, **motion, **beside}
    return {key: values[key] for key in (*COLUMNS, *(key for key in values if key not in COLUMNS))}


def motion_metrics(rollouts: Rollouts, calibration: Calibration) -> MetricsRow:
    """All metrics of motions by themselves, by key; see docs/metrics.md."""
    depth, tracking = feet.penetration(rollouts, calibration), obedience.tracking(rollouts)
    response, jerk = obedience.response(rollouts), smoothness.jerk(rollouts)
    path, peak = obedience.path(rollouts), obedience.peak(rollouts)
    turns, switches = joints.joint_turn(rollouts), smoothness.switches(rollouts)
    stood = standing.standing(rollouts)
    return {
        "skate_contact_cm_s": feet.skate_contact(rollouts),
        "skate_locked_cm_s": feet.skate_locked(rollouts),
        "skate_weighted_cm_s": feet.skate_weighted(rollouts),
        "skate_near_cm_s": feet.skate_near(rollouts),
        "skate_ratio_percent": feet.skate_ratio(rollouts),
        "glides_per_min": steps.glides_per_minute(rollouts),
        "low_steps_percent": steps.low_steps(rollouts),
        "floating_percent": steps.floating(rollouts),
        "penetration_percent": depth["percent"],
        "penetration_mean_cm": depth["mean"],
        "penetration_max_cm": depth["max"],
        "tracking_cm": tracking["cm"],
        "tracking_deg": tracking["deg"],
        "tracking_p95_cm": tracking["p95_cm"],
        "tracking_p95_deg": tracking["p95_deg"],
        "tracking_peak_cm": peak["median"],
        "tracking_peak_p90_cm": peak["p90"],
        "response_s": response["median"],
        "response_p90_s": response["p90"],
        "response_never_percent": response["never_percent"],
        "jerk_m_s3": jerk["mean"],
        "jerk_p95_m_s3": jerk["p95"],
        "jerk_fps": jerk["fps"],
        "joint_turn_max_deg": turns["max"],
        "joint_turn_p999_deg": turns["p999"],
        "joint_turn_joint": turns["joint"],
        "knee_hyper_percent": joints.knee_hyperextension(rollouts, calibration),
        "change_jerk_percent": smoothness.change_jerk(rollouts),
        "transitions_per_s": smoothness.transitions_per_second(rollouts),
        "switches_per_min": switches["takes"],
        "style_switches_per_min": switches["styles"],
        "mirror_switches_per_min": switches["mirror"],
        **{f"standing_{name}": value for name, value in stood.items()},
        "seconds": float(sum(r.frames / r.fps for r in each(rollouts))),
        "sole_near_percent": soles.near(rollouts),
        "sole_inside_percent": soles.inside(rollouts, calibration.soles),
        "speed_percent": obedience.speed(rollouts),
        "path_cm": path["cm"],
        "path_p95_cm": path["p95_cm"],
        "path_max_cm": path["max_cm"],
        **{f"goal_{name}": value for name, value in goals.reached(rollouts).items()},
    }
