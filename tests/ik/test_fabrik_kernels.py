"""The steps of FABRIK on chains and trees that can be computed by hand."""

from __future__ import annotations

import numpy as np
import pytest

from kinema import rotations
from kinema.ik import fabrik_kernels as kernels
from kinema.ik.cone_kernels import Cones

X, Y, Z = np.eye(3)
Chain = tuple[np.ndarray, np.ndarray, float, float]


def unit(v: np.ndarray) -> np.ndarray:
    return v / np.linalg.norm(v, axis=-1, keepdims=True)


def chain(points: np.ndarray) -> Chain:
    """Directions and lengths of a chain's bones, its length, and the shortest distance between its ends."""
    work = np.zeros((len(points) - 1, 4))
    directions, lengths = work[:, :3], work[:, 3]
    return directions, lengths, *kernels._bones(np.asarray(points, float), directions, lengths)


def laid(lengths: list[float], directions: np.ndarray) -> Chain:
    """The same of a chain from the origin along some directions."""
    return chain(np.concatenate([np.zeros((1, 3)), np.cumsum(np.array(lengths)[:, None] * directions, axis=0)]))


def test_bones_have_directions_and_lengths() -> None:
    directions, lengths, total, least = chain(np.array([[1, 1, 1], [1, 1, 4], [1, 2, 4], [1, 2, 4]]))
    np.testing.assert_allclose(directions, [Z, Y, -Y])
    np.testing.assert_allclose(lengths, [3, 1, 0])
    assert total == 4 and least == 2, "the longest bone is two metres longer than the others together"
    assert chain(np.array([0 * X, X, X + Y, Y]))[3] == 0
    np.testing.assert_allclose(kernels._end(directions, lengths), [0, 1, 3])
    points = np.tile([5.0, 6.0, 7.0], (4, 1))
    kernels._place(points, directions, lengths)
    np.testing.assert_allclose(points - [5, 6, 7], [[0, 0, 0], [0, 0, 3], [0, 1, 3], [0, 1, 3]])


def test_a_pass_goes_to_the_target_and_back_to_the_root() -> None:
    """Aristidou and Lasenby, "FABRIK", 2011, written out."""
    rng = np.random.default_rng(3)
    points = rng.normal(size=(5, 3))
    target = points[0] + [0.5, 0.2, -0.4]
    directions, lengths, *_ = chain(points)
    back = points.copy()
    back[-1] = target
    for i in range(3, 0, -1):
        back[i] = back[i + 1] + lengths[i] * unit(back[i] - back[i + 1])
    wanted = back.copy()
    for i in range(4):
        wanted[i + 1] = wanted[i] + lengths[i] * unit(back[i + 1] - wanted[i])
    kernels._sweep(points, directions, lengths, tuple(target))
    np.testing.assert_allclose(points, wanted, atol=1e-12)
    np.testing.assert_allclose(directions, unit(np.diff(wanted, axis=0)), atol=1e-12)


def test_the_bend_is_the_sum_of_the_offsets_of_inner_joints() -> None:
    points = np.array([[0, 0, 0], [1, 1, 0], [-2, 2, 1], [0, 3, 0]], float)
    directions, lengths, *_ = chain(points)
    np.testing.assert_allclose(kernels._bend(directions, lengths, tuple(Y)), [-1, 0, 1], atol=1e-12)


@pytest.mark.parametrize(
    ("sides", "degrees"), [((3, 4, 5), 90), ((1, 1, 1), 60), ((2, 1, 3**0.5), 60), ((1, 1, 9), 180), ((1, 3, 1), 0)]
)
def test_angles_are_those_of_triangles(sides: tuple[float, float, float], degrees: float) -> None:
    assert np.degrees(kernels._angle(*map(float, sides))) == pytest.approx(degrees, abs=1e-6)


