"""MJCF against MuJoCo itself: every way to state a place or a turn, random poses."""

from __future__ import annotations

import numpy as np
import pytest

from kinema.errors import FormatError
from kinema.formats import Source
from kinema.formats.robot import load_robot
from kinema.formats.robot.frame import vectors_from_robot
from kinema.pose import Pose

from .conftest import HUMANOID, check_against_mujoco

STATEMENTS = """<mujoco model="all">
  <compiler angle="{angle}" eulerseq="{sequence}"/>
  <default>
    <geom rgba="1 0 0 1" group="1"/>
    <default class="knee"><joint axis="0 1 0" pos="0.01 0.02 0.03" range="{low} {high}"/>
      <default class="odd"><joint axis="1 1 0.5" ref="{ref}"/></default>
    </default>
  </default>
  <worldbody>
    <geom type="plane" size="1 1 1"/>
    <body name="base" pos="0 0 1" quat="0.9 0.1 -0.2 0.3">
      <freejoint/>
      <geom size="0.1"/>
      <body name="a" pos="0.1 0 0" euler="{euler}" childclass="knee">
        <joint name="a1"/><joint name="a2" axis="0 0 1" pos="0 0.1 0"/><joint name="a3" class="odd"/>
        <geom type="capsule" fromto="0 0 0 0.1 0.2 0.3" size="0.02"/>
        <body name="b" pos="0 0.2 0" axisangle="1 2 0 {turn}">
          <joint name="b1" class="main" type="ball" pos="0.05 0 0"/>
          <geom type="box" size="0.1 0.05 0.02" zaxis="1 0 1"/>
          <body name="fixed" pos="0.1 0.1 0.1" xyaxes="0 1 0 -1 0 0.2"><geom type="ellipsoid" size="0.1 0.2 0.05"/>
            <body name="c" pos="0 0 0.1" zaxis="0.3 0.2 -1"><joint name="c1" class="odd"/><geom size="0.02"/></body>
          </body>
        </body>
      </body>
      <frame pos="0.2 0 0" euler="{euler}" childclass="knee">
        <body name="d" pos="0 0 0.1"><frame pos="0 0 0.3"><joint name="d1"/><geom size="0.03"/></frame></body>
      </frame>
    </body>
  </worldbody>
</mujoco>"""


@pytest.mark.parametrize("sequence", ["xyz", "ZYX", "xZy", "zxz"])
@pytest.mark.parametrize("angle", ["degree", "radian"])
def test_every_statement_agrees_with_mujoco(sequence: str, angle: str):
    unit = 1.0 if angle == "radian" else 180 / np.pi
    euler = " ".join(f"{value * unit:.9g}" for value in (0.3, -0.8, 1.2))
    numbers = {"low": -0.5 * unit, "high": 1.5 * unit, "ref": 0.4 * unit, "turn": 0.7 * unit}
    robot = check_against_mujoco(STATEMENTS.format(angle=angle, sequence=sequence, euler=euler, **numbers), poses=8)
    assert robot.skeleton.names == ("base", "a1", "a2", "a3", "b1", "c1", "d1")
    assert [robot.skeleton.names[hinge.joint] for hinge in robot.skeleton.hinges] == ["a1", "a2", "a3", "c1", "d1"]
    assert any("a3, c1" in line and "zero" in line for line in robot.warnings)


def test_our_humanoid_agrees_with_mujoco_and_stands_facing_z():
    robot = check_against_mujoco(HUMANOID.read_text())
    skeleton = robot.skeleton
    assert len(skeleton.hinges) == 29 and skeleton.joint_count == 30 and skeleton.names[0] == "pelvis"
    assert skeleton.names[1:7] == tuple(
        f"left_{part}_joint" for part in ("hip_pitch", "hip_roll", "hip_yaw", "knee", "ankle_pitch", "ankle_roll")
    )
    turned, placed = skeleton.rest_pose.global_rotations, skeleton.rest_pose.global_positions
    assert placed[skeleton.index("left_knee_joint"), 0] > 0.05  # left is +X
    assert 1.2 < skeleton.height < 1.4
    skinned = np.concatenate(robot.character.skin(Pose.from_model(robot.character.skeleton, turned, placed)))
    assert abs(skinned[:, 1].min()) < 1e-3  # stands on the ground
    assert skinned[skinned[:, 1] < 0.05][:, 2].max() > 0.1  # toes ahead
    tips = dict(zip([skeleton.names[joint] for joint in skeleton.tip_joints], skeleton.tip_offsets, strict=True))
    assert np.allclose(tips["left_ankle_roll_joint"], [0, -0.027, 0.14], atol=1e-5)
    assert np.allclose(tips["right_wrist_yaw_joint"], [0, -0.118, 0.005], atol=1e-5)


def test_a_fixed_base_scenery_and_slides():
    text = """<mujoco><worldbody>
      <body name="table"><geom type="box" size="1 1 1"/></body>
      <body name="arm" pos="0 0 1"><joint name="turn"/><geom size="0.1"/>
        <body name="rail" pos="1 0 0"><joint name="rail" type="slide"/><geom size="0.1"/></body></body>
    </worldbody></mujoco>"""
    robot = load_robot(Source.from_bytes(text.encode(), "a.xml"))
    assert robot.skeleton.names == ("arm", "turn")
    assert np.allclose(robot.skeleton.rest_pose.global_positions, [[0, 1, 0], [0, 1, 0]])
    assert [line.split(":")[0] for line in robot.warnings] == [
        "bodies that cannot move are left out",
        "joints that slide stay at rest",
        "robots face +X with Z up",
    ]
    assert np.allclose(robot.carriers["rail"][1], vectors_from_robot([1, 0, 0]))


def test_groups_of_collision_shapes_are_not_drawn():
    text = """<mujoco><worldbody><body name="a"><freejoint/>
      <geom size="0.1" rgba="0 0 1 1"/><geom size="0.2" group="3"/></body></worldbody></mujoco>"""
    character = load_robot(Source.from_bytes(text.encode(), "a.xml")).character
    assert len(character.meshes) == 1 and np.allclose(np.linalg.norm(character.meshes[0].positions, axis=1), 0.1)
    assert character.materials[0].base_color == (0, 0, 1, 1)


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("<body><joint type='screw'/></body>", "line 1: <joint> is of type 'screw'"),
        ("<body><body><freejoint/></body></body>", "free within another body"),
        ("<body><joint axis='0 0 0'/></body>", "has no length"),
        ("<body pos='1 2'/>", "pos should be 3 numbers, found 2"),
        ("<body pos='1 2 nan'/>", "pos should be numbers"),
        ("<body quat='0 0 0 0'/>", "quat has no length"),
        ("<body><joint class='gone'/></body>", "class 'gone' that no <default> defines"),
        ("<body><geom type='box' size='1'/></body>", "needs a size of 3"),
        ("<replicate count='9'/>", "made by MuJoCo"),
        ("<body><joint range='2 1'/></body>", "range from 2 to 1"),
        ("", "holds no body"),
    ],
)
def test_refusals_name_the_place(body: str, said: str):
    with pytest.raises(FormatError, match=said):
        load_robot(Source.from_bytes(f"<mujoco><worldbody>{body}</worldbody></mujoco>".encode(), "a.xml"))
