from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from kinema.metrics.calibration import Calibration


def test_hinges_point_to_the_left_where_thighs_hang_unturned(posed):
    body = Calibration.of(
        posed(LeftLeg=((1, 0, 0), np.linspace(0, 60, 90)), RightLeg=((1, 0, 0), np.linspace(0, 60, 90)))
    )
    np.testing.assert_allclose(body.hinges, [[1, 0, 0], [1, 0, 0]], atol=1e-3)


def test_hinges_are_those_of_the_bends_not_of_noise_about_straight(posed, rng):
    """A leg that is nearly straight bends anywhere; what bends far tells."""
    angles = np.concatenate([np.full(200, -1.5), np.full(20, 70.0)])
    body = Calibration.of(posed(LeftLeg=((1, 0, 0), angles), RightLeg=((1, 0, 0), angles)))
    assert body.hinges[:, 0].min() > 0.99


def test_ankles_stand_at_their_lowest_while_the_toes_are_down(posed):
    """The ankle of a foot in the air tells nothing, nor does a raised heel."""
    lift = np.zeros(100)
    lift[50:] = -0.3  # as if below the ground, without contact
    contacts = np.zeros((100, 2))
    contacts[:50] = 1
    run = posed(Hips=((1, 0, 0), np.zeros(100)), lift=lift, contacts=contacts)
    rest = run.motion.skeleton.rest_pose.global_positions[run.motion.skeleton.index("LeftFoot"), 1]
    body = Calibration.of(run)
    assert body.ankles == tuple(run.motion.skeleton.indices(["LeftFoot", "RightFoot"]).tolist())
    assert body.ankle_heights == pytest.approx([rest, rest], abs=1e-5)
    contacts[50:, 1] = 1
    heights = Calibration.of(posed(Hips=((1, 0, 0), np.zeros(100)), lift=lift, contacts=contacts)).ankle_heights
    assert heights == pytest.approx([rest, rest - 0.3], abs=1e-5)


def test_feet_that_touch_the_ground_themselves_have_no_ankles(posed):
    run = posed(Hips=((1, 0, 0), np.zeros(60)))
    feet = tuple(run.motion.skeleton.indices(["LeftFoot", "RightFoot"]).tolist())
    assert Calibration.of(replace(run, feet=feet)).ankles == ()


def test_a_body_without_legs_has_neither(make_rollout):
    body = Calibration.of(make_rollout())
    assert body.ankles == () and body.knees.shape == (0, 3) and body.hinges.shape == (0, 3)
