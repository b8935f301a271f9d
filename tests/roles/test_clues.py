"""What is known of joints before roles are decided."""

from __future__ import annotations

import numpy as np
import pytest

from kinema import Skeleton
from kinema.roles.clues import find_middle, gather, hinge_axes, hinted
from kinema.skeleton import Hinge

from .rigs import build, person


def clues_of(skeleton: Skeleton):
    return gather(skeleton, None, hinted(skeleton), hinge_axes(skeleton))


def test_a_symmetric_body_pairs_its_sides_and_has_a_middle():
    skeleton, truth = build(person())
    clues = clues_of(skeleton)
    assert clues.plane is not None
    for joint, role in enumerate(truth):
        other = role.replace("left", "right") if "left" in role else role.replace("right", "left")
        assert clues.middle[joint] == (other == role), role
        if other == role:
            assert clues.partners[joint] == joint
        else:
            assert truth[clues.partners[joint]] == other
        assert clues.partners[clues.partners[joint]] == joint


def test_the_middle_ends_where_a_side_begins():
    tree = gather(*(build(person())[0], None, {}, {})).tree
    partners = list(range(len(tree.parents)))
    assert all(find_middle(tree, partners))
    first = next(joint for joint, parent in enumerate(tree.parents) if parent >= 0 and tree.children[joint])
    partners[first] = first + 1
    below = tree.below(first)
    assert not any(find_middle(tree, partners)[joint] for joint in below)


def test_stated_roles_come_before_names_and_what_is_no_role_is_left_out():
    skeleton = Skeleton.create(["Tail", "b"], [-1, 0], [[0, 0, 0], [0, 1, 0]])
    stated = skeleton.with_hints({"Tail": "left_thigh", "b": "nonsense"})
    assert hinted(stated) == {0: ("thigh", "left")}
    assert clues_of(stated).evidence[0].parts == {"thigh": 1.0}
    assert "tail" in clues_of(skeleton).evidence[0].parts


def test_copies_of_blender_do_not_keep_the_side_of_their_original():
    at = [[0, 0, 0], [0, 0, 0.1], [0, 0, 0.2]]
    assert clues_of(Skeleton.create(["Root", "Leg.L", "Leg.L.001"], [-1, 0, 0], at)).evidence[2].side is None
    four = Skeleton.create(["Root", "Leg.L", "Leg.L.001", "Leg.R.001"], [-1, 0, 0, 0], [*at, [0, 0, 0.3]])
    assert clues_of(four).evidence[2].side == "left"


def test_axes_of_hinges_are_in_model_space():
    half = np.float32(np.sqrt(0.5))
    skeleton = Skeleton.create(
        ["a", "b"],
        [-1, 0],
        [[0, 0, 0], [0, 1, 0]],
        rest_rotations=[[half, 0, 0, half], [1, 0, 0, 0]],
        hinges=[Hinge(1, (1, 0, 0))],
    )
    assert hinge_axes(skeleton)[1] == pytest.approx([0, 1, 0], abs=1e-6)
    assert hinge_axes(Skeleton.create(["a"], [-1], [[0, 0, 0]])) == {}


def test_digits_side_by_side_are_toes():
    offsets = [[0, 0, 0], [0.1, 0, 0.1], [0, 0, 0.1], [0.05, 0, 0.1], [-0.05, 0, 0.1]]
    tips = [(joint, [0, 0, 0.1]) for joint in (2, 3, 4)]
    clues = clues_of(Skeleton.create(["root", "foot", "a", "b", "c"], [-1, 0, 1, 1, 1], offsets, tips=tips))
    clues.middle[1] = False  # as of a foot that has a partner
    assert [clues.in_row(joint) for joint in range(5)] == [False, False, True, True, True]
    assert clues.said(2, "leg") == {"toes": 1.0}
