"""Writing BVH: what is read back stands where it stood."""

from __future__ import annotations

import itertools
from pathlib import Path

import numpy as np
import pytest

from kinema import rotations
from kinema.errors import FormatError
from kinema.formats import Asset, load, load_motion, save
from kinema.formats.atomic import WriteError
from kinema.motion import Motion
from kinema.skeleton import Skeleton

HALF_A_TENTH_OF_A_MILLIMETRE = 5e-5


def wild(skeleton: Skeleton, rng: np.random.Generator, frames: int = 40, moved: tuple[int, ...] = (0,)) -> Motion:
    turned = rotations.normalize(rng.normal(size=(frames, skeleton.joint_count, 4)))
    turned[5:9] = rotations.from_euler(np.radians([[30.0, 90.0, 10.0]]), "ZXY")  # at gimbal lock
    places = skeleton.rest_translations[list(moved)] + rng.normal(size=(frames, len(moved), 3)) * 3
    return Motion.create(skeleton, turned, places, list(moved), 60.0, "wild")


@pytest.mark.parametrize("unit", ["auto", "m", "cm", "mm", "in", 0.3])
def test_round_trip_keeps_every_joint_in_place(
    tmp_path: Path, biped: Skeleton, rng: np.random.Generator, unit: str | float
) -> None:
    motion = wild(biped, rng, moved=(0, 3, 7))
    save(motion, tmp_path / "a.bvh", unit=unit)
    back = load_motion(tmp_path / "a.bvh", unit="m" if unit == "auto" else unit)
    assert back.skeleton.names == biped.names and back.fps == 60.0 and back.frames == 40
    assert back.translated.tolist() == [0, 3, 7]
    assert np.abs(back[:].global_positions - motion[:].global_positions).max() < HALF_A_TENTH_OF_A_MILLIMETRE
    tips = {int(j): o for j, o in zip(back.skeleton.tip_joints, back.skeleton.tip_offsets, strict=True)}
    for joint, offset in zip(biped.tip_joints, biped.tip_offsets, strict=True):
        np.testing.assert_allclose(tips[int(joint)], offset, atol=1e-6)
    save(back, tmp_path / "b.bvh", unit=unit)
    again = load_motion(tmp_path / "b.bvh", unit="m" if unit == "auto" else unit)
    assert np.abs(again[:].global_positions - motion[:].global_positions).max() < HALF_A_TENTH_OF_A_MILLIMETRE


@pytest.mark.parametrize("order", list(map("".join, itertools.permutations("XYZ"))))
def test_every_order(tmp_path: Path, biped: Skeleton, rng: np.random.Generator, order: str) -> None:
    motion = wild(biped, rng)
    save(motion, tmp_path / "a.bvh", order=order.lower())
    assert f"CHANNELS 3 {order[0]}rotation" in (tmp_path / "a.bvh").read_text()
    found = load_motion(tmp_path / "a.bvh")
    assert np.abs(found[:].global_positions - motion[:].global_positions).max() < HALF_A_TENTH_OF_A_MILLIMETRE


@pytest.mark.parametrize("frames", [1, 40])
def test_rest_rotations_are_folded_into_the_offsets(
    tmp_path: Path, biped: Skeleton, rng: np.random.Generator, frames: int
) -> None:
    turned = rotations.normalize(rng.normal(size=(biped.joint_count, 4)))
    skeleton = Skeleton.create(
        biped.names,
        biped.parents,
        biped.rest_translations,
        turned,
        zip(biped.tip_joints.tolist(), biped.tip_offsets, strict=True),
    )
    motion = wild(skeleton, rng, frames, moved=(0, 4))
    save(motion, tmp_path / "a.bvh")
    back = load_motion(tmp_path / "a.bvh", up="y")
    assert np.abs(back[:].global_positions - motion[:].global_positions).max() < HALF_A_TENTH_OF_A_MILLIMETRE
    np.testing.assert_allclose(back.skeleton.rest_pose.global_positions, skeleton.rest_pose.global_positions, atol=1e-6)
    expected = rotations.multiply(motion[:].global_rotations, rotations.inverse(skeleton.rest_pose.global_rotations))
    turn = rotations.angle(rotations.relative(expected.astype(float), back[:].global_rotations.astype(float)))
    assert turn.max() < 1e-5


def test_joints_that_are_not_in_depth_first_order(tmp_path: Path, rng: np.random.Generator) -> None:
    skeleton = Skeleton.create(["a", "b", "c", "d", "e"], [-1, 0, 0, 1, -1], rng.normal(size=(5, 3)))
    motion = wild(skeleton, rng, moved=(0, 2, 4))
    save(motion, tmp_path / "a.bvh")
    back = load_motion(tmp_path / "a.bvh")
    assert back.skeleton.names == ("a", "b", "d", "c", "e")
    order = [back.skeleton.index(name) for name in skeleton.names]
    assert np.abs(back[:].global_positions[:, order] - motion[:].global_positions).max() < HALF_A_TENTH_OF_A_MILLIMETRE


