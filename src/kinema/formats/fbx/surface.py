"""The surface of a geometry as triangles, without doubled vertices, still in the geometry's own space and unit."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from kinema.formats.fbx.document import FbxDocument, Object
from kinema.formats.fbx.layers import Polygons, corner_materials, corner_values, read_polygons
from kinema.formats.fbx.nodes import FARTHEST
from kinema.formats.fbx.records import Record
from kinema.formats.fbx.rows import unique_rows
from kinema.formats.polygons import triangulate

PART_COST = 4096  # bytes and time of the triangles of one more material
UNFIT = (0.3, 0.7)  # shares of the surface whose normals point outwards, between which they are not its own


@dataclass(frozen=True)
class SurfacePart:
    """The triangles of one material.

    Attributes:
        material: which of the model's materials, or -1 where the geometry does not say.
        points: int64 `[V]`: the control point of each vertex.
        triangles: uint32 `[K, 3]` of vertices.
        normals: float64 `[V, 3]`, unit.
        uvs: float32 `[V, 2]`, origin at the top left; or None.
        colors: float32 `[V, 4]` or None.
    """

    material: int
    points: NDArray[np.int64]
    triangles: NDArray[np.uint32]
    normals: NDArray[np.float64]
    uvs: NDArray[np.float32] | None
    colors: NDArray[np.float32] | None


def control_points(document: FbxDocument, geometry: Object) -> NDArray[np.float64]:
    """Control points `[P, 3]`. What is not finite or absurdly far is put to the origin, with a warning."""
    flat = geometry.record.array("Vertices")
    if flat is None:
        return np.zeros((0, 3))
    document.budget.charge(24 * len(flat), geometry.where)
    points = flat[: len(flat) // 3 * 3].reshape(-1, 3).astype(np.float64)
    broken = ~(np.abs(points) < FARTHEST).all(axis=1)
    if broken.any():
        document.warn(f"{geometry.where} has {int(broken.sum())} points that are nowhere; they are at its origin")
        points[broken] = 0
    return points


@dataclass(frozen=True)
class _Triangles:
    """The triangles of polygons: `corners` `[T, 3]`, the polygon of each `[T]`, normals as long as twice the area."""

    corners: NDArray[np.int64]
    polygons: NDArray[np.int64]
    areas: NDArray[np.float64]


def read_surface(
    document: FbxDocument, geometry: Object, points: NDArray[np.float64], uv_sets: dict[int, str]
) -> list[SurfacePart]:
    """The parts of a geometry, one for each material in use.

    Args:
        points: `[P, 3]`, see `control_points`.
        uv_sets: name of the set of texture coordinates that a material's texture asks for; others take the first.
    """
    polygons = read_polygons(document, geometry, len(points))
    corners, faces = triangulate(polygons.counts, points[polygons.points])
    document.budget.charge(160 * len(polygons.points) + 40 * len(corners), geometry.where)
    if not len(corners):
        if geometry.record.find("PolygonVertexIndex") is not None:
            document.warn(f"{geometry.where} has no polygons to draw and was left out")
        return []
    materials = corner_materials(document, geometry, polygons)
    a, b, c = np.moveaxis(points[polygons.points[corners]], 1, 0)
    normals = _normals(document, geometry, polygons, _Triangles(corners, faces, np.cross(b - a, c - a)))
    colors = _colors(document, geometry, polygons)
    shared = [polygons.points, unique_rows(normals.astype(np.float32))[1], *([] if colors is None else [colors[1]])]
    owners = np.full(len(faces), -1) if materials is None else materials[faces]
    found, starts = np.unique(np.sort(owners), return_index=True)
    document.budget.charge(PART_COST * len(found), geometry.where)
    wanted = [uv_sets.get(material, "") for material in found.tolist()]
    uvs = {name: _uvs(document, geometry, polygons, name) for name in dict.fromkeys(wanted)}
    vertex = np.zeros(len(polygons.points), np.uint32)
    parts = []
    groups = np.split(corners[np.argsort(owners, kind="stable")], starts[1:])
    for material, name, mine in zip(found.tolist(), wanted, groups, strict=True):
        used = np.unique(mine)
        uv = uvs[name]
        columns = shared if uv is None else [*shared, uv[1]]
        document.budget.charge(32 * len(used), geometry.where)
        first, which = unique_rows(np.stack([column[used] for column in columns], axis=1))
        chosen = used[first]  # a corner for each vertex
        vertex[used] = which
        uv_values, color_values = (None if layer is None else layer[0][layer[1][chosen]] for layer in (uv, colors))
        parts.append(
            SurfacePart(material, polygons.points[chosen], vertex[mine], normals[chosen], uv_values, color_values)
        )
    return parts


def _normals(document: FbxDocument, geometry: Object, polygons: Polygons, triangles: _Triangles) -> NDArray[np.float64]:
    """Unit normals `[C, 3]` of all corners; those that the file leaves out follow from the triangles."""
    layer = geometry.record.find("LayerElementNormal")
    if layer is None and geometry.record.find("Normals") is not None:
        layer = geometry.record  # before version 6
    found = None
    if layer is not None:
        found = corner_values(document, geometry, layer, ("Normals", "NormalsIndex"), 3, polygons)
    result = np.zeros((len(polygons.points), 3))
    if found is not None:
        result = np.where(found[1][:, None] >= 0, found[0][found[1]], 0.0)
        result[~(np.abs(result) < 1e30).all(axis=1)] = 0
    lengths = np.linalg.norm(result, axis=1)
    missing = lengths < 1e-12
    result[~missing] /= lengths[~missing, None]
    if not missing.all() and not _fit(triangles, result):
        document.warn(f"{geometry.where} has normals that have nothing to do with its faces; they were computed anew")
        missing[:] = True
    if missing.any():
        result[missing] = _computed(geometry, polygons, triangles)[missing]
    return result


def _fit(triangles: _Triangles, normals: NDArray[np.float64]) -> bool:
    """Whether normals mostly point to one side of their faces; those of another surface point anywhere."""
    along = np.einsum("tc,tc->t", triangles.areas, normals[triangles.corners].sum(axis=1))
    size = np.linalg.norm(triangles.areas, axis=1)
    total = float(size.sum())
    return total <= 0 or not UNFIT[0] < float(size[along > 0].sum()) / total < UNFIT[1]


def _computed(geometry: Object, polygons: Polygons, triangles: _Triangles) -> NDArray[np.float64]:
    """Normals `[C, 3]` weighted by area, smooth within the groups that the file states; smooth all over without."""
    count = len(polygons.counts)
    faces = [np.bincount(triangles.polygons, triangles.areas[:, axis], count) for axis in range(3)]
    owner = np.repeat(np.arange(count), polygons.counts)
    key = np.stack([polygons.points, _smoothing(geometry, polygons)[owner]], axis=1)
    first, which = unique_rows(key)
    smooth = np.stack([np.bincount(which, face[owner], len(first)) for face in faces], axis=1)[which]
    lengths = np.linalg.norm(smooth, axis=1, keepdims=True)
    return np.where(lengths > 1e-30, smooth / np.maximum(lengths, 1e-30), [0.0, 1.0, 0.0])


def _smoothing(geometry: Object, polygons: Polygons) -> NDArray[np.int64]:
    """A number for each polygon `[P]`; edges between those of equal number are round. Flat ones have their own."""
    layer = geometry.record.find("LayerElementSmoothing")
    values = None if layer is None else layer.array("Smoothing", np.int64)
    own = -1 - np.arange(len(polygons.counts))
    if layer is None or values is None or not len(values):
        return np.zeros(len(polygons.counts), np.int64)
    if layer.text("MappingInformationType") == "ByPolygon" and len(values) >= polygons.polygons:
        groups = values[polygons.numbers]
        return np.where(groups == 0, own, groups)
    return np.zeros(len(polygons.counts), np.int64) if values.any() else own


def _uvs(
    document: FbxDocument, geometry: Object, polygons: Polygons, wanted: str
) -> tuple[NDArray[np.float32], NDArray[np.int64]] | None:
    """Texture coordinates, and the one of each corner."""
    layer: Record | None = None
    for candidate in geometry.record.all("LayerElementUV"):
        if layer is None or (wanted and candidate.text("Name") == wanted and layer.text("Name") != wanted):
            layer = candidate
    names = ("UV", "UVIndex")
    if layer is None and geometry.record.find("GeometryUVInfo") is not None:  # before version 6
        layer, names = geometry.record.find("GeometryUVInfo"), ("TextureUV", "TextureUVVerticeIndex")
    found = None if layer is None else corner_values(document, geometry, layer, names, 2, polygons)
    if found is None:
        return None
    values = np.clip(found[0], -1e30, 1e30).astype(np.float32)
    values[~np.isfinite(values).all(axis=1)] = 0
    values[:, 1] = 1 - values[:, 1]
    return _merged(values, found[1], np.zeros(2, np.float32))


def _colors(
    document: FbxDocument, geometry: Object, polygons: Polygons
) -> tuple[NDArray[np.float32], NDArray[np.int64]] | None:
    layer = geometry.record.find("LayerElementColor")
    found = None if layer is None else corner_values(document, geometry, layer, ("Colors", "ColorIndex"), 4, polygons)
    if found is None:
        return None
    values = np.clip(np.nan_to_num(found[0], nan=1.0), 0, 1).astype(np.float32)
    return _merged(values, found[1], np.ones(4, np.float32))


def _merged(
    values: NDArray[np.float32], which: NDArray[np.int64], without: NDArray[np.float32]
) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
    """Values without repetition; corners that have none (-1) get `without`."""
    listed = np.concatenate([values, without[None]])
    first, alike = unique_rows(listed)
    return listed[first], alike[np.where(which < 0, len(values), which)]
