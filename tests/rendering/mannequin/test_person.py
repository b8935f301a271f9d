"""Flesh for people."""

import numpy as np

from kinema import Skeleton
from kinema.rendering.mannequin import person
from kinema.rendering.mannequin.pieces import Clay


def test_only_people_get_a_persons_body(biped: Skeleton):
    assert person.fits(biped.rest_pose)
    worm = Skeleton.create(["a", "b", "c"], [-1, 0, 1], [[0, 0, 0], [0, 0, 0.2], [0, 0, 0.2]])
    assert not person.fits(worm.rest_pose)


def test_every_joint_that_bends_moves_a_piece_of_its_own(biped: Skeleton):
    clay = Clay()
    placed = biped.rest_pose.global_positions
    person.model(clay, biped.rest_pose)
    assert {biped.names[joint] for joint in clay.joints} == set(biped.names)
    assert clay.visor is not None and clay.visor.center[2] > placed[biped.index("Head"), 2] - 0.01
    rows = np.array(clay.rows)
    assert rows[:, :3].min(axis=0)[1] > -0.05
    sides = {biped.names[joint]: tint[2] for joint, tint in zip(clay.joints, clay.tints, strict=True)}
    assert sides["LeftHand"] == 1 and sides["RightFoot"] == -1 and sides["Chest"] == 0


def test_a_toy_with_short_legs_is_a_person_too(biped: Skeleton):
    moved = biped.rest_translations.copy()
    for side, sign in (("Left", 1), ("Right", -1)):
        moved[biped.index(f"{side}UpLeg")] = (sign * 0.16, -0.02, 0)
        moved[biped.index(f"{side}Leg")] *= 0.5
        moved[biped.index(f"{side}Foot")] *= 0.5
        moved[biped.index(f"{side}ToeBase"), 1] = -0.04
    moved[0, 1] = 0.5
    moved[1:4] *= 1.6
    toy = Skeleton.create(biped.names, biped.parents.tolist(), moved)
    assert person.fits(toy.rest_pose)
    clay = Clay()
    person.model(clay, toy.rest_pose)
    assert toy.index("Head") in clay.joints and clay.visor is not None
