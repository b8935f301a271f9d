"""URDF against MuJoCo, which reads it too."""

from __future__ import annotations

import numpy as np
import pytest

from kinema.errors import FormatError
from kinema.formats import Source
from kinema.formats.robot import load_robot

from .conftest import check_against_mujoco

_INERTIAL = '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'


def link(name: str, visual: str = "") -> str:
    return f'<link name="{name}">{_INERTIAL}{visual}</link>'


def joint(name: str, parent: str, child: str, kind: str = "revolute", rest: str = "") -> str:
    return f'<joint name="{name}" type="{kind}"><parent link="{parent}"/><child link="{child}"/>{rest}</joint>'


BOX = (
    '<visual><origin xyz="0.1 0 0" rpy="0 0.5 0"/><geometry><box size="0.2 0.1 0.1"/></geometry>'
    '<material name="red"/></visual>'
)
ROBOT = f"""<?xml version="1.0"?>
<robot name="two_arms"><mujoco><compiler fusestatic="false" discardvisual="true"/></mujoco>
  <material name="red"><color rgba="1 0 0 1"/></material>
  {link("base", BOX)}{link("hand", BOX)}{link("upper")}{link("lower")}{link("wheel")}{link("other")}
  {
    joint(
        "elbow",
        "upper",
        "lower",
        rest='<origin xyz="0 0.1 0.3" rpy="0.3 -0.2 1"/><axis xyz="0 3 4"/>'
        '<limit lower="-1" upper="2" effort="1" velocity="1"/>',
    )
}
  {
    joint(
        "shoulder",
        "base",
        "upper",
        rest='<origin xyz="0.1 0 0.2" rpy="1 0.4 -2"/><axis xyz="0 0 1"/>'
        '<limit lower="-0.5" upper="0.7" effort="1" velocity="1"/>',
    )
}
  {joint("grip", "lower", "hand", "fixed", '<origin xyz="0 0 0.25" rpy="0 0 1.5"/>')}
  {joint("roll", "hand", "wheel", "continuous", '<origin xyz="0.05 0 0"/>')}
  {
    joint(
        "shoulder_2",
        "base",
        "other",
        rest='<origin xyz="-0.1 0 0.2"/><axis xyz="0 1 0"/>'
        '<limit lower="-0.5" upper="0.7" effort="1" velocity="1"/><mimic joint="shoulder"/>',
    )
}
</robot>"""


def test_a_robot_agrees_with_mujoco():
    robot = check_against_mujoco(ROBOT, "robot.urdf")
    skeleton = robot.skeleton
    assert skeleton.names == ("base", "shoulder", "elbow", "roll", "shoulder_2")  # depth first, as its order is
    assert skeleton.parents.tolist() == [-1, 0, 1, 2, 0]
    assert not np.isfinite(skeleton.hinges[2].upper) and np.isclose(skeleton.hinges[0].upper, 0.7)
    assert [mesh.joint for mesh in robot.character.meshes] == [0, 2]  # the hand belongs to the elbow
    assert robot.character.materials[0].base_color == (1, 0, 0, 1)
    assert robot.warnings[0] == "joints that mimic others turn on their own: shoulder_2"


def test_a_box_stands_where_its_origin_says():
    robot = load_robot(Source.from_bytes(f'<robot name="r">{link("base", BOX)}</robot>'.encode(), "a.urdf"))
    points = robot.character.meshes[0].positions
    corner = np.array([0.1, 0.05, 0.05])  # turned by half a radian about y, moved along x; x is our z, y our x
    c, s = np.cos(0.5), np.sin(0.5)
    want = np.array([corner[1], -s * corner[0] + c * corner[2], 0.1 + c * corner[0] + s * corner[2]])
    assert np.abs(points - want).max(axis=1).min() < 1e-6


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('<robot xmlns:xacro="http://x"/>', "is a xacro"),
        (f"<robot>{link('a')}{link('a')}</robot>", "the second named 'a'"),
        (f"<robot>{link('a')}{joint('j', 'a', 'b')}</robot>", "names a link 'b' that is not there"),
        (f"<robot>{link('a')}{link('b')}{joint('j', 'a', 'b')}{joint('k', 'b', 'a')}</robot>", "form a loop"),
        (f"<robot>{link('o')}{link('a')}{link('b')}{joint('j', 'a', 'b')}{joint('k', 'b', 'a')}</robot>", "in a loop"),
        (f"<robot>{link('a')}{link('b')}{joint('j', 'a', 'b')}{joint('k', 'a', 'b')}</robot>", "second parent"),
        (f"<robot>{link('a')}{link('b')}{joint('j', 'a', 'b', 'screw')}</robot>", "of type 'screw'"),
        (
            f"<robot>{link('a')}{link('b')}" + joint("j", "a", "b", rest='<axis xyz="0 0 0"/>') + "</robot>",
            "has no length",
        ),
        ("<robot/>", "holds no body"),
    ],
)
def test_refusals(text: str, said: str):
    with pytest.raises(FormatError, match=said):
        load_robot(Source.from_bytes(text.encode(), "a.urdf"))


def test_a_chain_of_thousands_of_links_is_no_matter():
    count = 3000
    text = "".join(f'<link name="l{index}"/>' for index in range(count))
    text += "".join(joint(f"j{index}", f"l{index}", f"l{index + 1}") for index in range(count - 1))
    robot = load_robot(Source.from_bytes(f"<robot>{text}</robot>".encode(), "a.urdf"))
    assert robot.skeleton.joint_count == count
