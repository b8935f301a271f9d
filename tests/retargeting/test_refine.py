"""The least-squares pass: hands reach, hinges keep axes and limits, limbs keep out of the body, feet stay."""

from __future__ import annotations

import sys
from dataclasses import replace
from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest

from kinema import Motion, Skeleton, rotations
from kinema.formats import Asset, load
from kinema.formats.robot import hinge_angles
from kinema.ik import Above, Coordinates, Orient, Reach, full_body
from kinema.mocap.procedural import Segment, generate
from kinema.retargeting import Retargeter, retarget
from kinema.retargeting.capsules import body_capsules
from kinema.retargeting.refine import Weights, _arms, _coordinates, _last, ancestors_of, floors, goals_of, lifted
from kinema.skeleton import Hinge


@pytest.fixture(scope="module")
def walk() -> Motion:
    return generate(script=[Segment("walk", 3.0)], fps=60)


@pytest.fixture(scope="module")
def robot() -> Asset:
    return load(Path(str(files("kinema.retargeting").joinpath("robots", "kinema_humanoid.xml"))))


def with_arms(skeleton: Skeleton, upper: float, lower: float) -> Skeleton:
    """The skeleton with other lengths of its arms."""
    moved = skeleton.rest_translations.copy()
    for arm in skeleton.roles.arms:
        moved[arm.lower] *= upper
        moved[arm.hand] *= lower
    return replace(skeleton, rest_translations=moved)


def test_hands_reach_as_far_as_the_sources(walk: Motion) -> None:
    """Arms of the same length with the elbow elsewhere: directions alone miss, the hand does not."""
    other = with_arms(walk.skeleton, 1.3, 0.7)
    setup = Retargeter(walk.skeleton, other, motions=(walk,))
    plain, refined = setup(walk), setup(walk, refine=True)
    assert plain.report.position_error_cm is not None and refined.report.position_error_cm is not None
    assert refined.report.position_error_cm < 0.6 * plain.report.position_error_cm
    legs = [joint for leg in other.roles.legs for joint in (leg.upper, leg.lower, leg.foot)]
    before, after = (result.motion[:].global_positions[:, legs] for result in (plain, refined))
    np.testing.assert_allclose(after, before, atol=1e-5)
    assert refined.report.jerk_ratio is not None and refined.report.jerk_ratio < 1.3


def test_a_robot_keeps_its_axes_and_limits_and_stands(walk: Motion, robot: Asset) -> None:
    found = retarget(walk, robot)
    angles, beside = hinge_angles(found.motion)
    assert beside.max() < 1e-3 and found.report.limit_hits == 0
    hinges = found.motion.skeleton.hinges
    lower, upper = np.array([h.lower for h in hinges]), np.array([h.upper for h in hinges])
    assert (angles >= lower - 1e-3).all() and (angles <= upper + 1e-3).all()
    assert np.degrees(np.abs(np.diff(angles, axis=0)).max()) < 15, "no jumps at 60 frames per second"
    report = found.report
    assert report.skate_after_cm_s is not None and report.skate_before_cm_s is not None
    assert report.skate_after_cm_s < max(report.skate_before_cm_s, 1.0)
    assert not set(report.unmatched) & {"left_hip_yaw_joint", "right_hip_yaw_joint"}
    free = retarget(walk, robot, refine=False)
    assert hinge_angles(free.motion)[1].max() > 0.1, "closed form alone leaves the hinges"


def test_a_calibration_pose_does_not_mislead_the_arms(data_dir: Path, robot: Asset) -> None:
    """The take begins with a T-pose. It is cut; where it is kept, the arms leave its posture."""
    take = load(data_dir / "human_mocap" / "cmu_bvh" / "cmu_12_01_walk.bvh").motion().cut(0, 300)
    cut = retarget(take, robot)
    assert cut.motion.frames == 299 and any("cut there" in line for line in cut.report.warnings)
    report = cut.report
    assert report.at_limits_after_percent is not None and report.at_limits_after_percent < 5.0
    assert report.peak_joint_speed_after_rad_s is not None and report.peak_joint_speed_before_rad_s is not None
    assert report.peak_joint_speed_after_rad_s < 1.5 * report.peak_joint_speed_before_rad_s
    kept = Retargeter(take.skeleton, robot, motions=[take])(take)
    a, b = (result.motion[:].global_positions for result in (kept, cut))
    off = np.linalg.norm(a[10:] - b[9:], axis=-1).max(axis=1)
    assert np.median(off) < 0.02


def test_soles_of_a_robot_stay_out_of_the_ground(walk: Motion, robot: Asset) -> None:
    report = retarget(walk, robot).report
    assert report.sole_depth_after_cm is not None and report.sole_depth_after_cm < 0.5


