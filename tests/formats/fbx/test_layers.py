"""Values of layers for every corner, however a file lists them."""

from __future__ import annotations

import numpy as np
import pytest

from kinema.formats.fbx.layers import corner_materials, corner_values, read_polygons

# Two polygons of four points: a triangle and a quad.
INDEX = "0,1,-3,0,2,3,-2"
CORNERS, POINTS = 7, 4
WHICH = {
    "ByPolygonVertex": [0, 1, 2, 3, 4, 5, 6],
    "ByVertice": [0, 1, 2, 0, 2, 3, 1],
    "ByVertex": [0, 1, 2, 0, 2, 3, 1],
    "ByPolygon": [0, 0, 0, 1, 1, 1, 1],
    "AllSame": [0] * 7,
}
COUNT = {"ByPolygonVertex": 7, "ByVertice": 4, "ByVertex": 4, "ByPolygon": 2, "AllSame": 1}


def read(fbx_text, layer: str, index: str = INDEX, kind: str = "LayerElementColor"):
    file = fbx_text()
    body = f"PolygonVertexIndex: *{index.count(',') + 1} {{\na: {index}\n}}\n{kind}: 0 {{\n{layer}}}\n"
    file.object("Geometry", 1, "Geometry::g", "Mesh", body)
    document = file.document()
    geometry = next(document.all("Geometry"))
    return document, geometry, read_polygons(geometry, POINTS)


def listed(mapping: str, reference: str, values: str, index: str = "") -> str:
    text = f'MappingInformationType: "{mapping}"\n' if mapping else ""
    text += f'ReferenceInformationType: "{reference}"\n' if reference else ""
    return text + f"Colors: {values}\n" + (f"ColorIndex: {index}\n" if index else "")


def color(place: int) -> str:
    return f"{place},0,0,1"


@pytest.mark.parametrize("reference", ["Direct", "IndexToDirect", "Index"])
@pytest.mark.parametrize("mapping", list(WHICH))
def test_all_mappings(fbx_text, mapping: str, reference: str) -> None:
    count = COUNT[mapping]
    order = list(range(count))[::-1] if reference != "Direct" else list(range(count))
    values = ",".join(color(order.index(place)) for place in range(count))
    text = listed(mapping, reference, values, "" if reference == "Direct" else ",".join(map(str, order)))
    document, geometry, polygons = read(fbx_text, text)
    layer = geometry.record.find("LayerElementColor")
    found = corner_values(geometry, layer, ("Colors", "ColorIndex"), 4, polygons)
    assert found is not None and not document.warnings
    np.testing.assert_array_equal(found[0][found[1]][:, 0], WHICH[mapping])


@pytest.mark.parametrize("count", [7, 4, 2, 1])
def test_a_mapping_that_is_not_stated_is_told_by_the_count(fbx_text, count: int) -> None:
    document, geometry, polygons = read(fbx_text, listed("", "Direct", ",".join(map(color, range(count)))))
    found = corner_values(geometry, geometry.record.find("LayerElementColor"), ("Colors", ""), 4, polygons)
    mapping = next(name for name, number in COUNT.items() if number == count)
    assert found is not None
    np.testing.assert_array_equal(found[0][found[1]][:, 0], WHICH[mapping])
    assert "mapped by nothing" in document.warnings[0]


def test_values_that_are_missing_are_marked(fbx_text) -> None:
    text = listed("ByPolygonVertex", "IndexToDirect", ",".join(map(color, range(3))), "0,1,2,-1,7")
    document, geometry, polygons = read(fbx_text, text)
    found = corner_values(geometry, geometry.record.find("LayerElementColor"), ("Colors", "ColorIndex"), 4, polygons)
    assert found is not None and found[1].tolist() == [0, 1, 2, -1, -1, -1, -1]
    assert "has no value for 4 corners" in document.warnings[0]


def test_polygons_that_cannot_be_drawn_are_left_out(fbx_text) -> None:
    # A line, a triangle of a point that does not exist, a good triangle, and one that never ends.
    document, _, polygons = read(fbx_text, "", "0,-2,0,1,-10,0,1,-3,1,2,3")
    assert polygons.points.tolist() == [0, 1, 2, 1, 2, 3]
    assert polygons.places.tolist() == [5, 6, 7, 8, 9, 10]
    assert polygons.numbers.tolist() == [2, 3] and polygons.counts.tolist() == [3, 3]
    assert polygons.corner_polygon.tolist() == [2, 2, 2, 3, 3, 3]
    assert len(document.warnings) == 2


@pytest.mark.parametrize(
    "mapping, values, expected",
    [
        ("AllSame", "2", [2, 2]),
        ("ByPolygon", "1,0", [1, 0]),
        ("ByPolygon", "1", [1, 0]),
        ("ByVertex", "3,1,1,1", [3, 3]),
    ],
)
def test_materials_of_polygons(fbx_text, mapping: str, values: str, expected: list[int]) -> None:
    text = f'MappingInformationType: "{mapping}"\nReferenceInformationType: "IndexToDirect"\nMaterials: {values}\n'
    _, geometry, polygons = read(fbx_text, text, kind="LayerElementMaterial")
    assert corner_materials(geometry, polygons).tolist() == expected
