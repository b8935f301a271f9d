"""What is odd about a body in a file."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import kinema
from kinema import Motion, Skeleton, rotations
from kinema.formats import Asset
from kinema.formats.axes import turn_of, turned
from kinema.formats.doubts import doubts, with_doubts
from kinema.mocap.procedural import Segment, generate

UPS = ("z", "-z", "x", "-x")


@pytest.fixture(scope="module")
def walk() -> Motion:
    return generate(script=[Segment("walk", 2.0), Segment("turn", 2.0, turn=3.1)], fps=30).replace(labels={})


def file_of(motion: Motion) -> Asset:
    return Asset("x.bvh", "bvh", motion.skeleton, (motion,))


def lying(motion: Motion, up: str) -> Motion:
    return turned(file_of(motion), rotations.inverse(turn_of(up, None))).motions[0].replace(skeleton=motion.skeleton)


def scaled(motion: Motion, by: float) -> Motion:
    skeleton = motion.skeleton
    tips = zip(skeleton.tip_joints.tolist(), by * skeleton.tip_offsets, strict=True)
    large = Skeleton.create(skeleton.names, skeleton.parents, by * skeleton.rest_translations, None, tips)
    return motion.replace(skeleton=large, local_translations=(by * motion.local_translations).astype(np.float32))


def test_a_person_who_walks_is_beyond_doubt(walk: Motion) -> None:
    assert doubts(file_of(walk)) == ()
    asset = file_of(walk)
    assert with_doubts(asset) is asset


@pytest.mark.parametrize("up", UPS)
def test_a_walk_that_lies_says_which_axis_to_state(walk: Motion, up: str) -> None:
    (line,) = doubts(file_of(lying(walk, up)))
    assert f"--up={up}" in line and "lies along" in line
    mended = turned(file_of(lying(walk, up)), turn_of(up, None))
    assert doubts(mended) == ()
    assert doubts(file_of(lying(walk, up)), stated=["up"]) == ()


def test_a_swimmer_is_only_asked_about(walk: Motion) -> None:
    """Someone who lies and travels along the trunk does not stand along it."""
    flat = lying(walk, "z")
    moved = flat.local_translations.copy()
    moved[:, 0, 2] += np.linspace(0, 3, flat.frames)
    (line,) = doubts(file_of(flat.replace(local_translations=moved)))
    assert "hardly ever above the hips" in line and "--up=" not in line


def test_one_clip_that_stands_is_enough(walk: Motion) -> None:
    asset = Asset("x.glb", "gltf", walk.skeleton, (lying(walk, "z"), walk))
    assert doubts(asset) == ()


@pytest.mark.parametrize(("scale", "said"), [(0.3, True), (0.7, False), (1.2, False), (1.6, True)])
def test_people_of_unusual_size(walk: Motion, scale: float, said: bool) -> None:
    asset = file_of(scaled(walk, scale))
    assert any("from the ankles to the head" in line and "--unit" in line for line in doubts(asset)) == said
    assert doubts(asset, stated=["unit"]) == ()
    stating = Asset("x.glb", "gltf", asset.skeleton)
    assert any("check the unit that the file states" in line for line in doubts(stating)) == said


@pytest.mark.parametrize("up", UPS)
def test_a_rest_pose_along_another_axis(walk: Motion, up: str) -> None:
    asset = turned(Asset("x.glb", "gltf", walk.skeleton), rotations.inverse(turn_of(up, None)))
    (line,) = doubts(asset)
    assert f"--up={up}" in line
    assert doubts(turned(asset, turn_of(up, None))) == ()


def test_thighs_that_point_nowhere(walk: Motion) -> None:
    names = ["hips", "head", "left_thigh", "left_shin", "right_thigh", "right_shin"]
    places = [(0, 1.2, 0), (0, 1.25, 0.35), (0.4, 1.1, 0), (0.5, 1.15, -0.6), (-0.4, 1.1, 0), (-0.5, 1.15, -0.6)]
    parents = [-1, 0, 0, 2, 0, 4]
    offsets = [
        np.subtract(at, places[parent]) if parent >= 0 else at for at, parent in zip(places, parents, strict=True)
    ]
    (line,) = doubts(Asset("x.glb", "gltf", Skeleton.create(names, parents, offsets)))
    assert "+Y was taken as up" in line and "--up" in line


def test_load_warns_and_info_shows_it(walk: Motion, tmp_path: Path) -> None:
    kinema.save(lying(walk, "z"), tmp_path / "walk.bvh")
    asset = kinema.load(tmp_path / "walk.bvh")
    (line,) = [line for line in asset.warnings if "lies along" in line]
    assert line in asset.motion().warnings and line in kinema.info(tmp_path / "walk.bvh")[0]["warnings"]
    assert not any("lies along" in line for line in kinema.load(tmp_path / "walk.bvh", up="z").warnings)


def test_real_people_are_beyond_doubt(data_dir: Path) -> None:
    for name in ("cmu21/dance.bvh", "cmu_bvh/01_01.bvh", "bandai1_nc/dataset-1_dash_active_001.bvh"):
        assert doubts(kinema.load(data_dir / "human_mocap" / name)) == ()
    (line,) = doubts(kinema.load(data_dir / "human_mocap/misc_bvh/jumping.bvh"))
    assert "--unit" in line


def dog(swapped: bool) -> Skeleton:
    """A dog with named legs; the sides in its names are the wrong ones if they are swapped."""
    names, parents, places = ["hips", "chest", "head"], [-1, 0, 1], [(0, 0.6, -0.3), (0, 0.6, 0.3), (0, 0.8, 0.5)]
    for side, x in (("l", -0.1), ("r", 0.1)) if swapped else (("l", 0.1), ("r", -0.1)):
        for base, joints, z in ((0, ("thigh", "shin", "foot"), -0.3), (1, ("upperarm", "forearm", "hand"), 0.3)):
            for number, joint in enumerate(joints):
                parents.append(base if number == 0 else len(names) - 1)
                names.append(f"{'front' if base else 'hind'}_{joint}_{side}")
                places.append((x, 0.55 - 0.25 * number, z))
    at = np.array(places)
    moves = [at[joint] - (at[parent] if parent >= 0 else 0) for joint, parent in enumerate(parents)]
    return Skeleton.create(names, parents, np.array(moves))


def test_front_legs_behind_hind_legs_are_doubtful() -> None:
    assert not any("behind" in line for line in doubts(Asset("x.glb", "gltf", dog(swapped=False))))
    assert any("front legs are behind" in line for line in doubts(Asset("x.glb", "gltf", dog(swapped=True))))


def test_a_body_without_legs_that_stands_is_doubtful() -> None:
    pole = Skeleton.create([f"bone{n}" for n in range(8)], np.arange(8) - 1, np.tile([0, 0.2, 0], (8, 1)))
    (line,) = doubts(Asset("x.glb", "gltf", pole))
    assert "no legs" in line
