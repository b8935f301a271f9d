"""What the compiled solver is given, number by number."""

from __future__ import annotations

import numpy as np
import pytest

from kinema import Skeleton, rotations
from kinema.errors import SkeletonError
from kinema.ik import Above, Balance, Capsules, Cone, Coordinates, Hold, LookAt, Orient, Posture, Reach, packing
from kinema.ik import task_kernels as kernels
from kinema.ik.masses import mass_centres, mass_shares
from kinema.ik.tasks import NO_CAPSULES
from kinema.skeleton import Hinge

UP = np.array([[0.0, 1.0, 0.0], [1.0, 0.0, 0.0]])


def body() -> Skeleton:
    """Four joints in a row, the third one a hinge."""
    turns = rotations.exp(np.array([[0, 0, 0], [0.1, 0.2, 0.3], [0, 0.5, 0], [0.4, 0, 0]]))
    hinge = Hinge(2, (0.0, 0.0, 1.0), -0.5, 1.0)
    return Skeleton.create(
        [*"abcd"], [-1, 0, 1, 2], [[0, 0, 0], [0, 1, 0], [0, 2, 0], [0, 3, 0]], turns, hinges=[hinge]
    )


def test_the_tree_says_which_coordinates_each_joint_has() -> None:
    """Three translations and three rotations of the root, none of the second joint, one of the hinge, three."""
    skeleton = body()
    tree = packing.tree_of(skeleton, Coordinates.of(skeleton, [0, 2, 3], [0]))
    assert tree.parents.tolist() == [-1, 0, 1, 2]
    assert tree.first.tolist() == [0, 6, 6, 7] and tree.count.tolist() == [6, 0, 1, 3]
    assert tree.hinged.tolist() == [False, False, True, False]
    assert tree.slides.tolist() == [True] * 3 + [False] * 7
    np.testing.assert_array_equal(tree.axes, [*np.eye(3), *np.eye(3), [0, 0, 1], *np.eye(3)])


def test_only_limits_of_joints_that_turn_are_kept() -> None:
    skeleton = body()
    cones = [Cone(joint, 0.1 + joint, (-0.2 - joint, 0.3 + joint), (0.0, 1.0, 0.0)) for joint in (3, 0, 1)]
    found = packing.cones_of(skeleton, cones, Coordinates.of(skeleton, [1, 2, 3], [0]))
    assert found.joints.tolist() == [3, 1]
    np.testing.assert_allclose(found.rests, skeleton.rest_rotations[[3, 1]], atol=1e-6)
    np.testing.assert_allclose(np.linalg.norm(found.rests, axis=1), 1, atol=1e-12)
    np.testing.assert_array_equal(found.axes, [[0, 1, 0], [0, 1, 0]])
    assert (found.swings.tolist(), found.lower.tolist(), found.upper.tolist()) == ([3.1, 1.1], [-3.2, -1.2], [3.3, 1.3])
    none = packing.cones_of(skeleton, [], Coordinates.of(skeleton))
    assert none.joints.shape == (0,) and none.axes.shape == (0, 3) and none.rests.shape == (0, 4)


