"""Full-body inverse kinematics: goals are met, limits and capsules kept, what nothing asks for stays."""

from __future__ import annotations

import numpy as np
import pytest

from kinema import Motion, Skeleton, kinematics, rotations
from kinema.errors import SkeletonError
from kinema.ik import Above, Capsules, Coordinates, Orient, Reach, full_body
from kinema.mocap.procedural import Segment, generate
from kinema.pose import Pose
from kinema.skeleton import Hinge


@pytest.fixture(scope="module")
def walk() -> Motion:
    return generate(script=[Segment("walk", 1.0)], fps=30)


def disturbed(motion: Motion, size: float, seed: int = 3) -> np.ndarray:
    noise = np.random.default_rng(seed).normal(size=(motion.frames, motion.skeleton.joint_count, 3)) * size
    return rotations.multiply(motion.local_rotations, rotations.exp(noise)).astype(np.float32)


def test_goals_that_can_be_met_are_met(walk: Motion) -> None:
    skeleton, roles = walk.skeleton, walk.skeleton.roles
    world = walk[:]
    turned, positions = world.global_rotations, world.global_positions
    ends = [leg.foot for leg in roles.legs] + [arm.hand for arm in roles.arms]
    goals = [Reach(joint, positions[:, joint], 10.0, (0.0, 0.02, 0.0)) for joint in ends]
    goals = [
        Reach(
            g.joint, g.target + rotations.rotate(turned[:, g.joint], np.array([0, 0.02, 0], np.float32)), 10.0, g.offset
        )
        for g in goals
    ]
    goals += [Orient(joint, turned[:, joint]) for joint in ends]
    coordinates = Coordinates.of(skeleton, sliding=[roles.hips], stay=0.001)
    found = full_body(world.replace(local_rotations=disturbed(walk, 0.1)), goals, coordinates, iterations=40)
    assert np.abs(found.pose.global_positions - positions)[:, ends].max() < 2e-3
    assert rotations.angle(rotations.relative(found.pose.global_rotations[:, ends], turned[:, ends])).max() < 0.01
    assert (found.costs[:, 1] < 0.01 * found.costs[:, 0]).all()


def test_what_no_goal_asks_for_stays(walk: Motion) -> None:
    skeleton = walk.skeleton
    same = full_body(walk[:], []).pose
    np.testing.assert_allclose(same.local_rotations, rotations.normalize(walk.local_rotations), atol=1e-6)
    hand = skeleton.roles.arms[0].hand
    positions = walk[:].global_positions
    raised = positions[:, hand] + np.array([0, 0.1, 0], np.float32)
    arm_and_spine = [joint for joint in skeleton.ancestors(hand) if joint != skeleton.roles.hips]
    found = full_body(walk[:], [Reach(hand, raised, 10.0)], Coordinates.of(skeleton, moving=arm_and_spine))
    now = found.pose.global_positions
    feet = [leg.foot for leg in skeleton.roles.legs]
    assert np.linalg.norm(now[:, hand] - raised, axis=-1).max() < 0.01
    assert np.abs(now - positions)[:, feet].max() < 1e-6, "feet are not above the hand"
    only = Coordinates.of(skeleton, moving=[skeleton.roles.arms[0].lower])
    kept = full_body(walk[:], [Reach(hand, raised, 10.0)], only).pose
    changed = np.abs(kept.local_rotations - walk.local_rotations).max(axis=(0, 2)) > 1e-5
    assert np.flatnonzero(changed).tolist() == [skeleton.roles.arms[0].lower]


def test_the_solution_is_a_minimum_of_the_cost(rng: np.random.Generator) -> None:
    """An independent cost, differentiated by finite differences, is flat where the solver stops."""
    skeleton = Skeleton.create(
        [*"abcd"], [-1, 0, 1, 1], rng.normal(size=(4, 3)), rotations.normalize(rng.normal(size=(4, 4)))
    )
    start = rotations.normalize(rng.normal(size=(1, 4, 4)))
    moved = skeleton.rest_translations[None].astype(np.float64)
    reach, face, stay = rng.normal(size=(1, 3)), rotations.normalize(rng.normal(size=(1, 4))), 0.3
    goals = [Reach(2, reach, 2.0, (0.1, 0.2, 0.3)), Orient(3, face, 1.5)]
    found = full_body(Pose(skeleton, start, moved), goals, Coordinates.of(skeleton, stay=stay), iterations=200)

    def cost(local: np.ndarray) -> float:
        turned, positions = kinematics.forward_reference(local, moved[0], skeleton.parents.tolist())
        place = positions[2] + rotations.rotate(turned[2], np.array([0.1, 0.2, 0.3]))
        error = rotations.log(rotations.multiply(turned[3], rotations.inverse(face[0])))
        return float(2 * ((place - reach[0]) ** 2).sum() + 0.5 * 1.5**2 * (error**2).sum())

    def whole(delta: np.ndarray) -> float:
        local = rotations.multiply(found.pose.local_rotations[0].astype(np.float64), rotations.exp(delta.reshape(4, 3)))
        return cost(local)

    flat = np.array([(whole(d) - whole(-d)) / 2e-5 for d in np.eye(12) * 1e-5])
    # What is left of the slope is balanced by the pull to the start, which has no other form here.
    assert np.abs(flat).max() < 3 * stay**2
    loose = full_body(Pose(skeleton, start, moved), goals, Coordinates.of(skeleton, stay=1e-4), iterations=200)
    found = loose
    flat = np.array([(whole(d) - whole(-d)) / 2e-5 for d in np.eye(12) * 1e-5])
    assert np.abs(flat).max() < 1e-4 and whole(np.zeros(12)) < cost(start[0])


