"""The surface of a geometry as triangles, without doubled vertices, still in the geometry's own space and unit."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from kinema.arrays import Floats, Ints, Singles
from kinema.formats.fbx.document import Object
from kinema.formats.fbx.layers import Polygons, corner_materials, corner_values, read_polygons
from kinema.formats.fbx.nodes import FARTHEST
from kinema.formats.polygons import triangulate
from kinema.formats.rows import unique_rows

_Layer = tuple[Singles, Ints]
"""Values `[N, K]`, and the one of each corner `[C]`."""
PART_COST = 4096  # bytes and time of the triangles of one more material
UNFIT = (0.3, 0.7)  # share of the surface whose normals point outwards; between these they are not its own


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
    points: Ints
    triangles: NDArray[np.uint32]
    normals: Floats
    uvs: Singles | None
    colors: Singles | None


def control_points(geometry: Object) -> Floats:
    """Control points `[P, 3]`. Points that are not finite or absurdly far are put at the origin, with a warning."""
    flat = geometry.record.array("Vertices")
    if flat is None:
        return np.zeros((0, 3))
    geometry.charge(24 * len(flat))
    points = flat[: len(flat) // 3 * 3].reshape(-1, 3).astype(np.float64)
    broken = ~(np.abs(points) < FARTHEST).all(axis=1)
    if broken.any():
        geometry.warn(f"has {int(broken.sum())} points without a position; they were put at its origin")
        points[broken] = 0
    return points


@dataclass(frozen=True)
class _Triangles:
    """The triangles of polygons: `corners` `[T, 3]`, the polygon of each `[T]`, normals as long as twice the area."""

    corners: Ints
    polygons: Ints
    areas: Floats


def read_surface(geometry: Object, points: Floats, uv_sets: dict[int, str]) -> list[SurfacePart]:
    """The parts of a geometry, one for each material in use.

    Args:
        points: `[P, 3]`, see `control_points`.
        uv_sets: name of the set of texture coordinates that a material's texture needs; others take the first.
    """
    polygons = read_polygons(geometry, len(points))
    corners, faces = triangulate(polygons.counts, points[polygons.points])
    geometry.charge(160 * len(polygons.points) + 40 * len(corners))
    if not len(corners):
        if geometry.record.find("PolygonVertexIndex") is not None:
            geometry.warn("has no polygons to draw and was left out")
        return []
    materials = corner_materials(geometry, polygons)
    a, b, c = np.moveaxis(points[polygons.points[corners]], 1, 0)
    normals = _normals(geometry, polygons, _Triangles(corners, faces, np.cross(b - a, c - a)))
    colors = _colors(geometry, polygons)
    columns = [polygons.points, unique_rows(normals.astype(np.float32))[1], *([] if colors is None else [colors[1]])]
    owners = np.full(len(faces), -1) if materials is None else materials[faces]
    found, starts = np.unique(np.sort(owners), return_index=True)
    geometry.charge(PART_COST * len(found))
    wanted = [uv_sets.get(material, "") for material in found.tolist()]
    uvs = {name: _uvs(geometry, polygons, name) for name in dict.fromkeys(wanted)}
    vertex = np.zeros(len(polygons.points), np.uint32)
    parts = []
    groups = np.split(corners[np.argsort(owners, kind="stable")], starts[1:])
    for material, name, mine in zip(found.tolist(), wanted, groups, strict=True):
        used, uv = np.unique(mine), uvs[name]
        geometry.charge(32 * len(used))
        keys = columns if uv is None else [*columns, uv[1]]
        first, vertex[used] = unique_rows(np.stack([column[used] for column in keys], axis=1))
        chosen = used[first]  # a corner for each vertex
        layers = _chosen(uv, chosen), _chosen(colors, chosen)
        parts.append(SurfacePart(material, polygons.points[chosen], vertex[mine], normals[chosen], *layers))
    return parts


def _chosen(layer: _Layer | None, corners: Ints) -> Singles | None:
    return None if layer is None else layer[0][layer[1][corners]]


def _normals(geometry: Object, polygons: Polygons, triangles: _Triangles) -> Floats:
    """Unit normals `[C, 3]` of all corners; missing ones are computed from the triangles."""
    layer = geometry.record.find("LayerElementNormal")
    if layer is None and geometry.record.find("Normals") is not None:
        layer = geometry.record  # before version 6
    found = None
    if layer is not None:
        found = corner_values(geometry, layer, ("Normals", "NormalsIndex"), 3, polygons)
    result = np.zeros((len(polygons.points), 3))
    if found is not None:
        result = np.where(found[1][:, None] >= 0, found[0][found[1]], 0.0)
        result[~(np.abs(result) < 1e30).all(axis=1)] = 0
    lengths = np.linalg.norm(result, axis=1)
    missing = lengths < 1e-12
    result[~missing] /= lengths[~missing, None]
    if not missing.all() and not _fit(triangles, result):
        geometry.warn("has normals that do not fit its faces; they were recomputed")
        missing[:] = True
    if missing.any():
        result[missing] = _computed(geometry, polygons, triangles)[missing]
    return result


def _fit(triangles: _Triangles, normals: Floats) -> bool:
    """Whether normals mostly point to one side of their faces, as those of another surface do not."""
    along = np.einsum("tc,tc->t", triangles.areas, normals[triangles.corners].sum(axis=1))
    size = np.linalg.norm(triangles.areas, axis=1)
    total = float(size.sum())
    return total <= 0 or not UNFIT[0] < float(size[along > 0].sum()) / total < UNFIT[1]


def _computed(geometry: Object, polygons: Polygons, triangles: _Triangles) -> Floats:
    """Normals `[C, 3]` weighted by area, smooth within the file's smoothing groups, or everywhere without them."""
    count = len(polygons.counts)
    faces = [np.bincount(triangles.polygons, triangles.areas[:, axis], count) for axis in range(3)]
    owner = np.repeat(np.arange(count), polygons.counts)
    key = np.stack([polygons.points, _smoothing(geometry, polygons)[owner]], axis=1)
    first, which = unique_rows(key)
    smooth = np.stack([np.bincount(which, face[owner], len(first)) for face in faces], axis=1)[which]
    lengths = np.linalg.norm(smooth, axis=1, keepdims=True)
    return np.where(lengths > 1e-30, smooth / np.maximum(lengths, 1e-30), [0.0, 1.0, 0.0])


