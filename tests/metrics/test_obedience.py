from __future__ import annotations

import numpy as np
import pytest

from kinema import rotations
from kinema.metrics import obedience


def turned(degrees) -> np.ndarray:
    return rotations.from_yaw(np.radians(np.broadcast_to(degrees, 60)).astype(np.float32))


def test_tracking_distance_is_planar(make_rollout):
    target = np.tile(np.float32([0.03, 5.0, 0.04]), (60, 1))
    found = obedience.tracking(make_rollout(target_positions=target))
    assert found["cm"] == pytest.approx(5.0, rel=1e-4)
    assert found["p95_cm"] == pytest.approx(5.0, rel=1e-4)
    assert found["deg"] is None


def test_errors_to_both_sides_do_not_cancel(make_rollout):
    sides = np.where(np.arange(60) % 2, 8.0, -8.0)
    found = obedience.tracking(make_rollout(root_rotations=turned(sides), target_rotations=turned(0.0)))
    assert found["deg"] == pytest.approx(8.0, rel=1e-4)


@pytest.mark.parametrize(("own", "target", "error"), [(179.0, -179.0, 2.0), (-170.0, 170.0, 20.0), (0.0, 180.0, 180.0)])
def test_angles_are_wrapped(own, target, error, make_rollout):
    found = obedience.tracking(make_rollout(root_rotations=turned(own), target_rotations=turned(target)))
    assert found["deg"] == pytest.approx(error, rel=1e-3)


def obeying(make_rollout, commands, delay, fps=60.0, hold=2.0, share=1.0):
    """The hips take on a share of each commanded velocity at once, but `delay` seconds late."""
    count = round(hold * fps)
    wanted = np.repeat(np.array([[0, 0, 0], *commands], np.float32), count, axis=0)
    lag = round(delay * fps)
    velocity = share * np.concatenate([np.zeros((lag, 3)), wanted[: len(wanted) - lag]])
    positions = np.zeros((len(wanted), 3, 3), np.float32)
    positions[:, 0] = np.cumsum(velocity, axis=0) / fps
    return make_rollout(len(wanted), fps, positions, commanded_velocities=wanted)


def test_response_is_the_delay(make_rollout):
    run = obeying(make_rollout, [(0, 0, 1.0), (2.0, 0, 0), (0, 0, 0)], delay=0.5)
    times = obedience.response_times(run)
    assert len(times) == 3
    # A symmetric window sees a step before it is complete: for 20 % or 0.25 m/s it leads by less than its half-width.
    assert all(0.5 - obedience.HALF_WIDTH <= time <= 0.5 + obedience.HALF_WIDTH for time in times)
    found = obedience.response(run)
    assert found["median"] == pytest.approx(0.5, abs=obedience.HALF_WIDTH)
    assert found["never_percent"] == 0.0


def test_stopping_is_a_command_too(make_rollout):
    run = obeying(make_rollout, [(0, 0, 1.0), (0, 0, 0.0)], delay=0.3)
    start, stop = obedience.response_times(run)
    assert stop == pytest.approx(start, abs=0.15)


def test_a_command_that_is_never_met(make_rollout):
    run = obeying(make_rollout, [(0, 0, 2.0), (0, 0, 0.0)], delay=0.1, share=0.5)
    times = obedience.response_times(run)
    assert times[0] == np.inf and np.isfinite(times[1])
    found = obedience.response(run)
    assert found["never_percent"] == 50.0
    assert found["median"] is None  # the slower of two: what is never met moves the quantiles


def test_steps_within_the_tolerance_do_not_count(make_rollout):
    assert obedience.response_times(obeying(make_rollout, [(0, 0, 0.2), (0, 0, 0.3)], delay=0.1)) == []


def test_commands_may_be_given_as_x_and_z(make_rollout):
    run = obeying(make_rollout, [(1.0, 0, 0.5)], delay=0.2)
    flat = make_rollout(run.frames, run.fps, run.positions, commanded_velocities=run.commanded_velocities[:, [0, 2]])
    assert obedience.response_times(flat) == obedience.response_times(run)