def arm(lower: float, upper: float) -> Skeleton:
    """A chain of three hinges about Z, a metre a bone, along X."""
    return Skeleton.create(
        [*"abcd"],
        [-1, 0, 1, 2],
        [[0, 0, 0], [1, 0, 0], [1, 0, 0], [1, 0, 0]],
        hinges=[Hinge(joint, (0, 0, 1), lower, upper) for joint in range(3)],
    )


def test_hinges_turn_about_their_axes_and_within_limits() -> None:
    skeleton = arm(-0.5, 0.7)
    rest = np.tile(np.array([1.0, 0, 0, 0]), (1, 4, 1))
    target = np.array([[-0.5, 5.0, 2.0]])
    found = full_body(Pose(skeleton, rest), [Reach(3, target, 10.0)], iterations=60)
    twist = rotations.log(found.pose.local_rotations[0])
    np.testing.assert_allclose(twist[:, :2], 0, atol=1e-6)
    # Two hinges at their limit; the third points straight at the target from where they leave it.
    elbow = np.array([np.cos(0.7) + np.cos(1.4), np.sin(0.7) + np.sin(1.4)])
    aim = np.arctan2(*(target[0, :2] - elbow)[::-1]) - 1.4
    np.testing.assert_allclose(twist[:3, 2], [0.7, 0.7, aim], atol=2e-3)
    wide = full_body(Pose(arm(-3, 3), rest), [Reach(3, np.array([[0.5, 1.5, 0]]), 10.0)], iterations=60)
    end = wide.pose.global_positions[0, 3]
    np.testing.assert_allclose(end, [0.5, 1.5, 0], atol=0.02)


def test_hinges_do_not_jump_between_two_ways_to_fit() -> None:
    """A point on a circle is reached with the elbow on either side; it stays on one while the point moves."""
    skeleton = Skeleton.create(
        [*"abc"], [-1, 0, 1], [[0, 0, 0], [1, 0, 0], [1, 0, 0]], hinges=[Hinge(0, (0, 0, 1)), Hinge(1, (0, 0, 1))]
    )
    around = np.linspace(0, 4 * np.pi, 120)
    target = 1.2 * np.stack([np.cos(around), np.sin(around), 0 * around], axis=-1)
    rng = np.random.default_rng(0)
    start = rotations.from_axis_angle(np.array([0.0, 0, 1]), rng.uniform(-2, 2, size=(120, 3)))
    loose = Coordinates.of(skeleton, stay=1e-3)
    found = full_body(Pose(skeleton, start), [Reach(2, target, 10.0)], loose, iterations=50).pose
    assert np.linalg.norm(found.global_positions[:, 2] - target, axis=-1).max() < 1e-3
    elbow = rotations.log(found.local_rotations[:, 1])[:, 2]
    assert np.abs(np.diff(elbow)).max() < 0.01


def test_capsules_are_pushed_apart_unless_they_touch_at_rest() -> None:
    skeleton = Skeleton.create([*"abc"], [-1, 0, 0], [[0, 0, 0], [-0.5, 0, 0], [0.5, 0, 0]])
    ends = np.array([[[0, 0, 0], [0, 1, 0]]] * 2, float)
    lean = rotations.from_axis_angle(np.array([0.0, 0, 1]), np.array([-0.45, 0.45]))
    local = np.concatenate([np.array([[1.0, 0, 0, 0]]), lean])[None]

    def gap(slack: float) -> float:
        capsules = Capsules(np.array([1, 2]), ends, np.array([0.1, 0.15]), np.array([[0, 1]]), np.array([slack]), 20.0)
        found = full_body(Pose(skeleton, local), [], Coordinates.of(skeleton, stay=0.05), capsules, 50).pose[0]
        up = rotations.rotate(found.global_rotations[1:], np.array([0, 1, 0], np.float32))
        tips = found.global_positions[1:] + up
        return float(np.linalg.norm(tips[0] - tips[1]))

    assert gap(1.0) == pytest.approx(1 - 2 * np.sin(0.45), abs=1e-4), "allowed to be as near as it is"
    assert gap(0.0) == pytest.approx(0.25, abs=0.01)


