"""Surfaces: triangles of any polygons, vertices that are not doubled, normals where a file has none."""

from __future__ import annotations

import numpy as np
import pytest

from kinema.errors import FormatError
from kinema.formats.fbx.surface import control_points, read_surface

CUBE = "-1,-1,1, 1,-1,1, -1,1,1, 1,1,1, -1,1,-1, 1,1,-1, -1,-1,-1, 1,-1,-1"
QUADS = "0,1,3,-3, 2,3,5,-5, 4,5,7,-7, 6,7,1,-1, 1,7,5,-4, 6,0,2,-5"


def surface(fbx_text, points: str = CUBE, index: str = QUADS, more: str = "", uv_sets=None):
    file = fbx_text()
    body = f"Vertices: *{points.count(',') + 1} {{\na: {points}\n}}\n"
    body += f"PolygonVertexIndex: *{index.count(',') + 1} {{\na: {index}\n}}\n{more}"
    file.object("Geometry", 1, "Geometry::g", "Mesh", body)
    document = file.document()
    geometry = next(document.all("Geometry"))
    places = control_points(geometry)
    return document, places, read_surface(geometry, places, uv_sets or {})


def layer(kind: str, names: str, mapping: str, values: str, index: str = "") -> str:
    reference = "IndexToDirect" if index else "Direct"
    text = f'{kind}: 0 {{\nMappingInformationType: "{mapping}"\nReferenceInformationType: "{reference}"\n'
    return text + f"{names}: {values}\n" + (f"{names}Index: {index}\n" if index else "") + "}\n"


def area(places: np.ndarray, triangles: np.ndarray) -> np.ndarray:
    a, b, c = (places[triangles[:, corner]] for corner in range(3))
    return np.cross(b - a, c - a) / 2


def test_a_cube_without_normals_is_round_and_closed(fbx_text) -> None:
    document, places, (part,) = surface(fbx_text)
    assert not document.warnings and len(part.triangles) == 12 and len(part.points) == 8
    areas = area(places[part.points], part.triangles)
    assert np.linalg.norm(areas, axis=1).sum() == pytest.approx(24)
    np.testing.assert_allclose(areas.sum(axis=0), 0, atol=1e-12)
    np.testing.assert_allclose(part.normals, places[part.points] / np.sqrt(3), atol=1e-12)


def test_flat_and_round_edges_follow_smoothing(fbx_text) -> None:
    flat = 'LayerElementSmoothing: 0 {\nMappingInformationType: "ByPolygon"\nSmoothing: 0,0,0,0,0,0\n}\n'
    part = surface(fbx_text, more=flat)[2][0]
    assert len(part.points) == 24
    assert set(np.abs(part.normals).max(axis=1)) == {1.0}
    pair = flat.replace("0,0,0,0,0,0", "1,1,0,0,0,0")
    part = surface(fbx_text, more=pair)[2][0]
    assert len(part.points) == 22  # front and top share the two points of their edge
    half = flat.replace("ByPolygon", "ByEdge").replace("0,0,0,0,0,0", "0,0,1")
    assert len(surface(fbx_text, more=half)[2][0].points) == 8


def test_concave_polygons_keep_their_shape(fbx_text) -> None:
    # An arrow head: a fan from its first corner would cover what is outside.
    _, places, (part,) = surface(fbx_text, "0,0,0, 4,2,0, 0,4,0, 1,2,0", "0,1,2,-4")
    areas = area(places[part.points], part.triangles)
    assert (areas[:, 2] > 0).all() and areas[:, 2].sum() == pytest.approx(6)


def test_vertices_are_split_by_texture_coordinates_only_where_they_differ(fbx_text) -> None:
    uvs = layer("LayerElementUV", "UV", "ByPolygonVertex", "0,0,1,0,1,1,0,1,0.5,0.25", "0,1,2,3,0,1,2,4")
    _, _, (part,) = surface(fbx_text, "0,0,0, 1,0,0, 1,1,0, 0,1,0", "0,1,2,-4,0,1,2,-4", uvs)
    assert len(part.points) == 5
    assert part.uvs is not None
    assert {tuple(uv) for uv in part.uvs.tolist()} == {(0, 1), (1, 1), (1, 0), (0, 0), (0.5, 0.75)}


def test_the_set_of_texture_coordinates_that_a_material_asks_for(fbx_text) -> None:
    first = layer("LayerElementUV", "UV", "AllSame", "0.1,0.2").replace("{", '{\nName: "one"', 1)
    second = layer("LayerElementUV", "UV", "AllSame", "0.3,0.4").replace("{", '{\nName: "two"', 1)
    triangle = ("0,0,0, 1,0,0, 0,1,0", "0,1,-3", first + second)
    for wanted, u in (({}, 0.1), ({-1: "two"}, 0.3), ({-1: "three"}, 0.1)):
        part = surface(fbx_text, *triangle, wanted)[2][0]
        assert part.uvs is not None and part.uvs[0, 0] == pytest.approx(u)


def test_one_part_for_each_material(fbx_text) -> None:
    materials = 'LayerElementMaterial: 0 {\nMappingInformationType: "ByPolygon"\nMaterials: 2,0,0,0,0,2\n}\n'
    colors = layer("LayerElementColor", "Colors", "ByPolygon", ",".join("0.5,0.25,2,1" for _ in range(6)))
    _, _, parts = surface(fbx_text, more=materials + colors)
    assert [part.material for part in parts] == [0, 2]
    assert [len(part.triangles) for part in parts] == [8, 4]
    for part in parts:
        assert part.triangles.max() == len(part.points) - 1
        np.testing.assert_allclose(part.colors, np.tile([0.5, 0.25, 1, 1], (len(part.points), 1)))


def test_normals_of_another_surface_are_computed_anew(fbx_text) -> None:
    good = [[0, 0, 1]] * 4 + [[0, 1, 0]] * 4 + [[0, 0, -1]] * 4 + [[0, -1, 0]] * 4 + [[1, 0, 0]] * 4 + [[-1, 0, 0]] * 4
    half = np.array(good) * np.repeat([1, -1], 12)[:, None]
    for normals, anew in ((np.array(good), False), (-np.array(good), False), (half, True)):
        text = layer("LayerElementNormal", "Normals", "ByPolygonVertex", ",".join(map(str, normals.ravel().tolist())))
        document, _, (part,) = surface(fbx_text, more=text)
        assert bool(document.warnings) == anew
        assert len(part.points) == (8 if anew else 24)


def test_broken_points_and_no_polygons(fbx_text) -> None:
    document, places, _ = surface(fbx_text, "0,0,nan, 1,0,0, 0,1,0", "0,1,-3")
    assert places[0].tolist() == [0, 0, 0] and "without a position" in document.warnings[0]
    document, _, parts = surface(fbx_text, "0,0,0, 1,0,0", "0,-2")
    assert parts == [] and "no polygons to draw" in document.warnings[0]


def test_more_materials_than_any_mesh_has_are_refused(fbx_text) -> None:
    count = 17_000
    material = layer("LayerElementMaterial", "Materials", "ByPolygon", ",".join(map(str, range(count))))
    with pytest.raises(FormatError, match="bytes of memory, more than the"):
        surface(fbx_text, "0,0,0, 1,0,0, 0,1,0", ",".join(["0,1,-3"] * count), material)
