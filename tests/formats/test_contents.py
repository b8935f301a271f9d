"""What a writer is given, taken apart."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from kinema import Motion, Skeleton
from kinema.character import Character, Mesh
from kinema.errors import FormatError
from kinema.formats import Asset, load, load_motion, save
from kinema.formats.contents import contents, finite


def test_motion_character_and_asset(biped: Skeleton) -> None:
    motion = Motion.create(biped, np.tile([1.0, 0, 0, 0], (2, biped.joint_count, 1)))
    character = Character("c", biped)
    assert contents(motion) == (biped, None, (motion,))
    assert contents(character) == (biped, character, ())
    assert contents(Asset("a", "bvh", None, (motion,), character)) == (biped, character, (motion,))
    assert contents(Asset("a", "bvh", biped)) == (biped, None, ())


def test_nothing_to_write_and_other_joints(biped: Skeleton) -> None:
    with pytest.raises(FormatError, match=r"there is no skeleton"):
        contents(Asset("a", "gltf"))
    other = Skeleton.create(["a"], [-1], [[0, 0, 0]])
    motion = Motion.create(other, np.tile([1.0, 0, 0, 0], (2, 1, 1)), name="spin")
    with pytest.raises(FormatError, match="motion 'spin' has different joints"):
        contents(Asset("a", "bvh", biped, (motion,)))


@pytest.mark.parametrize("suffix", ["glb", "fbx", "usda", "npz"])
def test_labels_that_are_not_finite_can_be_written_and_read(tmp_path: Path, biped: Skeleton, suffix: str) -> None:
    if suffix == "usda":
        pytest.importorskip("pxr")
    phase = np.array([0.5, np.nan, np.inf, -np.inf], np.float32)
    still = np.tile([1.0, 0, 0, 0], (4, biped.joint_count, 1))
    save(Motion.create(biped, still, labels={"phase": phase}), tmp_path / f"a.{suffix}")
    expected = phase if suffix == "npz" else finite(phase)
    np.testing.assert_array_equal(load_motion(tmp_path / f"a.{suffix}").labels["phase"], expected)


def test_only_what_is_not_finite_becomes_zero() -> None:
    assert finite(np.array([1.5, np.nan, np.inf, -np.inf, -2.0])).tolist() == [1.5, 0, 0, 0, -2]
    assert finite(np.array([True, False])).dtype == bool and finite(np.arange(3)).tolist() == [0, 1, 2]


@pytest.mark.parametrize("suffix", [".glb", ".fbx", ".bvh", ".npz", ".usda", ".vrma", ".mjcf"])
def test_what_no_format_holds_is_refused(tmp_path: Path, biped: Skeleton, suffix: str) -> None:
    path = tmp_path / f"a{suffix}"
    motion = Motion.create(biped, np.tile([1.0, 0, 0, 0], (2, biped.joint_count, 1)), name="walk")
    for thing in (biped, None, [motion], "motion"):
        with pytest.raises(FormatError, match=rf"a\{suffix}: expected a Motion, a Character or an Asset, not a "):
            save(thing, path)  # type: ignore[arg-type]
    broken = motion.replace(local_rotations=np.full_like(motion.local_rotations, np.nan))
    moved = motion.replace(local_translations=np.full((2, 1, 3), np.inf, np.float32), translated=np.int32([0]))
    for thing in (broken, moved, Asset("a", "bvh", biped, (motion, broken))):
        with pytest.raises(FormatError, match="motion 'walk' holds a pose that is not finite"):
            save(thing, path)
    for values in (np.array(["a", "b"]), np.ones(2, complex), np.array([None, None])):
        if suffix in (".bvh", ".mjcf"):  # which hold no labels at all
            continue
        with pytest.raises(FormatError, match=r"label 'x' is of .*; only numbers are saved"):
            save(motion.replace(labels={"x": values}), path)
    assert list(tmp_path.iterdir()) == []


def test_a_motion_is_not_saved_where_a_format_holds_none(tmp_path: Path, biped: Skeleton) -> None:
    motion = Motion.create(biped, np.tile([1.0, 0, 0, 0], (2, biped.joint_count, 1)))
    for thing in (motion, Asset("a", "bvh", biped, (motion,))):
        with pytest.raises(FormatError, match=r"a\.vrm: a \.vrm holds no motion, which is all there is to write; use "):
            save(thing, tmp_path / "a.vrm")
    assert list(tmp_path.iterdir()) == []


def test_a_character_is_a_model_of_mujoco_too(tmp_path: Path, biped: Skeleton) -> None:
    save(Character("c", biped), tmp_path / "a.mjcf")
    asset = load(tmp_path / "a.mjcf")
    assert asset.skeleton is not None and set(asset.skeleton.names) == set(biped.names)
    with pytest.raises(FormatError, match=r"a \.csv holds a motion, and there is only a character to write"):
        save(Character("c", biped), tmp_path / "a.csv")


@pytest.mark.parametrize("suffix", [".bvh", ".npz", ".vrma", ".csv"])
def test_what_holds_a_motion_alone_names_the_formats_of_everything_else(
    tmp_path: Path, biped: Skeleton, suffix: str
) -> None:
    character = Character("c", biped)
    wholes = ".fbx .glb .gltf .usd .usda .usdc .usdz"
    things = (
        (character, f"only a character to write; use {wholes} .vrm"),
        (Asset("a", "bvh", biped), f"only a skeleton to write; use {wholes.replace('.gltf', '.gltf .mjcf')} .xml"),
    )
    for thing, said in things:
        with pytest.raises(FormatError) as refused:
            save(thing, tmp_path / f"a{suffix}")
        assert f"a{suffix}: a {suffix} holds a motion, and there is {said}" in str(refused.value)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("suffix", [".bvh", ".glb", ".fbx", ".usda", ".npz", ".mjcf", ".vrma", ".vrm"])
@pytest.mark.parametrize("far", [1e13, 1e20, 3e38])
def test_what_lies_beyond_any_sensible_range_is_not_written(
    tmp_path: Path, biped: Skeleton, suffix: str, far: float
) -> None:
    moved = np.full((2, 1, 3), far, np.float32)
    motion = Motion.create(biped, np.tile([1.0, 0, 0, 0], (2, biped.joint_count, 1)), moved, [0])
    corners = np.float32([[0, 0, 0], [far, 0, 0], [0, 1, 0]])
    mesh = Mesh("far", corners, np.float32([[0, 0, 1]] * 3), np.uint32([[0, 1, 2]]), joint=0)
    rest = np.float32(far) * np.ones((1, 3), np.float32)
    things = [Character("c", biped, (mesh,)), Character("c", Skeleton.create(["far"], [-1], rest))]
    for thing in things if suffix == ".vrm" else [motion] if suffix in (".bvh", ".npz", ".vrma") else [motion, *things]:
        with pytest.raises(FormatError, match=r"lies outside of any sensible range \(1e\+12 m\)"):
            save(thing, tmp_path / f"a{suffix}")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("suffix", [".glb", ".fbx", ".usda", ".npz", ".vrma"])
def test_what_lies_beyond_any_sensible_range_is_not_read(
    tmp_path: Path, biped: Skeleton, suffix: str, monkeypatch: pytest.MonkeyPatch, recwarn: pytest.WarningsRecorder
) -> None:
    moved = np.full((2, 1, 3), 1e20, np.float32)
    motion = Motion.create(biped, np.tile([1.0, 0, 0, 0], (2, biped.joint_count, 1)), moved, [0])
    with monkeypatch.context() as anything:
        anything.setattr("kinema.formats.contents.FARTHEST", np.inf)
        save(motion, tmp_path / f"a{suffix}")
    recwarn.clear()
    with pytest.raises(FormatError):
        load(tmp_path / f"a{suffix}")
    assert not recwarn.list