def test_curves_go_on_across_half_turns_and_chunks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kinema.formats.bvh.writer.CHUNK", 7)
    skeleton = Skeleton.create(["a"], [-1], [[0, 0, 0]])
    angle = np.radians(np.arange(0, 900, 10.0))
    motion = Motion.create(skeleton, rotations.from_yaw(angle)[:, None], fps=30)
    save(motion, tmp_path / "a.bvh", order="YXZ")
    rows = np.loadtxt((tmp_path / "a.bvh").read_text().splitlines()[-90:])
    np.testing.assert_allclose(np.diff(rows[:, 3]), 10.0, atol=1e-4)


def test_large_bodies_are_written_in_centimetres(tmp_path: Path, rng: np.random.Generator) -> None:
    skeleton = Skeleton.create(["neck", "head"], [-1, 0], [[0, 0, 0], [0, 12, 0]])
    motion = wild(skeleton, rng)
    save(motion, tmp_path / "a.bvh")
    back = load_motion(tmp_path / "a.bvh")
    assert np.abs(back[:].global_positions - motion[:].global_positions).max() < HALF_A_TENTH_OF_A_MILLIMETRE


@pytest.mark.parametrize("fps", [30.0, 29.97, 23.976, 59.94, 120.0, 0.5, 7.3, 1000.0])
def test_rates(tmp_path: Path, fps: float) -> None:
    motion = Motion.create(Skeleton.create(["a"], [-1], [[0, 0, 0]]), np.tile([1.0, 0, 0, 0], (2, 1, 1)), fps=fps)
    save(motion, tmp_path / "a.bvh")
    assert load_motion(tmp_path / "a.bvh").fps == pytest.approx(fps, rel=1e-6)


def test_names_that_would_break_the_text(tmp_path: Path) -> None:
    names = ["rig:Hips", "left {arm}", " x\ny ", "two words", "", "}"]
    skeleton = Skeleton.create(names, [-1, 0, 1, 2, 3, 4], np.ones((6, 3)))
    motion = Motion.create(skeleton, np.tile([1.0, 0, 0, 0], (1, 6, 1)))
    save(motion, tmp_path / "a.bvh")
    assert load_motion(tmp_path / "a.bvh").skeleton.names == ("rig:Hips", "left_arm_", "x_y", "two words", "joint", "_")


def test_bare_leaves_get_an_end_site_that_is_not_read_as_a_tip(tmp_path: Path, biped: Skeleton) -> None:
    save(Motion.create(biped, np.tile([1.0, 0, 0, 0], (1, biped.joint_count, 1))), tmp_path / "a.bvh")
    leaves = sum(1 for children in biped.children if not children)
    assert (tmp_path / "a.bvh").read_text().count("End Site") == leaves
    assert load_motion(tmp_path / "a.bvh").skeleton.tip_joints.size == biped.tip_joints.size


def test_a_long_chain_does_not_drown_in_indentation(tmp_path: Path) -> None:
    count = 5000
    skeleton = Skeleton.create([f"j{j}" for j in range(count)], np.arange(count) - 1, np.full((count, 3), 1e-5))
    save(Motion.create(skeleton, np.tile([1.0, 0, 0, 0], (1, count, 1))), tmp_path / "a.bvh")
    assert (tmp_path / "a.bvh").stat().st_size < 1000 * count
    assert load_motion(tmp_path / "a.bvh").skeleton.parents.tolist() == skeleton.parents.tolist()


def test_empty_clips_and_refusals(tmp_path: Path, biped: Skeleton, rng: np.random.Generator) -> None:
    motion = wild(biped, rng)
    save(motion.cut(0, 0), tmp_path / "a.bvh")
    assert load(tmp_path / "a.bvh").motion().frames == 0
    asset = Asset("two", "bvh", biped, (motion, motion))
    with pytest.raises(FormatError, match="holds 2 clips"):
        save(asset, tmp_path / "b.bvh")
    with pytest.raises(FormatError, match="order 'ZXX' must name"):
        save(motion, tmp_path / "b.bvh", order="ZXX")
    with pytest.raises(FormatError, match="too large to write"):
        save(motion, tmp_path / "b.bvh", unit=1e-9)
    with pytest.raises(FormatError, match="not a Skeleton"):
        save(biped, tmp_path / "b.bvh")  # type: ignore[arg-type]
    with pytest.raises(WriteError):
        save(motion, tmp_path / "no" / "b.bvh")
    assert [path.name for path in tmp_path.iterdir()] == ["a.bvh"]


def test_real_motion_survives(tmp_path: Path, data_dir: Path) -> None:
    for path in ("cmu_bvh/01_01.bvh", "misc_bvh/bvh_example.bvh", "lafan1_60fps_ncnd/walk2_subject3_walk_filtered.bvh"):
        motion = load_motion(data_dir / "human_mocap" / path)
        save(motion, tmp_path / "a.bvh")
        back = load_motion(tmp_path / "a.bvh", unit="m")
        assert np.abs(back[:].global_positions - motion[:].global_positions).max() < HALF_A_TENTH_OF_A_MILLIMETRE, path
        assert back.fps == motion.fps and back.skeleton.names == motion.skeleton.names


def test_names_with_halves_of_characters_are_written(tmp_path: Path) -> None:
    skeleton = Skeleton.create(["hip\ud800"], [-1], np.zeros((1, 3)))
    save(Motion.create(skeleton, rotations.identity((1, 1), np.zeros(1, np.float32))), tmp_path / "a.bvh")
    assert load_motion(tmp_path / "a.bvh").skeleton.names == ("hip?",)
