from __future__ import annotations

import numpy as np
import pytest

from kinema.metrics import smoothness


@pytest.mark.parametrize("fps", [30.0, 60.0])
def test_a_cubic_has_its_third_derivative(fps, make_rollout):
    t = np.arange(60) / fps
    positions = np.zeros((60, 3, 3))
    positions[..., 0] = (t**3)[:, None]  # 6 m/s^3
    found = smoothness.jerk(make_rollout(fps=fps, positions=positions))
    assert found["mean"] == pytest.approx(6.0, rel=1e-3)
    assert found["p95"] == pytest.approx(6.0, rel=1e-3)
    assert found["fps"] == fps


def test_smooth_motion_has_none(make_rollout):
    positions = make_rollout().positions + (np.arange(60) ** 2 / 900)[:, None, None]
    assert smoothness.jerk(make_rollout(positions=positions))["mean"] == pytest.approx(0.0, abs=1e-9)


def test_stutter_shows_in_jerk(walk, make_rollout):
    """Holding every second frame, which no distribution metric sees."""
    run = walk()
    held = run.positions[np.arange(run.frames) // 2 * 2]
    stuttering = make_rollout(run.frames, positions=held, root_positions=run.root_positions)
    assert smoothness.jerk(stuttering)["mean"] > 5 * smoothness.jerk(run)["mean"]


def test_transitions_per_second(make_rollout):
    jumps = np.zeros(60, bool)
    jumps[[5, 20, 40]] = True
    assert smoothness.transitions_per_second(make_rollout(transitions=jumps)) == pytest.approx(1.5)
    assert smoothness.transitions_per_second(make_rollout()) is None


def test_too_short_for_a_third_difference(make_rollout):
    assert smoothness.jerk(make_rollout(3)) == {"mean": None, "p95": None, "fps": None}
