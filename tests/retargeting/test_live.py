"""Poses retargeted one by one."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from kinema import Motion, Skeleton, load, rotations
from kinema.errors import SkeletonError
from kinema.mocap.procedural import Segment, generate
from kinema.retargeting import Retargeter
from kinema.retargeting.live import Live, _median, require_legs

ROBOT = Path(load.__globals__["__file__"]).parents[1] / "retargeting" / "robots" / "kinema_humanoid.xml"


@pytest.fixture(scope="module")
def pair(walk: Motion, rig: Skeleton) -> Live:
    return Live(Retargeter(walk.skeleton, rig), [walk])


def test_what_comes_out_is_a_pose_of_the_target(pair: Live, walk: Motion, rig: Skeleton) -> None:
    pose = pair.pose(walk[:])
    assert pose.skeleton is pair.target and pose.shape == (walk.frames,)
    kept = np.ones(rig.joint_count, bool)
    kept[pair.setup.body] = False
    rest = np.broadcast_to(rig.rest_translations, pose.local_translations.shape)
    np.testing.assert_allclose(pose.local_translations[:, kept], rest[:, kept], atol=1e-5)


def test_arms_and_trunk_are_those_of_the_clip(pair: Live, walk: Motion) -> None:
    turned = pair.pose(walk[:]).global_rotations
    whole = pair.setup(walk, contacts=False).motion[:].global_rotations
    legs = {j for chain in pair.target.roles.chains if chain.kind == "leg" for j in chain.joints}
    rest = [j for j in range(pair.target.joint_count) if not legs & {j, *pair.target.ancestors(j)}]
    np.testing.assert_allclose(np.abs((turned[:, rest] * whole[:, rest]).sum(-1)), 1.0, atol=1e-5)


def test_pole_targets_keep_their_place_and_rotation_on_the_hips(walk: Motion, loose: Skeleton) -> None:
    found = Live(Retargeter(walk.skeleton, loose), [walk]).pose(walk[::9])
    hips, poles = loose.roles.hips, loose.indices(["PoleTargetLeft", "PoleTargetRight"])
    (places, turns), (rest_places, rest_turns) = (
        (
            rotations.inverse_rotate(q[..., [hips], :], p[..., poles, :] - p[..., [hips], :]),
            rotations.relative(q[..., [hips], :], q[..., poles, :]),
        )
        for q, p in ((pose.global_rotations, pose.global_positions) for pose in (found, loose.rest_pose))
    )
    np.testing.assert_allclose(places, np.broadcast_to(rest_places, places.shape), atol=1e-4)
    np.testing.assert_allclose(np.abs((turns * rest_turns).sum(-1)), 1, atol=1e-5)


def test_legs_without_a_foot_move_no_other_joint(walk: Motion, loose: Skeleton) -> None:
    live = Live(Retargeter(walk.skeleton, loose), [walk])
    assert all(leg.target.end is None for leg in live.setup.legs)
    led = {joint for leg in live.setup.legs for joint in (leg.target.upper, leg.target.lower)}
    led |= {follower.joint for follower in live.setup.followers}
    rest = [joint for joint in range(loose.joint_count) if joint not in led]
    local = live.setup.local_rotations(walk[::9].global_rotations)
    np.testing.assert_allclose(live.pose(walk[::9]).local_rotations[:, rest], local[:, rest], atol=1e-5)


def test_legs_hang_where_the_sources_hang_however_the_hips_tilt(pair: Live, walk: Motion) -> None:
    hips, local = walk.skeleton.roles.hips, walk.local_rotations.copy()
    tilts = rotations.exp(np.array([[0.5, 0, 0], [0, 0, -0.4]], np.float32))[np.arange(walk.frames) % 2]
    local[:, hips] = rotations.multiply(tilts, local[:, hips])
    source = walk.replace(local_rotations=local)[:]
    sides = (
        (source, [leg.source.upper for leg in pair.setup.legs]),
        (pair.pose(source), [leg.target.upper for leg in pair.setup.legs]),
    )
    theirs, ours = (pose.global_positions[:, tops].mean(axis=1)[:, [0, 2]] for pose, tops in sides)
    np.testing.assert_allclose(ours, pair.scale * theirs, atol=1e-4)


def test_feet_that_stand_stay_and_knees_do_not_break(pair: Live, walk: Motion) -> None:
    source, pose = walk[:], pair.pose(walk[:])
    for leg, state in zip(pair.setup.legs, pair.setup.contacts(source, walk.fps), strict=True):
        both = state.stands[1:] & state.stands[:-1]
        speeds = [
            np.linalg.norm(np.diff(limb.path(poses), axis=0)[both], axis=-1).mean() * walk.fps / limb.length
            for limb, poses in ((leg.source, source), (leg.target, pose))
        ]
        assert speeds[1] < speeds[0] + 0.01, "what the source holds still, the target does"
        limb = leg.target
        knee, top, end = pose.global_positions[:, limb.lower], pose.global_positions[:, limb.upper], limb.ends(pose)
        middle = top + 0.5 * (end - top)
        ahead = rotations.rotate(pose.global_rotations[:, limb.upper], limb.front)
        assert ((knee - middle) * ahead).sum(-1).min() > -0.02 * limb.length


def test_hips_are_as_high_as_legs_bent_like_the_sources_carry_them(small: Skeleton) -> None:
    """Bent legs with longer thighs and shorter shins reach farther down than the source's."""
    walk = generate(script=[Segment("walk", 2.0)], fps=60.0, seed=5)
    offsets = small.rest_translations.copy()
    for leg in small.roles.legs:
        offsets[leg.lower] *= 1.3
        offsets[leg.foot] *= 0.7
    setup = Retargeter(walk.skeleton, replace(small, rest_translations=offsets), motions=(walk,))
    pose, bent = Live(setup, [walk]).pose(walk[:]), setup(walk, contacts=False).motion[:]
    for leg, state in zip(setup.legs, setup.contacts(walk[:], walk.fps), strict=True):
        top = leg.target.upper
        spans = [p.global_positions[:, top, 1] - leg.target.path(p)[:, 1] for p in (pose, bent)]
        assert np.median((spans[0] - spans[1])[state.stands]) == pytest.approx(0.0, abs=0.004)


