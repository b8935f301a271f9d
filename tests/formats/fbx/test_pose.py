"""Motions: rates, spans, layers over each other, scale, morph weights."""

from __future__ import annotations

import numpy as np
import pytest

from kinema import rotations
from kinema.errors import FormatError
from kinema.formats.fbx.transform import euler_matrix


def moving(fbx_text, curves, prop="Lcl Translation", take=(0.0, 1.0), layers=1, **settings):
    """A root, a child 100 units above it, and curves on the root."""
    file = fbx_text(TimeMode=6, **settings)
    file.model(1, "root", Lcl_Translation=[1, 2, 3], InheritType=1)
    file.model(2, "child", 1, Lcl_Translation=[0, 100, 0], InheritType=1)
    file.take(10, start=take[0], stop=take[1], layers=layers)
    file.animate(11, 1, prop, curves, defaults=(1, 2, 3) if prop == "Lcl Translation" else (0, 0, 0))
    return file


def test_positions_in_metres_at_the_files_rate(fbx_text):
    (motion,) = moving(fbx_text, [[(0, 0), (1, 30)], None, None]).read().motions
    assert (motion.fps, motion.frames, motion.name) == (30, 31, "Take 001")
    positions = motion[:].global_positions
    np.testing.assert_allclose(positions[:, 0, 0], np.arange(31) / 100, atol=1e-6)
    np.testing.assert_allclose(positions[:, 1] - positions[:, 0], np.tile([0, 1, 0], (31, 1)), atol=1e-6)
    assert motion.translated.tolist() == [0]


def test_another_rate_and_a_span_that_begins_later(fbx_text):
    file = moving(fbx_text, [[(0, 0), (1, 30)], None, None], take=(0.5, 1.0))
    (motion,) = file.read(fps=10).motions
    assert motion.frames == 6
    np.testing.assert_allclose(motion[:].global_positions[[0, -1], 0, 0], [0.15, 0.3], atol=1e-6)
    with pytest.raises(FormatError, match="cannot be sampled at 0"):
        file.read(fps=0)


def test_spans_that_are_missing_are_those_of_the_keys(fbx_text):
    (motion,) = moving(fbx_text, [[(0.2, 0), (0.6, 30)], None, None], take=(0.0, 0.0)).read().motions
    assert motion.frames == 13 and motion[:].global_positions[-1, 0, 0] == pytest.approx(0.3)


def test_keys_denser_than_the_clock_have_their_own_rate(fbx_text):
    keys = [(frame / 120, frame) for frame in range(121)]
    (motion,) = moving(fbx_text, [keys, None, None]).read().motions
    assert motion.fps == 120 and "120 frames per second" in motion.warnings[0]
    assert motion.frames == 121


def test_spans_far_beyond_the_keys_are_cut_and_endless_keys_refused(fbx_text):
    (motion,) = moving(fbx_text, [[(0, 0), (1, 30)], None, None], take=(0, 1e6)).read().motions
    assert motion.frames == 31 and "cut to them" in motion.warnings[0]
    file = moving(fbx_text, [[(0, 0), (1e6, 30)], None, None], take=(0, 1e6))
    with pytest.raises(FormatError, match=r"take 'Take 001': lasts 1e\+06 s, too long at 30 .* lower fps"):
        file.read()
    assert file.read(fps=0.01).motions[0].frames == 10_001


@pytest.mark.parametrize(("seconds", "message"), [(30_000, "bytes of memory"), (3_000, "90001 frames of 199 joints")])
def test_many_frames_of_a_small_file_are_refused(fbx_text, seconds: int, message: str):
    file = fbx_text(TimeMode=6)
    for id in range(1, 200):
        file.model(id, f"n{id}", id - 1)
    file.take(1000, stop=seconds)
    file.animate(1001, 1, "Lcl Translation", [[(0, 0), (seconds, 1)], None, None])
    with pytest.raises(FormatError, match=f"{message}.*try a lower fps"):
        file.read()
    assert file.read(fps=1).motions[0].frames == seconds + 1


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


def test_positions_stay_exact_where_scale_moves(fbx_text):
    file = moving(fbx_text, [[(0, 1), (1, 3)], [(0, 1), (1, 3)], [(0, 1), (1, 3)]], "Lcl Scaling")
    (motion,) = file.read().motions
    positions = motion[:].global_positions
    np.testing.assert_allclose(positions[:, 1, 1] - positions[:, 0, 1], np.linspace(1, 3, 31), atol=1e-5)
    assert "scale moves at 1 joints ('root' first)" in motion.warnings[0]


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
