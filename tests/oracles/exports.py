"""Real characters and motions as we write them, and where their joints and vertices are by our own reckoning."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import KDTree

from kinema import load, save
from kinema.formats import FORMATS, Asset, written_suffixes
from kinema.pose import Pose

MILLIMETRE = 1e-3
FRAMES = 12  # of each motion, spread over it
SKINS = 2  # of them, at which vertices are compared

FILES = (
    "human_mocap/cmu_bvh/01_01.bvh",
    "human_mocap/cmu_iclone_bvh/002_04.bvh",
    "human_mocap/lafan1_60fps_ncnd/aiming1_subject1_walk_filtered.bvh",
    "human_mocap/bandai1_nc/dataset-1_dash_active_001.bvh",
    "human_mocap/misc_bvh/bvh_example.bvh",
    "any_topology/dog_mocap_nc/D1_007_KAN01_001.bvh",
    "any_topology/quaternius/Horse.glb",
    "any_topology/quaternius/Trex.glb",
    "any_topology/khronos/Fox.glb",
    "any_topology/mesh2motion/bird-animations.glb",
    "characters/quaternius/platformer_game_pack_Character.glb",
    "characters/threejs/CesiumMan/CesiumMan.glb",
    "characters/vrm_tests/material.vrm",
    "characters/vrm/debug_robot.vrm",
    "characters/vrm/test.vrma",
    "characters/mesh2motion/human-zombie.glb",
    "characters/mesh2motion_tests/mixamo-original-rig.fbx",
    "characters/ozz/run.fbx",
    "human_mocap/cmu_fbx/85_03.fbx",
    "usd/usdwg/CesiumMan.usdz",
)


@dataclass(frozen=True, eq=False)
class Case:
    """One file written in one format.

    Attributes:
        path: the file.
        fps: of its motion.
        times: seconds `[T]` of the poses.
        skin_times: seconds at which vertices are known.
        names: of the joints.
        positions: float32 `[T, J, 3]`.
        vertices: float32 `[S, V, 3]` of all meshes at `skin_times`; None without meshes.
    """

    path: Path
    fps: float
    times: tuple[float, ...]
    skin_times: tuple[float, ...]
    names: tuple[str, ...]
    positions: NDArray[np.float32]
    vertices: NDArray[np.float32] | None

    @property
    def size(self) -> float:
        """Metres; files in other units than they say are large, and single precision is what it is."""
        return float(np.ptp(self.positions.reshape(-1, 3), axis=0).max())


def written(data_dir: Path, suffixes: tuple[str, ...], folder: Path) -> dict[tuple[str, str], Case]:
    """Every file in every format that has a place for it, by source and suffix."""
    cases = {}
    for source in FILES:
        if Path(source).suffix not in FORMATS:
            continue
        asset = load(data_dir / source)
        for suffix in suffixes:
            if suffix in written_suffixes():
                made = case(asset, source, suffix, folder)
                if made is not None:
                    cases[source, suffix] = made
    return cases


def case(asset: Asset, source: str, suffix: str, folder: Path) -> Case | None:
    """Writes the asset's first motion with its character; None where the format has no place for it."""
    path = folder / f"{Path(source).stem}_{Path(source).suffix[1:]}{suffix}"
    motion = asset.motions[0].cut(0, 240) if asset.motions else None
    skeleton = motion.skeleton if motion else asset.skeleton
    assert skeleton is not None
    if (suffix == ".bvh" and motion is None) or (suffix == ".vrm" and not source.endswith(".vrm")):
        return None
    if suffix == ".bvh":
        save(motion, path, unit="m")
    else:
        save(replace(asset, motions=(motion,) if motion else ()), path)
    frames = np.unique(np.linspace(0, motion.frames - 1, FRAMES).astype(int)) if motion else np.zeros(1, int)
    fps = motion.fps if motion else 30.0
    turned, placed = (
        ((at := motion[frames]).global_rotations, at.global_positions)
        if motion
        else (part[None] for part in (skeleton.rest_pose.global_rotations, skeleton.rest_pose.global_positions))
    )
    vertices, chosen = None, []
    if asset.character is not None and asset.character.meshes and suffix != ".bvh":
        chosen = list(range(0, len(frames), max(len(frames) // SKINS, 1)))[:SKINS]
        labels = {label: values[frames[chosen]] for label, values in motion.labels.items()} if motion else None
        vertices = np.concatenate(
            asset.character.skin(Pose.from_model(asset.character.skeleton, turned[chosen], placed[chosen]), labels),
            axis=1,
        )
    times = tuple((frames / fps).tolist())
    return Case(path, fps, times, tuple(times[row] for row in chosen), skeleton.names, placed, vertices)


def compare(
    made: Case, places: list[int], positions: NDArray, vertices: NDArray, scale: float = 1.0
) -> tuple[str, str]:
    """Holds what another program saw against what we know: how far apart they are, and what is wrong with that.

    Args:
        made: what we wrote.
        places: for each joint its row in `positions`, -1 where the other program has none.
        positions: `[T, N, 3]` as the other program sees them.
        vertices: `[S, V, 3]` of all meshes, in any order.
        scale: metres of one of the other program's units.
    """
    if -1 in places:
        lost = [name for name, place in zip(made.names, places, strict=True) if place < 0]
        return "", f"joints are missing: {lost}"
    errors = np.linalg.norm(positions[:, places] * scale - made.positions, axis=-1)
    frame, joint = np.unravel_index(errors.argmax(), errors.shape)
    allowed = MILLIMETRE * max(1.0, made.size / 5)
    said = f"{len(places)} joints, {len(errors)} poses, {errors.max() * 1000:.4f} mm"
    if not errors.max() < allowed:
        return said, f"{made.names[joint]} in pose {frame} is {errors.max():.4f} m off"
    for ours, theirs in zip(() if made.vertices is None else made.vertices, vertices * scale, strict=True):
        if not len(theirs):
            return said, "no mesh arrived"
        far = KDTree(theirs).query(ours)[0].max()
        said += f"; {len(ours)} vertices, {far * 1000:.4f} mm"
        if not far < allowed:
            return said, f"a vertex is {far:.4f} m off"
    return said, ""