def test_shapes_are_checked(walk: Motion) -> None:
    with pytest.raises(SkeletonError, match=r"poses to solve must have shape \[frames\], not \[\]"):
        full_body(walk[0], [])
    pose = walk[:]
    places = np.zeros((walk.frames, 3))
    with pytest.raises(SkeletonError, match=r"has targets \[2, 3\], expected"):
        full_body(pose, [Reach(0, places[:2])])
    with pytest.raises(SkeletonError, match=r"has targets \[\d+, 3\], expected \[\d+, 4\]"):
        full_body(pose, [Orient(0, places)])
    for joint in (-1, walk.skeleton.joint_count):
        with pytest.raises(SkeletonError, match=f"joint {joint} does not exist"):
            full_body(pose, [Reach(joint, places)])
    one = Capsules(np.array([0]), np.zeros((1, 2, 3)), np.ones(1), np.array([[0, 1]]), np.zeros(1))
    with pytest.raises(SkeletonError, match="capsule 1 of a pair does not exist; there are 1"):
        full_body(pose, [], capsules=one)


def test_a_limb_leaves_a_posture_that_costs_more() -> None:
    """Two hinges reach a point with the elbow on either side. A goal first holds it on the wrong one."""
    skeleton = Skeleton.create(
        [*"abc"],
        [-1, 0, 1],
        [[0, 0, 0], [1, 0, 0], [1, 0, 0]],
        hinges=[Hinge(0, (0, 0, 1), -3.0, 3.0), Hinge(1, (0, 0, 1), -0.6, 2.5)],
    )
    frames = 30
    rest = np.tile(np.array([1.0, 0, 0, 0]), (frames, 3, 1))
    reach = np.tile([1.2, 0.0, 0.0], (frames, 1))
    side = Reach(1, np.tile([0.6, 0.8, 0.0], (frames, 1)), np.where(np.arange(frames) < 5, 20.0, 0.0))
    goals = [Reach(2, reach, 10.0), side]
    coordinates = Coordinates.of(skeleton, stay=0.05, lean=0.05, limbs=[[0, 1]])

    def misses(restart: int) -> np.ndarray:
        pose = full_body(Pose(skeleton, rest), goals, coordinates, iterations=10, restart=restart).pose
        return np.linalg.norm(pose.global_positions[:, 2] - reach, axis=-1)

    assert (misses(0)[5:] > 0.2).all(), "the elbow stays at its limit"
    found = misses(12)
    assert (found[:5] > 0.2).all() and (found[5:] < 0.01).all(), "also before the frame at which it was tried"


def test_what_nothing_asks_for_leans_to_the_middle_of_its_limits() -> None:
    skeleton = arm(-0.5, 0.7)
    rest = np.tile(np.array([1.0, 0, 0, 0]), (1, 4, 1))
    coordinates = Coordinates.of(skeleton, stay=0.0, lean=0.1)
    found = full_body(Pose(skeleton, rest), [], coordinates, iterations=20).pose
    np.testing.assert_allclose(rotations.log(found.local_rotations[0, :3])[:, 2], 0.1, atol=1e-3)


def test_a_point_stays_above_a_height(rng: np.random.Generator) -> None:
    skeleton = arm(-3.0, 3.0)
    frames = 3
    rest = np.tile(np.array([1.0, 0, 0, 0]), (frames, 4, 1))
    heights = np.array([-1.0, 0.2, 0.5])
    low = Reach(3, np.tile([2.0, -0.4, 0.0], (frames, 1)), 1.0)
    above = Above(2, heights, 50.0, (0.5, 0.0, 0.0))
    pose = full_body(Pose(skeleton, rest), [low, above], Coordinates.of(skeleton, stay=0.01), iterations=100).pose
    point = pose.global_positions[:, 2] + rotations.rotate(
        pose.global_rotations[:, 2], np.array([0.5, 0, 0], np.float32)
    )
    assert (point[:, 1] > heights - 2e-3).all()
    np.testing.assert_allclose(pose.global_positions[0, 3], [2.0, -0.4, 0.0], atol=0.01)
    assert point[0, 1] > -1.0 + 0.1, "a point that is high enough is left alone"
    with pytest.raises(SkeletonError, match="targets"):
        full_body(Pose(skeleton, rest), [Above(2, heights[:2])])
