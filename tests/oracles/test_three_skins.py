"""Vertices of real characters stand where three.js puts them, to 1 mm: skins, morph targets, faces that we wrote."""

from __future__ import annotations

import json
import struct
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

import kinema
from kinema.formats import Asset
from kinema.pose import Pose

from .threejs import Job, Scene, program, see

TURN = np.array([-1.0, 1.0, -1.0])  # VRM 0 faces the other way, and we turn it

REAL = {
    "characters/threejs/CesiumMan/CesiumMan.glb": np.ones(3),
    "characters/threejs/RobotExpressive/RobotExpressive.glb": np.ones(3),
    "characters/quaternius/single_knight_pack_KnightCharacter.glb": np.ones(3),
    "characters/quaternius/platformer_game_pack_Character.glb": np.ones(3),
    "characters/vrm_tests/material.vrm": TURN,
    "characters/vrm_tests/expression_migration.vrm": np.ones(3),
}
FRAMES = (0.0, 0.31, 0.77, 1.0)  # shares of a clip


@dataclass(frozen=True, eq=False)
class Case:
    """A file, the seconds at which it is asked for, and our vertices `[T, V, 3]` of each mesh then."""

    path: Path
    times: tuple[float, ...]
    meshes: list[NDArray[np.float64]]


def first_key(path: Path) -> float:
    """When the first clip of a .glb begins: our frame 0."""
    data = path.read_bytes()
    root = json.loads(data[20 : 20 + struct.unpack_from("<I", data, 12)[0]])
    inputs = [sampler["input"] for clip in root.get("animations", [])[:1] for sampler in clip["samplers"]]
    return min((root["accessors"][number]["min"][0] for number in inputs), default=0.0)


def joined(path: Path, into: Path) -> Path:
    """The file with its animations in one, since three.js plays one at a time; a copy only where there are several."""
    data = path.read_bytes()
    size = struct.unpack_from("<I", data, 12)[0]
    root = json.loads(data[20 : 20 + size])
    if len(root.get("animations", [])) < 2 or "CesiumMan" not in path.name:
        return path
    one: dict[str, list] = {"samplers": [], "channels": []}
    for clip in root["animations"]:
        first = len(one["samplers"])
        one["samplers"] += clip["samplers"]
        one["channels"] += [{**channel, "sampler": channel["sampler"] + first} for channel in clip["channels"]]
    text = json.dumps({**root, "animations": [one]}).encode()
    text += b" " * (-len(text) % 4)
    rest = data[20 + size :]
    head = struct.pack("<4sIIII", b"glTF", 2, 20 + len(text) + len(rest), len(text), 0x4E4F534A)
    copy = into / path.name
    copy.write_bytes(head + text + rest)
    return copy


def prepared(path: Path, turn: NDArray[np.float64]) -> Case:
    asset = kinema.load(path)
    assert asset.character is not None and asset.skeleton is not None
    if not asset.motions:
        turned, placed = (
            part[None]
            for part in (asset.skeleton.rest_pose.global_rotations, asset.skeleton.rest_pose.global_positions)
        )
        return Case(
            path,
            (0.0,),
            [turn * mesh for mesh in asset.character.skin(Pose.from_model(asset.character.skeleton, turned, placed))],
        )
    motion = asset.motions[0]
    rows = np.unique([round(share * (motion.frames - 1)) for share in FRAMES])
    pose = motion[rows]
    turned, placed = pose.global_rotations, pose.global_positions
    labels = {name: values[rows] for name, values in motion.labels.items()}
    times = tuple((first_key(path) + rows / motion.fps).tolist())
    return Case(
        path,
        times,
        [
            turn * mesh
            for mesh in asset.character.skin(Pose.from_model(asset.character.skeleton, turned, placed), labels)
        ],
    )


def with_faces(path: Path, into: Path) -> Path:
    """The robot, which makes no face in its clips, written with faces that come and go, and one at rest."""
    asset = kinema.load(path)
    assert asset.character is not None
    motion = asset.motions[2]
    share = np.linspace(0, 1, motion.frames, dtype=np.float32)
    motion = motion.replace(labels={"morph.Angry": share, "morph.Sad": 0.5 * share[::-1]})
    file = into / "faces.glb"
    kinema.save(Asset(str(file), "gltf", asset.skeleton, (motion,), asset.character), file)
    return file


def farthest(case: Case, scene: Scene) -> float:
    """Each of our meshes is some stretch of the vertices that three.js saw; the largest distance between them."""
    vertices, at, worst = scene.vertices, 0, 0.0
    left = list(case.meshes)
    while left:
        fits = [mesh for mesh in left if at + mesh.shape[1] <= vertices.shape[1]]
        assert fits, f"three.js has {vertices.shape[1]} vertices, fewer than we"
        apart = [float(np.linalg.norm(vertices[:, at : at + mesh.shape[1]] - mesh, axis=-1).max()) for mesh in fits]
        best = int(np.argmin(apart))
        worst = max(worst, apart[best])
        at += fits[best].shape[1]
        left = [mesh for mesh in left if mesh is not fits[best]]
    assert at == vertices.shape[1]
    return worst


@pytest.fixture(scope="module")
def seen(data_dir: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[Case, Scene]]:
    program()
    folder = tmp_path_factory.mktemp("skins")
    cases = {name: prepared(joined(data_dir / name, folder), turn) for name, turn in REAL.items()}
    cases["faces"] = prepared(with_faces(data_dir / next(name for name in REAL if "Robot" in name), folder), np.ones(3))
    scenes = see([Job(case.path, vertex_times=case.times) for case in cases.values()], folder)
    return dict(zip(cases, zip(cases.values(), scenes, strict=True), strict=True))


@pytest.mark.parametrize("name", [*REAL, "faces"])
def test_vertices_stand_where_three_puts_them(name: str, seen: dict[str, tuple[Case, Scene]]) -> None:
    case, scene = seen[name]
    assert not scene.error, scene.error
    apart = farthest(case, scene)
    print(f"{name}: {1000 * apart:.4f} mm")
    assert apart < 1e-3


def test_the_faces_that_we_wrote_are_made(seen: dict[str, tuple[Case, Scene]]) -> None:
    """Else the test above would hold for a face that never moves."""
    case, _ = seen["faces"]
    plain = kinema.load(case.path)
    assert plain.character is not None
    motion = plain.motions[0]
    rows = np.array([0, motion.frames - 1])
    bare = plain.character.skin(motion[rows])
    made = plain.character.skin(motion[rows], {k: v[rows] for k, v in motion.labels.items()})
    assert max(float(np.abs(a - b).max()) for a, b in zip(bare, made, strict=True)) > 0.05
