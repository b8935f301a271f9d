"""Joints of real GLB and VRM files stand where three.js puts them, in every file that both read, to 0.1 mm."""

from __future__ import annotations

import json
import struct
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from kinema import load

from .threejs import Job, program, see

FOLDERS = ("any_topology", "characters")
POSES = 8
NEEDS_DRACO = "ultimate_space_pack"  # three.js wants a decoder of its own for it
TENTH = 1e-4
JOINED = ("CesiumMan.glb", "Monster.glb")  # an animation a joint: three.js plays one of them at a time


@dataclass(frozen=True, eq=False)
class Ours:
    names: tuple[str, ...]
    positions: NDArray[np.float64]
    job: Job


def root_of(path: Path) -> dict:
    """The JSON of a GLB file."""
    data = path.read_bytes()
    return json.loads(data[20 : 20 + struct.unpack_from("<I", data, 12)[0]])


def first_key(root: dict) -> float:
    """When the first clip begins: our frame 0."""
    inputs = [sampler["input"] for clip in root.get("animations", [])[:1] for sampler in clip["samplers"]]
    return min((root["accessors"][number]["min"][0] for number in inputs), default=0.0)


def read(path: Path) -> Ours | None:
    """Our joints; None where there are none with names."""
    asset, root = load(path), root_of(path)
    if asset.skeleton is None or not any("name" in node for node in root["nodes"]):
        return None
    turned = np.array([-1.0, 1.0, -1.0]) if "VRM" in root.get("extensions", {}) else np.ones(3)  # VRM 0 faces -Z
    if not asset.motions:
        return Ours(asset.skeleton.names, turned * asset.skeleton.rest_pose.global_positions[None], Job(path))
    motion = asset.motions[0]
    frames = np.unique(np.linspace(0, motion.frames - 1, POSES).astype(int))
    times = tuple((first_key(root) + frames / motion.fps).tolist())
    return Ours(motion.skeleton.names, turned * motion[frames].global_positions, Job(path, times))


def test_joints_stand_where_three_puts_them(data_dir: Path, tmp_path: Path) -> None:
    program()
    paths = sorted(
        path
        for folder in FOLDERS
        for path in (data_dir / folder).rglob("*")
        if path.suffix in (".glb", ".vrm") and path.name not in JOINED and NEEDS_DRACO not in path.name
    )
    known = [ours for ours in map(read, paths) if ours is not None]
    scenes = see([ours.job for ours in known], tmp_path)
    worst, joints = 0.0, 0
    for ours, scene in zip(known, scenes, strict=True):
        assert not scene.error, f"{ours.job.path}: {scene.error}"
        places = scene.find(ours.names)
        rows = [row for row, place in enumerate(places) if place >= 0]
        assert len(rows) >= 0.97 * len(places), ours.job.path  # names that stand twice are numbered here
        apart = np.linalg.norm(scene.positions[:, [places[row] for row in rows]] - ours.positions[:, rows], axis=-1)
        assert apart.max() < TENTH, f"{ours.job.path}: {apart.max()} m"
        worst, joints = max(worst, float(apart.max())), joints + len(rows)
    print(f"{len(known)} files, {joints} joints: {worst * 1000:.4f} mm at most")
    assert len(known) > 60