def _smoothing(geometry: Object, polygons: Polygons) -> Ints:
    """Smoothing group of each polygon `[P]`: edges within a group are smooth. Flat polygons have one of their own."""
    layer = geometry.record.find("LayerElementSmoothing")
    values = None if layer is None else layer.array("Smoothing", np.int64)
    own = -1 - np.arange(len(polygons.counts))
    if layer is None or values is None or not len(values):
        return np.zeros(len(polygons.counts), np.int64)
    if layer.text("MappingInformationType") == "ByPolygon" and len(values) >= polygons.polygons:
        groups = values[polygons.numbers]
        return np.where(groups == 0, own, groups)
    return np.zeros(len(polygons.counts), np.int64) if values.any() else own


def _uvs(geometry: Object, polygons: Polygons, wanted: str) -> _Layer | None:
    """Texture coordinates of the wanted set, or of the first one."""
    layers = list(geometry.record.all("LayerElementUV"))
    named = [layer for layer in layers if wanted and layer.text("Name") == wanted]
    layer, names = next(iter([*named, *layers]), None), ("UV", "UVIndex")
    if layer is None and geometry.record.find("GeometryUVInfo") is not None:  # before version 6
        layer, names = geometry.record.find("GeometryUVInfo"), ("TextureUV", "TextureUVVerticeIndex")
    found = None if layer is None else corner_values(geometry, layer, names, 2, polygons)
    if found is None:
        return None
    values = np.clip(found[0], -1e30, 1e30).astype(np.float32)
    values[~np.isfinite(values).all(axis=1)] = 0
    values[:, 1] = 1 - values[:, 1]
    return _merged(values, found[1], np.zeros(2, np.float32))


def _colors(geometry: Object, polygons: Polygons) -> _Layer | None:
    layer = geometry.record.find("LayerElementColor")
    found = None if layer is None else corner_values(geometry, layer, ("Colors", "ColorIndex"), 4, polygons)
    if found is None:
        return None
    values = np.clip(np.nan_to_num(found[0], nan=1.0), 0, 1).astype(np.float32)
    return _merged(values, found[1], np.ones(4, np.float32))


def _merged(values: Singles, which: Ints, without: Singles) -> _Layer:
    """Values without repetition; corners that have none (-1) get `without`."""
    listed = np.concatenate([values, without[None]])
    first, equal = unique_rows(listed)
    return listed[first], equal[np.where(which < 0, len(values), which)]