def test_tasks_are_sorted_by_kind_and_each_has_its_numbers(rng: np.random.Generator) -> None:
    skeleton, place = body(), rng.normal(size=(9, 2, 3))
    turn, local = rotations.normalize(rng.normal(size=(2, 4))), rotations.normalize(rng.normal(size=(2, 4, 4)))
    masses = np.array([0.1, 0.2, 0.3, 0.4])
    tasks = [
        Balance(place[0], [3.0, 4.0], masses),
        LookAt("d", place[1], 5.0, (1.0, 2.0, 3.0), (0.0, 1.0, 0.0)),
        Above("a", np.array([6.0, 7.0]), 8.0, (0.1, 0.2, 0.3)),
        Reach("b", place[2], [9.0, 10.0], (4.0, 5.0, 6.0)),
        Posture(local, np.array([0.5, 0.6, 0.7, 0.8])),
        Hold(1, place[3], place[4], 11.0, (7.0, 8.0, 9.0)),
        Balance(place[5]),
        Orient("c", turn, 12.0),
        Reach("d", place[6]),
    ]
    found = packing.task_arrays(skeleton, tasks, NO_CAPSULES, UP)
    assert found.first.tolist() == [0, 2, 3, 4, 5, 6, 8, 12]
    assert found.joints.tolist() == [1, 3, 2, 0, 1, 3, 0, 1, 0, 1, 2, 3], "balances have the rows of their masses"
    weights = [[9, 1, 12, 8, 11, 5, 3, 1, 0.5, 0.6, 0.7, 0.8], [10, 1, 12, 8, 11, 5, 4, 1, 0.5, 0.6, 0.7, 0.8]]
    np.testing.assert_array_equal(found.weights, weights)
    none = [0, 0, 0]
    rows = [[4, 5, 6], none, none, [0.1, 0.2, 0.3], [7, 8, 9], [1, 2, 3], *[none] * 6]
    np.testing.assert_array_equal(found.offsets, rows)
    np.testing.assert_array_equal(found.directions, [*[none] * 5, [0, 1, 0], *[none] * 6])
    for row, given in ((0, place[2]), (1, place[6]), (2, turn), (5, place[1]), (6, place[0]), (7, place[5])):
        size = given.shape[1]
        np.testing.assert_array_equal(found.targets[:, row, :size], given)
        np.testing.assert_array_equal(found.targets[:, row, size:], 0)
    np.testing.assert_array_equal(found.targets[:, 3], [[6, 0, 0, 0, 0, 0], [7, 0, 0, 0, 0, 0]])
    np.testing.assert_array_equal(found.targets[:, 4], np.concatenate([place[3], place[4]], axis=1))
    np.testing.assert_array_equal(found.targets[:, 8:, :4], local)
    np.testing.assert_array_equal(found.masses, [masses, mass_shares(skeleton)])
    np.testing.assert_array_equal(found.centres, mass_centres(skeleton))
    np.testing.assert_array_equal(found.up, UP)
    order = (
        kernels.REACH,
        kernels.ORIENT,
        kernels.ABOVE,
        kernels.HOLD,
        kernels.LOOK_AT,
        kernels.BALANCE,
        kernels.POSTURE,
    )
    assert [packing.KINDS[kind] for kind in order] == [Reach, Orient, Above, Hold, LookAt, Balance, Posture]


def test_without_tasks_there_is_nothing_to_do() -> None:
    found = packing.task_arrays(body(), [], NO_CAPSULES, UP)
    assert found.first.tolist() == [0] * 8 and len(found.joints) == 0
    assert found.targets.shape == (2, 0, 6) and found.masses.shape == (0, 4)
    np.testing.assert_array_equal(found.centres, np.zeros((4, 3)))
    assert len(found.obstacles.joints) == 0 and found.obstacles.pairs.shape == (0, 2)


def test_capsules_stay_as_they_are(rng: np.random.Generator) -> None:
    ends = rng.normal(size=(3, 2, 3)).astype(np.float32)
    radii, pairs = np.array([0.1, 0.2, 0.3]), np.array([[0, 1], [2, 0]])
    given = Capsules(np.array([3, 1, 0]), ends, radii, pairs, np.array([0.01, 0.02]), 7.0)
    found = packing.task_arrays(body(), [], given, UP).obstacles
    assert found.joints.tolist() == [3, 1, 0] and found.pairs.tolist() == [[0, 1], [2, 0]] and found.weight == 7.0
    np.testing.assert_array_equal(found.ends, ends)
    np.testing.assert_array_equal(found.radii, radii)
    np.testing.assert_array_equal(found.slack, [0.01, 0.02])
    assert found.ends.dtype == np.float64


@pytest.mark.parametrize("joint", [7, -1])
def test_a_joint_that_does_not_exist_is_refused(joint: int) -> None:
    with pytest.raises(SkeletonError, match=f"joint {joint} does not exist; there are 4"):
        packing.task_arrays(body(), [Reach(joint, np.zeros((2, 3)))], NO_CAPSULES, UP)
