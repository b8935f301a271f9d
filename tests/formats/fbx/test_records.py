"""Records: the same tree from both forms, and numbers of any type out of them."""

from __future__ import annotations

import numpy as np

from kinema.formats.fbx.encode import Long, Node, encode
from kinema.formats.fbx.objects import parse
from kinema.formats.fbx.records import Record


def shape(record: Record) -> tuple:
    values = [v.tolist() if isinstance(v, np.ndarray) else v for v in record.values]
    return record.name, values, [shape(child) for child in record.children]


TEXT = """; FBX 7.4.0 project file
FBXHeaderExtension: {
    FBXHeaderVersion: 1003
    FBXVersion: 7400
}
Objects: {
    Geometry: 5, "Geometry::cube", "Mesh" {
        Vertices: *6 {
            a: 0.5,-1,2e3
            ,4,5,6.25
        }
        PolygonVertexIndex: *3 { a: 0,1,-3 }
        Empty: { }
    }
}
"""


def test_text_and_binary_give_the_same_tree():
    nodes = [
        Node("FBXHeaderExtension", children=[Node("FBXHeaderVersion", 1003), Node("FBXVersion", 7400)]),
        Node(
            "Objects",
            children=[
                Node(
                    "Geometry",
                    Long(5),
                    "cube\0\1Geometry",
                    "Mesh",
                    children=[
                        Node("Vertices", np.array([0.5, -1, 2e3, 4, 5, 6.25])),
                        Node("PolygonVertexIndex", np.array([0, 1, -3], np.int32)),
                        Node("Empty", children=[]),
                    ],
                ),
            ],
        ),
    ]
    binary = parse(encode(nodes))
    text = parse(TEXT.encode())
    assert binary.version == text.version == 7400 and binary.root.children and text.root.children
    found = {name: (values, children) for name, values, children in shape(binary.root)[2]}
    for name, values, children in shape(text.root)[2]:
        assert found[name] == (values, children)


def test_numbers_come_in_the_type_that_is_asked_for():
    record = Record("", [], [Record("a", [np.array([1.5, -2, np.nan, 1e30])], []), Record("b", [1, 2.5, "x", 3], [])])
    np.testing.assert_array_equal(record.array("a", np.int32), [1, -2, 0, 0])
    np.testing.assert_array_equal(record.array("b"), [1, 2.5, 3])
    assert record.array("c") is None
    assert Record("", [2**70, 1], []).numbers(np.int64).tolist() == [0, 1]
    assert Record("", [3_000_000_000, -1], []).numbers(np.int32).tolist() == [0, -1]


def test_getters_take_the_default_where_there_is_nothing_of_the_kind():
    record = Record("", [], [Record("a", ["x"], []), Record("b", [4.0], []), Record("c", [], [])])
    assert record.text("a") == "x" and record.integer("b", 0) == 4
    assert record.integer("a", 7) == 7 and record.text("b", "z") == "z" and record.value("c", 1) == 1
