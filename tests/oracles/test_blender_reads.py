"""Blender reads from real files what we read, and what Blender writes is read here as it stands there, to 1 mm."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.spatial import KDTree

from kinema import load
from kinema.formats import FORMATS
from kinema.pose import Pose

from .blender import Job, Scene, program, see

MILLIMETRE = 1e-3
CMU = 0.0254 / 0.45  # metres of a CMU unit: Blender takes the file at its word, we see that no person is that large
CENTIMETRES = 0.01


@dataclass(frozen=True)
class Real:
    """A real file.

    Attributes:
        path: in the data folder.
        scale: by which we make what it says smaller.
        share: how far into the clip is looked. Between keys the programs differ: Blender turns Euler curves into
            quaternions at the keys, so files with few keys are compared at their beginning alone.
    """

    path: str
    scale: float = 1.0
    share: float = 1.0


REAL = (
    Real("any_topology/assimp/huesitos.fbx"),
    Real("any_topology/assimp/spider.fbx"),
    Real("characters/mesh2motion_tests/mixamo-original-rig.fbx"),
    Real("characters/ozz/robot.fbx"),
    Real("characters/ozz/run.fbx", share=0),
    Real("characters/threejs/OculusHand_L_low.fbx"),
    Real("human_mocap/cmu_fbx/07_01_cmu.fbx", CMU),
    Real("human_mocap/cmu_fbx/85_03.fbx", share=0),
    Real("human_mocap/cmu_fbx/91_48.fbx", CENTIMETRES),
    Real("human_mocap/cmu_fbx/Base.fbx"),
    Real("human_mocap/misc_fbx/template.fbx"),
    Real("importers/fbx_ufbx/maya_character_7500_binary.fbx"),
    Real("human_mocap/cmu_iclone_bvh/002_04.bvh"),
    Real("human_mocap/lafan1_60fps_ncnd/aiming1_subject1_walk_filtered.bvh"),
    Real("any_topology/quaternius/Horse.glb"),
    Real("characters/quaternius/modular_women_Witch.glb"),
)
WRITTEN = {
    "any_topology/quaternius/Husky.glb": (".fbx", ".glb"),
    "any_topology/khronos/Fox.glb": (".fbx",),
    "characters/quaternius/platformer_game_pack_Character.glb": (".fbx", ".glb"),
    "characters/mesh2motion_tests/mixamo-original-rig.fbx": (".fbx",),
    "human_mocap/cmu_iclone_bvh/002_04.bvh": (".fbx", ".glb"),
    "human_mocap/cmu_bvh_daz/martial_04.bvh": (".fbx", ".bvh"),
}
"""Files and what Blender makes of their beginnings, to be read here. Its BVH files lie on their backs, unsaid:
they are turned where the rest pose is one of a body."""
POSES = 8
SECONDS = 0.3  # at the beginning of what Blender wrote that are compared


@dataclass(frozen=True, eq=False)
class Ours:
    """What we read: joints by name and their positions `[T, J, 3]` at `times`; vertices `[V, 3]` at the last."""

    names: tuple[str, ...]
    positions: NDArray[np.float32]
    times: tuple[float, ...]
    fps: float
    vertices: NDArray[np.float32] | None


def read(path: Path, share: float = 1.0, times: tuple[float, ...] | None = None) -> Ours:
    asset = load(path)
    assert asset.skeleton is not None
    frames, fps, labels = np.zeros(1, int), 30.0, None
    turned, placed = (
        part[None] for part in (asset.skeleton.rest_pose.global_rotations, asset.skeleton.rest_pose.global_positions)
    )
    if asset.motions:
        motion = asset.motions[0]
        fps = motion.fps
        if times is None:
            frames = np.unique(np.linspace(0, share * (motion.frames - 1), POSES).astype(int))
        else:
            frames = np.clip(np.round(np.array(times) * fps).astype(int), 0, motion.frames - 1)
        world = motion[frames]
        turned, placed = world.global_rotations, world.global_positions
        labels = {label: values[frames[-1]] for label, values in motion.labels.items()}
    vertices = None
    if asset.character is not None and asset.character.meshes:
        vertices = np.concatenate(
            asset.character.skin(Pose.from_model(asset.character.skeleton, turned[-1], placed[-1]), labels)
        )
    return Ours(asset.skeleton.names, placed, tuple((frames / fps).tolist()), fps, vertices)


def unit(path: str) -> float:
    return CENTIMETRES if path.endswith(".bvh") else 1.0


Seen = dict[str, tuple[Ours, Scene, list[Path]]]


def look(wanted: dict[str, float], copied: dict[str, tuple[str, ...]], data_dir: Path, folder: Path) -> Seen:
    """What we and Blender read from files up to a share of their clips, and Blender's copies of them."""
    program()
    ours = {path: read(data_dir / path, share) for path, share in wanted.items() if Path(path).suffix in FORMATS}
    copies = {path: [folder / f"{Path(path).stem}_again{suffix}" for suffix in copied.get(path, ())] for path in ours}
    jobs = [
        Job(
            data_dir / path,
            one.fps,
            one.times,
            one.times[-1:] if one.vertices is not None else (),
            unit(path),
            tuple(copies[path]),
        )
        for path, one in ours.items()
    ]
    scenes = see(jobs, folder)
    return {path: (one, scene, copies[path]) for (path, one), scene in zip(ours.items(), scenes, strict=True)}