def test_knees_of_the_robot_bend_like_a_persons(walk: Motion, robot: Asset) -> None:
    motion = retarget(walk, robot).motion
    skeleton = motion.skeleton
    angles, _ = hinge_angles(motion)
    names = [skeleton.names[hinge.joint] for hinge in skeleton.hinges]
    roles = walk.skeleton.roles
    turned = walk[:].global_rotations
    for side, knee in (("left", "left_knee_joint"), ("right", "right_knee_joint")):
        leg = roles.leg(side)
        bend = rotations.angle(rotations.relative(turned[:, leg.upper], turned[:, leg.lower]))
        assert np.corrcoef(bend, angles[:, names.index(knee)])[0, 1] > 0.7  # a standing leg of hinges bends more


def test_a_hand_is_kept_out_of_the_body(walk: Motion, depth) -> None:
    skeleton = walk.skeleton
    arm, spine = skeleton.roles.arms[0], skeleton.roles.spine[0]
    part = walk.cut(0, 40)
    # The hand of the source is in the middle of its own trunk.
    goal = Reach(arm.hand, part[:].global_positions[:, spine], 20.0)
    inside = full_body(part[:], [goal], Coordinates.of(skeleton, moving=[arm.upper, arm.lower])).pose
    through = replace(part, local_rotations=inside.local_rotations)
    setup = Retargeter(skeleton, skeleton, motions=(through,))
    capsules = body_capsules(skeleton)
    assert capsules is not None
    plain, kept = setup(through).motion, setup(through, refine=True).motion
    before, after = (depth(capsules, skeleton, m.local_rotations[20]).max() for m in (plain, kept))
    assert before > 0.01 and after < 0.35 * before


def test_knees_elbows_and_hands_follow_hips_that_sank(walk: Motion, robot: Asset) -> None:
    setup = Retargeter(walk.skeleton, robot, motions=(walk,))
    plain = setup(walk, refine=False).motion[:]
    states = [np.ones(walk.frames, bool)] * len(setup.legs)
    places = plain.local_translations.copy()
    places[:, setup.body, 1] -= 0.1
    sunk = plain.replace(local_translations=places)
    before, after = (goals_of(setup, walk[:], plain, each, states, Weights(), walk.fps) for each in (plain, sunk))
    reached = {goal.joint for goal in before if isinstance(goal, Reach)}
    arms = setup.target.roles.arms
    assert reached >= {joint for arm in arms for joint in (arm.lower, arm.hand)}
    for one, other in zip(before, after, strict=True):
        if isinstance(one, Reach) and isinstance(other, Reach):
            np.testing.assert_allclose(other.target - one.target, np.tile([0, -0.1, 0], (walk.frames, 1)), atol=1e-5)


def test_a_foot_is_lifted_by_the_depth_of_its_sole(walk: Motion, robot: Asset) -> None:
    setup = Retargeter(walk.skeleton, robot, motions=(walk,))
    rest, leg = setup.target.rest_pose, setup.legs[0]
    frames, foot = 60, leg.target.end
    assert foot is not None
    lowest = min(float(corner.points(rest)[1]) for corner in leg.corners)
    hips = np.tile(rest.global_positions[setup.target.roles.hips], (frames, 1))
    hips[:, 1] += 0.02 - lowest
    hips[28:32, 1] -= 0.05
    pose = setup.pose(np.tile(rest.local_rotations, (frames, 1, 1)), hips.astype(np.float32))
    ends = [Reach(foot, np.zeros((frames, 3))), Reach(leg.target.lower, np.zeros((frames, 3)))]
    end, knee = lifted(setup, pose, ends, 100.0)
    assert isinstance(end, Reach) and not end.target[:, [0, 2]].any()
    np.testing.assert_allclose(end.target[28:32, 1], 0.03, atol=1e-4)
    assert end.target[:, 1].max() < 0.0301 and not end.target[[0, -1]].any()
    assert np.abs(np.diff(end.target[:, 1])).max() < 0.006, "smoothly"
    assert knee is ends[1]


@pytest.mark.parametrize("name", ["cmu_12_01_walk.bvh", "131_01.bvh"])
def test_real_motion_on_the_robot(data_dir: Path, robot: Asset, name: str) -> None:
    motion = load(data_dir / "human_mocap" / "cmu_bvh" / name).motion().cut(step=2)
    report = retarget(motion, robot).report
    assert report.limit_hits == 0 and report.position_error_limbs is not None and report.position_error_limbs < 0.12
    assert report.skate_after_cm_s is not None and report.skate_before_cm_s is not None
    assert report.skate_after_cm_s < 0.3 * report.skate_before_cm_s
    assert report.jerk_ratio is not None and report.jerk_ratio < 1.4
    assert report.sole_depth_after_cm is not None and report.sole_depth_after_cm < 2.0
    assert report.at_limits_after_percent is not None  # feet that are not rolled need no ankle at its limit
    assert report.at_limits_after_percent < (5.0 if name.startswith("cmu_12") else 13.0)


