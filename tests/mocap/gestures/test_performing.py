from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import kinema
from kinema.errors import SkeletonError
from kinema.mocap.creatures import make_creature
from kinema.mocap.gestures.performing import gestured
from kinema.mocap.gestures.posture import KeyPosture, curves
from kinema.mocap.gestures.repertoire import GESTURES
from kinema.pose import Pose


@pytest.fixture(scope="module")
def standing() -> Pose:
    motion = kinema.perform(script=[kinema.Segment("idle", 0.5)], fps=30.0)
    return motion[np.zeros(40, np.int64)]


def held(posture: KeyPosture, side: str = "right", aim: np.ndarray | None = None) -> Callable[[Pose], Pose]:
    return lambda pose: gestured(pose, curves(((0.0, posture),), np.zeros(len(pose))), side, aim)


def lengths(pose: Pose) -> np.ndarray:
    parents = pose.skeleton.parents
    below = np.flatnonzero(parents >= 0)
    return np.linalg.norm(pose.global_positions[:, below] - pose.global_positions[:, parents[below]], axis=-1)


@pytest.mark.parametrize("name", GESTURES)
def test_bones_keep_their_length_feet_stay_and_nothing_jumps(standing: Pose, name: str) -> None:
    gesture = GESTURES[name]
    moments = np.linspace(0.0, gesture.seconds, len(standing))
    aim = np.asarray([0.2, 0.4, 0.7]) if gesture.aimed else None
    made = gestured(standing, curves(gesture.keys, moments), "right", aim)
    np.testing.assert_allclose(lengths(made), lengths(standing), atol=1e-4)
    feet = [leg.foot for leg in standing.skeleton.roles.legs]
    moved = np.linalg.norm(made.global_positions[:, feet] - standing.global_positions[:, feet], axis=-1)
    assert name == "jump" or moved.max() < 0.01, "feet stay where they are"
    np.testing.assert_allclose(made.global_positions[[0, -1]], standing.global_positions[[0, -1]], atol=2e-3)
    step = np.linalg.norm(np.diff(made.global_positions, axis=0), axis=-1).max() * (len(moments) - 1) / gesture.seconds
    assert step < 9.0, "metres a second: nobody moves faster"
    assert np.isfinite(made.local_rotations).all()


def test_hands_go_where_they_should_on_the_side_they_should(standing: Pose) -> None:
    arms = {arm.side: arm for arm in standing.skeleton.roles.arms}
    for side in ("left", "right"):
        made = held(KeyPosture(hand=(0.2, 0.9, 0.1)), side)(standing)
        hand, other = arms[side].hand, arms["right" if side == "left" else "left"].hand
        assert (made.global_positions[:, hand, 1] > standing.global_positions[:, arms[side].upper, 1] + 0.3).all()
        np.testing.assert_allclose(made.global_positions[:, other], standing.global_positions[:, other], atol=1e-3)
    both = held(KeyPosture(hand=(0.2, 0.9, 0.1)), "both")(standing)
    assert all((both.global_positions[:, arm.hand, 1] > 1.5).all() for arm in arms.values())


def test_it_points_at_and_reaches_what_it_is_aimed_at(standing: Pose) -> None:
    arm = next(arm for arm in standing.skeleton.roles.arms if arm.side == "right")
    far = np.asarray([-3.0, 1.2, 6.0])
    made = held(KeyPosture(reach=1.0, look=1.0), aim=far)(standing)
    shoulder, hand = made.global_positions[0, arm.upper], made.global_positions[0, arm.hand]
    along = (hand - shoulder) / np.linalg.norm(hand - shoulder)
    assert along @ (far - shoulder) / np.linalg.norm(far - shoulder) > 0.99
    near = np.asarray([-0.1, 0.35, 0.55])
    bent = held(KeyPosture(reach=1.0), aim=near)(standing)
    assert np.linalg.norm(bent.global_positions[0, arm.hand] - near) < 0.12, "it stoops for what is low"
    head = standing.skeleton.roles.head
    turned = made.global_rotations[0, head] - standing.global_rotations[0, head]
    assert np.abs(turned).max() > 0.05


def test_hips_sink_and_bodies_rise(standing: Pose) -> None:
    hips = standing.skeleton.roles.hips
    low, high = held(KeyPosture(sink=0.4))(standing), held(KeyPosture(rise=0.4))(standing)
    height = standing.global_positions[0, hips, 1]
    assert low.global_positions[0, hips, 1] < height - 0.25
    feet = [leg.foot for leg in standing.skeleton.roles.legs]
    rise = high.global_positions[0, feet, 1] - standing.global_positions[0, feet, 1]
    np.testing.assert_allclose(rise, high.global_positions[0, hips, 1] - height, atol=0.02)


def test_bodies_without_two_legs_are_refused() -> None:
    horse = make_creature("horse").skeleton.rest_pose[np.newaxis]
    with pytest.raises(SkeletonError):
        held(KeyPosture(pitch=0.3))(horse)
