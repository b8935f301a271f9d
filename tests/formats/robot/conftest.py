"""MuJoCo as the judge of what robots of ours do."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from kinema import kinematics, rotations
from kinema.formats import Source
from kinema.formats.robot import Robot, load_robot
from kinema.formats.robot.frame import rotations_from_robot, vectors_from_robot
from kinema.formats.robot.hinges import hinge_rotations

HUMANOID = Path(__file__).parents[3] / "src/kinema/retargeting/robots/kinema_humanoid.xml"


@pytest.fixture(scope="session")
def humanoid() -> Robot:
    return load_robot(Source.from_bytes(HUMANOID.read_bytes(), "kinema_humanoid.xml"))


def check_against_mujoco(text: str, name: str = "robot.xml", poses: int = 20) -> Robot:
    """Ours agrees with MuJoCo on every body and joint anchor of random poses, to a tenth of a millimetre."""
    mujoco: Any = pytest.importorskip("mujoco", reason="mujoco is not installed: pip install 'kinema[dev]'")
    robot = load_robot(Source.from_bytes(text.encode(), name))
    model = mujoco.MjModel.from_xml_string(text)
    data = mujoco.MjData(model)
    skeleton, rng = robot.skeleton, np.random.default_rng(3)
    order = [skeleton.names[hinge.joint] for hinge in skeleton.hinges]
    for _ in range(poses):
        angles = np.zeros(len(order))
        balls: dict[int, np.ndarray] = {}
        base = None
        for joint in range(model.njnt):
            at, kind, joint_name = model.jnt_qposadr[joint], model.jnt_type[joint], model.joint(joint).name
            if kind == mujoco.mjtJoint.mjJNT_HINGE:
                low, high = model.jnt_range[joint] if model.jnt_limited[joint] else (-3, 3)
                data.qpos[at] = rng.uniform(low, high)
                angles[order.index(joint_name)] = data.qpos[at]
                hinge = skeleton.hinges[order.index(joint_name)]
                want = (low, high) if model.jnt_limited[joint] else (-np.inf, np.inf)
                assert np.allclose([hinge.lower, hinge.upper], want, atol=1e-6)
            elif kind == mujoco.mjtJoint.mjJNT_BALL:
                data.qpos[at : at + 4] = rotations.normalize(rng.normal(size=4))
                balls[skeleton.index(joint_name)] = rotations_from_robot(data.qpos[at : at + 4])
            elif kind == mujoco.mjtJoint.mjJNT_FREE:
                data.qpos[at : at + 3] = rng.uniform(-2, 2, 3)
                data.qpos[at + 3 : at + 7] = rotations.normalize(rng.normal(size=4))
                base = data.qpos[at : at + 7].copy()
        mujoco.mj_kinematics(model, data)
        local, moved = hinge_rotations(skeleton, angles[None])[0].astype(np.float64), skeleton.rest_translations.copy()
        if base is not None:
            local[0], moved[0] = rotations_from_robot(base[3:]), vectors_from_robot(base[:3])
        for joint, turn in balls.items():
            local[joint] = rotations.multiply(skeleton.rest_rotations[joint].astype(np.float64), turn)
        turned, placed = kinematics.forward(local.astype(np.float32), moved, skeleton.parents.tolist())
        for joint in range(model.njnt):
            if model.jnt_type[joint] in (mujoco.mjtJoint.mjJNT_HINGE, mujoco.mjtJoint.mjJNT_BALL):
                where = placed[skeleton.index(model.joint(joint).name)]
                assert np.abs(where - vectors_from_robot(data.xanchor[joint])).max() < 1e-4
        for body in range(1, model.nbody):
            joint, place, turn = robot.carriers[model.body(body).name]
            where = placed[joint] + rotations.rotate(turned[joint].astype(np.float64), place)
            facing = rotations.multiply(turned[joint].astype(np.float64), turn)
            assert np.abs(where - vectors_from_robot(data.xpos[body])).max() < 1e-4, model.body(body).name
            assert rotations.angle(rotations.relative(facing, rotations_from_robot(data.xquat[body]))) < 1e-3
    return robot