def test_feet_are_on_the_ground_of_the_target(pair: Live, walk: Motion) -> None:
    pose = pair.pose(walk[:])
    for leg, state in zip(pair.setup.legs, pair.setup.contacts(walk[:], walk.fps), strict=True):
        heights = leg.target.path(pose)[:, 1] - leg.clearance
        assert np.abs(heights - state.heights)[state.stands].max() < 0.01 and heights.min() > -0.01


def test_a_pose_depends_on_no_other_and_not_on_where_it_is(pair: Live, walk: Motion) -> None:
    some = walk[100:104]
    together, alone = pair.pose(some), pair.pose(some[2:3])
    for part in ("local_rotations", "local_translations", "global_positions"):
        np.testing.assert_array_equal(getattr(alone, part)[0], getattr(together, part)[2])
    turn, shift = rotations.from_yaw(np.float32(1.1)), np.array([3, 0, -2], np.float32)
    expected = rotations.rotate(turn, together.global_positions) + np.float32(pair.scale) * shift
    joints = sorted({pair.setup.body, *(link.target for link in pair.setup.match.links)})
    moved = some.replace(root_positions=np.tile(shift, (4, 1)), root_rotations=np.tile(turn, (4, 1)))
    for elsewhere in (moved, moved.in_world()):  # placed by the root frame, or by the joints
        found = pair.pose(elsewhere).global_positions
        np.testing.assert_allclose(found[:, joints], expected[:, joints], atol=2e-4)


def test_hinges_of_a_robot_keep_axes_and_limits(walk: Motion) -> None:
    robot = load(ROBOT)
    live = Live(Retargeter(walk.skeleton, robot), [walk])
    pose = live.pose(walk[::5])
    for hinge in live.target.hinges:
        local = pose.local_rotations[:, hinge.joint]
        swing, twist = rotations.swing_twist(local, np.asarray(hinge.axis, np.float32))
        assert rotations.angle(swing).max() < 2e-3
        angles = 2 * np.arctan2(twist[:, 1:] @ np.asarray(hinge.axis), twist[:, 0])
        angles = (angles + np.pi) % (2 * np.pi) - np.pi
        assert angles.min() > hinge.lower - 1e-3 and angles.max() < hinge.upper + 1e-3
    for leg in live.setup.legs:
        assert leg.target.path(pose)[:, 1].min() > leg.clearance - 0.01, "feet keep out of the ground"
    assert live._coordinates is not None
    turning = set(live._coordinates.joints[~live._coordinates.slides].tolist())
    assert {hinge.joint for hinge in live.target.hinges} | {live.setup.body} <= turning
    assert set(live._coordinates.joints[live._coordinates.slides].tolist()) == {live.setup.body}
    alone = live.pose(walk[::5][20:21])
    np.testing.assert_allclose(alone.local_rotations[0], pose.local_rotations[20], atol=1e-5)


def test_what_cannot_walk_is_refused_in_one_line(walk: Motion, rig: Skeleton) -> None:
    setup = Retargeter(walk.skeleton, rig)
    with pytest.raises(SkeletonError, match="in advance"):
        Live(setup, [])
    with pytest.raises(SkeletonError, match="different joints"):
        Live(setup, [Motion.create(rig, rig.rest_rotations[None])])
    setup.legs = []
    with pytest.raises(SkeletonError, match="no leg of") as caught:
        require_legs(setup)
    assert "\n" not in str(caught.value)


def test_feet_stand_in_the_middle_of_where_the_closed_form_has_them(pair: Live, walk: Motion) -> None:
    """Ahead and aside, as the source's foot is turned: half of the frames to each side."""
    source, setup = walk[:], pair.setup
    states, found = setup.contacts(source, walk.fps), pair.pose(source)
    plain = setup.pose(setup.local_rotations(source.global_rotations), setup.hips(source, states))
    for leg, state in zip(setup.legs, states, strict=True):
        heading = pair._heading(source.global_rotations[:, leg.source.touch], leg.source)
        off = rotations.inverse_rotate(heading, leg.target.path(found) - leg.target.path(plain))[state.stands]
        np.testing.assert_allclose(np.median(off[:, [0, 2]], axis=0), 0, atol=1.5e-3)


def test_the_median_of_parts_is_that_of_all_their_frames() -> None:
    parts = [np.float32([[1, 5, -2], [2, 6, -4]]), np.float32([[9, 0, -3]]), np.zeros((0, 3), np.float32)]
    np.testing.assert_array_equal(_median(parts, 1.0), [2, 5, -3])
    np.testing.assert_array_equal(_median(parts, np.float32([1, 0, 2])), [2, 0, -6])
    np.testing.assert_array_equal(_median(parts, 1.0, 2.5), [2, 2.5, -2.5])
    np.testing.assert_array_equal(_median(parts[2:], 1.0), [0, 0, 0])
    assert _median([np.float32([3, 4, 8])], 1.0) == 4
