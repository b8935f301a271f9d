"""The solver for any body: it reaches what can be reached, within limits, level by level, each pose for itself."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest

from kinema import Skeleton, rotations
from kinema.errors import SkeletonError
from kinema.formats import load
from kinema.ik import Above, Balance, Cone, Hold, LookAt, Orient, Posture, Reach, solve
from kinema.ik.limits import excess
from kinema.ik.masses import mass_centre
from kinema.mocap.procedural import humanoid
from kinema.pose import Pose
from kinema.skeleton import Hinge

EYES = (0.0, 0.08, 0.1)


@pytest.fixture(scope="module")
def person() -> Skeleton:
    return humanoid()


def near_rest(skeleton: Skeleton, rng: np.random.Generator, *lead: int, size: float = 0.15) -> Pose:
    turned = rotations.exp(rng.normal(size=(*lead, skeleton.joint_count, 3)) * size)
    return Pose(skeleton, rotations.multiply(skeleton.rest_rotations.astype(np.float64), turned))


def chain(bones: int) -> Skeleton:
    """Joints along Y, a metre in all."""
    names = [f"j{i}" for i in range(bones + 1)]
    return Skeleton.create(names, [-1, *range(bones)], [[0, 0, 0], *([[0, 1 / bones, 0]] * bones)])


def distance(one, other) -> np.ndarray:
    return np.linalg.norm(np.asarray(one) - np.asarray(other), axis=-1)


def sight_error(pose: Pose, joint: int, target) -> np.ndarray:
    """Angle between the line of sight and the line to the target."""
    eye = pose.global_positions[..., joint, :] + rotations.rotate(pose.global_rotations[..., joint, :], np.array(EYES))
    line = rotations.normalize_vector(np.asarray(target) - eye)
    return np.arccos(
        np.clip((rotations.rotate(pose.global_rotations[..., joint, :], np.eye(3)[2]) * line).sum(-1), -1, 1)
    )


def test_a_person_does_everything_at_once(person: Skeleton, rng: np.random.Generator) -> None:
    """Feet stand, a hand reaches, the other holds a rail, the head looks, and the body balances."""
    goal, start = near_rest(person, rng, 20), near_rest(person, rng, 20, size=0.02)
    feet, names = person.indices(["LeftFoot", "RightFoot"]), person.names
    target = start.global_positions[:, names.index("RightArm")] + np.array([0.0, 0.1, 0.45])
    rail = np.array([[-1.0, 1.0, 0.3], [1.0, 1.0, 0.3]])
    over = start.global_positions[:, feet].mean(1)
    sight = rng.normal(size=(20, 3)) * 0.5 + np.array([0, 1.6, 3.0])
    tasks = [
        *(Reach(int(foot), start.global_positions[:, foot]) for foot in feet),
        *(Orient(int(foot), start.global_rotations[:, foot]) for foot in feet),
        Reach("RightHand", target, offset=(0.0, 0.0, 0.02)),
        Hold("LeftHand", *rail),
        LookAt("Head", sight, offset=EYES),
        Balance(over),
    ]
    found = solve(start, tasks, sliding=["Hips"])
    hand = found.global_positions[:, names.index("RightHand")] + rotations.rotate(
        found.global_rotations[:, names.index("RightHand")], np.array([0.0, 0.0, 0.02])
    )
    assert distance(found.global_positions[:, feet], start.global_positions[:, feet]).max() < 1e-5
    assert (
        rotations.angle(rotations.relative(found.global_rotations[:, feet], start.global_rotations[:, feet])).max()
        < 1e-4
    )
    assert distance(hand, target).max() < 1e-5
    other = found.global_positions[:, names.index("LeftHand")]
    np.testing.assert_allclose(other[:, 1:], np.tile([1.0, 0.3], (20, 1)), atol=1e-5)
    assert (np.abs(other[:, 0]) <= 1 + 1e-5).all()
    assert sight_error(found, names.index("Head"), sight).max() < 1e-4
    np.testing.assert_allclose(mass_centre(found)[:, [0, 2]], over[:, [0, 2]], atol=1e-5)
    np.testing.assert_allclose(found.local_translations[:, 1:], start.local_translations[:, 1:], atol=1e-12)
    assert goal.shape == found.shape


def test_a_point_on_a_rail_slides_and_stops_at_its_ends() -> None:
    body, one = chain(2), np.tile([1.0, 0, 0, 0], (3, 1))
    inside = solve(Pose(body, one), [Hold("j2", [0.5, 0.7, 0.1], [0.5, 0.7, 1.0])]).global_positions[2]
    np.testing.assert_allclose(inside[:2], [0.5, 0.7], atol=1e-5)
    assert 0.1 - 1e-5 <= inside[2] <= 1.0
    beyond = solve(Pose(body, one), [Hold("j2", [0.0, 0.6, 0.8], [0.0, 2.0, 2.0])]).global_positions[2]
    np.testing.assert_allclose(beyond, [0.0, 0.6, 0.8], atol=1e-4)
    short = solve(Pose(body, one), [Hold("j2", [2.0, 0.0, -1.0], [2.0, 0.0, 0.0])]).global_positions[2]
    np.testing.assert_allclose(short, [1.0, 0.0, 0.0], atol=1e-2)


def limits_of(kind: str, bones: int) -> list[Cone | Hinge]:
    if kind == "cones":
        return [Cone(joint, 0.9, (-0.3, 0.4)) for joint in range(bones)]
    axes = [(0.0, 1.0, 0.0), (1.0, 0.0, 0.0), (0.0, 0.0, 1.0)]
    return [Hinge(joint, axes[joint % 3], -1.4, 1.2) for joint in range(bones)]


def within(body: Skeleton, limits: list[Cone | Hinge], rng: np.random.Generator, count: int) -> Pose:
    """Random poses within limits."""
    away = rotations.exp(rng.normal(size=(count, body.joint_count, 3)))
    free = Pose(body, away)
    one = np.tile(np.array([1.0, 0, 0, 0]), (count, body.joint_count, 1))
    if isinstance(limits[0], Cone):
        return solve(free, [], limits, moving=range(body.joint_count))
    for hinge in limits:
        assert isinstance(hinge, Hinge)
        angles = rng.uniform(hinge.lower, hinge.upper, count)
        one[:, hinge.joint] = rotations.from_axis_angle(np.array(hinge.axis), angles)
    return Pose(body, one)


@pytest.mark.parametrize("kind", ["cones", "hinges"])
@pytest.mark.parametrize("bones", [3, 6, 9])
def test_what_limits_allow_is_reached_within_them(kind: str, bones: int, rng: np.random.Generator) -> None:
    body, limits = chain(bones), limits_of(kind, bones)
    goal = within(body, limits, rng, 100)
    assert excess(goal, limits).max() < 1e-6
    target = goal.global_positions[:, -1]
    rest = Pose(body, np.tile([1.0, 0, 0, 0], (100, bones + 1, 1)))
    found = solve(rest, [Reach(bones, target)], limits, restarts=10)
    assert excess(found, limits).max() < 1e-6
    assert distance(found.global_positions[:, -1], target).max() < 1e-3
    far = solve(rest, [Reach(bones, 5 * target)], limits)
    assert excess(far, limits).max() < 1e-6


def test_a_robots_hand_reaches_with_its_hinges(rng: np.random.Generator) -> None:
    robot = load(Path(str(files("kinema.retargeting").joinpath("robots", "kinema_humanoid.xml")))).skeleton
    hand = robot.roles.arms[0].hand
    moving = [hinge for hinge in robot.hinges if hinge.joint in (*robot.ancestors(hand), hand)]
    assert len(moving) >= 4
    local = np.tile(robot.rest_rotations.astype(np.float64), (100, 1, 1))
    for hinge in moving:
        turn = rotations.from_axis_angle(np.array(hinge.axis), rng.uniform(hinge.lower, hinge.upper, 100))
        local[:, hinge.joint] = rotations.multiply(local[:, hinge.joint], turn)
    target = Pose(robot, local).global_positions[:, hand]
    rest = Pose(robot, np.tile(robot.rest_rotations.astype(np.float64), (100, 1, 1)))
    found = solve(rest, [Reach(hand, target)], moving=[hinge.joint for hinge in moving], restarts=10)
    assert distance(found.global_positions[:, hand], target).max() < 1e-3
    assert excess(found, robot.hinges).max() < 1e-6


def test_tasks_of_higher_levels_do_not_disturb_those_of_lower_ones() -> None:
    """A hand reaches what it can; the elbow comes as near to another place as that allows."""
    body, one = chain(3), np.tile([1.0, 0, 0, 0], (4, 1))
    hand, elbow = np.array([0.5, 0.3, 0.1]), np.array([-2.0, 0.5, 0.0])
    together = solve(Pose(body, one), [Reach("j3", hand), Reach("j1", elbow)])
    ordered = solve(Pose(body, one), [Reach("j3", hand), Reach("j1", elbow, level=1)])
    alone = solve(Pose(body, one), [Reach("j3", hand)])
    assert distance(together.global_positions[3], hand) > 0.1
    assert distance(ordered.global_positions[3], hand) < 1e-4
    assert distance(ordered.global_positions[1], elbow) < distance(alone.global_positions[1], elbow) - 0.1
    # No other place of the elbow on its circle about the line to the hand would be nearer.
    line = rotations.normalize_vector(hand)
    around = rotations.rotate(
        rotations.from_axis_angle(line, np.linspace(0, 2 * np.pi, 100)), ordered.global_positions[1]
    )
    assert distance(ordered.global_positions[1], elbow) < distance(around, elbow).min() + 1e-2


def test_a_posture_pulls_where_nothing_else_does() -> None:
    body, one = chain(4), np.tile([1.0, 0, 0, 0], (5, 1))
    bent = one.copy()
    bent[1:3] = rotations.exp(np.array([0.0, 0.0, 0.6]))
    weights = np.array([0.0, 1.0, 1.0, 0.0, 0.0])
    found = solve(Pose(body, one), [Posture(bent, weights, level=1), Reach("j4", [0.3, 0.6, 0.3])])
    np.testing.assert_allclose(found.global_positions[4], [0.3, 0.6, 0.3], atol=1e-4)
    assert rotations.angle(rotations.relative(found.local_rotations[1:3], bent[1:3])).max() < 0.1
    only = solve(Pose(body, one), [Posture(bent)])
    np.testing.assert_allclose(only.local_rotations, bent, atol=1e-6)


def test_a_height_is_kept_above() -> None:
    body, one = chain(3), np.tile([1.0, 0, 0, 0], (4, 1))
    found = solve(Pose(body, one), [Above("j2", 0.4), Reach("j3", [0.5, -0.3, 0.0], level=1)])
    assert found.global_positions[2, 1] > 0.4 - 1e-4


def test_poses_are_solved_each_for_itself_with_any_leading_dimensions(person: Skeleton, rng) -> None:
    start = near_rest(person, rng, 2, 3)
    target = start.global_positions[..., person.index("LeftHand"), :] + rng.normal(size=(2, 3, 3)) * 0.1
    limits = [Cone("LeftArm", 1.2), Cone("LeftForeArm", 1.5, (-0.5, 0.5))]

    def solved(pose: Pose, at) -> Pose:
        return solve(pose, [Reach("LeftHand", at), LookAt("Head", at, 0.1)], limits, restarts=2)

    together = solved(start, target)
    assert together.shape == (2, 3)
    alone = solved(start[1, 2], target[1, 2])
    np.testing.assert_allclose(together.local_rotations[1, 2], alone.local_rotations, atol=1e-12)
    shared = solved(start, target[0, 0])
    np.testing.assert_allclose(shared.local_rotations[0, 0], together.local_rotations[0, 0], atol=1e-12)
    assert solved(start[:0], target[:0]).shape == (0, 3)


def test_a_moved_world_gives_the_moved_answer(person: Skeleton, rng: np.random.Generator) -> None:
    start = near_rest(person, rng, 4)
    target, sight = rng.normal(size=(2, 4, 3)) * 0.2 + np.array([0.2, 1.2, 0.5])
    turn, shift = rotations.from_yaw(np.array(1.1)), np.array([3.0, 0.0, -2.0])

    def tasks(move):
        return [Reach("RightHand", move(target)), LookAt("Head", move(sight)), Balance(move(np.zeros((4, 3))))]

    plain = solve(start, tasks(lambda p: p), sliding=["Hips"], iterations=400)
    placed = start.replace(root_positions=np.tile(shift, (4, 1)), root_rotations=np.tile(turn, (4, 1)))
    moved = solve(placed, tasks(lambda p: rotations.rotate(turn, p) + shift), sliding=["Hips"], iterations=400)
    np.testing.assert_array_equal(moved.root_positions, placed.root_positions)
    np.testing.assert_allclose(moved.model_positions, plain.model_positions, atol=1e-6)
    np.testing.assert_allclose(
        moved.global_positions, rotations.rotate(turn, plain.global_positions) + shift, atol=1e-6
    )


def test_the_kind_of_the_arrays_stays(person: Skeleton) -> None:
    torch = pytest.importorskip("torch")
    target = np.array([0.5, 1.3, 0.3])
    plain = solve(person.rest_pose, [Reach("LeftHand", target)])
    assert plain.local_rotations.dtype == np.float32
    pose = Pose(person, torch.tensor(person.rest_rotations), contacts=torch.ones(2))
    tensors = solve(pose, [Reach("LeftHand", torch.tensor(target))])
    np.testing.assert_allclose(tensors.local_rotations.numpy(), plain.local_rotations, atol=1e-6)
    assert tensors.contacts.sum() == 2


@pytest.mark.parametrize(
    ("task", "message"),
    [
        (Reach("nose", [0, 0, 0]), "no joint is named 'nose'"),
        (Reach(99, [0, 0, 0]), "joint 99 does not exist; there are 22"),
        (Reach("Head", [0, 0]), r"targets of a task have shape \[2\], expected \[5, 3\]"),
        (Orient("Head", np.zeros((4, 4))), r"targets of a task have shape \[4, 4\], expected \[5, 4\]"),
        (Reach("Head", [0, 0, 0], np.ones(3)), r"targets of a task have shape \[3\], expected \[5\]"),
    ],
)
def test_what_does_not_fit_is_refused(person: Skeleton, rng: np.random.Generator, task, message: str) -> None:
    with pytest.raises(SkeletonError, match=message):
        solve(near_rest(person, rng, 5), [task])
