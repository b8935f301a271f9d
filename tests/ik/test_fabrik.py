"""FABRIK: every target in reach is met, lengths stay, poles and limits hold, also for several targets."""

from __future__ import annotations

import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kinema import Skeleton, rotations
from kinema.errors import SkeletonError
from kinema.ik import Cone, Reach, fabrik, fabrik_positions
from kinema.ik.limits import excess
from kinema.mocap.procedural import humanoid
from kinema.pose import Pose
from kinema.skeleton import Hinge


def norm(v) -> np.ndarray:
    return np.linalg.norm(v, axis=-1)


def chains(rng: np.random.Generator, count: int, bones: int) -> tuple[np.ndarray, np.ndarray]:
    """Random chains `[count, bones + 1, 3]`, and lengths of their bones."""
    lengths = rng.uniform(0.05, 1.0, size=(count, bones))
    along = rotations.normalize_vector(rng.normal(size=(count, bones, 3)))
    ends = rng.normal(size=(count, 1, 3)) + np.cumsum(along * lengths[..., None], axis=1)
    return np.concatenate([ends[:, :1] - along[:, :1] * lengths[:, :1, None], ends], axis=1), lengths


def reach_of(lengths: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Smallest and largest distance between the ends."""
    total = lengths.sum(-1)
    return np.maximum(2 * lengths.max(-1) - total, 0.0), total


def in_one_line(points: np.ndarray, lengths: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """The chains stretched out along random lines."""
    line = rotations.normalize_vector(rng.normal(size=(len(points), 1, 3)))
    along = np.concatenate([np.zeros((len(points), 1)), np.cumsum(lengths, axis=1)], axis=1)
    return points[:, :1] + along[..., None] * line


CASES = ("anywhere", "in one line", "behind in one line", "nearly stretched", "nearly folded", "at the limits")


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("bones", [1, 2, 3, 4, 9, 20])
@pytest.mark.parametrize("with_pole", [False, True])
def test_every_target_in_reach_is_met_and_lengths_stay(case: str, bones: int, with_pole: bool, rng) -> None:
    count = 300
    points, lengths = chains(rng, count, bones)
    least, most = reach_of(lengths)
    share = rng.uniform(size=count)
    if case in ("nearly stretched", "nearly folded"):
        share = 10.0 ** -rng.uniform(2, 9, size=count)
        share = 1 - share if case == "nearly stretched" else share
    if case == "at the limits":
        share = np.round(share)
    distance = least + share * (most - least)
    direction = rotations.normalize_vector(rng.normal(size=(count, 3)))
    if "line" in case:
        points = in_one_line(points, lengths, rng)
        direction = rotations.normalize_vector(points[:, 1] - points[:, 0])
    targets = points[:, 0] + distance[:, None] * (-direction if "behind" in case else direction)
    poles = rng.normal(size=(count, 3)) if with_pole else None
    found = fabrik_positions(points, targets, poles)
    np.testing.assert_allclose(norm(np.diff(found, axis=1)), lengths, atol=1e-9)
    np.testing.assert_allclose(found[:, 0], points[:, 0], atol=1e-12)
    assert norm(found[:, -1] - targets).max() < 1e-5


@pytest.mark.parametrize("bones", [2, 3, 9])
def test_the_chain_bends_to_its_pole(bones: int, rng: np.random.Generator) -> None:
    points, lengths = chains(rng, 300, bones)
    least, most = reach_of(lengths)
    away = (least + rng.uniform(0.1, 0.9, 300) * (most - least))[:, None]
    targets = points[:, 0] + rotations.normalize_vector(rng.normal(size=(300, 3))) * away
    poles = rng.normal(size=(300, 3))
    found = fabrik_positions(points, targets, poles)
    line = rotations.normalize_vector(targets - points[:, 0])
    bend = (found[:, 1:-1] - points[:, :1]).sum(1)
    bend, side = (v - (v * line).sum(-1, keepdims=True) * line for v in (bend, poles))
    cosine = (bend * side).sum(-1) / (norm(bend) * norm(side))
    assert cosine.min() > 1 - 1e-6


def test_targets_out_of_reach_are_pointed_at(rng: np.random.Generator) -> None:
    points, lengths = chains(rng, 100, 5)
    targets = points[:, 0] + 10 * rotations.normalize_vector(rng.normal(size=(100, 3)))
    found = fabrik_positions(points, targets)
    line = rotations.normalize_vector(targets - points[:, 0])
    np.testing.assert_allclose(found[:, -1], points[:, 0] + line * lengths.sum(1)[:, None], atol=1e-6)


def test_a_chain_that_is_there_stays_and_passes_move_less_than_none(rng: np.random.Generator) -> None:
    points, _ = chains(rng, 200, 9)
    np.testing.assert_allclose(fabrik_positions(points, points[:, -1]), points, atol=1e-9)
    targets = points[:, -1] + rng.normal(size=(200, 3)) * 0.5
    few, many = (norm(fabrik_positions(points, targets, iterations=n) - points).mean() for n in (0, 8))
    assert many < 0.8 * few


@pytest.mark.parametrize(
    "points",
    [np.zeros((4, 3)), np.array([[0.0, 0, 0], [0, 0, 0], [0, 1, 0]]), np.array([[0.0, 0, 0], [0, 1, 0], [0, 0, 0]])],
)
@pytest.mark.parametrize("target", [[0.0, 0, 0], [0, 0.5, 0], [0, -2, 0], [1e-13, 0, 0], [1e9, 0, 0]])
@pytest.mark.parametrize("pole", [None, [0.0, 1, 0], [1.0, 0, 0]])
def test_degenerate_chains_are_finite_and_keep_lengths(points, target, pole) -> None:
    found = fabrik_positions(points, np.array(target), None if pole is None else np.array(pole))
    assert np.isfinite(found).all()
    np.testing.assert_allclose(norm(np.diff(found, axis=0)), norm(np.diff(points, axis=0)), atol=1e-9)


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10**6))
def test_a_moved_world_gives_the_moved_answer(seed: int) -> None:
    rng = np.random.default_rng(seed)
    points, lengths = chains(rng, 1, 6)
    target = points[0, 0] + rotations.normalize_vector(rng.normal(size=3)) * lengths.sum() * 0.6
    pole, turn, shift = rng.normal(size=3), rotations.normalize(rng.normal(size=4)), rng.normal(size=3)
    plain = fabrik_positions(points[0], target, pole)
    moved = fabrik_positions(
        rotations.rotate(turn, points[0]) + shift, rotations.rotate(turn, target) + shift, rotations.rotate(turn, pole)
    )
    np.testing.assert_allclose(moved, rotations.rotate(turn, plain) + shift, atol=1e-5)


def test_one_chain_is_solved_as_in_a_batch_and_shapes_broadcast(rng: np.random.Generator) -> None:
    points, _ = chains(rng, 6, 4)
    targets = points[:, 0] + rng.normal(size=(6, 3)) * 0.5
    together = fabrik_positions(points.reshape(2, 3, 5, 3), targets.reshape(2, 3, 3))
    np.testing.assert_array_equal(together[1, 2], fabrik_positions(points[5], targets[5]))
    shared = fabrik_positions(points[0], targets, np.array([0.0, 0, 1]))
    np.testing.assert_array_equal(shared[3], fabrik_positions(points[0], targets[3], np.array([0.0, 0, 1])))
    assert fabrik_positions(points[:0], targets[:0]).shape == (0, 5, 3)
    assert fabrik_positions(points.astype(np.float32), targets).dtype == np.float32
    for wrong in (
        (points[0, 0], targets[0]),
        (points[:, :, :2], targets),
        (points[:, :1], targets),
        (points, targets[:, :2]),
    ):
        with pytest.raises(ValueError, match="fabrik_positions needs points"):
            fabrik_positions(*wrong)


def straight(bones: int) -> Skeleton:
    return Skeleton.create(
        [f"j{i}" for i in range(bones + 1)], [-1, *range(bones)], [[0, 0, 0], *([[0, 1 / bones, 0]] * bones)]
    )


@pytest.mark.parametrize("bones", [3, 9])
@pytest.mark.parametrize("kind", ["cones", "hinges"])
def test_chains_reach_what_their_limits_allow(kind: str, bones: int, rng: np.random.Generator) -> None:
    body, count = straight(bones), 200
    axes = [(0.0, 1.0, 0.0), (1.0, 0.0, 0.0), (0.0, 0.0, 1.0)]
    local = np.tile([1.0, 0, 0, 0], (count, bones + 1, 1))
    limits: list[Cone | Hinge] = []
    for joint in range(bones):
        if kind == "cones":
            limits.append(Cone(joint, 0.8, (-0.4, 0.4)))
            tilt = np.cross(rotations.normalize_vector(rng.normal(size=(count, 3))), [0, 1, 0])
            local[:, joint] = rotations.exp(tilt * rng.uniform(0, 0.8, (count, 1)))
        else:
            limits.append(Hinge(joint, axes[joint % 3], -1.5, 1.5))
            turn = rotations.from_axis_angle(np.array(axes[joint % 3]), rng.uniform(-1.5, 1.5, count))
            local[:, joint] = turn
    target = Pose(body, local).global_positions[:, -1]
    rest = Pose(body, np.tile([1.0, 0, 0, 0], (count, bones + 1, 1)))
    found = fabrik(rest, [Reach(bones, target)], limits, root=0)
    assert norm(found.global_positions[:, -1] - target).max() < 1e-3
    assert excess(found, limits).max() < 1e-6


def test_more_passes_leave_fewer_poses_to_least_squares(rng: np.random.Generator, monkeypatch) -> None:
    body, count, left = straight(4), 200, []
    tilt = np.cross(rotations.normalize_vector(rng.normal(size=(count, 4, 3))), [0, 1, 0])
    local = np.tile([1.0, 0, 0, 0], (count, 5, 1))
    rest = Pose(body, local.copy())
    local[:, :4] = rotations.exp(tilt * rng.uniform(0, 0.5, (count, 4, 1)))
    target = Pose(body, local).global_positions[:, -1]
    limits = [Cone(joint, 0.5) for joint in range(4)]

    def stays(pose: Pose, *_: object, **__: object) -> Pose:
        left.append(len(pose))
        return pose

    monkeypatch.setattr(sys.modules["kinema.ik.fabrik"], "solve", stays)
    for iterations in (0, 1, 8):
        found = fabrik(rest, [Reach(4, target)], limits, root=0, iterations=iterations)
        missed = norm(found.global_positions[:, -1] - target) > 1e-4
        assert left[-1] == np.count_nonzero(missed)
    assert left[0] > 1.5 * left[1] > 1.5 * left[2] > 0


def test_an_arm_of_a_person_reaches_and_nothing_else_moves(rng: np.random.Generator) -> None:
    person = humanoid()
    start = Pose(
        person,
        np.tile(person.rest_rotations, (2, 5, 1, 1)),
        root_positions=np.float32([1, 0, 2]) + np.zeros((2, 5, 3), np.float32),
        root_rotations=rotations.from_yaw(rng.normal(size=(2, 5)).astype(np.float32)),
    )
    arm, hand = person.index("LeftArm"), person.index("LeftHand")
    target = start.global_positions[..., arm, :] + 0.3 * rotations.normalize_vector(rng.normal(size=(2, 5, 3)))
    down = np.array([0.0, -1.0, 0.0])
    tip = (0.05, 0.0, 0.0)
    found = fabrik(start, [Reach("LeftHand", target, offset=tip)], root="LeftArm", poles=down)
    point = found.global_positions[..., hand, :] + rotations.rotate(found.global_rotations[..., hand, :], np.array(tip))
    assert norm(point - target).max() < 1e-5
    changed = np.abs(found.local_rotations - start.local_rotations).max(axis=(0, 1, 3)) > 1e-6
    assert {person.names[joint] for joint in np.flatnonzero(changed)} == {"LeftArm", "LeftForeArm", "LeftHand"}
    np.testing.assert_array_equal(found.root_positions, start.root_positions)
    np.testing.assert_array_equal(found.local_translations, start.local_translations)
    alone = fabrik(start[1, 3], [Reach("LeftHand", target[1, 3], offset=tip)], root="LeftArm", poles=down)
    np.testing.assert_allclose(alone.local_rotations, found.local_rotations[1, 3], atol=1e-6)


def test_a_hinge_stays_a_hinge_when_its_chain_turns_to_a_pole() -> None:
    """The whole chain rotates with its bend; an elbow does not bend sideways."""
    body = Skeleton.create([*"abc"], [-1, 0, 1], [[0, 0, 0], [0, 1, 0], [0, 1, 0]])
    local = np.tile([1.0, 0, 0, 0], (3, 1))
    local[1] = rotations.exp(np.array([1.0, 0, 0]))
    pose = Pose(body, local)
    for pole in rotations.rotate(rotations.from_yaw(np.linspace(-2, 2, 9)), np.array([0.0, 0.0, 1.0])):
        found = fabrik(pose, [Reach("c", [0.2, 1.2, 0.1])], root="a", poles=pole)
        np.testing.assert_allclose(rotations.log(found.local_rotations[1])[1:], 0, atol=1e-6)


def test_several_targets_are_reached_together(rng: np.random.Generator) -> None:
    """Both hands of a person, from the spine on, with limits."""
    person = humanoid()
    count = 50
    away = np.where(np.arange(person.joint_count)[:, None] > 0, rng.normal(size=(count, person.joint_count, 3)), 0.0)
    goal = Pose(person, rotations.multiply(person.rest_rotations.astype(np.float64), rotations.exp(away * 0.3)))
    hands = person.indices(["LeftHand", "RightHand"])
    target = goal.global_positions[:, hands]
    rest = Pose(person, np.tile(person.rest_rotations.astype(np.float64), (count, 1, 1)))
    tasks = [Reach(int(hand), target[:, k]) for k, hand in enumerate(hands)]
    for limits in ([], [Cone("Spine", 1.2, (-1.0, 1.0)), Cone("Spine1", 1.2), Cone("LeftArm", 2.0)]):
        found = fabrik(rest, tasks, limits, root="Spine")
        assert norm(found.global_positions[:, hands] - target).max() < 1e-3
        assert excess(found, limits).size == 0 or excess(found, limits).max() < 1e-6
    with pytest.raises(SkeletonError, match="poles are for one target"):
        fabrik(rest, tasks, root="Spine", poles=np.ones(3))


def test_what_does_not_fit_is_refused() -> None:
    person = humanoid()
    with pytest.raises(SkeletonError, match="joint 'Head' is not below 'LeftArm'"):
        fabrik(person.rest_pose, [Reach("Head", [0, 0, 0])], root="LeftArm")
    with pytest.raises(SkeletonError, match=r"targets of a task have shape \[2\], expected \[3\]"):
        fabrik(person.rest_pose, [Reach("LeftHand", [0, 0])], root="LeftArm")
    assert fabrik(person.rest_pose, [], root="LeftArm") is person.rest_pose
