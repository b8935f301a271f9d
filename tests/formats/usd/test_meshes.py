"""Primvars, subsets, influences and shapes as a file may have them."""

from __future__ import annotations

import numpy as np
import pytest

from kinema.errors import FormatError

from .conftest import ARM, HEAD, SKIN, TRIANGLE, stage_text


def _mesh(inside: str, shape: str = TRIANGLE) -> str:
    schemas = '["SkelBindingAPI", "MaterialBindingAPI"]'
    return f'    def Mesh "M" (prepend apiSchemas = {schemas})\n    {{{shape}{inside}    }}\n'


@pytest.mark.parametrize(
    ("interpolation", "values", "expected"),
    [
        ("constant", "[(0, 0)]", [(0, 1)] * 4),
        ("uniform", "[(0, 0), (1, 0)]", [(0, 1), (0, 1), (0, 1), (1, 1)]),
        ("vertex", "[(0, 0), (1, 0), (1, 1), (0, 1)]", [(0, 1), (1, 1), (1, 0), (0, 0)]),
        ("varying", "[(0, 0), (1, 0), (1, 1), (0, 1)]", [(0, 1), (1, 1), (1, 0), (0, 0)]),
        ("faceVarying", "[(0, 0), (1, 0), (1, 1), (0.5, 0), (1, 1), (0, 1)]", [(0, 1), (1, 1), (1, 0), (0.5, 1)]),
    ],
)
def test_texture_coordinates_of_every_interpolation(read_text, interpolation, values, expected):
    square = """
        int[] faceVertexCounts = [3, 3]
        int[] faceVertexIndices = [0, 1, 2, 0, 2, 3]
        point3f[] points = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)]
        uniform token subdivisionScheme = "none"
"""
    primvar = f'        texCoord2f[] primvars:st = {values} (\n        interpolation = "{interpolation}"\n        )\n'
    mesh = read_text(HEAD + _mesh(primvar, square)).character.meshes[0]
    assert len(mesh.indices) == 2 and np.allclose(mesh.uvs[:4], expected)
    corners = mesh.positions[mesh.indices.reshape(-1)]
    assert np.allclose(corners, [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 0, 0), (1, 1, 0), (0, 1, 0)])


def test_indexed_primvars_and_normals(read_text):
    inside = """        normal3f[] primvars:normals = [(0, 0, 1), (1, 0, 0)] (
            interpolation = "faceVarying"
        )
        int[] primvars:normals:indices = [1, 0, 1]
        color3f[] primvars:displayColor = [(1, 0, 0), (0, 1, 0), (0, 0, 1)] (
            interpolation = "vertex"
        )
        float[] primvars:displayOpacity = [0.5]
"""
    mesh = read_text(HEAD + _mesh(inside)).character.meshes[0]
    assert np.allclose(mesh.normals, [(1, 0, 0), (0, 0, 1), (1, 0, 0)])
    assert np.allclose(mesh.colors, [(1, 0, 0, 0.5), (0, 1, 0, 0.5), (0, 0, 1, 0.5)])
    with pytest.raises(FormatError, match="normals:indices lie beyond its 2 values"):
        read_text(HEAD + _mesh(inside.replace("[1, 0, 1]", "[1, 0, 2]")))


def test_rigid_meshes_hang_on_their_joint(read_text):
    rigid = """        int[] primvars:skel:jointIndices = [0]
        float[] primvars:skel:jointWeights = [1]
        uniform token[] skel:joints = ["a/b"]
        matrix4d primvars:skel:geomBindTransform = ((1,0,0,0),(0,1,0,0),(0,0,1,0),(0,1,0,1))
"""
    asset = read_text(stage_text(ARM + _mesh(rigid)))
    mesh = asset.character.meshes[0]
    assert (mesh.joint, mesh.joints) == (1, None)
    moved = mesh.skin(asset.motions[0][:])
    assert np.allclose(moved[0], [(0, 1, 0), (1, 1, 0), (0, 3, 0)]) and np.allclose(moved[-1, 2], (-2, 1, 0), atol=1e-6)


def test_joint_orders_of_meshes_and_several_influences(read_text):
    skin = """        int[] primvars:skel:jointIndices = [0, 1, 0, 1, 0, 1] (
            interpolation = "vertex"
            elementSize = 2
        )
        float[] primvars:skel:jointWeights = [1, 0, 1, 1, 0, 0] (
            interpolation = "vertex"
            elementSize = 2
        )
        uniform token[] skel:joints = ["a/b", "a"]
"""
    asset = read_text(stage_text(ARM + _mesh(skin)))
    mesh = asset.character.meshes[0]
    assert mesh.weights.tolist() == [[1, 0], [0.5, 0.5], [1, 0]] and mesh.joints[:2].tolist() == [[1, 0], [1, 0]]
    assert any("1 points without a joint" in line for line in asset.warnings)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("[0, 0, 1]", "[0, 0, 2]", "jointIndices lie beyond the 2 joints"),
        ("[0, 0, 1]", "[0, 0]", "2 jointIndices and 3 jointWeights where 3 times 1"),
        ("[1, 1, 1]", "[1, -1, 1]", "joint weight that is negative"),
        ("[1, 1, 1]", "[1, nan, 1]", "joint weight that is negative or not finite"),
        ("elementSize = 1", "elementSize = 0", "has 0 joints a point"),
    ],
)
def test_a_mesh_whose_influences_do_not_fit_is_left_rigid(read_text, old, new, message):
    asset = read_text(stage_text(ARM + _mesh(SKIN).replace(old, new)))
    mesh = asset.character.meshes[0]
    assert len(mesh.positions) == 3 and mesh.joints is None and len(asset.motions) == 1
    assert any(line.startswith("</Root/M>") and message in line and "left rigid" in line for line in asset.warnings)


