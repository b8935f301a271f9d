"""Steps beside those of the data at the same speeds."""

from __future__ import annotations

import numpy as np
import pytest

from kinema.metrics.gait import LEAST, BySpeed, UsualGait, strides

FPS = 60.0


def walking(make_rollout, speed=1.0, step=0.5, stride=0.6, apex=0.1, seconds=12.0, scale=1.0, bounce=0.0):
    """Feet that step by turns: each stands, then moves `stride` metres in half of `step` seconds, rising to `apex`.

    The hips go evenly at `speed`. A foot steps every 2 x `step` seconds.
    """
    t = np.arange(round(seconds * FPS)) / FPS
    positions = make_rollout(len(t)).positions.copy()
    positions[:, 0, 2] = speed * t
    positions[:, 0, 1] += bounce * np.sin(2 * np.pi * 2 * t)
    for foot in (1, 2):
        phase = t / (2 * step) + 0.5 * foot
        share = np.clip((phase % 1) * 4, 0, 1)  # the first quarter of the cycle
        ease = 0.5 - 0.5 * np.cos(np.pi * share)
        positions[:, foot, 2] = stride * (np.floor(phase) + ease)
        positions[:, foot, 1] += apex * np.sin(np.pi * share) ** 2
    positions[:, :, [1, 2]] *= scale
    return make_rollout(len(t), FPS, positions, scale=scale, clearance=0.04 * scale)


def test_strides_are_measured(make_rollout):
    rows = strides(walking(make_rollout, speed=0.6, step=0.5, stride=0.6, apex=0.1))
    assert len(rows) > 15
    np.testing.assert_allclose(rows.mean(axis=0), [0.6, 1.0, 0.6, 0.1], rtol=0.05)


def test_strides_are_those_of_an_adult(make_rollout):
    rows = strides(walking(make_rollout, speed=0.6, step=0.5, stride=0.6, apex=0.1, scale=2.0))
    np.testing.assert_allclose(rows.mean(axis=0), [0.6, 1.0, 0.6, 0.1], rtol=0.05)


def test_a_pause_is_no_stride(make_rollout):
    """One step every 2.4 s: the foot stands for 1.8 s of them; one every 3.6 s: it stands for 2.7 s."""
    assert len(strides(walking(make_rollout, step=1.2, seconds=24))) > 10
    assert len(strides(walking(make_rollout, step=1.8, seconds=24))) == 0


def test_there_are_no_strides_without_steps(make_rollout):
    assert strides(make_rollout()).shape == (0, 4)


def test_the_data_are_all_of_themselves(make_rollout):
    clips = [walking(make_rollout, 0.6), walking(make_rollout, 1.4, 0.35, 1.0)]
    for name, value in UsualGait.of(clips).percent(clips).items():
        assert value == pytest.approx(100.0), name


def test_runs_are_compared_with_the_data(make_rollout):
    """Steps of 0.4 s instead of 0.5, 0.3 m instead of 0.6, twice as high."""
    data = UsualGait.of(walking(make_rollout, 0.6, 0.5, 0.6, 0.06))
    run = data.percent(walking(make_rollout, 0.6, 0.4, 0.3, 0.12))
    assert run["cadence_percent"] == pytest.approx(125, rel=0.03)
    assert run["stride_percent"] == pytest.approx(50, rel=0.03)
    assert run["clearance_percent"] == pytest.approx(200, rel=0.03)


def test_shaking_is_seen_at_the_same_speed_only(make_rollout):
    calm, fast = walking(make_rollout, 0.6), walking(make_rollout, 1.6, 0.3, 1.0)
    data = UsualGait.of([calm, fast])
    shaken = data.percent(walking(make_rollout, 0.6, bounce=0.05))["jerk_percent"]
    assert shaken is not None and shaken > 110
    assert data.percent(fast)["jerk_percent"] == pytest.approx(100)


def test_time_without_a_foot_on_the_ground_is_missing_support(make_rollout, at):
    run = walking(make_rollout, 0.6)
    flying = run.positions.copy()
    flying[: len(flying) // 4, 1:, 1] += 0.1
    support = UsualGait.of(run).percent(at(run, flying))["support_percent"]
    assert support == pytest.approx(75, abs=1)


def test_speeds_that_the_data_lack_do_not_count(make_rollout):
    data = UsualGait.of(walking(make_rollout, 0.6))
    assert set(data.percent(walking(make_rollout, 2.6, 0.3, 1.5)).values()) == {None}


def test_a_bin_needs_some_seconds_of_data():
    def samples(seconds):
        return np.array([[0.3, 2.0, 0.5 * seconds], [0.4, 4.0, 0.5 * seconds]])

    assert BySpeed.of(samples(LEAST)).means.tolist()[1:] == [3.0]
    assert BySpeed.of(samples(0.9 * LEAST)).percent(samples(1.0)) is None
    heavy = np.array([[0.3, 2.0, 3 * LEAST], [0.4, 4.0, LEAST]])
    assert BySpeed.of(heavy).means[1] == 2.5
    assert BySpeed.of(heavy).percent(np.array([[0.3, 5.0, 1.0], [0.3, 0.0, 3.0]])) == pytest.approx(50.0)
