"""What a character does that should stand."""

from __future__ import annotations

import numpy as np
import pytest

from kinema.metrics.standing import spans, standing

FPS = 30.0
FRAMES = 10 * 30


def commanded(speed_until: float, speed: float = 1.0) -> np.ndarray:
    velocities = np.zeros((FRAMES, 3), np.float32)
    velocities[: round(speed_until * FPS), 2] = speed
    return velocities


def test_standing_is_commanded_and_takes_two_seconds_to_settle(make_rollout):
    assert spans(make_rollout(FRAMES, commanded_velocities=commanded(3.0))) == [(150, 300)]
    assert spans(make_rollout(FRAMES, commanded_velocities=commanded(7.5))) == []
    assert spans(make_rollout(FRAMES, commanded_velocities=commanded(3.0, 0.04))) == [(60, 300)]
    assert spans(make_rollout(FRAMES)) == []


def test_feet_sway_and_jumps_of_those_who_stand(make_rollout):
    positions = make_rollout(FRAMES).positions.copy()
    positions[:100, 1, 1] += 0.5  # while it goes
    positions[200, 1, 1] += 0.03
    positions[150:, 0, 0] += np.tile([0.01, -0.01], 75)
    transitions = np.zeros(FRAMES, bool)
    transitions[[10, 149, 150, 299]] = True
    run = make_rollout(
        FRAMES, positions=positions, commanded_velocities=commanded(3.0), transitions=transitions, fps=FPS
    )
    result = standing(run)
    assert result["foot_cm"] == pytest.approx(3.0, abs=1e-3)
    assert result["sway_cm"] == pytest.approx(1.0, abs=1e-3)
    assert result["jumps_per_min"] == pytest.approx(24.0)  # two in five seconds


def test_figures_are_those_of_an_adult(make_rollout):
    positions = make_rollout(FRAMES, scale=2.0).positions.copy()
    positions[200, 1, 1] += 0.06
    run = make_rollout(FRAMES, positions=positions, commanded_velocities=commanded(3.0), scale=2.0)
    assert standing(run)["foot_cm"] == pytest.approx(3.0, abs=1e-3)


def test_who_never_stands_has_no_figures(make_rollout):
    nothing = {"foot_cm": None, "jumps_per_min": None, "sway_cm": None}
    assert standing(make_rollout(FRAMES, commanded_velocities=commanded(10.0))) == nothing
    quiet = standing(make_rollout(FRAMES, commanded_velocities=commanded(0.0)))
    assert quiet["foot_cm"] == pytest.approx(0.0, abs=1e-4) and quiet["jumps_per_min"] is None
