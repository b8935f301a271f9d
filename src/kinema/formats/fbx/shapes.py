"""Blend shapes: offsets of control points by channel."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from kinema.formats.fbx.document import FbxDocument, Id, Object
from kinema.formats.fbx.nodes import FARTHEST
from kinema.formats.fbx.records import Record


@dataclass(frozen=True)
class BlendShape:
    """A target: offsets of some control points at weight one, in the geometry's own space and unit.

    Attributes:
        points: int64 `[N]`.
        offsets: float64 `[N, 3]`.
        normals: float64 `[N, 3]`: offsets of the normals, or None.
        weight: at rest.
    """

    name: str
    points: NDArray[np.int64]
    offsets: NDArray[np.float64]
    normals: NDArray[np.float64] | None
    weight: float


@dataclass(frozen=True)
class ShapeWeight:
    """What moves a target: property `property` of object `owner`, which is `full` when the target's weight is one."""

    name: str
    owner: Id
    property: str
    full: float


def read_shape_weights(document: FbxDocument) -> list[ShapeWeight]:
    """Every channel of blend shapes with the name of its target, as `Morph` has it; for the curves that move them."""
    found = []
    for item in document.all("Deformer", "BlendShapeChannel"):
        target = _target(document, item)
        if target is not None:
            found.append(ShapeWeight(_name(item, target[0]), item.id, "DeformPercent", target[1]))
    for geometry in document.all("Geometry"):
        for model in document.parents(geometry.id, "Model"):
            for record in geometry.record.all("Shape"):
                found.append(ShapeWeight(record.title, model.id, record.title, 100.0))
    return found


def read_shapes(document: FbxDocument, geometry: Object, point_count: int) -> list[BlendShape]:
    """The targets of a geometry, one for each channel that has a shape."""
    found = [_shape(document, geometry, point_count, *target) for target in _channel_targets(document, geometry)]
    models = document.parents(geometry.id, "Model")
    for record in geometry.record.all("Shape"):  # version 6 keeps targets inside the geometry
        weight = models[0].number(record.title, 0.0) / 100.0 if models else 0.0
        found.append(_shape(document, geometry, point_count, record, record.title, weight, None))
    return found


def _channel_targets(
    document: FbxDocument, geometry: Object
) -> Iterator[tuple[Record, str, float, NDArray[np.float64] | None]]:
    """Record, name and weight of each channel's target, and percentages of its points if it has them."""
    deformers = [item for item in document.children(geometry.id, "Deformer") if item.subclass == "BlendShape"]
    for channel in (channel for item in deformers for channel in document.children(item.id, "Deformer")):
        document.visit(channel)
        target = _target(document, channel)
        if target is None:
            continue
        shapes = len(document.children(channel.id, "Geometry"))
        if shapes > 1:
            document.warn(f"{channel.where} has {shapes - 1} shapes in between, which were left out")
        weight = channel.number("DeformPercent", _plain(channel.record, "DeformPercent")) / target[1]
        masks = channel.record.array("FullWeights")
        # Blender lists a percentage for each point in place of one for each shape.
        by_point = shapes == 1 and masks is not None and len(masks) > 1
        yield target[0].record, _name(channel, target[0]), weight, masks if by_point else None


def _shape(
    document: FbxDocument,
    geometry: Object,
    point_count: int,
    record: Record,
    name: str,
    weight: float,
    masks: NDArray[np.float64] | None,
) -> BlendShape:
    offsets, normals = _triples(record.array("Vertices")), _triples(record.array("Normals"))
    if masks is not None and len(masks) == len(offsets) and np.isfinite(masks).all():
        offsets = offsets * (masks[:, None] / 100.0)
    points = record.array("Indexes", np.int64)
    points = np.zeros(0, np.int64) if points is None or not len(offsets) else points
    document.budget.charge(64 * len(points), geometry.where)
    count = min(len(points), len(offsets))
    good = (points[:count] >= 0) & (points[:count] < point_count) & (np.abs(offsets[:count]) < FARTHEST).all(axis=1)
    if good.sum() < len(points):
        document.warn(f"blend shape {name!r} of {geometry.where} moves points that do not exist; left out")
    kept = normals[:count][good] if 0 < count <= len(normals) else None
    finite = kept is not None and bool((np.abs(kept) < FARTHEST).all())
    return BlendShape(name, points[:count][good], offsets[:count][good], kept if finite else None, weight)


def _target(document: FbxDocument, channel: Object) -> tuple[Object, float] | None:
    """The shape of a channel that is reached last, and the percentage at which it is."""
    shapes = document.children(channel.id, "Geometry")
    if not shapes:
        return None
    weights = channel.record.array("FullWeights")
    full = [100.0] * len(shapes)
    if weights is not None and len(weights) == len(shapes):
        full = [float(value) if 1e-6 < abs(value) < 1e6 else 100.0 for value in weights]
    last = max(range(len(shapes)), key=lambda place: full[place])
    return shapes[last], full[last]


def _name(channel: Object, shape: Object) -> str:
    return channel.name or shape.name or "shape"


def _plain(record: Record, name: str) -> float:
    value = record.value(name, 0.0)
    return float(value) if isinstance(value, int | float) and abs(value) < 1e30 else 0.0


def _triples(flat: NDArray[np.float64] | None) -> NDArray[np.float64]:
    return np.zeros((0, 3)) if flat is None else flat[: len(flat) // 3 * 3].reshape(-1, 3)
