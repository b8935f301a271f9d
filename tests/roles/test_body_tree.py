"""The tree of a body beside that of the file."""

from __future__ import annotations

import numpy as np

from kinema.roles import Roles
from kinema.roles.body_tree import BodyTree, turned_over
from kinema.roles.model import Chain
from kinema.skeleton import Hinge, Skeleton

from .rigs import build, person


def test_joints_stay_where_they_are_whatever_they_hang_on() -> None:
    skeleton, truth = build(person(), seed=3, frames=True)
    foot, root = truth.index("left_foot"), truth.index("head")
    changed = turned_over(skeleton.parents.tolist(), root) | {foot: truth.index("right_hand")}
    made = BodyTree.of(skeleton).joined(changed)
    assert sorted(made.joints.tolist()) == list(range(skeleton.joint_count))
    at, ours = skeleton.rest_pose.global_positions, made.skeleton.rest_pose.global_positions
    np.testing.assert_allclose(ours, at[made.joints], atol=1e-5)
    assert made.skeleton.names == tuple(skeleton.names[joint] for joint in made.joints)
    assert all(parent < joint for joint, parent in enumerate(made.skeleton.parents.tolist()))
    assert np.flatnonzero(made.skeleton.parents < 0).tolist() == [made.joints.tolist().index(root)]
    place = made.joints.tolist().index(foot)
    assert truth[made.joints[made.skeleton.parents[place]]] == "right_hand"


def test_tips_and_hinges_go_along() -> None:
    skeleton = Skeleton.create(
        ["a", "b", "c"],
        [-1, 0, 1],
        np.eye(3),
        tips=[(2, [0, 1, 0])],
        hinges=[Hinge(1, (1.0, 0.0, 0.0)), Hinge(2, (0.0, 1.0, 0.0))],
    )
    made = BodyTree.of(skeleton).joined(turned_over([-1, 0, 1], 2)).skeleton
    assert made.names == ("c", "b", "a")
    assert made.tip_joints.tolist() == [0]
    assert [(made.names[hinge.joint], hinge.axis) for hinge in made.hinges] == [("c", (0, 1, 0)), ("b", (1, 0, 0))]


def test_roles_are_told_by_the_indices_of_the_file_and_chains_as_far_as_it_connects_them() -> None:
    file = Skeleton.create(["root", "foot", "thigh", "shin", "toe"], [-1, 0, 0, 2, 1], np.ones((5, 3)))
    body = BodyTree.of(file).joined({1: 3})
    parts = tuple(body.skeleton.names)
    run = [parts.index(name) for name in ("thigh", "shin", "foot", "toe")]
    roles = Roles(
        hips=0,
        parts=parts,
        sides=("left",) * 5,
        partners=np.arange(5, dtype=np.int32),
        confidence=np.arange(5, dtype=np.float32),
        chains=(Chain("leg", "left", tuple(run)), Chain("tail", None, (run[2],))),
    )
    found = body.in_file(roles, file)
    assert found.parts == file.names
    assert found.confidence[body.joints].tolist() == [0, 1, 2, 3, 4]
    assert [chain.joints for chain in found.chains] == [(2, 3), (1,)]


def test_a_body_that_is_connected_already_is_left_alone() -> None:
    skeleton, _ = build(person())
    assert BodyTree.of(skeleton).in_file(skeleton.roles, skeleton) is skeleton.roles
