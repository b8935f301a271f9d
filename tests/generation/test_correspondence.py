"""Joints of two rigs, matched by shape."""

from __future__ import annotations

import numpy as np
import pytest

from kinema.arrays import Singles
from kinema.generation.channels import TRAVEL, encode
from kinema.generation.correspondence import JointCorrespondence, correspond_joints, facing_alike, warp
from kinema.generation.named import named_evidence, without_names
from kinema.generation.rig import AnyRig
from kinema.mocap.creatures import Act, make_creature, perform


def names_of(found: JointCorrespondence) -> dict[str, str]:
    one, two = found.first, found.second
    return {
        one.skeleton.names[joint]: two.skeleton.names[two.joints[other]] if other >= 0 else ""
        for joint, other in zip(one.joints.tolist(), found.second_of.tolist(), strict=True)
    }


def places(rig: AnyRig) -> Singles:
    """Positions of joints in the world, where creatures face +Z."""
    return rig.skeleton.rest_pose.global_positions[rig.joints]


@pytest.mark.parametrize("name", ["person", "horse", "spider", "eagle", "centipede", "snake", "dragon", "octopus"])
def test_a_body_corresponds_to_itself(name: str) -> None:
    rig = AnyRig.of(make_creature(name).skeleton)
    np.testing.assert_array_equal(correspond_joints(rig, rig).second_of, np.arange(rig.count))


def test_a_person_and_a_tyrannosaur() -> None:
    person, trex = (AnyRig.of(make_creature(name).skeleton) for name in ("person", "trex"))
    found = names_of(correspond_joints(person, trex))
    for side in ("left", "right"):
        for part in ("thigh", "shin", "foot", "toe"):
            assert found[f"leg_{side}_{part}_1"] == f"leg_{side}_{part}_1"
    assert found["head"] in ("head", "neck_3")
    assert not any(other.startswith("tail") for other in found.values())


@pytest.mark.parametrize(
    ("one", "two"), [("wolf", "horse"), ("horse", "bear"), ("spider", "crab"), ("eagle", "dragon")]
)
def test_left_and_right_never_change_places(one: str, two: str) -> None:
    first, second = (without_names(make_creature(name).skeleton) for name in (one, two))
    found = correspond_joints(*facing_alike(first, second))
    matched = found.second_of >= 0
    sides = places(first)[matched, 0], places(second)[found.second_of[matched], 0]
    assert matched.mean() > 0.6
    assert (sides[0] * sides[1] > -1e-6).all()


def test_a_body_that_faces_backward_is_turned() -> None:
    from kinema.generation.turns import turned

    spider = AnyRig.of(make_creature("spider").skeleton)
    for turn in ([-1.0, 1.0, -1.0], None):
        matrix = np.diag(turn) if turn else np.asarray([[0.0, 0, 1], [0, 1, 0], [-1, 0, 0]])
        found = correspond_joints(*facing_alike(spider, turned(spider, matrix)))
        np.testing.assert_array_equal(found.second_of, np.arange(spider.count))


def test_evidence_decides_between_what_is_alike() -> None:
    wolf, horse = (AnyRig.of(make_creature(name).skeleton) for name in ("wolf", "horse"))
    against = np.zeros((wolf.count, horse.count))
    tail = [horse.skeleton.names[joint].startswith("ear") for joint in horse.joints.tolist()]
    against[:, tail] = 2.0
    plain, told = (names_of(correspond_joints(wolf, horse, each)) for each in (None, 2.0 * against))
    assert any(other.startswith("ear") for other in plain.values())
    assert not any(other.startswith("ear") for other in told.values())
    named = named_evidence(wolf, wolf)
    np.testing.assert_allclose(np.diag(named), 0.0, atol=1e-6)
    assert named.max() > 1.0


def test_a_path_is_the_cheapest_one() -> None:
    cost = np.asarray([[0.0, 9, 9], [9, 0, 9], [9, 0, 9], [9, 9, 0.0]])
    assert warp(cost) == [(0, 0), (1, 1), (2, 1), (3, 2)]


def test_a_body_whose_shape_leaves_it_open_faces_where_it_goes() -> None:
    """Octopuses are as round as fish are alike in front and behind."""
    seeds = (1004, 1005)
    bodies = [make_creature("tentacled", seed) for seed in seeds]
    takes = tuple(perform(body, [Act("walk", 4.0)], seed=seed) for body, seed in zip(bodies, seeds, strict=True))
    rigs = tuple(without_names(body.skeleton) for body in bodies)
    for rig, take in zip(facing_alike(*rigs, takes), takes, strict=True):
        assert encode(rig, take)[0][:, 0, TRAVEL].mean(axis=0)[1] > 0.1
    assert encode(facing_alike(*rigs)[1], takes[1])[0][:, 0, TRAVEL].mean(axis=0)[1] < -0.1
