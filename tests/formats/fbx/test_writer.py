"""Whole files: what may be written, and that it is always the same bytes."""

from __future__ import annotations

import os

import numpy as np
import pytest

from kinema import Motion, Skeleton, load, save
from kinema.character import Character
from kinema.errors import FormatError
from kinema.formats import Asset
from kinema.formats.atomic import WriteError
from kinema.formats.gltf.bones import bone_mesh


@pytest.fixture
def motion(biped) -> Motion:
    return Motion.create(biped, np.tile(biped.rest_rotations, (5, 1, 1)), fps=30, name="still")


def test_the_same_bytes_every_time(tmp_path, biped, motion) -> None:
    asset = Asset("", "fbx", biped, (motion,), Character("c", biped, (bone_mesh(biped),)))
    for name in ("a.fbx", "b.fbx"):
        save(asset, tmp_path / name)
    assert (tmp_path / "a.fbx").read_bytes() == (tmp_path / "b.fbx").read_bytes()


def test_motion_character_and_both(tmp_path, biped, motion) -> None:
    character = Character("c", biped, (bone_mesh(biped),))
    for thing, motions, meshes in (
        (motion, 1, 0),
        (character, 0, 1),
        (Asset("", "", biped, (motion, motion), character), 2, 1),
    ):
        save(thing, tmp_path / "a.fbx")
        asset = load(tmp_path / "a.fbx")
        assert asset.skeleton is not None and asset.skeleton.same_topology(biped)
        assert len(asset.motions) == motions
        assert (len(asset.character.meshes) if asset.character else 0) == meshes
        assert asset.warnings == ()


def test_a_giant_stays_one(tmp_path, biped) -> None:
    big = Skeleton.create(biped.names, biped.parents, biped.rest_translations * 30)
    save(Character("giant", big), tmp_path / "a.fbx")
    assert load(tmp_path / "a.fbx").skeleton.height == pytest.approx(big.height, rel=1e-3)


def test_several_roots_in_any_order_with_odd_names(tmp_path) -> None:
    names = ["root::a", "Ünïcode", "b c", 'quote"', "leaf"]
    skeleton = Skeleton.create(names, [-1, -1, 0, 1, 2], np.eye(5, 3))
    save(Character("x", skeleton), tmp_path / "a.fbx")
    assert load(tmp_path / "a.fbx").skeleton.same_topology(skeleton)


def test_what_cannot_be_written(tmp_path, biped, motion) -> None:
    with pytest.raises(FormatError, match="there is no skeleton"):
        save(Asset("", "fbx"), tmp_path / "a.fbx")
    other = Motion.create(Skeleton.create(["x"], [-1], [[0, 0, 0]]), [[[1, 0, 0, 0]]])
    with pytest.raises(FormatError, match="different joints"):
        save(Asset("", "fbx", biped, (motion, other)), tmp_path / "a.fbx")
    assert os.listdir(tmp_path) == []
    with pytest.raises(WriteError):
        save(motion, tmp_path / "missing" / "a.fbx")