@pytest.mark.parametrize(
    "lengths", [[1.0, 1.0], [0.3, 0.9], [0.5, 0.2, 0.4], [0.2, 0.2, 1.1, 0.3, 0.1], [1.5] + [0.1] * 4]
)
@pytest.mark.parametrize("share", [0.0, 0.1, 0.5, 0.9])
def test_a_folded_chain_ends_where_it_should_and_bends_to_its_side(lengths: list[float], share: float) -> None:
    directions, sizes, total, least = laid(lengths, np.tile(Y, (len(lengths), 1)))
    distance, folded = least + share * (total - least), np.zeros_like(directions.copy())
    line, side = unit(X + Y), unit(X - Y)
    kernels._fold(sizes, total, distance, tuple(line), tuple(side), folded)
    np.testing.assert_allclose(np.linalg.norm(folded, axis=1), 1)
    np.testing.assert_allclose(sizes @ folded, distance * line, atol=1e-7)
    np.testing.assert_allclose(folded @ Z, 0, atol=1e-12)
    assert (np.cumsum(sizes[:, None] * folded, axis=0)[:-1] @ side).min() > -1e-7
    pieces = np.count_nonzero(np.linalg.norm(np.diff(folded, axis=0), axis=1) > 1e-9)
    assert pieces <= 2, "three straight pieces"


def test_a_blend_turns_each_direction_by_a_share_of_its_way() -> None:
    directions, goals = np.array([X, X, unit(X + Y), Z]), np.array([Y, X, Y, -Z])
    out = np.zeros_like(directions)
    for share in (0.0, 0.25, 1.0):
        kernels._blend(directions, goals, share, out)
        quarter = share * np.pi / 2
        np.testing.assert_allclose(out[0], [np.cos(quarter), np.sin(quarter), 0], atol=1e-12)
        np.testing.assert_allclose(out[1], X, atol=1e-12)
        aslant = np.pi / 4 + 0.5 * quarter
        np.testing.assert_allclose(out[2], [np.cos(aslant), np.sin(aslant), 0], atol=1e-12)
        assert out[3] @ Z == pytest.approx(np.cos(share * np.pi)) and np.linalg.norm(out[3]) == pytest.approx(1)


@pytest.mark.parametrize("bones", [2, 3, 8])
@pytest.mark.parametrize("share", [1e-6, 0.2, 0.6, 0.99, 1 - 1e-9])
def test_closing_sets_the_distance_of_the_ends_and_keeps_the_plane(bones: int, share: float) -> None:
    """An arc stays in its plane, bends to the same side as before, and is left alone where it is right."""
    lengths = np.linspace(1.0, 0.5, bones).tolist()
    angles = np.linspace(0.9, -0.7, bones)
    arc = np.stack([np.sin(angles), np.cos(angles), 0 * angles], axis=1)
    directions, sizes, total, least = laid(lengths, arc)
    before = sizes @ directions
    kernels._close(directions, sizes, total, least, float(np.linalg.norm(before)), tuple(Z))
    np.testing.assert_array_equal(directions, laid(lengths, arc)[0])
    distance = least + share * (total - least)
    bend = kernels._bend(directions, sizes, tuple(unit(before)))
    kernels._close(directions, sizes, total, least, distance, tuple(Z))
    end = sizes @ directions
    assert np.linalg.norm(end) == pytest.approx(distance, abs=2e-9 * total)
    np.testing.assert_allclose(directions @ Z, 0, atol=1e-12)
    after = np.array(kernels._bend(directions, sizes, tuple(unit(end))))
    assert np.dot(bend, after) > 0 or share > 0.9999


def test_two_bones_close_by_the_law_of_cosines() -> None:
    directions, sizes, total, least = laid([0.8, 0.5], np.array([unit(X + Y), Y]))
    kernels._close(directions, sizes, total, least, 0.6, tuple(Z))
    wanted = (0.6**2 - 0.8**2 - 0.5**2) / (2 * 0.8 * 0.5)
    assert directions[0] @ directions[1] == pytest.approx(wanted, abs=1e-8)


def carried(old: np.ndarray, new: np.ndarray, old_bend: np.ndarray, new_bend: np.ndarray) -> np.ndarray:
    return np.array(kernels._carry_frame(*(tuple(map(float, v)) for v in (old, new, old_bend, new_bend))))


def test_a_frame_is_carried_with_its_line_and_its_bend() -> None:
    turn = rotations.normalize(np.array([0.3, -0.5, 0.7, 0.2]))
    new, bend = rotations.rotate(turn, Y), rotations.rotate(turn, 0.2 * X)
    assert rotations.angle(rotations.relative(carried(Y, new, 0.2 * X, bend), turn)) < 1e-7
    least = rotations.between(Y, new)
    for old_bend, new_bend in ((0 * X, bend), (0.2 * X, 0 * X)):
        found = carried(Y, new, old_bend, new_bend)
        assert rotations.angle(rotations.relative(found, least)) < 1e-7, "nothing shows how it turned about its line"


