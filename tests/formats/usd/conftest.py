"""Small USD stages as text, and a character with everything that can be written."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from PIL import Image

from kinema import Motion, Skeleton, rotations
from kinema.character import Character, Material, Mesh, Morph, Texture
from kinema.formats import Asset, load
from kinema.formats.sources import Source

pytest.importorskip("pxr", reason="usd-core is not installed: pip install 'kinema[formats]'")

HEAD = '#usda 1.0\n(\n    metersPerUnit = 1\n    upAxis = "Y"\n    timeCodesPerSecond = 24\n)\n'
ONE = "((1,0,0,0),(0,1,0,0),(0,0,1,0),(0,0,0,1))"
UP = "((1,0,0,0),(0,1,0,0),(0,0,1,0),(0,1,0,1))"
ARM = f"""
    def Skeleton "Arm" (prepend apiSchemas = ["SkelBindingAPI"])
    {{
        uniform token[] joints = ["a", "a/b"]
        uniform matrix4d[] bindTransforms = [{ONE}, {UP}]
        uniform matrix4d[] restTransforms = [{ONE}, {UP}]
        rel skel:animationSource = <Swing>
        def SkelAnimation "Swing"
        {{
            uniform token[] joints = ["a", "a/b"]
            float3[] translations = [(0, 0, 0), (0, 1, 0)]
            quatf[] rotations.timeSamples = {{
                0: [(1, 0, 0, 0), (1, 0, 0, 0)],
                2: [(1, 0, 0, 0), (0.70710678, 0, 0, 0.70710678)],
            }}
            half3[] scales = [(1, 1, 1), (1, 1, 1)]
        }}
    }}
"""
TRIANGLE = """
        int[] faceVertexCounts = [3]
        int[] faceVertexIndices = [0, 1, 2]
        point3f[] points = [(0, 0, 0), (1, 0, 0), (0, 2, 0)]
        uniform token subdivisionScheme = "none"
"""
SKIN = """
        int[] primvars:skel:jointIndices = [0, 0, 1] (
            interpolation = "vertex"
            elementSize = 1
        )
        float[] primvars:skel:jointWeights = [1, 1, 1] (
            interpolation = "vertex"
            elementSize = 1
        )
"""


def stage_text(body: str, head: str = HEAD) -> str:
    """A stage with one SkelRoot around `body`, whose meshes are bound to the skeleton of `ARM`."""
    root = 'def SkelRoot "Root" (prepend apiSchemas = ["SkelBindingAPI"])\n{\n    rel skel:skeleton = </Root/Arm>\n'
    return f"{head}{root}{body}\n}}\n"


@pytest.fixture
def read_text() -> Callable[..., Asset]:
    def read(text: str, **options: Any) -> Asset:
        return load(Source.from_bytes(text.encode(), "stage.usda"), **options)

    return read


@pytest.fixture
def png() -> bytes:
    held = io.BytesIO()
    Image.new("RGB", (4, 4), (200, 80, 20)).save(held, "PNG")
    return held.getvalue()


@pytest.fixture
def everything(png: bytes) -> Asset:
    """Two clips of a chain of four joints, with skinned, rigid and static meshes, shapes, colours and textures."""
    rng = np.random.default_rng(3)
    rest = rotations.normalize(rng.standard_normal((4, 4)).astype(np.float32))
    skeleton = Skeleton.create(
        ["hips:root", "spine", "head", "arm ü"],
        [-1, 0, 1, 1],
        rng.standard_normal((4, 3)),
        rest,
        tips=[(2, (0, 0.2, 0))],
        hints={"head": "head", "hips:root": "hips"},
    )
    turned, places = skeleton.rest_pose.global_rotations, skeleton.rest_pose.global_positions
    inverse_bind = np.tile(np.eye(4, dtype=np.float32), (4, 1, 1))
    inverse_bind[:, :3, :3] = np.swapaxes(rotations.to_matrix(turned), 1, 2)
    inverse_bind[:, :3, 3] = -rotations.inverse_rotate(turned, places)
    other_pose = inverse_bind @ np.diag([2, 2, 2, 1]).astype(np.float32)
    other_pose[1, :3, 3] += 0.3

    def mesh(name: str, **changes: Any) -> Mesh:
        normals = rotations.normalize_vector(rng.standard_normal((6, 3)).astype(np.float32))
        values: dict[str, Any] = {
            "positions": rng.standard_normal((6, 3)).astype(np.float32),
            "normals": normals,
            "indices": np.array([[0, 1, 2], [3, 4, 5]], np.uint32),
            "uvs": rng.random((6, 2)).astype(np.float32),
        }
        return Mesh(name, **{**values, **changes})

    joints = rng.integers(0, 4, (6, 3)).astype(np.int32)
    weights = rng.dirichlet(np.ones(3), 6).astype(np.float32)
    smile = np.zeros((6, 3), np.float32)
    smile[[1, 4]] = rng.standard_normal((2, 3))
    skin = {"joints": joints, "weights": weights}
    meshes = (
        mesh(
            "body",
            **skin,
            inverse_bind=inverse_bind,
            material=0,
            morphs=(Morph("smile", smile, smile[::-1] * 0.1), Morph("frown", -smile, weight=0.25)),
        ),
        mesh("coat", **skin, inverse_bind=other_pose, colors=rng.random((6, 4)).astype(np.float32), material=1),
        mesh("hat", joint=2, uvs=None),
        mesh("floor", material=2),
    )
    materials = (
        Material(
            "skin:1",
            base_color=(0.5, 0.6, 0.7, 1.0),
            metallic=0.2,
            roughness=0.7,
            base_color_texture=0,
            metallic_roughness_texture=1,
            normal_texture=1,
            emissive=(0.1, 0.2, 0.3),
            double_sided=True,
        ),
        Material("glass", base_color=(1.0, 1.0, 1.0, 0.5), metallic=0.0, roughness=0.1, alpha_mode="BLEND"),
        Material("leaf", alpha_mode="MASK", alpha_cutoff=0.3, base_color_texture=0),
    )
    character = Character(
        "some one",
        skeleton,
        meshes,
        materials,
        (Texture("cloth", "image/png", png), Texture("metal", "image/png", png + b"x")),
    )
    motions = []
    for name, fps, frames in (("walk one", 30.0, 7), ("run", 25.0, 4)):
        turns = rotations.normalize(rng.standard_normal((frames, 4, 4)).astype(np.float32))
        labels = {
            "morph.smile": rng.random(frames).astype(np.float32),
            "contact.left": rng.random(frames) > 0.5,
            "phase": rng.random(frames).astype(np.float32),
        }
        motions.append(
            Motion.create(
                skeleton, turns, rng.standard_normal((frames, 4, 3)), fps=fps, name=name, labels=labels, tags=("old",)
            )
        )
    return Asset("x", "usd", skeleton, tuple(motions), character)
