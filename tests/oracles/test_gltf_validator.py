"""The official glTF validator finds neither errors nor warnings in what we write."""

from __future__ import annotations

import dataclasses
import json
import subprocess
from pathlib import Path

import numpy as np
import pytest

import kinema
from kinema.avatar import Expression, MorphBind
from kinema.character import Character, Material, Mesh, Morph, Texture
from kinema.formats import Asset
from kinema.mocap.procedural import Segment, generate
from kinema.rendering.bodies import body_for

from .threejs import INSTALLED, program

SCRIPT = Path(__file__).with_name("three") / "validate.mjs"
PIXEL = bytes.fromhex(
    "89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c4890000000d49444154789c6360606060000000050001"
    "a5f645400000000049454e44ae426082"
)


def said(paths: list[Path]) -> dict[str, list[str]]:
    node = program()
    if not (INSTALLED / "node_modules" / "gltf-validator").is_dir():
        pytest.skip("no gltf-validator here: scripts/three.sh installs it into .venv/three")
    done = subprocess.run(
        [node, str(SCRIPT), str(INSTALLED), *map(str, paths)], capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return {path.name: lines for path, lines in zip(paths, json.loads(done.stdout), strict=True) if lines}


def dressed(character: Character) -> Character:
    """The body with everything that a file can hold: faces, a picture, colours, glow, a part that hangs."""
    first = character.meshes[0]
    up = np.zeros_like(first.positions)
    up[::3] = [0, 0.01, 0]
    morphs = (Morph("up", up, 0 * up, 0.25), Morph("none", 0 * up))
    first = dataclasses.replace(
        first,
        morphs=morphs,
        material=0,
        uvs=np.abs(first.positions[:, :2]) % 1,
        colors=np.ones((len(first.positions), 4), np.float32),
    )
    corner = np.float32([[0, 0, 0], [0.1, 0, 0], [0, 0.1, 0]])
    hung = Mesh("hung", corner, np.tile(np.float32([0, 0, 1]), (3, 1)), np.uint32([[0, 1, 2]]), joint=4)
    material = Material("skin", emissive=(0, 3, 0), alpha_mode="MASK", base_color_texture=0, shade=(0.5, 0.4, 0.3))
    return dataclasses.replace(
        character,
        meshes=(first, *character.meshes[1:], hung),
        materials=(material, *character.materials),
        textures=(Texture("pixel", "image/png", PIXEL),),
        expressions=(Expression("happy", (MorphBind(0, 0, 1.0),)),),
    )


def test_our_own_characters_and_clips(tmp_path):
    motion = generate(script=[Segment("walk", 1.0)], fps=30)
    share = np.linspace(0, 1, motion.frames, dtype=np.float32)
    more = {"morph.up": share, "expression.happy": share[::-1], "gaze.yaw": share, "gaze.pitch": 0 * share}
    motion = motion.replace(labels={**motion.labels, **more})
    hero = dressed(body_for(motion.skeleton, motion))
    clips = (motion, motion.replace(name="again"))
    files = {
        "motion.glb": motion,
        "character.gltf": hero,
        "both.glb": Asset("", "gltf", hero.skeleton, clips, hero),
        "avatar.vrm": hero,
        "clip.vrma": motion,
    }
    for name, thing in files.items():
        kinema.save(thing, tmp_path / name)
    assert said([tmp_path / name for name in files]) == {}


def test_real_characters_written_again(tmp_path, data_dir):
    paths = []
    for name in (
        "characters/threejs/RobotExpressive/RobotExpressive.glb",
        "characters/threejs/CesiumMan/CesiumMan.glb",
        "characters/vrm_tests/material.vrm",
        "characters/vrm_tests/expression_migration.vrm",
        "characters/quaternius/single_knight_pack_KnightCharacter.glb",
    ):
        asset = kinema.load(data_dir / name)
        paths.append(tmp_path / f"{len(paths)}.glb")
        kinema.save(asset, paths[-1])
        if name.endswith(".vrm"):
            paths.append(tmp_path / f"{len(paths)}.vrm")
            kinema.save(asset, paths[-1])
    assert said(paths) == {}
