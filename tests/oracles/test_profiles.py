"""What is exported for a program stands in that program as it stands here: upright, facing +Z, in the right size.

Blender, three.js, Godot 3 and MuJoCo say so themselves. Unreal, Unity and Maya are not here; of their files is checked
what their documents ask for, and that Blender, which shares their format, sees them right.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from kinema import Motion, load, save
from kinema.character import Character
from kinema.formats import Asset, open_source
from kinema.formats.fbx.objects import open_document
from kinema.formats.fbx.out_rig import TIP
from kinema.formats.profiles import PROFILES, prepare
from kinema.mocap.procedural import Segment, generate
from kinema.pose import Pose
from kinema.rendering.mannequin.build import build_mannequin

from . import blender, godot, threejs
from .exports import Case, compare

FRAMES = (0, 7, 22, 44)
BLENDER = (
    ("blender", ".glb"),
    ("blender", ".fbx"),
    ("blender", ".bvh"),
    ("godot", ".glb"),
    ("unreal", ".fbx"),
    ("unity", ".fbx"),
    ("maya", ".fbx"),
)
THREE = {("three", ".glb"): 1.0, ("three", ".fbx"): 0.01, ("unreal", ".fbx"): 0.01}  # FBX keeps its centimetres there
NOTHING = np.zeros((0, 0, 3))


@dataclass(frozen=True, eq=False)
class Export:
    """A file for a program, and its motion and character as we know them."""

    path: Path
    motion: Motion
    character: Character | None

    def case(self) -> Case:
        times = tuple(frame / self.motion.fps for frame in FRAMES)
        world = self.motion[np.array(FRAMES)]
        turned, placed = world.global_rotations, world.global_positions
        skins: NDArray[np.float32] | None = None
        if self.character is not None:
            skins = np.concatenate(
                self.character.skin(Pose.from_model(self.character.skeleton, turned[:2], placed[:2])), axis=1
            )
        return Case(
            self.path,
            self.motion.fps,
            times,
            times[:2] if skins is not None else (),
            self.motion.skeleton.names,
            placed,
            skins,
        )


@functools.cache
def person() -> Asset:
    """Somebody who walks away to the left, in a body of clay."""
    motion = generate(script=[Segment("walk", 1.0), Segment("walk", 0.5, turn=1.5)], fps=30).replace(name="walk/away")
    skeleton = motion.skeleton
    return Asset("walk", "bvh", skeleton, (motion,), build_mannequin(skeleton, motion=motion))


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[str, str], Export]:
    folder = tmp_path_factory.mktemp("exports")
    found = {}
    for program, suffix in {*BLENDER, *THREE, ("godot", ".glb"), ("mujoco", ".xml")}:
        asset = prepare(person(), program, names="standard")
        path = folder / f"{program}{suffix}"
        save(asset.motions[0] if suffix == ".bvh" else asset, path, **PROFILES[program].options.get(suffix, {}))
        found[program, suffix] = Export(path, asset.motions[0], asset.character if suffix in (".glb", ".fbx") else None)
    return found


def told(found: dict[str, tuple[str, str]]) -> None:
    """Prints how far apart each file is and fails with those that are wrong."""
    for name, (said, _) in found.items():
        print(f"{name}: {said}")
    assert not {name: wrong for name, (_, wrong) in found.items() if wrong}


def test_blender(exported: dict[tuple[str, str], Export], tmp_path: Path) -> None:
    blender.program()
    cases = {"".join(key): exported[key].case() for key in BLENDER}
    jobs = [blender.Job(made.path, made.fps, made.times, made.skin_times) for made in cases.values()]
    told(
        {
            name: ("", scene.error)
            if scene.error
            else compare(made, scene.find(made.names), scene.positions, scene.vertices)
            for (name, made), scene in zip(cases.items(), blender.see(jobs, tmp_path), strict=True)
        }
    )


def test_three(exported: dict[tuple[str, str], Export], tmp_path: Path) -> None:
    threejs.program()
    cases = {key: exported[key].case() for key in THREE}
    scenes = threejs.see([threejs.Job(made.path, made.times, made.skin_times) for made in cases.values()], tmp_path)
    told(
        {
            "".join(key): ("", scene.error)
            if scene.error
            else compare(made, scene.find(made.names), scene.positions, scene.vertices, THREE[key])
            for (key, made), scene in zip(cases.items(), scenes, strict=True)
        }
    )
    assert [scene.clips for scene in scenes] == [("walk_away",)] * len(scenes)


def test_godot(exported: dict[tuple[str, str], Export], tmp_path: Path) -> None:
    godot.program()
    export = exported["godot", ".glb"]
    made = export.case()
    (scene,) = godot.see([godot.Job(made.path, made.fps, made.times)], tmp_path)
    # Godot 3 writes names small and with underscores, Godot 4 leaves them.
    place = {name.replace("_", ""): bone for bone, name in enumerate(scene.names)}
    assert scene.clips == (export.motion.name,) and scene.names[:2] == ("root", "hips")
    assert "Skeleton:root" in scene.tracks, "what the root motion track of an AnimationTree asks for"
    made = replace(made, vertices=None)
    places = [place.get(name.lower(), -1) for name in made.names]
    told({"godot.glb": compare(made, places, scene.positions, NOTHING)})


def test_mujoco(exported: dict[tuple[str, str], Export]) -> None:
    mujoco = pytest.importorskip("mujoco", reason="MuJoCo is not installed: pip install mujoco")
    export = exported["mujoco", ".xml"]
    model = mujoco.MjModel.from_xml_path(str(export.path))
    data = mujoco.MjData(model)
    seen = []
    for frame in FRAMES:
        mujoco.mj_resetDataKeyframe(model, data, frame)
        mujoco.mj_kinematics(model, data)
        seen.append([data.body(name).xpos.copy() for name in export.motion.skeleton.names])
    upright = np.array(seen)[..., [1, 2, 0]]  # MuJoCo's +X is where we face, its +Z is up
    told({"mujoco.xml": compare(export.case(), list(range(upright.shape[1])), upright, NOTHING)})


def test_the_person_is_a_person_on_its_feet_that_walks_forward() -> None:
    """What all others are compared with: metres, Y up, facing +Z at rest."""
    asset = person()
    assert asset.skeleton is not None and asset.character is not None
    roles = asset.skeleton.roles
    rest = asset.skeleton.rest_pose.global_positions
    assert 1.2 < rest[:, 1].max() < 2 and rest[roles.legs[0].upper, 0] > 0.02, "left is +X"
    places = asset.motions[0][:].global_positions
    assert places[25, roles.hips, 2] - places[0, roles.hips, 2] > 0.5


@pytest.mark.parametrize("program", ["unreal", "unity", "maya"])
def test_fbx_files_state_what_programs_look_for(program: str, exported: dict[tuple[str, str], Export]) -> None:
    export = exported[program, ".fbx"]
    document = open_document(open_source(export.path))
    wanted = {
        "UpAxis": 1,
        "UpAxisSign": 1,
        "FrontAxis": 2,
        "FrontAxisSign": 1,
        "CoordAxis": 0,
        "CoordAxisSign": 1,
        "UnitScaleFactor": 1,
    }
    assert {name: document.settings.number(name, 0) for name in wanted} == wanted
    models = list(document.all("Model"))
    for model in models:
        assert model.vector("Lcl Scaling", (1, 1, 1)) == (1, 1, 1), "engines take scaled joints badly"
    (pose,) = document.all("Pose")
    bound = [model for model in models if model.get(TIP) is None]
    assert len(list(pose.record.all("PoseNode"))) == len(bound), "all joints and meshes are in the bind pose"
    names = export.motion.skeleton.names
    assert names[0] == {"unreal": "root", "unity": "Hips", "maya": "Hips"}[program]
    assert not any(PROFILES[program].forbidden.search(name) for name in names)
    again = load(export.path)
    assert again.skeleton is not None and int((again.skeleton.parents < 0).sum()) == 1
    assert again.motions[0].name == "walk_away"
