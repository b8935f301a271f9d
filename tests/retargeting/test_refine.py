"""The least-squares pass: hands reach, hinges keep axes and limits, limbs keep out of the body, feet stay."""

from __future__ import annotations

from dataclasses import replace
from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest

from kinema import Motion, Skeleton, rotations
from kinema.formats import Asset, load
from kinema.formats.robot import hinge_angles
from kinema.ik import Coordinates, Reach, full_body
from kinema.mocap.procedural import Segment, generate
from kinema.retargeting import Retargeter, retarget
from kinema.retargeting.capsules import body_capsules


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


@pytest.mark.parametrize("name", ["cmu_12_01_walk.bvh", "131_01.bvh"])
def test_real_motion_on_the_robot(data_dir: Path, robot: Asset, name: str) -> None:
    motion = load(data_dir / "human_mocap" / "cmu_bvh" / name).motion().cut(step=2)
    report = retarget(motion, robot).report
    assert report.limit_hits == 0 and report.position_error_limbs is not None and report.position_error_limbs < 0.12
    assert report.skate_after_cm_s is not None and report.skate_before_cm_s is not None
    assert report.skate_after_cm_s < 0.3 * report.skate_before_cm_s
    assert report.jerk_ratio is not None and report.jerk_ratio < 1.4
    assert report.sole_depth_after_cm is not None and report.sole_depth_after_cm < 3.0