def with_loose_feet(skeleton: Skeleton) -> Skeleton:
    """The same with a root on the floor, which carries hips and feet side by side."""
    placed = skeleton.rest_pose.global_positions
    parents = np.concatenate([[-1], np.where(skeleton.parents < 0, 0, skeleton.parents + 1)])
    offsets = np.concatenate([np.zeros((1, 3), np.float32), skeleton.rest_translations])
    for leg in skeleton.roles.legs:
        parents[leg.foot + 1], offsets[leg.foot + 1] = 0, placed[leg.foot]
    return Skeleton.create(["Root", *skeleton.names], parents, offsets)


def test_hips_move_and_detached_feet_follow(walk: Motion) -> None:
    """Of a body whose hips and feet hang on one root, feet are left to their limbs, the hips are not."""
    loose = with_loose_feet(walk.skeleton)
    hips, feet = loose.roles.hips, [loose.index(f"{side}Foot") for side in ("Left", "Right")]
    motion = Retargeter(walk.skeleton, loose)(walk.cut(0, 5)).motion
    assert {hips, *feet} <= set(motion.translated.tolist())
    weights = Weights()
    free = _coordinates(motion, {hips, *feet, loose.index("LeftArm")}, set(), weights)
    assert free.joints.tolist() == [hips] * 3 + [loose.index("LeftArm")] * 3 and not free.slides.any()
    np.testing.assert_allclose(free.stay, weights.stay)
    hinged = _coordinates(motion, {hips, *feet}, {loose.index("LeftArm")}, weights)
    assert hinged.joints.tolist() == [hips] * 6 and hinged.slides.tolist() == [True] * 3 + [False] * 3
    result = Retargeter(walk.skeleton, loose)(walk.cut(0, 60), refine=True).motion[:].global_positions
    for foot, shin in zip(feet, ("LeftLeg", "RightLeg"), strict=True):
        length = np.linalg.norm(result[:, foot] - result[:, loose.index(shin)], axis=-1)
        assert np.ptp(length) < 2e-3


def test_an_arm_without_a_partner_stays_as_it_was(walk: Motion) -> None:
    """Nothing moves the left arm, or the other arm does: then it is not asked to reach anywhere."""
    skeleton, short = walk.skeleton, walk.cut(60, 100)
    other = with_arms(skeleton, 1.3, 0.7)
    for said in (None, "right_arm"):
        setup = Retargeter(skeleton, other, mapping={"chains": {"left_arm": said}})
        plain = setup(short, contacts=False).motion[:].global_positions
        assert [arm.side for arm, _, _ in _arms(setup, short[:].global_positions, plain)] == ["right"]
    gone = {joint for arm in skeleton.roles.arms if arm.side == "left" for joint in (arm.upper, arm.lower, arm.hand)}
    gone |= {joint for joint in range(skeleton.joint_count) if gone & set(skeleton.ancestors(joint))}
    kept = [joint for joint in range(skeleton.joint_count) if joint not in gone]
    parents = [-1 if skeleton.parents[j] < 0 else kept.index(int(skeleton.parents[j])) for j in kept]
    one_armed = Skeleton.create([skeleton.names[j] for j in kept], parents, skeleton.rest_translations[kept])
    source = Motion.create(one_armed, short.local_rotations[:, kept], short.local_translations, [0], short.fps)
    setup = Retargeter(one_armed, other)
    plain = setup(source, contacts=False).motion[:].global_positions
    assert not list(_arms(setup, source[:].global_positions, plain)), "its roles have no pair of arms"


def test_hands_are_asked_to_be_as_far_from_the_shoulder_and_elbows_half_as_far(walk: Motion) -> None:
    other = with_arms(walk.skeleton, 1.5, 1.5)
    setup, short = Retargeter(walk.skeleton, other), walk.cut(60, 70)
    source = short[:].global_positions
    off = source.copy()
    for arm in other.roles.arms:
        off[:, arm.hand] += [0.1, 0.2, 0.3]
    plain = setup(short, contacts=False).motion[:].global_positions
    for arm, elbow, hand in _arms(setup, off, plain):
        moved = hand - plain[:, arm.hand]
        np.testing.assert_allclose(elbow, plain[:, arm.lower] + 0.5 * moved, atol=1e-5)
        bones = np.diff(off[:, [arm.upper, arm.lower, arm.hand]], axis=1)
        own = np.linalg.norm(np.diff(plain[:, [arm.upper, arm.lower, arm.hand]], axis=1), axis=-1).sum(axis=1)
        ratio = np.median(own) / np.median(np.linalg.norm(bones, axis=-1).sum(axis=1))
        np.testing.assert_allclose(
            hand - plain[:, arm.upper], ratio * (off[:, arm.hand] - off[:, arm.upper]), atol=1e-4
        )


