import pytest

from kinema.mocap.creatures.names import SCHEMES, JointKey, joint_names

KEYS = [
    JointKey("hips"),
    JointKey("thigh", 1, 0, 0, "leg"),
    JointKey("thigh", -1, 0, 0, "leg"),
    JointKey("tail", 0, 0, 2),
]


@pytest.mark.parametrize("scheme", SCHEMES)
def test_names_are_unique_in_every_scheme(scheme):
    names = joint_names(KEYS * 3, scheme)
    assert len(set(names)) == len(names)


def test_schemes_look_like_the_tools_they_are_named_after():
    assert joint_names(KEYS, "unreal")[:2] == ["pelvis", "thigh_l"]
    assert joint_names(KEYS, "mixamo")[1] == "mixamorig:LeftUpLeg"
    assert joint_names(KEYS, "rigify")[2] == "thigh.R"
    assert joint_names(KEYS, "max")[1] == "Bip01 L Thigh"
