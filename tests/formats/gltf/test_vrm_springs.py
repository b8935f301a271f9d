"""Springs, colliders and constraints of both versions, in our axes."""

from __future__ import annotations

import numpy as np
import pytest

from kinema import rotations
from kinema.avatar import Constraint
from kinema.errors import FormatError

from .vrm_files import HAIR, vrm_0, vrm_1

SPRINGS = {
    "specVersion": "1.0",
    "colliders": [
        {"node": 2, "shape": {"sphere": {"offset": [0, 0.1, 0.2], "radius": 0.3}}},
        {"node": 1, "shape": {"capsule": {"offset": [0, 0, 0], "radius": 0.1, "tail": [0, 0.5, 0]}}},
    ],
    "colliderGroups": [{"name": "body", "colliders": [0, 1]}],
    "springs": [{
        "name": "hair", "colliderGroups": [0], "center": 2,
        "joints": [
            {"node": HAIR, "hitRadius": 0.02, "stiffness": 0.5, "gravityPower": 1, "gravityDir": [0, 0, -2],
             "dragForce": 0.3},
            {"node": HAIR + 2},
        ],
    }],
}  # fmt: skip


def sprung(gltf_file, springs=SPRINGS):
    file = vrm_1(gltf_file)
    file.root["extensions"]["VRMC_springBone"] = springs
    return file


def test_springs_of_version_1(gltf_file):
    asset = sprung(gltf_file).load()
    character, skeleton = asset.character, asset.skeleton
    [spring] = character.springs
    assert [skeleton.names[joint.joint] for joint in spring.joints] == ["hair_0", "hair_2"]
    first = spring.joints[0]
    assert (first.radius, first.stiffness, first.gravity, first.drag) == (0.02, 0.5, 1, 0.3)
    assert first.gravity_direction == (0, 0, -1)
    assert skeleton.names[spring.center] == "J_head" and spring.groups == (0,) and spring.tail == 0
    ball, capsule = character.colliders
    assert ball.offset == (0, 0.1, 0.2) and ball.radius == 0.3 and ball.tail is None
    assert capsule.tail == (0, 0.5, 0)
    assert character.collider_groups[0].name == "body" and character.collider_groups[0].colliders == (0, 1)


def test_scaled_bodies_scale_their_colliders(gltf_file):
    file = sprung(gltf_file)
    file.root["nodes"][0]["scale"] = [2, 2, 2]
    ball = file.load().character.colliders[0]
    np.testing.assert_allclose(ball.offset, [0, 0.2, 0.4], atol=1e-6)
    assert ball.radius == pytest.approx(0.6)


def test_chains_of_version_0_are_followed_and_turned(gltf_file):
    group = {
        "comment": "hair",
        "bones": [HAIR],
        "stiffiness": 2,
        "gravityPower": 0.5,
        "dragForce": 0.4,
        "center": -1,
        "hitRadius": 0.03,
        "gravityDir": {"x": 1, "y": 0, "z": 0},
        "colliderGroups": [0],
    }
    balls = {"node": 2, "colliders": [{"offset": {"x": 0.1, "y": 0, "z": 0.2}, "radius": 0.1}]}
    asset = vrm_0(gltf_file, secondaryAnimation={"boneGroups": [group], "colliderGroups": [balls]}).load()
    [spring] = asset.character.springs
    names = asset.skeleton.names
    assert [names[joint.joint] for joint in spring.joints] == ["hair_0", "hair_1", "hair_2"]
    assert spring.tail == pytest.approx(0.07) and spring.center is None and spring.groups == (0,)
    assert {(joint.stiffness, joint.drag) for joint in spring.joints} == {(2, 0.4)}
    # The file's +X is the right of whoever faces its +Z; ours is the left.
    assert spring.joints[0].gravity_direction == (-1, 0, 0)
    [ball] = asset.character.colliders
    turned = asset.skeleton.rest_pose.global_rotations[ball.joint]
    np.testing.assert_allclose(rotations.rotate(turned, np.float32(ball.offset)), [-0.1, 0, 0.2], atol=1e-6)


def test_branches_begin_chains_of_their_own(gltf_file):
    file = vrm_0(gltf_file, secondaryAnimation={"boneGroups": [{"bones": [HAIR]}]})
    file.root["nodes"][HAIR]["children"] = [HAIR + 1, HAIR + 2]
    file.root["nodes"][HAIR + 1].pop("children")
    asset = file.load()
    names = [[asset.skeleton.names[joint.joint] for joint in spring.joints] for spring in asset.character.springs]
    assert names == [["hair_0", "hair_1"], ["hair_2"]]


def test_constraints_are_kept(gltf_file):
    file = vrm_1(gltf_file)
    rule = {"specVersion": "1.0", "constraint": {"roll": {"source": 3, "rollAxis": "X", "weight": 0.5}}}
    file.root["nodes"][HAIR]["extensions"] = {"VRMC_node_constraint": rule}
    asset = file.load()
    assert asset.character.constraints == (
        Constraint("roll", asset.skeleton.index("hair_0"), asset.skeleton.index("J_leftUpperLeg"), "X", 0.5),
    )
    assert any("kept but not evaluated" in line for line in asset.warnings)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"colliderGroups": [{"colliders": [2]}]}, "colliders names number 2, there are 2"),
        ({"springs": [{"joints": [{"node": 0}], "colliderGroups": [1]}]}, "names number 1, there are 1"),
        ({"springs": [{"joints": [{}]}]}, "node is missing"),
        ({"springs": 3}, "must be an array"),
        ({"colliders": [{"node": 1, "shape": {"sphere": {"radius": []}}}]}, "radius must be a number"),
    ],
)
def test_what_leads_nowhere_is_refused(gltf_file, change, said):
    with pytest.raises(FormatError, match=said):
        sprung(gltf_file, {**SPRINGS, **change}).load()


def test_the_end_of_a_spring_stays_a_joint_if_a_skin_is_bound_to_it(gltf_file):
    file = sprung(gltf_file)
    end = file.root["nodes"][HAIR + 2]
    assert "children" not in end
    end["extras"] = {"kinema": {"spring_end": True}}
    triangle = file.triangle(
        JOINTS_0=file.accessor(np.zeros((3, 4)), "VEC4", "u1"), WEIGHTS_0=file.accessor([[1, 0, 0, 0]] * 3, "VEC4")
    )
    file.root["meshes"].append({"primitives": [triangle]})
    file.root["skins"] = [{"joints": [HAIR + 2]}]
    file.root["nodes"].append({"mesh": 1, "skin": 0})
    file.root["scenes"][0]["nodes"].append(len(file.root["nodes"]) - 1)
    character = file.load().character
    assert character.skeleton.names[character.meshes[1].joints[0, 0]] == "hair_2"