def test_joints_of_a_chain_turn_with_it_and_with_their_bones(rng: np.random.Generator) -> None:
    old = rng.normal(size=(5, 3))
    stood = rotations.normalize(rng.normal(size=(4, 4)))
    turn = rotations.normalize(rng.normal(size=4))
    work, found = np.zeros((4, 4)), stood.copy()
    kernels.turn_chain(old, rotations.rotate(turn, old) + np.array([1.0, 2.0, 3.0]), found, work)
    assert rotations.angle(rotations.relative(found, rotations.multiply(turn, stood))).max() < 1e-6, "a rigid motion"
    new, found = old + 0.2 * rng.normal(size=(5, 3)), stood.copy()
    kernels.turn_chain(old, new, found, work)
    follow = rotations.rotate(found, rotations.inverse_rotate(stood, unit(np.diff(old, axis=0))))
    np.testing.assert_allclose(follow, unit(np.diff(new, axis=0)), atol=1e-9)


def test_a_bone_without_length_keeps_its_rotation() -> None:
    old = np.array([[0, 0, 0], [0, 1, 0], [0, 1, 0], [0.5, 1.5, 0]])
    new = rotations.rotate(rotations.exp(np.array([0.0, 0.0, 0.5])), old)
    found = np.tile([1.0, 0, 0, 0], (3, 1))
    kernels.turn_chain(old, new, found, np.zeros((3, 4)))
    np.testing.assert_allclose(rotations.angle(found), [0.5, 0, 0.5], atol=1e-9)


def no_limits() -> Cones:
    none = np.zeros(0)
    return Cones(np.zeros(0, np.int64), np.zeros((0, 4)), np.zeros((0, 3)), none, none, none)


def fork() -> kernels.Branches:
    """A trunk of 2 m along Y from the root, and two arms of 1 m along +X and -X from its end."""
    bones = np.array([[0 * X, 2 * Y, X, -X]])
    joint = np.array([True, True, False, False])
    parents, goals = np.array([-1, 0, 1, 1]), np.array([-1, -1, 1, 0])
    return kernels.Branches(parents, bones, joint, np.full(4, -1), no_limits(), goals)


def test_a_tree_is_pulled_back_to_the_mean_of_what_its_ends_want() -> None:
    tree = fork()
    places = np.array([0 * X, 2 * Y, 2 * Y + X, 2 * Y - X])
    targets = np.array([[2 * Y - 3 * X, 4 * Y + X]])  # of the second arm and the first
    wanted, counts = np.full((4, 3), 9.0), np.full(4, 9.0)
    kernels._pull_back(tree, 0, places, targets, wanted, counts)
    np.testing.assert_allclose(wanted[2:], [4 * Y + X, 2 * Y - 3 * X])
    first = 4 * Y + X + unit(-2 * Y - X)  # a metre from each target towards the end of the trunk
    second = 2 * Y - 2 * X
    np.testing.assert_allclose(wanted[1], 0.5 * (first + second))
    np.testing.assert_allclose(wanted[0], wanted[1] + 2 * unit(-wanted[1]))
    np.testing.assert_array_equal(counts, [1, 2, 1, 1])
    assert kernels._worst(tree, 0, places, targets) == pytest.approx(np.hypot(0, 2))
    alone = tree._replace(goals=np.array([-1, -1, 0, -1]))
    kernels._pull_back(alone, 0, places, targets, wanted, counts)
    np.testing.assert_allclose(wanted[3], places[3])
    np.testing.assert_array_equal(counts, [1, 1, 1, 0])
    assert kernels._worst(alone, 0, places, targets) == pytest.approx(4.0)


def solved(tree: kernels.Branches, targets: np.ndarray, iterations: int = 60) -> tuple[np.ndarray, np.ndarray, float]:
    """Places relative to the root, which is somewhere, rotations, and what is missed."""
    places, turns = np.zeros((1, len(tree.parents), 3)), np.tile([1.0, 0, 0, 0], (1, len(tree.parents), 1))
    base, root = np.array([[1.0, 0, 0, 0]]), np.array([3.0, -1.0, 2.0])
    places[0, 0] = root
    missed = kernels.solve_branches(tree, base, places, turns, targets[None] + root, iterations, 1e-6)
    return places[0] - root, turns[0], float(missed[0])


