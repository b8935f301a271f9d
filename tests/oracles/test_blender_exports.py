"""What we write stands in Blender where it stands here: joints of all kinds of bodies, and their skins, to 1 mm."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.spatial import KDTree

from kinema import load, save
from kinema.formats import FORMATS, Asset

from .blender import Job, Scene, program, see

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
    "characters/vrm/test.vrma",
    "characters/mesh2motion/human-zombie.glb",
    "characters/mesh2motion_tests/mixamo-original-rig.fbx",
    "characters/ozz/run.fbx",
    "human_mocap/cmu_fbx/85_03.fbx",
)
SUFFIXES = (".glb", ".fbx", ".bvh")


@dataclass(frozen=True, eq=False)
class Case:
    """One file written in one format: where its joints and vertices are by our own reckoning."""

    job: Job
    names: tuple[str, ...]
    positions: NDArray[np.float32]
    vertices: NDArray[np.float32] | None


def writable(suffix: str) -> bool:
    return suffix in FORMATS and (FORMATS[suffix].written is None or suffix in FORMATS[suffix].written)


def case(asset: Asset, source: str, suffix: str, folder: Path) -> Case | None:
    """Writes the asset's first motion with its character; None where the format has no place for it."""
    path = folder / f"{Path(source).stem}_{Path(source).suffix[1:]}{suffix}"
    motion = asset.motions[0][:240] if asset.motions else None
    if suffix == ".bvh":
        if motion is None:
            return None
        save(motion, path, unit="m")
    else:
        save(replace(asset, motions=(motion,) if motion else ()), path)
    frames = np.unique(np.linspace(0, motion.frames - 1, FRAMES).astype(int)) if motion else np.zeros(1, int)
    fps = motion.fps if motion else 30.0
    turned, placed = motion.globals(frames) if motion else asset.skeleton.rest_globals()  # pyright: ignore
    vertices, skins = None, ()
    if asset.character is not None and asset.character.meshes and suffix != ".bvh":
        chosen = frames[:: max(len(frames) // SKINS, 1)][:SKINS]
        skins = tuple((chosen / fps).tolist())
        picked = np.searchsorted(frames, chosen) if motion else ...
        rows = asset.character.skin(*(a[picked].reshape(len(chosen), *a.shape[-2:]) for a in (turned, placed)))
        vertices = np.concatenate(rows, axis=1)
    job = Job(path, fps, tuple((frames / fps).tolist()), skins)
    return Case(job, motion.skeleton.names if motion else asset.skeleton.names,  # pyright: ignore
                placed.reshape(len(frames), -1, 3), vertices)  # fmt: skip


@pytest.fixture(scope="module")
def seen(data_dir: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[str, str], tuple[Case, Scene]]:
    program()
    folder = tmp_path_factory.mktemp("blender")
    cases = {}
    for source in FILES:
        if Path(source).suffix not in FORMATS:
            continue
        asset = load(data_dir / source)
        for suffix in filter(writable, SUFFIXES):
            made = case(asset, source, suffix, folder)
            if made is not None:
                cases[source, suffix] = made
    scenes = see([made.job for made in cases.values()], folder)
    return {key: (made, scene) for (key, made), scene in zip(cases.items(), scenes, strict=True)}


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize("source", FILES)
def test_blender_sees_what_we_wrote(
    source: str, suffix: str, seen: dict[tuple[str, str], tuple[Case, Scene]]
) -> None:
    if (source, suffix) not in seen:
        pytest.skip(f"{source} is not written as {suffix}")
    made, scene = seen[source, suffix]
    assert not scene.error, scene.error
    places = scene.find(made.names)
    assert -1 not in places, [name for name, place in zip(made.names, places, strict=True) if place < 0]
    errors = np.linalg.norm(scene.positions[:, places] - made.positions, axis=-1)
    frame, joint = np.unravel_index(errors.argmax(), errors.shape)
    print(f"{source} as {suffix}: {len(places)} joints, {len(errors)} frames, {errors.max() * 1000:.4f} mm")
    assert errors.max() < MILLIMETRE, f"{made.names[joint]} in frame {frame} is {errors.max():.4f} m off"
    if made.vertices is not None:
        for ours, theirs in zip(made.vertices, scene.vertices, strict=True):
            assert len(theirs), "Blender made no mesh"
            far = KDTree(theirs).query(ours)[0].max()
            print(f"    skin: {len(ours)} vertices, {far * 1000:.4f} mm")
            assert far < MILLIMETRE * max(1.0, asset_size(made) / 3), f"a vertex is {far:.4f} m off"


def asset_size(made: Case) -> float:
    """Metres; files in other units than they say are large, and single precision is what it is."""
    return float(np.ptp(made.positions.reshape(-1, 3), axis=0).max())
