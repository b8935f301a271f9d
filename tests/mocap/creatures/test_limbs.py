import numpy as np

from kinema import rotations
from kinema.mocap.creatures import Act


def test_tails_follow_joint_after_joint(tools):
    motion = tools.clip("cat", (Act("walk", 4.0),), 0, None, 60.0)
    tail = tools.creature("cat").anatomy.tails[0]
    first, last = (rotations.yaw(motion[60:].local_rotations[:, tail[at]].astype(float)) for at in (1, -1))
    first, last = first - first.mean(), last - last.mean()
    match = [np.dot(first[20:-20], np.roll(last, -lag)[20:-20]) for lag in range(-12, 13)]
    assert np.argmax(match) > 12


def test_tails_stay_above_the_ground(tools):
    tails = tools.creature("cat").anatomy.tails[0]
    for act in ("eat", "attack", "run"):
        assert tools.clip("cat", (Act(act, 2.5),))[:].global_positions[:, list(tails), 1].min() > 0


def test_arms_hang_and_swing_against_the_legs(tools):
    motion = tools.clip("person", (Act("walk", 4.0),))
    anatomy = tools.creature("person").anatomy
    positions = motion[:].global_positions.astype(float)
    hand, shoulder = (positions[:, anatomy.arms[0].joints[at]] for at in (-1, 1))
    assert (hand[:, 1] < shoulder[:, 1] - 0.2).all()
    swing = hand[:, 2] - shoulder[:, 2]
    foot = positions[:, anatomy.legs[0].joints[-1], 2] - positions[:, anatomy.root, 2]
    assert np.corrcoef(swing, foot)[0, 1] < -0.5


def test_wings_mirror_each_other(tools):
    motion = tools.clip("eagle", (Act("fly", 2.0),))
    left, right = (limb.joints[-1] for limb in tools.creature("eagle").anatomy.wings)
    heights = motion[:].global_positions[:, [left, right], 1]
    assert np.abs(heights[:, 0] - heights[:, 1]).max() < 0.35 * np.ptp(heights)


def test_ears_move_on_their_own(tools):
    motion = tools.clip("dog", (Act("walk", 2.0),))
    ear = tools.creature("dog").anatomy.soft[0].joints[0]
    assert 0.02 < tools.spin(motion)[:, ear].mean() < 3