def test_a_tree_comes_nearer_to_all_its_targets_and_keeps_its_bones() -> None:
    """The fork turned as a whole: in its plane at once, and out of it pass by pass."""
    there = rotations.rotate(rotations.exp(0.3 * Z), np.array([2 * Y - X, 2 * Y + X]))
    places, turns, missed = solved(fork(), there)
    assert missed < 1e-6
    np.testing.assert_allclose(places[[3, 2]], there, atol=1e-6)
    np.testing.assert_allclose(turns[:2], np.tile(rotations.exp(0.3 * Z), (2, 1)), atol=1e-6)
    targets = rotations.rotate(rotations.exp(np.array([0.4, -0.7, 0.3])), np.array([2 * Y - X, 2 * Y + X]))
    errors = []
    for iterations in (0, 1, 5, 20, 60):
        places, turns, missed = solved(fork(), targets, iterations)
        errors.append(missed)
        np.testing.assert_allclose(places[1], rotations.rotate(turns[0], 2 * Y), atol=1e-12)
        np.testing.assert_allclose(places[2] - places[1], rotations.rotate(turns[1], X), atol=1e-12)
        assert missed == pytest.approx(np.linalg.norm(targets - places[[3, 2]], axis=1).max())
        if iterations == 0:
            np.testing.assert_allclose(places, [0 * X, 2 * Y, 2 * Y + X, 2 * Y - X])
    assert (np.diff(errors) < 0).all() and errors[-1] < 0.15 * errors[0]


def test_a_joint_with_several_children_turns_to_the_best_fit() -> None:
    """The rotation of a rigid fan onto points that fit no rotation: that of Kabsch (1976)."""
    rng = np.random.default_rng(5)
    bones = np.concatenate([np.zeros((1, 3)), rng.normal(size=(4, 3))])
    parents, goals = np.array([-1, 0, 0, 0, 0]), np.array([-1, 0, 1, 2, 3])
    tree = kernels.Branches(parents, bones[None], np.arange(5) == 0, np.full(5, -1), no_limits(), goals)
    turn = rotations.exp(np.array([0.3, 0.5, -0.2]))
    targets = rotations.rotate(turn, bones[1:]) + 0.1 * rng.normal(size=(4, 3))
    u, _, v = np.linalg.svd(targets.T @ bones[1:])
    assert np.linalg.det(u @ v) > 0
    _, turns, _ = solved(tree, targets)
    np.testing.assert_allclose(rotations.to_matrix(turns[0]), u @ v, atol=1e-5)


def hinged(lower: float, upper: float, swing: float = 0.0) -> kernels.Branches:
    """One bone of 1 m along X whose joint turns about Z."""
    identity = np.array([[1.0, 0, 0, 0]])
    limits = np.array([swing]), np.array([lower]), np.array([upper])
    cones = Cones(np.zeros(1, np.int64), identity, Z[None].copy(), *limits)
    joint = np.array([True, False])
    return kernels.Branches(
        np.array([-1, 0]), np.array([[0 * X, X]]), joint, np.array([0, -1]), cones, np.array([-1, 0])
    )


@pytest.mark.parametrize(("angle", "reached"), [(0.7, 0.7), (-0.4, -0.4), (2.0, 1.2), (-2.0, -0.5)])
def test_a_hinge_turns_to_the_direction_of_its_target_within_its_limits(angle: float, reached: float) -> None:
    """The part of the target along the axis does not count."""
    target = np.array([[3 * np.cos(angle), 3 * np.sin(angle), 5.0]])
    places, turns, missed = solved(hinged(-0.5, 1.2), target, 1)
    np.testing.assert_allclose(turns[0], rotations.exp(reached * Z), atol=1e-9)
    np.testing.assert_allclose(places[1], [np.cos(reached), np.sin(reached), 0], atol=1e-9)
    assert missed == pytest.approx(np.linalg.norm(places[1] - target[0]))


def test_a_cone_lets_a_bone_swing_as_far_as_its_limit() -> None:
    """About Y, orthogonal to the axis of the cone."""
    places, turns, _ = solved(hinged(-1.0, 1.0, 0.6), np.array([[0.0, 0.0, -1.0]]))
    np.testing.assert_allclose(turns[0], rotations.exp(0.6 * Y), atol=1e-6)
    np.testing.assert_allclose(places[1], [np.cos(0.6), 0, -np.sin(0.6)], atol=1e-6)