@pytest.fixture(scope="module")
def copied(data_dir: Path, tmp_path_factory: pytest.TempPathFactory) -> Seen:
    return look({path: 0.1 for path in WRITTEN}, WRITTEN, data_dir, tmp_path_factory.mktemp("copies"))


@pytest.mark.slow
def test_blender_reads_what_we_read(data_dir: Path, tmp_path: Path) -> None:
    """One test for all files: Blender starts once."""
    seen = look({real.path: real.share for real in REAL}, {}, data_dir, tmp_path)
    wrong = []
    for real in REAL:
        ours, scene, _ = seen[real.path]
        places = scene.find(ours.names)
        if scene.error or -1 in places:
            wrong.append(f"{real.path}: {scene.error or 'joints are missing'}")
            continue
        apart = np.linalg.norm(real.scale * scene.positions[:, places] - ours.positions, axis=-1).max()
        said = f"{len(places)} joints, {len(ours.times)} poses, {apart * 1000:.4f} mm"
        if ours.vertices is not None:
            far = KDTree(real.scale * scene.vertices[0]).query(ours.vertices)[0].max()
            said += f"; {len(ours.vertices)} vertices, {far * 1000:.4f} mm"
            apart = max(apart, far)
        print(f"{real.path}: {said}")
        wrong += [] if apart < MILLIMETRE else [f"{real.path}: {said}"]
    assert not wrong, "\n".join(wrong)


@pytest.mark.slow
@pytest.mark.parametrize(("path", "suffix"), [(path, suffix) for path, kinds in WRITTEN.items() for suffix in kinds])
def test_we_read_what_blender_writes(path: str, suffix: str, copied: Seen) -> None:
    ours, scene, copies = copied[path]
    copy = next(copy for copy in copies if copy.suffix == suffix)
    assert copy.is_file(), scene.error
    early = [row for row, time in enumerate(ours.times) if time <= SECONDS]
    again = read(copy, times=tuple(ours.times[row] for row in early))
    place = {name: row for row, name in enumerate(again.names)}
    joints = [(row, place[name]) for row, name in enumerate(ours.names) if name in place]
    assert len(joints) == len(ours.names), sorted(set(ours.names) - set(place))
    rows, columns = zip(*joints, strict=True)
    apart = np.linalg.norm(ours.positions[early][:, rows] - again.positions[:, columns], axis=-1).max()
    print(f"{path} by Blender as {suffix}: {len(rows)} joints, {len(again.times)} poses, {apart * 1000:.4f} mm")
    assert apart < MILLIMETRE
