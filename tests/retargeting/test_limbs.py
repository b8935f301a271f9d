"""Legs, what touches the ground, and feet that are detached from their leg."""

from __future__ import annotations

import numpy as np
import pytest

from kinema import Motion, Skeleton
from kinema.retargeting import Retargeter
from kinema.retargeting.anatomy import Anatomy
from kinema.retargeting.limbs import clearances, common_ground, legs_of


def detached(skeleton: Skeleton) -> Skeleton:
    """The same with feet as children of the root, as in rigs whose feet are targets of IK."""
    placed = skeleton.rest_pose.global_positions
    names = ["Root", *skeleton.names]
    parents, offsets = [-1], [np.zeros(3, np.float32)]
    for joint, parent in enumerate(skeleton.parents.tolist()):
        free = skeleton.names[joint].endswith("Foot")
        parents.append(0 if parent < 0 or free else parent + 1)
        offsets.append(placed[joint] if free else skeleton.rest_translations[joint])
    order = sorted(range(len(names)), key=lambda j: (names[j] != "Root", j))
    return Skeleton.create([names[j] for j in order], parents, offsets)


def test_legs_have_their_lengths_and_stand_on_their_toes(biped: Skeleton) -> None:
    body = Anatomy.of(biped)
    stance, found = body.standing, legs_of(body)
    assert set(found) == {"left_leg", "right_leg"} and not body.detached and not body.ends
    leg = found["left_leg"]
    assert biped.names[leg.touch] == "LeftToeBase" and leg.end is not None and biped.names[leg.end] == "LeftFoot"
    assert leg.length == pytest.approx(float(biped.bone_lengths[[leg.lower, leg.end]].sum()), abs=1e-5)
    assert leg.top == pytest.approx(leg.length + leg.rise) and leg.straight
    assert leg.at_foot().touch == leg.end and leg.at_foot().rise == 0.0
    heights = clearances(stance, found)
    assert heights["left_leg"] == pytest.approx(float(stance.positions[leg.touch, 1]), abs=1e-5)
    assert clearances(stance, found, soles=-0.02)["left_leg"] == pytest.approx(heights["left_leg"] + 0.02, abs=1e-5)


def test_detached_feet_belong_to_their_legs(biped: Skeleton) -> None:
    rig = detached(biped)
    body = Anatomy.of(rig)
    assert {rig.names[j]: chain.name for j, chain in body.detached.items()} == {
        "LeftFoot": "left_leg",
        "RightFoot": "right_leg",
    }
    assert {name: rig.names[j] for name, j in body.ends.items()} == {"left_leg": "LeftFoot", "right_leg": "RightFoot"}


def test_detached_feet_go_where_the_legs_go(walk: Motion) -> None:
    rig = detached(walk.skeleton)
    result = Retargeter(walk.skeleton, rig)(walk, contacts=False).motion
    ours, theirs = result[:].global_positions, walk[:].global_positions
    for name in ("LeftFoot", "RightFoot", "LeftToeBase"):
        assert np.abs(ours[:, rig.index(name)] - theirs[:, walk.skeleton.index(name)]).max() < 0.05


def test_a_foot_that_never_stands_takes_the_ground_of_the_others() -> None:
    t = np.arange(120, dtype=np.float32) / 60
    stands = np.stack([0 * t, 0.02 + 0 * t, 0 * t], axis=-1)[:, None]
    hops = np.stack([3 * t, 1.5 + 0.3 * np.sin(6 * t), 0 * t], axis=-1)[:, None]
    near = stands + np.array([0, 0.03, 0], np.float32)
    assert common_ground([stands, hops], 60.0, [1.0, 1.0]) == pytest.approx([0.02, 0.02], abs=1e-3)
    assert common_ground([stands, near], 60.0, [1.0, 1.0]) == pytest.approx([0.02, 0.05], abs=1e-3)
    assert common_ground([], 60.0, []) == []
