"""Obedience: how well the character follows its simulated object, and how soon it follows a new command."""

from __future__ import annotations

import numpy as np

from kinema import rotations
from kinema.arrays import Floats, Reals
from kinema.metrics.rollout import Rollout, Rollouts, each, pooled

HALF_WIDTH = 0.2
"""s; hip velocity is averaged over twice this: hips sway with every step, commands do not."""
TOLERANCE = 0.25
"""m/s; a command is reached within this, or within a fifth of its speed if that is more."""


def _planar(values: Reals) -> Floats:
    return np.asarray(values, np.float64)[:, [0, -1]]


def tracking(rollouts: Rollouts) -> dict[str, float | None]:
    """Distance of the root from its target: "cm" and "deg" (means), "p95_cm" and "p95_deg".

    Angles are wrapped, made absolute and then averaged. A full turn is no error, and errors to the left and to the
    right do not cancel.
    """
    followed = [r for r in each(rollouts) if r.target_positions is not None]
    distance = pooled(
        np.linalg.norm(_planar(r.root_positions) - _planar(r.target_positions), axis=1)  # type: ignore[arg-type]
        for r in followed
    )
    facing = [r for r in each(rollouts) if r.target_rotations is not None]
    angle = pooled(
        np.abs(rotations.wrap(rotations.yaw(r.root_rotations) - rotations.yaw(r.target_rotations))) for r in facing
    )
    return {
        "cm": 100.0 * float(distance.mean()) if len(distance) else None,
        "p95_cm": 100.0 * float(np.percentile(distance, 95)) if len(distance) else None,
        "deg": float(np.degrees(angle.mean())) if len(angle) else None,
        "p95_deg": float(np.degrees(np.percentile(angle, 95))) if len(angle) else None,
    }


def peak(rollouts: Rollouts) -> dict[str, float | None]:
    """Largest distance of the root from its target after each change of the command: "median" and "p90", cm."""
    peaks = np.array([peak for rollout in each(rollouts) for peak in peak_distances(rollout)])
    if not len(peaks):
        return {"median": None, "p90": None}
    return {"median": 100.0 * float(np.median(peaks)), "p90": 100.0 * float(np.percentile(peaks, 90))}


def peak_distances(rollout: Rollout) -> list[float]:
    """Largest distance in metres between root and target, after each change of the command until the next."""
    if rollout.target_positions is None:
        return []
    distance = np.linalg.norm(_planar(rollout.root_positions) - _planar(rollout.target_positions), axis=1)
    return [float(distance[begin:end].max()) for begin, end in _changes(rollout)]


def path(rollouts: Rollouts) -> dict[str, float | None]:
    """Distance of the root from the path that it follows: "cm" (mean), "p95_cm" and "max_cm"; None without a path."""
    distance = pooled(r.path_distances for r in each(rollouts) if r.path_distances is not None)
    if not len(distance):
        return {"cm": None, "p95_cm": None, "max_cm": None}
    return {
        "cm": 100.0 * float(distance.mean()),
        "p95_cm": 100.0 * float(np.percentile(distance, 95)),
        "max_cm": 100.0 * float(distance.max()),
    }


def speed(rollouts: Rollouts) -> float | None:
    """Mean speed of the root along the commanded direction, % of the mean commanded speed; None without commands.

    Speeds are those on the level, frame to frame. Frames in which standing is commanded do not count.
    """
    made, wanted = 0.0, 0.0
    for rollout in each(rollouts):
        if rollout.commanded_velocities is not None:
            command = _planar(rollout.commanded_velocities)[1:]
            size = np.linalg.norm(command, axis=1)
            velocity = np.diff(_planar(rollout.root_positions), axis=0) * rollout.fps
            made += float(((velocity * command).sum(1) / np.maximum(size, 1e-9)).sum() / rollout.fps)
            wanted += float(size.sum() / rollout.fps)
    return 100.0 * made / wanted if wanted else None


def smoothed_velocity(rollout: Rollout, half_width: float = HALF_WIDTH) -> Floats:
    """Planar hip velocities `[F, 2]`, m/s: displacement over the window of +-half_width s, cut at the ends."""
    hips = _planar(rollout.positions[:, rollout.motion.skeleton.roles.hips])
    reach = max(1, round(half_width * rollout.fps))
    index = np.arange(rollout.frames)
    a, b = np.maximum(index - reach, 0), np.minimum(index + reach, rollout.frames - 1)
    return (hips[b] - hips[a]) / np.maximum(b - a, 1)[:, None] * rollout.fps


def response_times(rollout: Rollout) -> list[float]:
    """Seconds from each change of the command until the smoothed hip velocity is near it; infinity if it never is.

    Near is within max(0.25 m/s, 20 % of the commanded speed), so a command to stop is met below 0.25 m/s. Smaller
    changes of the command are not counted.
    """
    if rollout.commanded_velocities is None:
        return []
    command = _planar(rollout.commanded_velocities)
    reached = np.linalg.norm(smoothed_velocity(rollout) - command, axis=1) <= _near(command)
    times = []
    for begin, end in _changes(rollout):
        hits = np.flatnonzero(reached[begin:end])
        times.append(float(hits[0]) / rollout.fps if len(hits) else np.inf)
    return times


def _near(command: Floats) -> Floats:
    """Distances `[F]` in m/s from commanded velocities `[F, 2]` that count as near."""
    return np.maximum(TOLERANCE, 0.2 * np.linalg.norm(command, axis=1))


def _changes(rollout: Rollout) -> list[tuple[int, int]]:
    """The stretches of frames with one command, begin and end, that begin with a change that counts."""
    if rollout.commanded_velocities is None or rollout.frames < 2:
        return []
    command = _planar(rollout.commanded_velocities)
    change = np.linalg.norm(np.diff(command, axis=0), axis=1)
    edges = np.flatnonzero(change > 1e-6) + 1
    ends = np.append(edges, rollout.frames)[1:]
    counts = change[edges - 1] > _near(command)[edges]
    return list(zip(edges[counts].tolist(), ends[counts].tolist(), strict=True))


def response(rollouts: Rollouts) -> dict[str, float | None]:
    """Response to changes of the command: "median" and "p90" in s (None where never met), and "never_percent"."""
    times = np.array([time for rollout in each(rollouts) for time in response_times(rollout)])
    if not len(times):
        return {"median": None, "p90": None, "never_percent": None}
    # Changes that were never met count as the slowest, instead of being left out of the quantiles.
    median, late = (float(np.quantile(times, q, method="higher")) for q in (0.5, 0.9))
    return {
        "median": median if np.isfinite(median) else None,
        "p90": late if np.isfinite(late) else None,
        "never_percent": 100.0 * float(np.isinf(times).mean()),
    }