def test_hinges_in_one_place_count_as_their_last() -> None:
    """Three hinges of a hip within a centimetre, then a thigh; a free joint is alone."""
    offsets = [[0, 1, 0], [0, 0, 0], [0, 0.005, 0], [0, 0.005, 0], [0, -0.5, 0], [0, -0.5, 0]]
    hinges = [Hinge(joint, (1.0, 0.0, 0.0), -1.0, 1.0) for joint in (1, 2, 3, 4)]
    body = Skeleton.create([*"abcdef"], [-1, 0, 1, 2, 3, 4], offsets, hinges=hinges)
    assert [_last(body, joint) for joint in range(6)] == [0, 3, 3, 3, 4, 5]


def test_goals_are_as_strong_as_their_weights(walk: Motion) -> None:
    """Hips ten times the trunk, the direction of feet and hands a tenth of their places, feet by whether they stand."""
    skeleton = walk.skeleton
    setup, pose = Retargeter(skeleton, skeleton), walk[:40]
    weights = Weights(standing=7.0, moving=7.0, hands=3.0, knees=0.5, trunk=0.2)
    stands = [np.zeros(40, bool)] * 2
    goals = goals_of(setup, pose, pose, pose, stands, weights, 60.0)
    found = {(type(goal), skeleton.names[goal.joint]): np.unique(np.round(goal.weight, 6)).tolist() for goal in goals}  # type: ignore[index]
    assert found[Reach, "Hips"] == [2.0] and found[Orient, "Hips"] == found[Orient, "Head"] == [0.2]
    for side in ("Left", "Right"):
        assert found[Reach, f"{side}Foot"] == [7.0] and found[Orient, f"{side}Foot"] == [0.7]
        assert found[Reach, f"{side}Leg"] == found[Reach, f"{side}ForeArm"] == [0.5]
        assert found[Reach, f"{side}Hand"] == [3.0] and found[Orient, f"{side}Hand"] == [0.3]
    half = [np.arange(40) < 20] * 2
    weights = Weights(standing=9.0, moving=1.0)
    goals = goals_of(setup, pose, pose, pose, half, weights, 60.0)
    pull = np.asarray(next(g for g in goals if isinstance(g, Reach) and g.joint == skeleton.index("LeftFoot")).weight)
    assert pull[0] == pytest.approx(9.0, abs=0.01) and pull[-1] == pytest.approx(1.0, abs=0.01)
    assert (np.diff(pull) < 1e-6).all() and np.diff(pull).min() > -4, "from one to the other without a jump"


def test_soles_are_kept_above_the_ground_at_all_their_corners(walk: Motion, robot: Asset) -> None:
    setup = Retargeter(walk.skeleton, robot)
    goals = floors(setup, 5, Weights(floor=3.0))
    corners = [corner for leg in setup.legs for corner in leg.corners]
    assert len(goals) == len(corners) >= 2
    for goal, corner in zip(goals, corners, strict=True):
        assert isinstance(goal, Above) and goal.joint == corner.joint and goal.weight == 3.0
        np.testing.assert_array_equal(goal.height, np.zeros(5))
        np.testing.assert_array_equal(goal.offset, corner.offset)


def test_joints_between_the_hips_and_a_goal_can_move(walk: Motion) -> None:
    """The hips and what is below them, not what carries them."""
    own = walk.skeleton
    names, parents = ["Root", *own.names], [-1, *(own.parents + 1).tolist()]
    skeleton = Skeleton.create(names, parents, np.concatenate([np.zeros((1, 3)), own.rest_translations]))
    found = ancestors_of(skeleton, [Reach("LeftHand", np.zeros(3)), Reach("Hips", np.zeros(3))])
    moving = {skeleton.names[joint] for joint in found}
    assert {"Hips", "LeftHand", "LeftForeArm", "LeftArm"} <= moving
    assert not moving & {"Root", "RightArm", "LeftUpLeg"}


@pytest.mark.parametrize(("fps", "frames"), [(60.0, 6), (10.0, 1), (2.0, 1)])
def test_limbs_start_anew_each_tenth_of_a_second_and_at_most_each_frame(
    walk: Motion, fps: float, frames: int, monkeypatch
) -> None:
    asked = []

    def spied(*args, restart: int = 0, **options):
        asked.append(restart)
        return full_body(*args, restart=restart, **options)

    monkeypatch.setattr(sys.modules["kinema.retargeting.refine"], "full_body", spied)
    some = walk.cut(0, 4).replace(fps=fps)
    Retargeter(walk.skeleton, with_arms(walk.skeleton, 1.1, 0.9), motions=(walk,))(some, refine=True)
    assert asked == [frames, 0]
