"""Meshes from polygons: windings, holes, subsets, splits."""

from __future__ import annotations

import numpy as np
import pytest

from kinema import rotations
from kinema.errors import FormatError
from kinema.formats.usd import geometry

from .conftest import HEAD

SQUARES = """        int[] faceVertexCounts = [4, 4, 3]
        int[] faceVertexIndices = [0, 1, 2, 3, 3, 2, 4, 5, 0, 1, 4]
        point3f[] points = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (1, 2, 0), (0, 2, 0)]
        uniform token subdivisionScheme = "none"
"""
SUBSETS = """        def GeomSubset "one" (prepend apiSchemas = ["MaterialBindingAPI"])
        {
            uniform token elementType = "face"
            uniform token familyName = "materialBind"
            int[] indices = [1]
            rel material:binding = </Red>
        }
"""
RED = """def Material "Red"
{
    token outputs:surface.connect = </Red/S.outputs:surface>
    def Shader "S"
    {
        uniform token info:id = "UsdPreviewSurface"
        color3f inputs:diffuseColor = (1, 0, 0)
        token outputs:surface
    }
}
"""


def _mesh(inside: str = "", above: str = "") -> str:
    xform = f'def Xform "X"\n{{\n{above}    def Mesh "M"\n    {{\n{SQUARES}{inside}    }}\n}}\n'
    return HEAD + xform + RED


def _normals(mesh) -> np.ndarray:
    a, b, c = (mesh.positions[mesh.indices[:, k]] for k in range(3))
    return np.cross(b - a, c - a)


def test_left_handed_meshes_and_mirrors_are_wound_outwards(read_text):
    left = read_text(_mesh('        uniform token orientation = "leftHanded"\n')).character.meshes[0]
    assert (_normals(left)[:, 2] < 0).all() and (left.normals[:, 2] < 0).all()
    mirror = '    float3 xformOp:scale = (-1, 1, 1)\n    uniform token[] xformOpOrder = ["xformOp:scale"]\n'
    asset = read_text(_mesh(above=mirror))
    mesh = asset.character.meshes[0]
    world = mesh.skin(asset.skeleton.rest_pose)
    a, b, c = (world[mesh.indices[:, k]] for k in range(3))
    assert world[:, 0].min() == -1 and (np.cross(b - a, c - a)[:, 2] > 0).all()
    turned = asset.skeleton.rest_pose.global_rotations[mesh.joint]
    assert (rotations.rotate(turned, mesh.normals)[:, 2] > 0.99).all()


def test_holes_and_subsets(read_text):
    holed = read_text(_mesh("        int[] holeIndices = [0]\n")).character.meshes[0]
    assert len(holed.indices) == 3
    character = read_text(_mesh(SUBSETS)).character
    sizes = [(mesh.name, len(mesh.indices), len(mesh.positions)) for mesh in character.meshes]
    assert sizes == [("M", 3, 5), ("M.1", 2, 4)]
    assert character.meshes[0].material is None
    assert character.materials[character.meshes[1].material].base_color == (1, 0, 0, 1)


def test_vertices_are_split_only_where_they_differ(read_text):
    colors = """        color3f[] primvars:displayColor = [(1, 0, 0), (0, 1, 0), (0, 1, 0)] (
            interpolation = "uniform"
        )
"""
    mesh = read_text(_mesh(colors)).character.meshes[0]
    assert len(mesh.positions) == 4 + 6  # the last two faces share the points between them, the first none
    assert {tuple(row) for row in mesh.colors[mesh.indices[:2].reshape(-1)]} == {(1, 0, 0, 1)}


def test_values_that_do_not_fit_are_left_out(read_text):
    character = read_text(_mesh("        normal3f[] normals = [(0, 0, 1)]\n")).character
    assert any("1 normals where 6 finite ones are needed" in line for line in character.warnings)
    assert np.allclose(np.abs(character.meshes[0].normals[:, 2]), 1)


def test_one_colour_for_all_is_a_material(read_text):
    character = read_text(
        _mesh("        color3f[] primvars:displayColor = [(0.5, 1, 0)]\n        uniform bool doubleSided = 1\n")
    ).character
    assert character.meshes[0].colors is None
    assert character.materials[0].base_color == (0.5, 1, 0, 1) and character.materials[0].double_sided


def test_a_face_of_two_subsets_is_in_the_first(read_text):
    both = SUBSETS + SUBSETS.replace('"one"', '"two"').replace("[1]", "[1, 2, 9, -1]").replace("</Red>", "</Blue>")
    text = _mesh(both) + RED.replace("Red", "Blue").replace("(1, 0, 0)", "(0, 0, 1)")
    character = read_text(text).character
    colors = [
        None if mesh.material is None else character.materials[mesh.material].base_color[:3]
        for mesh in character.meshes
    ]
    assert [(len(mesh.indices), color) for mesh, color in zip(character.meshes, colors, strict=True)] == [
        (2, None),
        (2, (1, 0, 0)),
        (1, (0, 0, 1)),
    ]


def test_more_subsets_than_any_mesh_has_are_refused(read_text, monkeypatch):
    monkeypatch.setattr(geometry, "MAX_PARTS", 1)
    with pytest.raises(FormatError, match="</X/M>: has 2 subsets with materials, more than 1"):
        read_text(_mesh(SUBSETS))
