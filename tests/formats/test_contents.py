"""What a writer is given, taken apart."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from kinema import Motion, Skeleton
from kinema.character import Character
from kinema.errors import FormatError
from kinema.formats import Asset, load, load_motion, save
from kinema.formats.contents import contents, finite


def test_motion_character_and_asset(biped: Skeleton) -> None:
    motion = Motion.create(biped, np.tile([1.0, 0, 0, 0], (2, biped.joint_count, 1)))
    character = Character("c", biped)
    assert contents(motion, "x.glb") == (biped, None, (motion,))
    assert contents(character, "x.glb") == (biped, character, ())
    assert contents(Asset("a", "bvh", None, (motion,), character), "x.glb") == (biped, character, (motion,))
    assert contents(Asset("a", "bvh", biped), "x.glb") == (biped, None, ())


def test_nothing_to_write_and_other_joints(biped: Skeleton) -> None:
    with pytest.raises(FormatError, match=r"x\.glb: there is no skeleton"):
        contents(Asset("a", "gltf"), "x.glb")
    other = Skeleton.create(["a"], [-1], [[0, 0, 0]])
    motion = Motion.create(other, np.tile([1.0, 0, 0, 0], (2, 1, 1)), name="spin")
    with pytest.raises(FormatError, match="motion 'spin' has other joints"):
        contents(Asset("a", "bvh", biped, (motion,)), "x.glb")


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
    with pytest.raises(FormatError, match="holds one motion, not a Character"):
        save(Character("c", biped), tmp_path / "a.csv")
