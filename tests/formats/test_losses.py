"""What is left out is said, and nothing else is."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from kinema import Motion, Skeleton
from kinema.avatar import Expression
from kinema.character import Character, Mesh
from kinema.formats import Asset, Format, load, save, written_suffixes
from kinema.formats.losses import losses
from kinema.skeleton import Hinge


def asset(skeleton: Skeleton, **labels: np.ndarray) -> Asset:
    turned = np.zeros((5, skeleton.joint_count, 4), np.float32)
    turned[..., 0] = 1
    motion = Motion.create(
        skeleton, turned, np.repeat(skeleton.rest_translations[None], 5, 0), name="walk", labels=labels, tags=("old",)
    )
    corners = Mesh(
        "t",
        np.eye(3, dtype=np.float32),
        np.tile(np.float32([0, 0, 1]), (3, 1)),
        np.array([[0, 1, 2]], np.uint32),
        joint=0,
    )
    return Asset("a.glb", "gltf", skeleton, (motion,), Character("c", skeleton, (corners,)))


def test_all_in_one_line(biped: Skeleton) -> None:
    stated = replace(biped.with_hints({"Hips": "hips"}), hinges=(Hinge(2, (1.0, 0.0, 0.0)),))
    rig = asset(stated, **{"contact.left": np.zeros(5, bool), "way": np.zeros((5, 3))})
    assert losses(rig, ".BVH") == (
        ".bvh has no place for 1 mesh, labels 'contact.left', 'way', tags and the hinges and their limits",
    )
    assert losses(rig, ".glb") == (".glb has no place for label 'way' and the hinges and their limits",)
    assert losses(rig, ".npz") == (".npz has no place for 1 mesh",)
    assert losses(rig, ".vrm") == (".vrm has no place for 1 clip and the hinges and their limits",)
    many = asset(biped, **{f"label{number}": np.zeros(5) for number in range(7)})
    assert "'label3' and 3 more" in losses(many, ".bvh")[0]


def test_saving_says_what_is_lost(tmp_path: Path, biped: Skeleton) -> None:
    rig = asset(biped, phase=np.zeros(5))
    assert save(rig, tmp_path / "a.bvh") == (".bvh has no place for 1 mesh, label 'phase' and tags",)
    assert save(rig.motions[0], tmp_path / "a.bvh") == (".bvh has no place for label 'phase' and tags",)
    assert save(rig, tmp_path / "a.glb") == ()


def test_formats_of_others_keep_what_they_say(biped: Skeleton, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kinema.formats.losses.FORMATS", {".all": Format("a", (".all",), "a")})
    assert losses(asset(biped, way=np.zeros((5, 3))), ".all") == ()
    monkeypatch.setattr("kinema.formats.losses.FORMATS", {".few": Format("a", (".few",), "a", frozenset({"meshes"}))})
    assert losses(asset(biped), ".few") == (".few has no place for 1 clip",)


def test_avatars(biped: Skeleton) -> None:
    rig = asset(biped)
    assert rig.character is not None
    rig = replace(rig, motions=(), character=replace(rig.character, expressions=(Expression("happy"),)))
    assert losses(rig, ".glb") == (".glb has no place for expressions",)
    assert losses(rig, ".vrm") == ()


@pytest.mark.parametrize("suffix", [".glb", ".fbx", ".usda", ".vrma", ".mjcf", ".npz", ".bvh"])
def test_a_clip_without_frames(tmp_path: Path, biped: Skeleton, suffix: str) -> None:
    rig = asset(biped)
    empty = rig.motions[0].cut(0, 0).replace(tags=())
    said = save(empty, tmp_path / f"a{suffix}")
    motions = load(tmp_path / f"a{suffix}").motions
    kept = len(motions) == 1 and motions[0].frames == 0
    assert said == (() if kept else (f"{suffix} has no place for 1 clip without frames",))


def test_plain_motion_loses_nothing(biped: Skeleton) -> None:
    rig = asset(biped)
    plain = replace(rig, motions=(rig.motions[0].replace(tags=()),), character=None)
    assert [suffix for suffix in written_suffixes() if losses(plain, suffix) and suffix != ".vrm"] == []


@pytest.mark.parametrize("suffix", [".glb", ".gltf", ".fbx", ".usda", ".usdz", ".npz", ".bvh", ".vrma", ".mjcf"])
def test_what_is_not_said_to_be_lost_comes_back(tmp_path: Path, biped: Skeleton, suffix: str) -> None:
    """The table of this module against the writers themselves."""
    stated = biped.with_hints({"Hips": "hips"})
    labels = {"contact.left": np.arange(5) > 2, "way": np.zeros((5, 3)), "expression.happy": np.linspace(0, 1, 5)}
    rig = asset(stated, **labels)
    save(rig, tmp_path / f"a{suffix}")
    back = load(tmp_path / f"a{suffix}")
    said = " ".join(losses(rig, suffix))
    for name in labels:
        kept = bool(back.motions) and name in back.motions[0].labels
        assert kept == (repr(name) not in said), name
    assert ("mesh" in said) != bool(back.character and any(mesh.name == "t" for mesh in back.character.meshes))
    assert ("tags" in said) != bool(back.motions and back.motions[0].tags)
