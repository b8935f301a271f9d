"""Poses that go over one by one."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from kinema import Motion, Skeleton, kinematics, load, rotations
from kinema.errors import SkeletonError
from kinema.retargeting import Retargeter
from kinema.retargeting.live import Live, require_legs

ROBOT = Path(load.__globals__["__file__"]).parents[1] / "retargeting" / "robots" / "kinema_humanoid.xml"


@pytest.fixture(scope="module")
def pair(walk: Motion, rig: Skeleton) -> Live:
    return Live(Retargeter(walk.skeleton, rig), [walk])


def test_what_comes_out_is_a_pose_of_the_target(pair: Live, walk: Motion, rig: Skeleton) -> None:
    local, moved, turned, placed = pair.pose((at := walk[:]).global_rotations, at.global_positions)
    again = kinematics.forward(local, moved, rig.parents.tolist())
    np.testing.assert_allclose(placed, again[1], atol=1e-5)
    np.testing.assert_allclose(np.abs((turned * again[0]).sum(-1)), 1.0, atol=1e-5)
    kept = np.ones(rig.joint_count, bool)
    kept[pair.setup.body] = False
    np.testing.assert_allclose(moved[:, kept], np.broadcast_to(rig.rest_translations, moved.shape)[:, kept], atol=1e-5)


def test_arms_and_trunk_are_those_of_the_clip(pair: Live, walk: Motion) -> None:
    _, _, turned, _ = pair.pose((at := walk[:]).global_rotations, at.global_positions)
    whole = pair.setup(walk, contacts=False).motion[:].global_rotations
    legs = {j for chain in pair.target.roles.chains if chain.kind == "leg" for j in chain.joints}
    rest = [j for j in range(pair.target.joint_count) if not legs & {j, *pair.target.ancestors(j)}]
    np.testing.assert_allclose(np.abs((turned[:, rest] * whole[:, rest]).sum(-1)), 1.0, atol=1e-5)


def test_feet_that_stand_stay_and_knees_do_not_break(pair: Live, walk: Motion) -> None:
    source = ((at := walk[:]).global_rotations, at.global_positions)
    _, _, *pose = pair.pose(*source)
    for (mine, yours), (_, state) in zip(pair.setup.legs, pair.setup.standing(walk, *source), strict=True):
        both = state.stands[1:] & state.stands[:-1]
        speeds = [
            np.linalg.norm(np.diff(leg.path(*poses), axis=0)[both], axis=-1).mean() * walk.fps / leg.length
            for leg, poses in ((mine, source), (yours, pose))
        ]
        assert speeds[1] < speeds[0] + 0.01, "what the source holds still, the target does"
        knee, top, end = pose[1][:, yours.lower], pose[1][:, yours.upper], yours.ends(*pose)
        middle = top + 0.5 * (end - top)
        ahead = rotations.rotate(pose[0][:, yours.upper], yours.front)
        assert ((knee - middle) * ahead).sum(-1).min() > -0.02 * yours.length


def test_feet_are_on_the_ground_of_the_target(pair: Live, walk: Motion) -> None:
    source = ((at := walk[:]).global_rotations, at.global_positions)
    _, _, *pose = pair.pose(*source)
    for (_, leg), clearance, (_, state) in zip(
        pair.setup.legs, pair.setup.clearances, pair.setup.standing(walk, *source), strict=True
    ):
        heights = leg.path(*pose)[:, 1] - clearance
        assert np.abs(heights - state.heights)[state.stands].max() < 0.01 and heights.min() > -0.01


def test_a_pose_knows_nothing_of_others_and_of_where_it_is(pair: Live, walk: Motion) -> None:
    turned, placed = (at := walk[100:104]).global_rotations, at.global_positions
    together = pair.pose(turned, placed)
    alone = pair.pose(turned[2:3], placed[2:3])
    for one, all_ in zip(alone, together, strict=True):
        np.testing.assert_array_equal(one[0], all_[2])
    turn, shift = rotations.from_yaw(np.float32(1.1)), np.array([3, 0, -2], np.float32)
    elsewhere = pair.pose(rotations.multiply(turn, turned), rotations.rotate(turn, placed) + shift)
    expected = rotations.rotate(turn, together[3]) + np.float32(pair.scale) * shift
    joints = sorted({pair.setup.body, *(link.target for link in pair.setup.match.links)})
    np.testing.assert_allclose(elsewhere[3][:, joints], expected[:, joints], atol=2e-4)


def test_hinges_of_a_robot_keep_axes_and_limits(walk: Motion) -> None:
    robot = load(ROBOT)
    live = Live(Retargeter(walk.skeleton, robot), [walk])
    frames = slice(0, len(walk.local_rotations), 5)
    source = (at := walk[frames]).global_rotations, at.global_positions
    local, _, *pose = live.pose(*source)
    for hinge in live.target.hinges:
        swing, twist = rotations.swing_twist(local[:, hinge.joint], np.asarray(hinge.axis, np.float32))
        assert rotations.angle(swing).max() < 2e-3
        angles = 2 * np.arctan2(twist[:, 1:] @ np.asarray(hinge.axis), twist[:, 0])
        angles = (angles + np.pi) % (2 * np.pi) - np.pi
        assert angles.min() > hinge.lower - 1e-3 and angles.max() < hinge.upper + 1e-3
    for (_, leg), clearance in zip(live.setup.legs, live.setup.clearances, strict=True):
        assert leg.path(*pose)[:, 1].min() > clearance - 0.01, "feet keep out of the ground"


def test_what_cannot_walk_is_refused_in_one_line(walk: Motion, rig: Skeleton) -> None:
    setup = Retargeter(walk.skeleton, rig)
    with pytest.raises(SkeletonError, match="beforehand"):
        Live(setup, [])
    with pytest.raises(SkeletonError, match="other joints"):
        Live(setup, [Motion.create(rig, rig.rest_rotations[None])])
    setup.legs = []
    with pytest.raises(SkeletonError, match="no leg of") as caught:
        require_legs(setup)
    assert "\n" not in str(caught.value)
