"""What is in files, without the command around it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from kinema import Asset, Character, Motion, Skeleton, save
from kinema.character import Mesh
from kinema.errors import FormatError
from kinema.inspection import describe, find_all, inspect
from kinema.mocap import MotionDatabase, build
from kinema.mocap.procedural import Segment, generate


@pytest.fixture
def motion(biped: Skeleton) -> Motion:
    rotations = np.zeros((31, biped.joint_count, 4), np.float32)
    rotations[..., 0] = 1
    return Motion.create(biped, rotations, fps=30, name="stand")


def test_databases_and_files_are_found_and_described(motion: Motion, tmp_path: Path) -> None:
    save(motion, tmp_path / "stand.bvh")
    MotionDatabase.from_motions([motion]).save(tmp_path / "walk.db")
    (tmp_path / "bad.bvh").write_text("nonsense")
    found = [inspect(place, roles=True) for place in find_all([tmp_path / "walk.db", tmp_path])]
    rows = {Path(one.row["path"]).name: one.row for one in found}
    assert rows["walk.db"]["kind"] == "database" and rows["stand.bvh"]["frames"] == 31
    assert rows["stand.bvh"]["roles"]["plan"] == "biped" and set(rows["bad.bvh"]) == {"path", "error"}
    (bad,) = [one for one in found if one.error is not None]
    with pytest.raises(FormatError, match="holds no skeleton"):
        _ = bad.skeleton


def test_nothing_to_find(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="no supported files"):
        find_all([tmp_path])


def test_several_clips_are_listed(motion: Motion) -> None:
    clips = (motion, motion.replace(name="slow", fps=15.0))
    row = describe(Asset("x.glb", "gltf", motion.skeleton, clips))
    assert [clip["name"] for clip in row["clips"]] == ["stand", "slow"]
    assert row["frames"] == 62 and row["fps"] is None


def test_height_of_a_bare_motion_is_that_of_its_first_pose() -> None:
    """The rest pose of this one lies along X, as in much motion capture; it stands up when it moves."""
    skeleton = Skeleton.create(["a", "b"], [-1, 0], [[0, 0, 0], [1, 0, 0]], tips=[(1, (0.5, 0, 0))])
    upright = np.tile(np.float32([0.5**0.5, 0, 0, 0.5**0.5]), (1, 1, 1))
    turned = np.concatenate([upright, np.float32([[[1, 0, 0, 0]]])], axis=1)
    motion = Motion.create(skeleton, np.repeat(turned, 3, axis=0), fps=30.0)
    assert describe(Asset("x.bvh", "bvh", skeleton, (motion,)))["height_m"] == pytest.approx(1.5)
    assert describe(Asset("x.bvh", "bvh", skeleton))["height_m"] == pytest.approx(0.0)


def test_height_of_a_character_is_that_of_its_mesh(motion: Motion) -> None:
    corners = np.float32([[0, -0.2, 0], [1, 0, 0], [0, 1.9, 0]])
    mesh = Mesh("m", corners, corners, np.uint32([[0, 1, 2]]), joint=0)
    character = Character("x", motion.skeleton, (mesh,))
    row = describe(Asset("x.glb", "gltf", motion.skeleton, (motion,), character))
    assert row["height_m"] == pytest.approx(2.1)


def test_file_without_a_skeleton() -> None:
    row = describe(Asset("x.glb", "gltf"))
    assert (row["joints"], row["frames"], row["height_m"], row["roles"]) == (0, 0, None, None)


def test_avatars_say_who_made_them(tmp_path: Path) -> None:
    from kinema.avatar import Expression, Meta

    character = Character(
        "a",
        Skeleton.create(["x"], [-1], [[0, 0, 0]]),
        expressions=(Expression("happy"),),
        meta=Meta("Ada", ("B", "C"), licence="CC0"),
    )
    row = describe(Asset("a.vrm", "gltf", character.skeleton, (), character))
    assert (row["title"], row["authors"], row["licence"], row["faces"]) == ("Ada", "B, C", "CC0", 1)
    assert "springs" not in row and "morphs" not in row


def test_a_clip_without_contacts_is_told(biped: Skeleton, tmp_path: Path) -> None:
    walk = generate(biped, [Segment("walk", 2.0)], fps=30).replace(labels={})
    moved = walk.local_translations.copy()
    moved[:, 0, 0] += np.linspace(0, 12, walk.frames)
    save(walk, tmp_path / "walk.bvh")
    save(walk.replace(local_translations=moved), tmp_path / "glide.bvh")
    said = {place.path: inspect(place).row["warnings"] for place in find_all([tmp_path]) if not isinstance(place, str)}
    told = {Path(path).stem: any("no foot touches" in line for line in lines) for path, lines in said.items()}
    assert told == {"walk": False, "glide": True}
    report = build([tmp_path], tmp_path / "db", mirror=False)
    assert [Path(line.partition(":")[0]).stem for line in report.warnings if "no foot touches" in line] == ["glide"]
