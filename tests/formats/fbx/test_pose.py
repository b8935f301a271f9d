"""Motions: positions in metres, scale, rotations with and without matrices, morph weights."""

from __future__ import annotations

import numpy as np
import pytest

from kinema import rotations
from kinema.formats.fbx import pose
from kinema.formats.fbx.transform import euler_matrix

from .conftest import moving


def test_positions_in_metres_at_the_files_rate(fbx_text):
    (motion,) = moving(fbx_text, [[(0, 0), (1, 30)], None, None]).read().motions
    assert (motion.fps, motion.frames, motion.name) == (30, 31, "Take 001")
    positions = motion[:].global_positions
    np.testing.assert_allclose(positions[:, 0, 0], np.arange(31) / 100, atol=1e-6)
    np.testing.assert_allclose(positions[:, 1] - positions[:, 0], np.tile([0, 1, 0], (31, 1)), atol=1e-6)
    assert motion.translated.tolist() == [0]


def test_positions_stay_exact_where_scale_moves(fbx_text):
    file = moving(fbx_text, [[(0, 1), (1, 3)], [(0, 1), (1, 3)], [(0, 1), (1, 3)]], "Lcl Scaling")
    (motion,) = file.read().motions
    positions = motion[:].global_positions
    np.testing.assert_allclose(positions[:, 1, 1] - positions[:, 0, 1], np.linspace(1, 3, 31), atol=1e-5)
    assert "scale is animated at 1 joints ('root' first)" in motion.warnings[0]


@pytest.mark.parametrize("seed", range(6))
def test_poses_without_matrices_are_those_by_matrices(fbx_text, monkeypatch: pytest.MonkeyPatch, seed: int):
    rng = np.random.default_rng(seed)
    file = fbx_text(TimeMode=6, UpAxis=2, FrontAxis=1, FrontAxisSign=-1)
    for id in range(1, 9):
        properties = {
            name: (rng.normal(size=3) * (60 if name.endswith("Rotation") else 4)).tolist()
            for name in (
                "Lcl Translation",
                "Lcl Rotation",
                "PreRotation",
                "PostRotation",
                "RotationPivot",
                "ScalingPivot",
            )
            if rng.random() < 0.7
        }
        size = 1 + rng.random() if id % 3 == 0 else 1.0
        kind = "Null" if id in (1, 4) else "LimbNode"  # folded into the joints below
        numbers = {"RotationOrder": int(rng.integers(6)), "InheritType": int(rng.integers(3)), "RotationActive": 1}
        file.model(id, f"n{id}", 0 if id < 3 else id - 2, kind, **properties, Lcl_Scaling=[size] * 3, **numbers)
    file.take(50)
    for id in (2, 5, 6, 8):
        for prop, scale in (("Lcl Rotation", 90), ("Lcl Translation", 5)):
            if rng.random() < 0.8:
                file.animate(
                    51, id, prop, [[(0, a), (0.4, b), (1, 0.5 * a)] for a, b in rng.normal(size=(3, 2)) * scale]
                )
    fast = file.read(scale=1.0).motions[0]
    monkeypatch.setattr(pose, "_is_similar", lambda *_: False)
    plain = file.read(scale=1.0).motions[0]
    np.testing.assert_array_equal(fast.translated, plain.translated)
    np.testing.assert_allclose(fast.local_translations, plain.local_translations, atol=1e-6)
    signs = np.sign((fast.local_rotations * plain.local_rotations).sum(axis=-1, keepdims=True))
    np.testing.assert_allclose(signs * fast.local_rotations, plain.local_rotations, atol=1e-6)


def test_takes_without_curves_are_left_out_and_several_are_several_motions(fbx_text):
    file = moving(fbx_text, [[(0, 0), (1, 30)], None, None])
    file.take(20, "empty")
    file.take(30, "second")
    file.animate(31, 1, "Lcl Rotation", [[(0, 0), (1, 90)], None, None])
    asset = file.read()
    assert [motion.name for motion in asset.motions] == ["Take 001", "second"]
    assert "take 'empty' moves nothing and was left out" in asset.warnings


def test_morph_weights_are_labels(fbx_text):
    file = moving(fbx_text, [[(0, 0), (1, 30)], None, None])
    file.model(3, "face", 1, "Mesh")
    mesh = "Vertices: *9 { a: 0,0,0,1,0,0,0,1,0 }\nPolygonVertexIndex: *3 { a: 0,1,-3 }\n"
    shape = "Indexes: *1 { a: 0 }\nVertices: *3 { a: 0,0,1 }\nNormals: *3 { a: 0,0,0 }\n"
    file.object("Geometry", 40, "Geometry::", "Mesh", mesh)
    file.object("Geometry", 41, "Geometry::smile", "Shape", shape)
    file.object("Deformer", 42, "Deformer::", "BlendShape")
    file.object(
        "Deformer", 43, "SubDeformer::smile", "BlendShapeChannel", "FullWeights: *1 { a: 100 }\n", DeformPercent=25.0
    )
    for child, parent in ((40, 3), (42, 40), (43, 42), (41, 43)):
        file.link(child, parent)
    file.animate(11, 43, "DeformPercent", [[(0, 0), (1, 100)]])
    asset = file.read()
    (name,) = asset.motions[0].labels
    assert asset.character is not None and name == f"morph.{asset.character.meshes[0].morphs[0].name}"
    np.testing.assert_allclose(asset.motions[0].labels[name], np.linspace(0, 1, 31), atol=1e-6)


def test_additive_and_overriding_layers(fbx_text):
    def found(**layer):
        file = moving(fbx_text, [[(0, 10)], [(0, 20)], [(0, 30)]])
        file.layer(12, 10, **layer)
        file.animate(12, 1, "Lcl Translation", [[(0, 1)], None, None], defaults=(0, 2, 3))
        return file.read(scale=1.0).motions[0][:].global_positions[0, 0] * 100

    np.testing.assert_allclose(found(), [11, 22, 33], atol=1e-4)
    np.testing.assert_allclose(found(Weight=50.0), [10.5, 21, 31.5], atol=1e-4)
    np.testing.assert_allclose(found(BlendMode=1), [1, 2, 3], atol=1e-4)
    np.testing.assert_allclose(found(BlendMode=2, Weight=25.0), [7.75, 15.5, 23.25], atol=1e-4)


@pytest.mark.parametrize("order", [0, 3, 5])
def test_rotations_of_layers_are_combined_as_rotations(fbx_text, order: int):
    below, above = np.array([20.0, 40, -70]), np.array([-50.0, 10, 30])

    def found(**layer):
        file = fbx_text(TimeMode=6)
        file.model(1, "root", RotationOrder=order)
        file.model(2, "child", 1, Lcl_Translation=[0, 100, 0])
        file.take(10)
        file.layer(12, 10, **layer)
        for number, angles in ((11, below), (12, above)):
            file.animate(number, 1, "Lcl Rotation", [[(0, angle), (1, angle)] for angle in angles])
        return rotations.to_matrix(file.read().motions[0].local_rotations[0, 0])

    both = euler_matrix(below, order) @ euler_matrix(above, order)
    np.testing.assert_allclose(found(), both, atol=1e-5)
    np.testing.assert_allclose(found(RotationAccumulationMode=1), euler_matrix(below + above, order), atol=1e-5)
    np.testing.assert_allclose(found(BlendMode=2), euler_matrix(above, order), atol=1e-5)
    np.testing.assert_allclose(found(Weight=0.0), euler_matrix(below, order), atol=1e-5)