def test_peaks_are_those_between_two_changes_of_the_command(make_rollout):
    """A root that stays behind its target, further after some changes; small changes do not count."""
    wanted = np.repeat(np.float32([[0, 0, 0], [0, 0, 1], [0, 0, 1.1], [1, 0, 0], [0, 0, 0]]), 10, axis=0)
    behind = np.repeat(np.float32([9.0, 0.1, 0.2, 0.3, 0.05]), 10)
    behind[np.arange(10) * 5] *= 0.5
    target = np.zeros((50, 3), np.float32)
    target[:, 0], target[:, 1] = behind, 7.0
    run = make_rollout(50, commanded_velocities=wanted, target_positions=target)
    assert obedience.peak_distances(run) == pytest.approx([0.1, 0.3, 0.05])
    assert obedience.peak([run, run]) == pytest.approx({"median": 10.0, "p90": 30.0})
    assert obedience.peak(make_rollout(50, commanded_velocities=wanted)) == {"median": None, "p90": None}


def test_nothing_commanded_is_nothing_measured(make_rollout):
    assert obedience.response(make_rollout()) == {"median": None, "p90": None, "never_percent": None}
    assert obedience.tracking(make_rollout()) == {"cm": None, "p95_cm": None, "deg": None, "p95_deg": None}


def test_a_command_that_never_changes_has_no_response(make_rollout):
    run = obeying(make_rollout, [(1.0, 0, 0.5)], delay=0.0)
    steady = make_rollout(run.frames, run.fps, commanded_velocities=np.ones_like(run.commanded_velocities))
    assert obedience.response_times(steady) == []


def test_smoothing_takes_out_the_sway_of_steps(make_rollout):
    t = np.arange(240) / 60
    positions = np.zeros((240, 3, 3), np.float32)
    positions[:, 0, 2] = t + 0.05 * np.sin(2 * np.pi * 2.5 * t)  # +-0.8 m/s at 2.5 steps a second
    run = make_rollout(240, 60.0, positions)
    assert np.abs(obedience.smoothed_velocity(run)[30:-30, 1] - 1.0).max() < 0.01


@pytest.mark.parametrize("fps", [4.0, 60.0])
def test_a_steady_velocity_is_seen_in_every_frame(fps, make_rollout):
    positions = np.zeros((20, 3, 3), np.float32)
    positions[:, 0] = np.arange(20)[:, None] / fps * np.array([0.7, 0.0, 1.0])
    velocity = obedience.smoothed_velocity(make_rollout(20, fps, positions))
    np.testing.assert_allclose(velocity, np.tile([0.7, 1.0], (20, 1)), rtol=1e-4)


def test_the_distance_from_a_path_is_pooled(make_rollout):
    near = make_rollout(path_distances=np.full(60, 0.02, np.float32))
    far = make_rollout(frames=20, path_distances=np.linspace(0.1, 0.3, 20).astype(np.float32))
    found = obedience.path([near, far, make_rollout()])
    assert found["cm"] == pytest.approx(100 * (60 * 0.02 + 20 * 0.2) / 80, rel=1e-4)
    assert found["max_cm"] == pytest.approx(30, rel=1e-4) and 20 < found["p95_cm"] < 30
    assert obedience.path(make_rollout()) == {"cm": None, "p95_cm": None, "max_cm": None}


def going(make_rollout, velocity, command, frames=60):
    places = np.arange(frames)[:, None] / 30 * np.float32(velocity)
    commanded = np.tile(np.float32(command), (frames, 1))
    return make_rollout(frames=frames, root_positions=places.astype(np.float32), commanded_velocities=commanded)


@pytest.mark.parametrize(
    ("velocity", "share"),
    [([0, 0, 1.2], 100), ([0, 0.7, 0.9], 75), ([0.9, 0, 0.6], 50), ([0, 0, -1.2], -100), ([0, 0, 1.5], 125)],
)
def test_speed_is_that_along_the_command(make_rollout, velocity, share):
    assert obedience.speed(going(make_rollout, velocity, [0, 0, 1.2])) == pytest.approx(share, rel=1e-3)


def test_speed_without_commands(make_rollout):
    assert obedience.speed(make_rollout()) is None
    assert obedience.speed(going(make_rollout, [0, 0, 1], [0, 0, 0])) is None
    both = [going(make_rollout, [0, 0, 1.0], [0, 0, 1]), going(make_rollout, [0, 0, 0.3], [0, 0, 0])]
    assert obedience.speed(both) == pytest.approx(100, rel=1e-3), "who is to stand does not count"