def test_what_the_root_is_attached_to_turns_its_limits() -> None:
    base = rotations.exp(np.array([0.5, 0.0, 0.0]))
    tree, places, turns = hinged(-1.0, 1.0), np.zeros((1, 2, 3)), base[None, None].repeat(2, 1)
    goal = rotations.rotate(base, np.array([np.cos(0.8), np.sin(0.8), 0.0]))
    missed = kernels.solve_branches(tree, base[None], places, turns, goal[None, None], 20, 1e-9)
    assert missed[0] < 1e-9
    np.testing.assert_allclose(places[0, 1], goal, atol=1e-9)


def test_rotations_that_are_not_quite_unit_become_unit() -> None:
    tree, places = fork(), np.zeros((1, 4, 3))
    turns = 1.02 * rotations.normalize(np.array([[[1.0, 2, 3, 4], [4, -3, 2, 1], [1, 0, 0, 0], [1, 0, 0, 0]]]))
    kernels.solve_branches(tree, np.array([[1.0, 0, 0, 0]]), places, turns, np.zeros((1, 2, 3)), 0, 1e-6)
    np.testing.assert_allclose(np.linalg.norm(turns[0, :2], axis=1), 1, atol=1e-12)
    wanted = rotations.normalize(np.array([[1.0, 2, 3, 4], [4, -3, 2, 1]]))
    np.testing.assert_allclose(turns[0, :2], wanted, atol=1e-12)


@pytest.mark.parametrize("size", [1e-3, 1.0, 1e3])
def test_only_the_direction_of_a_pole_counts(size: float, rng: np.random.Generator) -> None:
    points, pole = np.cumsum(rng.normal(size=(1, 5, 3)), axis=1), unit(rng.normal(size=(1, 3)))
    target = points[:, 0] + 0.5 * (points[:, -1] - points[:, 0]) + 0.1
    plain, other = (kernels.solve_chains(points, target, f * pole, True, 8, 1e-6) for f in (1.0, size))
    np.testing.assert_allclose(other, plain, atol=1e-9)


@pytest.mark.parametrize("size", [1e-6, 1.0, 1e3])
@pytest.mark.parametrize("has_pole", [True, False])
@pytest.mark.parametrize("share", [0.0, 0.3, 0.95, 1.5])
def test_a_chain_keeps_its_root_and_bones_and_meets_what_it_can_reach(
    size: float, has_pole: bool, share: float, rng: np.random.Generator
) -> None:
    """A target at a share of its length, with a few passes and none; beyond it the chain is straight."""
    points = size * np.cumsum(rng.normal(size=(1, 6, 3)), axis=1)
    lengths = np.linalg.norm(np.diff(points, axis=1), axis=-1)
    assert 2 * lengths.max() < lengths.sum(), "it folds up"
    way = unit(rng.normal(size=(1, 3)))
    for iterations in (0, 3):
        targets = points[:, 0] + share * lengths.sum() * way
        found = kernels.solve_chains(points, targets, Z[None], has_pole, iterations, 1e-9 * size)
        np.testing.assert_array_equal(found[:, 0], points[:, 0])
        np.testing.assert_allclose(np.linalg.norm(np.diff(found, axis=1), axis=-1), lengths, rtol=1e-9)
        reached = points[:, 0] + min(share, 1.0) * lengths.sum() * way
        np.testing.assert_allclose(found[:, -1], reached, atol=1e-7 * size)


def test_passes_that_arrive_are_all_there_is_to_do(rng: np.random.Generator) -> None:
    """As many plain passes as it takes end in the same chain."""
    points = np.cumsum(rng.normal(size=(1, 6, 3)), axis=1)
    target = points[:, 0] + 0.5 * (points[:, -1] - points[:, 0]) + 0.3
    found = kernels.solve_chains(points, target, Z[None], False, 500, 1e-7)
    plain = points[0].copy()
    directions, lengths, *_ = chain(plain)
    for _ in range(500):
        kernels._sweep(plain, directions, lengths, tuple(target[0]))
    np.testing.assert_allclose(plain[-1], target[0], atol=1e-7)
    np.testing.assert_allclose(found[0], plain, atol=1e-5)
