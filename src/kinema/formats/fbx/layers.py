"""Layer elements of a geometry: normals, texture coordinates, colours and materials, for every corner of its polygons.

A layer says what its values belong to (corners, points, polygons, everything) and whether they are listed in that
order or through an index. Whatever it says, values end up one for each corner.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kinema.arrays import Floats, Ints
from kinema.formats.fbx.document import Object
from kinema.formats.fbx.records import Record

_INDEXED = ("IndexToDirect", "Index", "")


@dataclass(frozen=True)
class Polygons:
    """Polygons that can be drawn.

    Attributes:
        points: int64 `[C]`: the control point of each corner.
        places: int64 `[C]`: the index of each corner among all corners of the file.
        counts: int64 `[P]`: corners of each polygon.
        numbers: int64 `[P]`: the number of each polygon in the file.
        total: corners in the file.
        polygons: polygons in the file.
        point_count: control points.
    """

    points: Ints
    places: Ints
    counts: Ints
    numbers: Ints
    total: int
    polygons: int
    point_count: int

    @property
    def corner_polygon(self) -> Ints:
        """Number in the file `[C]` of the polygon of each corner."""
        return np.repeat(self.numbers, self.counts)


def read_polygons(geometry: Object, point_count: int) -> Polygons:
    """The polygons of a geometry; those with fewer than three corners or with points that do not exist are left out."""
    raw = geometry.record.array("PolygonVertexIndex", np.int64)
    if raw is None:
        raw = np.zeros(0, np.int64)
    geometry.charge(64 * len(raw))
    points = np.where(raw < 0, ~raw, raw)
    last = np.flatnonzero(raw < 0) + 1
    if len(raw) and (not len(last) or last[-1] != len(raw)):
        geometry.warn("has a last polygon that does not end; it was closed")
        last = np.append(last, len(raw))
    counts = np.diff(last, prepend=0)
    wrong = points >= point_count
    good = counts >= 3
    if wrong.any():
        owner = np.repeat(np.arange(len(counts)), counts)
        broken = np.unique(owner[wrong])
        good[broken] = False
        geometry.warn(f"has {len(broken)} polygons of points that do not exist; they were left out")
    kept = np.repeat(good, counts)
    return Polygons(
        points[kept], np.flatnonzero(kept), counts[good], np.flatnonzero(good), len(raw), len(counts), point_count
    )


def corner_values(
    geometry: Object, layer: Record, names: tuple[str, str], width: int, polygons: Polygons
) -> tuple[Floats, Ints] | None:
    """The values of a layer.

    Args:
        names: names of the record with the values and of the one with their index.
        width: numbers in a value.

    Returns:
        Values `[N, width]` and the one of each corner `[C]`, -1 where there is none; None for an empty layer.
    """
    flat = layer.array(names[0])
    if flat is None or len(flat) < width:
        return None
    values = flat[: len(flat) // width * width].reshape(-1, width)
    index = layer.array(names[1], np.int64) if layer.text("ReferenceInformationType") in _INDEXED else None
    if index is None or not len(index):
        index = np.arange(len(values))
    places = _places(geometry, layer, len(index), polygons)
    if places is None:
        return None
    geometry.charge(16 * len(places))
    which = np.where(places < len(index), index[np.minimum(places, len(index) - 1)], -1)
    bad = (which < 0) | (which >= len(values))
    if bad.any():
        which = np.where(bad, -1, which)
        geometry.document.warn(f"{layer.name} of {geometry.where} has no value for {int(bad.sum())} corners")
    return values, which


def corner_materials(geometry: Object, polygons: Polygons) -> Ints | None:
    """Which of its model's materials each kept polygon `[P]` has; None if the geometry does not state it."""
    layer = geometry.record.find("LayerElementMaterial")
    index = None if layer is None else layer.array("Materials", np.int64)
    if layer is None or index is None or not len(index):
        return None
    mapping = layer.text("MappingInformationType")
    if mapping == "ByPolygon" or (mapping == "" and len(index) > 1):
        return np.where(polygons.numbers < len(index), index[np.minimum(polygons.numbers, len(index) - 1)], 0)
    if mapping not in ("AllSame", "") and len(index) > 1:
        geometry.warn(f"has materials by {mapping}; the first was taken")
    return np.full(len(polygons.counts), index[0])


def _places(geometry: Object, layer: Record, listed: int, polygons: Polygons) -> Ints | None:
    """For each corner `[C]` the place of its value in the layer's list; None if it cannot be known."""
    mapping = layer.text("MappingInformationType")
    corner, point, polygon = polygons.places, polygons.points, polygons.corner_polygon
    if mapping in ("ByPolygonVertex", "ByVertice", "ByVertex", "ByPolygon", "AllSame"):
        return {"ByPolygonVertex": corner, "ByPolygon": polygon, "AllSame": np.zeros_like(corner)}.get(mapping, point)
    # The number of values often shows what a layer does not state.
    for count, places in (
        (polygons.total, corner),
        (polygons.point_count, point),
        (polygons.polygons, polygon),
        (1, np.zeros_like(corner)),
    ):
        if listed == count:
            geometry.document.warn(
                f"{layer.name} of {geometry.where} is mapped by {mapping or 'nothing'}; "
                "what it belongs to was guessed from the number of its values"
            )
            return places
    geometry.document.warn(f"{layer.name} of {geometry.where} is mapped by {mapping or 'nothing'} and was left out")
    return None
