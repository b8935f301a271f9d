"""Sides of joints, and the order of chains."""

from __future__ import annotations

import numpy as np
import pytest

from kinema import Motion, Skeleton
from kinema.roles import find_roles
from kinema.roles.recognise import begin
from kinema.roles.sides import find_facing, find_sides

from .rigs import Rows, build, dog, person, spider


@pytest.mark.parametrize("rows", [person(), dog(), spider()], ids=["person", "dog", "spider"])
@pytest.mark.parametrize("mirrored", [False, True])
def test_every_joint_off_the_middle_has_its_side(rows: Rows, mirrored: bool) -> None:
    skeleton, truth = build(rows, seed=8, mirrored=mirrored)
    for joint, role in enumerate(truth):
        assert skeleton.roles.sides[joint] == (role.split("_")[0] if role.startswith(("left", "right")) else None)


def test_names_win_over_where_the_body_faces() -> None:
    skeleton, truth = build(person(), names=True)
    swapped = [name.replace("left", "x").replace("right", "left").replace("x", "right") for name in skeleton.names]
    other = type(skeleton).create(swapped, skeleton.parents, skeleton.rest_translations, skeleton.rest_rotations)
    for joint, name in enumerate(swapped):
        assert other.roles.sides[joint] == (name.split("_")[0] if name.startswith(("left", "right")) else None)
    assert truth[other.names.index("left_hand")] == "right_hand"


def test_limbs_without_partners_have_the_side_of_their_names() -> None:
    rows = [row for row in person() if not row[0].startswith("right_") or row[0].endswith(("thigh", "shin", "foot"))]
    skeleton, truth = build(rows, names=True)
    roles = skeleton.roles
    arm = truth.index("left_hand")
    assert roles.sides[arm] == "left" and roles.partners[arm] == arm


def test_an_unsure_facing_makes_sides_unsure() -> None:
    skeleton, truth = build(person())
    draft = begin(skeleton)
    draft.confidence[:] = 1.0
    facing = find_facing(draft)
    unsure = type(facing)(facing.up, facing.forward, facing.left, facing.sign, 0.0)
    sides = find_sides(draft, unsure)
    middle = [role for role in truth if not role.startswith(("left", "right"))]
    assert sides.count(None) == len(middle)
    hand, head = truth.index("left_hand"), truth.index("head")
    assert draft.confidence[hand] == pytest.approx(0.6) and draft.confidence[head] == 1


def test_legs_count_from_the_front_and_tails_as_they_come() -> None:
    skeleton, _ = build(spider(), seed=4)
    at = skeleton.rest_pose.global_positions
    for side in ("left", "right"):
        chains = [skeleton.roles.chain(f"{side}_leg{mark}") for mark in ("", "_2", "_3", "_4")]
        ahead = [float(at[chain.joints[-1], 2]) for chain in chains if chain is not None]
        assert len(ahead) == 4 and ahead == sorted(ahead, reverse=True)
    assert skeleton.roles.chain("left_leg_5") is None
    assert np.all([chain.side is None for chain in skeleton.roles.chains if chain.kind in ("tail", "neck", "head")])


@pytest.mark.parametrize("mirrored", [False, True])
def test_a_motion_tells_sides_where_the_rest_pose_is_none(mirrored: bool) -> None:
    """All bones along +X, the left side listed second; the motion stands them up."""
    standing, truth = build(person(), seed=2, mirrored=mirrored)
    parents, at = standing.parents, standing.rest_pose.global_positions.astype(float)
    lengths = np.linalg.norm(np.where(parents[:, None] >= 0, at - at[parents], 0), axis=1)
    flat = np.zeros_like(at)
    flat[:, 0] = lengths
    lying = type(standing).create(standing.names, parents, flat)
    moved = Motion.create(lying, *stood(lying, at), fps=30)
    roles = find_roles(lying, moved)
    limbs = [joint for joint, role in enumerate(truth) if role.endswith(("thigh", "shin", "upper_arm", "forearm"))]
    assert [roles.role(joint) for joint in limbs] == [truth[joint] for joint in limbs]


def stood(lying: Skeleton, at: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Rotations and translations `[2, J, ...]` that put joints at positions by translation alone."""
    count, parents = lying.joint_count, lying.parents
    moves = at - np.where(parents[:, None] >= 0, at[parents], 0)
    turns = np.zeros((2, count, 4))
    turns[..., 0] = 1
    return turns, np.tile(moves, (2, 1, 1))
