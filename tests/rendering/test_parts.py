"""Body parts of joints."""

from kinema import Skeleton
from kinema.rendering.parts import PARTS, joint_parts


def test_every_joint_of_a_person_has_its_part(biped):
    found = {name: PARTS[part] for name, part in zip(biped.names, joint_parts(biped), strict=True)}
    assert found["Hips"] == "pelvis" and found["Chest"] == "torso" and found["Head"] == "head"
    assert found["LeftForeArm"] == "left_forearm" and found["RightHand"] == "right_hand"
    assert found["LeftUpLeg"] == "left_thigh" and found["RightToeBase"] == "right_foot"
    assert len(set(PARTS)) == len(PARTS) and PARTS[0] == "background"


def test_nameless_joints_follow_their_parents():
    skeleton = Skeleton.create(["a", "b", "c"], [-1, 0, 1], [(0, 0, 0)] * 3)
    assert [PARTS[part] for part in joint_parts(skeleton)] == ["other"] * 3
