"""Blend shapes: which points they move, by how much, and what moves them."""

from __future__ import annotations

import numpy as np
import pytest

from kinema.formats.fbx.shapes import read_shape_weights, read_shapes

MESH = "Vertices: 0,0,0,1,0,0,0,1,0\nPolygonVertexIndex: 0,1,-3\n"


def file(fbx_text, full: str = "100", percent: float = 25.0, targets: tuple[str, ...] = ("Indexes: 2,0\n",)):
    made = fbx_text()
    made.model(1, "face", kind="Mesh")
    made.object("Geometry", 2, "Geometry::", "Mesh", MESH)
    made.link(2, 1)
    made.object("Deformer", 3, "Deformer::", "BlendShape")
    made.link(3, 2)
    made.object(
        "Deformer", 4, "SubDeformer::smile", "BlendShapeChannel", f"FullWeights: {full}\n", DeformPercent=percent
    )
    made.link(4, 3)
    for number, body in enumerate(targets):
        made.object(
            "Geometry",
            10 + number,
            f"Geometry::target{number}",
            "Shape",
            body + f"Vertices: 0,0,{number + 1},0.5,0,0\n",
        )
        made.link(10 + number, 4)
    document = made.document()
    geometry = next(item for item in document.all("Geometry") if item.subclass == "Mesh")
    return document, read_shapes(geometry, 3)


def test_a_shape_moves_its_points(fbx_text) -> None:
    document, (shape,) = file(fbx_text)
    assert (shape.name, shape.weight) == ("smile", 0.25) and not document.warnings
    assert shape.points.tolist() == [2, 0]
    np.testing.assert_array_equal(shape.offsets, [[0, 0, 1], [0.5, 0, 0]])
    (channel,) = read_shape_weights(document)
    assert (channel.name, channel.owner, channel.property, channel.full) == ("smile", 4, "DeformPercent", 100.0)


def test_the_last_of_several_shapes_is_kept(fbx_text) -> None:
    document, (shape,) = file(fbx_text, "50,80", targets=("Indexes: 2,0\n", "Indexes: 1,0\n"))
    assert shape.points.tolist() == [1, 0] and shape.offsets[0, 2] == 2
    assert shape.weight == pytest.approx(25 / 80)
    assert "1 in-between shapes" in document.warnings[0]
    assert read_shape_weights(document)[0].full == 80


def test_a_share_for_each_point_as_blender_lists_it(fbx_text) -> None:
    _, (shape,) = file(fbx_text, "0,50")
    np.testing.assert_array_equal(shape.offsets, [[0, 0, 0], [0.25, 0, 0]])
    assert shape.weight == 0.25


def test_points_that_do_not_exist_are_left_out(fbx_text) -> None:
    document, (shape,) = file(fbx_text, targets=("Indexes: 2,3,1\n",))
    assert shape.points.tolist() == [2] and "do not exist" in document.warnings[0]


def test_version_6_keeps_shapes_in_the_geometry(fbx_text) -> None:
    text = (
        "; FBX 6.1.0 project file\nFBXHeaderExtension: {\nFBXVersion: 6100\n}\nObjects: {\n"
        'Model: "Model::face", "Mesh" {\nProperties60: {\nProperty: "smile", "Number", "A",40\n}\n'
        + MESH
        + 'Shape: "smile" {\nIndexes: 1\nVertices: 0,2,0\n}\n}\n}\nConnections: {\n'
        'Connect: "OO", "Model::face", "Model::Scene"\n}\n'
    )
    made = fbx_text()
    made.text = lambda: text
    document = made.document()
    (shape,) = read_shapes(next(document.all("Geometry")), 3)
    assert (shape.name, shape.weight, shape.points.tolist()) == ("smile", 0.4, [1])
    (channel,) = read_shape_weights(document)
    assert (channel.owner, channel.property) == ("Model::face", "smile")