@pytest.mark.parametrize(
    ("old", "new"),
    [("            elementSize = 1\n", ""), ('            interpolation = "vertex"\n', "")],
)
def test_influences_that_state_their_size_once_are_read_by_their_numbers(read_text, old, new):
    pairs = SKIN.replace("elementSize = 1", "elementSize = 2").replace("[0, 0, 1]", "[0, 1, 0, 1, 0, 1]")
    pairs = pairs.replace("[1, 1, 1]", "[1, 0, 0.5, 0.5, 0, 1]")
    first, second = pairs.split("        float[]")
    old = old.replace("1", "2")
    asset = read_text(stage_text(ARM + _mesh(first + "        float[]" + second.replace(old, new))))
    assert asset.character.meshes[0].weights.tolist() == [[1, 0], [0.5, 0.5], [0, 1]]
    assert any("states two sizes of its joint influences" in line for line in asset.warnings)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("faceVertexIndices = [0, 1, 2]", "faceVertexIndices = [0, 1, 3]", "lie beyond the 3 points"),
        ("faceVertexCounts = [3]", "faceVertexCounts = [4]", "do not add up"),
        ("faceVertexCounts = [3]", "faceVertexCounts = [-3, 6]", "do not add up"),
        ("(1, 0, 0)", "(inf, 0, 0)", "points hold a number that is not finite"),
        ("(1, 0, 0)", "(1e30, 0, 0)", "outside of any sensible range"),
    ],
)
def test_what_does_not_fit_is_refused(read_text, old, new, message):
    with pytest.raises(FormatError, match=message) as error:
        read_text(stage_text(ARM + _mesh(SKIN).replace(old, new)))
    assert error.value.node == "</Root/M>"


def test_dual_quaternions_are_noted(read_text):
    dual = SKIN + '        uniform token primvars:skel:skinningMethod = "dualQuaternion"\n'
    assert any("dual quaternion skinning" in line for line in read_text(stage_text(ARM + _mesh(dual))).warnings)


SHAPES = """        uniform token[] skel:blendShapes = ["smile"]
        rel skel:blendShapeTargets = <Smile>
        def BlendShape "Smile"
        {
            uniform vector3f[] offsets = [(0, 0, 1), (0, 0, 2)]
            uniform vector3f[] normalOffsets = [(0, 0, 3), (0, 0, 4)]
            uniform int[] pointIndices = [0, 2]
            uniform vector3f[] inbetweens:half = [(0, 0, 9), (0, 0, 0)] (
                weight = 0.5
            )
        }
"""
WEIGHTS = """            uniform token[] blendShapes = ["smile"]
            float[] blendShapeWeights.timeSamples = { 0: [0], 2: [1] }
"""


def test_sparse_shapes_with_in_betweens_follow_their_weights(read_text):
    arm = ARM.replace("            half3[] scales", WEIGHTS + "            half3[] scales")
    asset = read_text(stage_text(arm + _mesh(SKIN + SHAPES)), fps=96.0)
    mesh, motion = asset.character.meshes[0], asset.motions[0]
    assert [morph.name for morph in mesh.morphs] == ["smile", "smile.half"]
    assert mesh.morphs[0].positions.tolist() == [[0, 0, 1], [0, 0, 0], [0, 0, 2]]
    assert mesh.morphs[0].normals.tolist() == [[0, 0, 3], [0, 0, 0], [0, 0, 4]]
    weights = np.stack([motion.labels[f"morph.{morph.name}"] for morph in mesh.morphs], axis=1)
    expected = np.interp(np.linspace(0, 1, motion.frames), [0, 0.5, 1], [0, 9, 1])
    assert motion.frames == 9 and np.allclose(mesh.morphed(weights)[:, 0, 2], expected)


def test_shapes_that_do_not_fit_are_refused(read_text):
    for old, new, message in (
        ("[0, 2]\n", "[0, 3]\n", "pointIndices lie beyond"),
        ("[0, 2]\n", "[0]\n", "for 1 points"),
        ('["smile"]', '["smile", "b"]', "names 2 blend shapes, but has 1"),
    ):
        with pytest.raises(FormatError, match=message):
            read_text(stage_text(ARM + _mesh(SKIN + SHAPES.replace(old, new))))
