from __future__ import annotations

import numpy as np
import pytest

from kinema.metrics import smoothness


@pytest.mark.parametrize("fps", [30.0, 60.0])
def test_a_cubic_has_its_third_derivative(fps, make_rollout):
    t = (np.arange(60) - 30) / fps
    positions = np.zeros((60, 3, 3))
    positions[..., 0] = (t**3)[:, None]  # 6 m/s^3
    found = smoothness.jerk(make_rollout(fps=fps, positions=positions))
    assert found["mean"] == pytest.approx(6.0, rel=1e-3)
    assert found["p95"] == pytest.approx(6.0, rel=1e-3)
    assert found["fps"] == fps


def test_smooth_motion_has_none(make_rollout):
    positions = np.broadcast_to((np.arange(60) ** 2 / 1024)[:, None, None], (60, 3, 3))  # exact in binary
    assert smoothness.jerk(make_rollout(positions=positions))["mean"] == pytest.approx(0.0, abs=1e-9)


def test_stutter_shows_in_jerk(walk, at):
    """Holding every second frame, which no distribution metric sees."""
    run = walk()
    held = run.positions[np.arange(run.frames) // 2 * 2]
    stuttering = at(run, held)
    assert smoothness.jerk(stuttering)["mean"] > 5 * smoothness.jerk(run)["mean"]


def test_transitions_per_second(make_rollout):
    jumps = np.zeros(60, bool)
    jumps[[5, 20, 40]] = True
    assert smoothness.transitions_per_second(make_rollout(transitions=jumps)) == pytest.approx(1.5)
    silent = make_rollout()  # says nothing of jumps, so its time does not count
    assert smoothness.transitions_per_second([make_rollout(transitions=jumps), silent]) == pytest.approx(1.5)
    assert smoothness.transitions_per_second(make_rollout()) is None


def test_too_short_for_a_third_difference(make_rollout):
    assert smoothness.jerk(make_rollout(3)) == {"mean": None, "p95": None, "fps": None}


def test_switches_are_to_another_take_or_style_or_to_the_mirror_image(make_rollout):
    """Two seconds: take 3, take 7, its mirror image, take 3 mirrored, and take 3 as recorded; 7 alone has a style."""
    takes = np.repeat([3, 7, 7, 3, 3], 12)
    mirrored = np.repeat([False, False, True, True, False], 12)
    played = make_rollout(takes=takes, styles=np.where(takes == 7, 1, 0), mirrored=mirrored)
    assert smoothness.switches(played) == {"takes": 60.0, "styles": 60.0, "mirror": 60.0}
    alike = make_rollout(takes=takes, styles=np.zeros(60, int), mirrored=mirrored)
    assert smoothness.switches(alike) == {"takes": 60.0, "styles": 0.0, "mirror": 60.0}


def test_a_switch_to_a_mirrored_other_take_is_both(make_rollout):
    takes, mirrored = np.repeat([0, 1, 0], 20), np.repeat([False, True, True], 20)
    played = make_rollout(takes=takes, styles=np.repeat([0, 1, 2], 20), mirrored=mirrored)
    assert smoothness.switches(played) == {"takes": 60.0, "styles": 60.0, "mirror": 30.0}


def test_without_takes_there_are_no_switches(make_rollout):
    assert smoothness.switches(make_rollout()) == {"takes": None, "styles": None, "mirror": None}
    zeros = np.zeros(60, int)
    still = make_rollout(takes=zeros, styles=zeros, mirrored=np.zeros(60, bool))
    assert smoothness.switches([still, make_rollout()]) == {"takes": 0.0, "styles": 0.0, "mirror": 0.0}


def test_a_change_of_style_that_jumps_is_seen(make_rollout):
    """At 3 times the jerk in the half second after each change, and only there."""
    t, styles = np.arange(120) / 30, np.repeat([0, 1, 1, 0], 30)
    strength = np.where(((t >= 1) & (t < 1.5)) | ((t >= 3) & (t < 3.5)), 18.0, 6.0)  # m/s^3
    positions = np.zeros((120, 3, 3))
    positions[3:, :, 0] = np.cumsum(np.cumsum(np.cumsum(strength)))[:-3, None] / 30**3
    shaken = make_rollout(120, positions=positions, commanded_styles=styles)
    assert smoothness.change_jerk(shaken) == pytest.approx(200.0, abs=1.0)
    calm = np.zeros((120, 3, 3))
    calm[..., 0] = (t**3)[:, None]
    assert smoothness.change_jerk(make_rollout(120, positions=calm, commanded_styles=styles)) == pytest.approx(0, abs=1)
    assert smoothness.change_jerk([make_rollout(), make_rollout(commanded_styles=np.zeros(60, int))]) is None
