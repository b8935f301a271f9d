from __future__ import annotations

import numpy as np
import pytest

from kinema.metrics import joints
from kinema.metrics.calibration import Calibration


@pytest.fixture(scope="module")
def bending(posed):
    """The ground truth that calibrates knees: both bend from 0 to 60 degrees."""
    return posed(LeftLeg=((1, 0, 0), np.linspace(0, 60, 90)), RightLeg=((1, 0, 0), np.linspace(60, 0, 90)))


@pytest.mark.parametrize("fps", [30.0, 60.0, 120.0, 24.0, 50.0])
def test_an_even_turn_is_the_same_at_every_rate(fps, posed):
    """90 degrees a second are 3 degrees in 1/30 s."""
    run = posed(fps, LeftArm=((0, 0, 1), 90 * np.arange(round(2 * fps)) / fps))
    found = joints.joint_turn(run)
    assert found["max"] == pytest.approx(3.0, rel=1e-3) and found["p999"] == pytest.approx(3.0, rel=1e-3)
    assert found["joint"] == "LeftArm"


@pytest.mark.parametrize("fps", [30.0, 60.0, 120.0])
def test_a_flip_of_one_frame_shows_at_every_rate(fps, posed):
    angles = np.zeros(round(2 * fps))
    angles[20] = 170.0
    found = joints.joint_turn(posed(fps, RightUpLeg=((0, 1, 0), angles)))
    assert found["max"] == pytest.approx(170.0, rel=1e-3) and found["joint"] == "RightUpLeg"


def test_turns_are_relative_to_the_parent(posed):
    """A body that spins about a steady arm turns one joint only, its root."""
    run = posed(Hips=((0, 1, 0), 10.0 * np.arange(60)))
    turns = joints.joint_turns(run.motion)
    hips = run.motion.skeleton.index("Hips")
    assert turns.shape == (59, run.motion.skeleton.joint_count)
    assert turns[:, hips] == pytest.approx(10.0, rel=1e-3)
    assert np.delete(turns, hips, axis=1).max() < 0.01


def test_either_sign_of_a_quaternion_is_the_same_turn(posed):
    run = posed(LeftArm=((0, 0, 1), np.arange(60.0)))
    run.motion.local_rotations[::2] *= -1
    assert joints.joint_turn(run)["max"] == pytest.approx(1.0, rel=1e-3)


def test_the_last_frame_counts(posed):
    angles = np.zeros(60)
    angles[-1] = 45.0
    assert joints.joint_turn(posed(LeftArm=((0, 0, 1), angles)))["max"] == pytest.approx(45.0, rel=1e-3)


def test_the_percentile_is_of_frames_each_with_its_largest_turn(posed):
    """One flip in 2,000 frames moves the maximum, but not the 99.9th percentile."""
    arm = np.arange(2000.0)  # 1 degree a frame
    leg = np.zeros(2000)
    leg[1000] = 90.0  # there and back: two steps of 1,999
    found = joints.joint_turn(posed(LeftArm=((0, 0, 1), arm), RightUpLeg=((1, 0, 0), leg)))
    assert found["max"] == pytest.approx(90.0, rel=1e-3)
    assert found["p999"] == pytest.approx(1.0, rel=0.5)
    leg[:20:2] = 90.0
    assert joints.joint_turn(posed(LeftArm=((0, 0, 1), arm), RightUpLeg=((1, 0, 0), leg)))["p999"] > 45


def test_several_runs_have_one_largest_turn(posed, make_rollout):
    runs = [posed(LeftArm=((0, 0, 1), k * np.arange(60.0))) for k in (1, 5, 3)]
    assert joints.joint_turn(runs)["max"] == pytest.approx(5.0, rel=1e-3)
    assert joints.joint_turn(make_rollout(1)) == {"max": None, "p999": None, "joint": None}


def test_knees_bend_to_both_sides_of_straight(posed, bending):
    body = Calibration.of(bending)
    for degrees in (-30.0, -2.0, 0.0, 45.0):
        flexed = posed(LeftLeg=((1, 0, 0), np.full(60, degrees)))
        straight = posed(LeftLeg=((1, 0, 0), np.zeros(60)))
        added = np.degrees(body.flexions(flexed) - body.flexions(straight))
        assert added[:, 0] == pytest.approx(degrees, abs=0.05) and added[:, 1] == pytest.approx(0.0, abs=0.05)


def test_knees_do_not_depend_on_where_the_leg_points(posed, bending):
    body = Calibration.of(bending)
    plain = posed(RightLeg=((1, 0, 0), np.full(60, 20.0)))
    turned = posed(
        Hips=((0, 1, 0), np.linspace(0, 300, 60)),
        RightUpLeg=((1, 0, 0), np.linspace(0, -80, 60)),
        RightLeg=((1, 0, 0), np.full(60, 20.0)),
    )
    np.testing.assert_allclose(body.flexions(turned), body.flexions(plain), atol=1e-3)


def test_a_thigh_that_is_twisted_by_half_a_turn_bends_the_knee_backwards(posed, bending):
    """The leg stands where it did, and positions do not show that its front is at the back."""
    twist = np.zeros(60)
    twist[30:33] = 180.0
    run = posed(LeftUpLeg=((0, 1, 0), twist), LeftLeg=((1, 0, 0), np.where(twist > 0, -30.0, 30.0)))
    assert joints.knee_hyperextension(run, Calibration.of(bending)) == pytest.approx(100 * 3 / 60)
    assert joints.joint_turn(run)["max"] == pytest.approx(180.0, rel=1e-3)


def test_hyperextension_counts_frames_with_either_knee_beyond_5_degrees(posed, bending):
    body = Calibration.of(bending)
    straight = np.degrees(body.flexions(posed(LeftLeg=((1, 0, 0), np.zeros(60))))[0, 0])
    left, right = np.full(60, 10.0), np.full(60, 10.0)
    left[:6] = -5.2 - straight
    right[3:9] = -5.2 - straight
    right[20:40] = -4.8 - straight
    run = posed(LeftLeg=((1, 0, 0), left), RightLeg=((1, 0, 0), right))
    assert joints.knee_hyperextension(run, body) == pytest.approx(100 * 9 / 60)


def test_without_knees_there_is_no_figure(make_rollout):
    assert joints.knee_hyperextension(make_rollout(), Calibration.of(make_rollout())) is None


def test_a_small_turn_has_a_joint_too(posed):
    found = joints.joint_turn(posed(LeftArm=((0, 0, 1), 0.2 * np.arange(60.0))))
    assert found["joint"] == "LeftArm" and found["max"] == pytest.approx(0.2, rel=1e-2)
