"""What several files say of one character is the same here: other formats, units, versions and ways of writing."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from kinema import load, rotations
from kinema.errors import FormatError
from kinema.formats import Asset

MILLIMETRE = 1e-3
DEGREE = np.pi / 180

DAMAGED = ("synthetic_duplicate", "synthetic_unsupported")  # their versions are damaged in different ways

CESIUM = (
    ["Skeleton_torso_joint_1", "Skeleton_torso_joint_2", "torso_joint_3", "Skeleton_neck_joint_1",
     "Skeleton_neck_joint_2", "Skeleton_arm_joint_L__4_", "Skeleton_arm_joint_L__3_", "Skeleton_arm_joint_L__2_",
     "Skeleton_arm_joint_R", "Skeleton_arm_joint_R__2_", "Skeleton_arm_joint_R__3_", "leg_joint_L_1", "leg_joint_L_2",
     "leg_joint_L_3", "leg_joint_L_5", "leg_joint_R_1", "leg_joint_R_2", "leg_joint_R_3", "leg_joint_R_5"],
    [2, 11, 12, 19, 20, 16, 17, 18, 13, 14, 15, 7, 8, 9, 10, 3, 4, 5, 6],
)  # fmt: skip
"""Joints of the USDZ file and the numbers of the glTF nodes that they are."""


@dataclass(frozen=True)
class Pair:
    """Two files of one character.

    Attributes:
        first, second: paths in the data folder.
        joints: how many they have in common.
        tolerance: metres.
        skip: frames at the beginning that differ in the files themselves.
        names: what joints of the second are called in the first.
        turn: quarter turns about the vertical from the second to the first.
        late: frames of the first before the second begins.
    """

    first: str
    second: str
    joints: int
    tolerance: float = MILLIMETRE
    skip: int = 0
    names: tuple[tuple[str, str], ...] = ()
    turn: int = 0
    late: int = 0


CMU_HANDS = tuple((f"{side}HandIndex1", f"{side[0]}Fingers") for side in ("Left", "Right"))
PAIRS = [
    Pair("human_mocap/cmu_bvh/131_01.bvh", "human_mocap/cmu_bvh/scaled_131_01.bvh", 31),
    # The FBX was exported with simplified curves; Blender reads the same positions from it as we do, to 0.01 mm.
    Pair("human_mocap/cmu_bvh/01_01.bvh", "human_mocap/cmu_fbx/01_01_cmu.fbx", 31, 8e-3, 1, CMU_HANDS),
    Pair("characters/geno_nc/Geno_bind.bvh", "characters/geno_nc/Geno.fbx", 75),
    Pair("characters/threejs/CesiumMan/CesiumMan.glb", "characters/threejs/CesiumMan_draco/CesiumMan.gltf", 19),
    Pair("characters/threejs/CesiumMan/CesiumMan.glb", "usd/usdwg/CesiumMan.usdz", 19, MILLIMETRE, 0,
         tuple((name, f"node_{number}") for name, number in zip(*CESIUM, strict=True)), turn=1, late=1),
    Pair("usd/tinyusdz/skintest.usda", "usd/tinyusdz/skintest.usdc", 2),
    *(Pair(f"characters/vrm_tests/{name}_vrm0.vrm", f"characters/vrm_tests/{name}_vrm1.vrm", joints) for name, joints
      in (("skinned_mesh_parent", 18), ("multi_root_armature", 18), ("non_deform_referenced_bone", 19),
          ("thumbnail", 18))),
]  # fmt: skip


def poses(asset: Asset) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Global rotations and positions of the first motion, or of the rest pose."""
    if asset.motions:
        return ((at := asset.motions[0][:]).global_rotations, at.global_positions)
    assert asset.skeleton is not None
    turned, placed = asset.skeleton.rest_pose.global_rotations, asset.skeleton.rest_pose.global_positions
    return turned[None], placed[None]


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: f"{Path(pair.first).name}-{Path(pair.second).name}")
def test_joints_stand_in_the_same_places(pair: Pair, data_dir: Path) -> None:
    first, second = load(data_dir / pair.first), load(data_dir / pair.second)
    assert first.skeleton is not None and second.skeleton is not None
    called = dict(pair.names)
    ours = {name: row for row, name in enumerate(first.skeleton.names)}
    shared = [
        (ours[called.get(name, name)], row)
        for row, name in enumerate(second.skeleton.names)
        if called.get(name, name) in ours
    ]
    assert len(shared) == pair.joints
    a, b = poses(first)[1][pair.late :], poses(second)[1]
    for _ in range(pair.turn):
        b = b[..., [2, 1, 0]] * np.array([1, 1, -1], np.float32)
    frames = min(len(a), len(b))
    assert max(len(a), len(b)) - frames <= 1
    if first.motions and second.motions:
        assert first.motions[0].fps == pytest.approx(second.motions[0].fps, rel=1e-3)
    rows, columns = zip(*shared, strict=True)
    apart = np.linalg.norm(a[pair.skip : frames, rows] - b[pair.skip : frames, columns], axis=-1)
    print(f"{pair.first} and {pair.second}: {len(rows)} joints, {frames} frames, {apart.max() * 1000:.4f} mm")
    assert apart.max() < pair.tolerance


def versions(data_dir: Path) -> dict[str, list[Path]]:
    """FBX files that hold one scene, by its name: binary and text, of several versions."""
    found: dict[str, list[Path]] = {}
    for path in sorted((data_dir / "importers/fbx_ufbx").glob("*.fbx")):
        named = re.fullmatch(r"(.+)_\d{4}_(ascii|binary)", path.stem)
        if named and "fail" not in path.stem and not path.stem.startswith(DAMAGED):
            found.setdefault(named[1], []).append(path)
    return {name: paths for name, paths in found.items() if len(paths) > 1}


def test_versions_of_fbx_hold_the_same_scene(data_dir: Path) -> None:
    groups = versions(data_dir)
    assert len(groups) > 20
    compared = 0
    for name, paths in groups.items():
        try:
            assets = [load(path) for path in paths]
        except FormatError as error:
            assert "333333 s" in str(error)
            continue
        first = assets[0]
        for path, other in zip(paths[1:], assets[1:], strict=True):
            assert (first.skeleton is None) == (other.skeleton is None), path
            assert [len(m.positions) for m in (first.character.meshes if first.character else ())] == [
                len(m.positions) for m in (other.character.meshes if other.character else ())
            ], path
            if first.skeleton is None or other.skeleton is None:
                continue
            assert set(first.skeleton.names) == set(other.skeleton.names), path
            order = [other.skeleton.index(joint) for joint in first.skeleton.names]
            (turned, placed), (turned_too, placed_too) = poses(first), poses(other)
            frames = min(len(placed), len(placed_too))
            # Blender's exporter of 6100 wrote a take that stands still, which that of 7400 left out.
            assert len(placed) == len(placed_too) or name.startswith("blender_279"), path
            far = np.abs(placed[:frames] - placed_too[:frames, order]).max()
            angle = rotations.angle(rotations.relative(turned[:frames], turned_too[:frames, order])).max()
            assert far < MILLIMETRE and angle < 0.1 * DEGREE, f"{path.name}: {far} m, {angle} rad"
            compared += 1
    print(f"{compared} files compared with the first of their {len(groups)} scenes")
    assert compared > 40
