"""Models and key frames as MuJoCo loads them; MuJoCo itself says where bodies are."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from kinema import Motion, Skeleton, rotations
from kinema.errors import FormatError
from kinema.formats import Asset, load, save
from kinema.formats.robot.frame import vectors_to_robot
from kinema.formats.robot.mjcf_writer import write_mjcf
from kinema.mocap.procedural import Segment, generate
from kinema.skeleton import Hinge

mujoco = pytest.importorskip("mujoco", reason="MuJoCo is not installed: pip install mujoco")


def places(path: Path, names: tuple[str, ...], frames: list[int]) -> np.ndarray:
    """Where MuJoCo puts the bodies `[K, J, 3]`, in its own axes."""
    model = mujoco.MjModel.from_xml_path(str(path))
    data = mujoco.MjData(model)
    found = []
    for frame in frames:
        data.qpos[:] = model.key_qpos[frame]
        mujoco.mj_kinematics(model, data)
        found.append([data.body(name).xpos.copy() for name in names])
    return np.array(found)


def random_motion(skeleton: Skeleton, rng: np.random.Generator, hinged: bool = False) -> Motion:
    turned = rotations.normalize(rng.normal(size=(5, skeleton.joint_count, 4)))
    if hinged:
        for hinge in skeleton.hinges:
            angles = rng.uniform(hinge.lower, hinge.upper, 5)
            turn = rotations.from_axis_angle(np.array(hinge.axis), angles)
            turned[:, hinge.joint] = rotations.multiply(skeleton.rest_rotations[hinge.joint], turn)
    return Motion.create(skeleton, turned, rng.normal(size=(5, skeleton.joint_count, 3)), fps=25, name='a "b"')


def tree(rng: np.random.Generator, hinges: tuple[Hinge, ...] = ()) -> Skeleton:
    rest = rotations.normalize(rng.normal(size=(6, 4)))
    return Skeleton.create(
        [*"abcdef"], [-1, 0, 1, 0, 3, 3], rng.normal(size=(6, 3)), rest, [(2, (0, 0.1, 0))], None, hinges
    )


def test_bodies_stand_where_joints_stand(tmp_path: Path, rng: np.random.Generator) -> None:
    motion = random_motion(tree(rng), rng)
    write_mjcf(motion, tmp_path / "a.xml")
    found = places(tmp_path / "a.xml", motion.skeleton.names, [0, 4])
    np.testing.assert_allclose(found, vectors_to_robot(motion[:].global_positions[[0, 4]]), atol=1e-5)


def test_hinges_keep_axis_and_range(tmp_path: Path, rng: np.random.Generator) -> None:
    hinges = (Hinge(1, (0, 0, 1), -1, 2), Hinge(4, (0.6, 0.8, 0)))
    skeleton = tree(rng, hinges)
    angles = Hinge(4, (0.6, 0.8, 0), -3, 3)
    motion = random_motion(tree(rng, (hinges[0], angles)), rng, hinged=True)
    still = motion.skeleton.rest_translations[None].repeat(5, 0)
    motion = Motion.create(motion.skeleton, motion.local_rotations, still, fps=25)
    write_mjcf(motion, tmp_path / "a.xml")
    model = mujoco.MjModel.from_xml_path(str(tmp_path / "a.xml"))
    assert model.nq == 7 + 1 + 4 + 4 + 1 + 4
    np.testing.assert_allclose(model.joint("b").range, [-1, 2])
    found = places(tmp_path / "a.xml", motion.skeleton.names, [0, 1, 2])
    np.testing.assert_allclose(found, vectors_to_robot(motion[:].global_positions[:3]), atol=1e-5)
    write_mjcf(Asset("x", "x", skeleton), tmp_path / "b.xml")
    assert mujoco.MjModel.from_xml_path(str(tmp_path / "b.xml")).nkey == 0


def test_times_and_clips_follow_each_other_and_the_model_can_fall(tmp_path: Path) -> None:
    walk = generate(script=[Segment("walk", 1.0)], fps=30).replace(name="walk")
    write_mjcf(Asset("x", "bvh", walk.skeleton, (walk, walk.cut(0, 3).replace(name="more"))), tmp_path / "a.xml")
    model = mujoco.MjModel.from_xml_path(str(tmp_path / "a.xml"))
    assert model.nkey == walk.frames + 3 and model.key(walk.frames + 1).name == "more.1"
    np.testing.assert_allclose(model.key_time[:3], [0, 1 / 30, 2 / 30], atol=1e-6)
    assert 20 < model.body_mass.sum() < 120, "a person's weight"
    data = mujoco.MjData(model)
    data.qpos[:] = model.key_qpos[0]
    for _ in range(500):
        mujoco.mj_step(model, data)
    assert np.isfinite(data.qpos).all() and -0.1 < data.qpos[2] < 1.0


def test_names_that_mujoco_would_take_for_others(tmp_path: Path, rng: np.random.Generator) -> None:
    """Its own world, the slides of a joint, clips of one name."""
    skeleton = Skeleton.create(["world", "a", "a.x"], [-1, 0, 1], rng.normal(size=(3, 3)))
    motion = random_motion(skeleton, rng).replace(name="clip")
    write_mjcf(Asset("x", "x", skeleton, (motion, motion)), tmp_path / "a.xml")
    model = mujoco.MjModel.from_xml_path(str(tmp_path / "a.xml"))
    assert [model.key(number).name for number in (0, 5)] == ["clip.0", "clip_2.0"]
    found = places(tmp_path / "a.xml", ("world_2", "a", "a.x"), [1])
    np.testing.assert_allclose(found, vectors_to_robot(motion[:].global_positions[[1]]), atol=1e-5)


def test_characters_that_xml_does_not_have(tmp_path: Path) -> None:
    skeleton = Skeleton.create(["a\x01", "b\ud800", 'c<&"'], [-1, 0, 0], [[0, 1, 0]] * 3)
    motion = Motion.create(skeleton, np.tile([1.0, 0, 0, 0], (2, 3, 1)), name="\x00clip")
    save(motion, tmp_path / "a.mjcf")
    assert load(tmp_path / "a.mjcf").skeleton.names == ("a?", "b?", 'c<&"')


@pytest.mark.slow
def test_what_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="no skeleton"):
        write_mjcf(Asset("x", "glb"), tmp_path / "a.xml")
    deep = Skeleton.create([str(n) for n in range(496)], np.arange(-1, 495), np.ones((496, 3)))
    write_mjcf(Asset("x", "glb", deep), tmp_path / "a.xml")
    assert mujoco.MjModel.from_xml_path(str(tmp_path / "a.xml")).nbody == 497
    deep = Skeleton.create([str(n) for n in range(497)], np.arange(-1, 496), np.ones((497, 3)))
    with pytest.raises(FormatError, match="496 deep"):
        write_mjcf(Asset("x", "glb", deep), tmp_path / "a.xml")


@pytest.mark.parametrize("name", ["human_mocap/cmu_bvh/cmu_12_01_walk.bvh", "any_topology/quaternius/Horse.glb"])
def test_real_files(data_dir: Path, tmp_path: Path, name: str) -> None:
    asset = load(data_dir / name)
    motion = asset.motions[0]
    write_mjcf(motion, tmp_path / "a.xml")
    frames = [0, motion.frames // 2, motion.frames - 1]
    found = places(tmp_path / "a.xml", motion.skeleton.names, frames)
    np.testing.assert_allclose(found, vectors_to_robot(motion[:].global_positions[frames]), atol=1e-4)


def test_key_frames_that_are_not_read_are_counted(tmp_path: Path, rng: np.random.Generator) -> None:
    motion = random_motion(tree(rng), rng)
    save(motion, tmp_path / "a.mjcf")
    said = f"{motion.frames} key frames are left out: a model is read at rest"
    assert said in load(tmp_path / "a.mjcf").warnings
    save(Asset("a", "bvh", motion.skeleton), tmp_path / "b.mjcf")
    assert "key frames" not in " ".join(load(tmp_path / "b.mjcf").warnings)
