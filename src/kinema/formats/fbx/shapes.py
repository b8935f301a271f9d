"""Blend shapes: the offsets of control points that each channel applies."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from kinema.arrays import Floats, Ints
from kinema.formats.fbx.document import FbxDocument, Id, Object
from kinema.formats.fbx.nodes import FARTHEST
from kinema.formats.fbx.records import Record


@dataclass(frozen=True)
class BlendShape:
    """A morph target: the control points that it moves, and their offsets at weight one.

    Attributes:
        points: int64 `[N]`, indices.
        offsets: float64 `[N, 3]`, in the geometry's own space and unit.
        normals: float64 `[N, 3]`: offsets of the normals, or None.
        weight: the weight at rest.
    """

    name: str
    points: Ints
    offsets: Floats
    normals: Floats | None
    weight: float


@dataclass(frozen=True)
class ShapeWeight:
    """Where the weight of a target is stored: `property` of the object `owner`, whose value is `full` at weight one."""

    name: str
    owner: Id
    property: str
    full: float


def read_shape_weights(document: FbxDocument) -> list[ShapeWeight]:
    """Where the weights of all targets are stored, with the names that the targets have as `Morph`."""
    found = []
    for item in document.all("Deformer", "BlendShapeChannel"):
        target = _target(item)
        if target is not None:
            found.append(ShapeWeight(_name(item, target[0]), item.id, "DeformPercent", target[1]))
    for geometry in document.all("Geometry"):
        for model in document.parents(geometry.id, "Model"):
            for record in geometry.record.all("Shape"):
                found.append(ShapeWeight(record.title, model.id, record.title, 100.0))
    return found


def read_shapes(geometry: Object, point_count: int) -> list[BlendShape]:
    """The targets of a geometry, one for each channel that has a shape."""
    found = [_shape(geometry, point_count, *target) for target in _channel_targets(geometry)]
    models = geometry.document.parents(geometry.id, "Model")
    for record in geometry.record.all("Shape"):  # version 6 keeps targets inside the geometry
        weight = models[0].number(record.title, 0.0) / 100.0 if models else 0.0
        found.append(_shape(geometry, point_count, record, record.title, weight, None))
    return found


def _channel_targets(geometry: Object) -> Iterator[tuple[Record, str, float, Floats | None]]:
    """Record, name and weight of each channel's target, and a percentage for each of its points, or None."""
    for channel in _channels(geometry):
        channel.document.visit(channel)
        target = _target(channel)
        if target is None:
            continue
        shapes = len(channel.children("Geometry"))
        if shapes > 1:
            channel.warn(f"has {shapes - 1} in-between shapes, which were left out")
        weight = channel.number("DeformPercent", channel.record.number("DeformPercent", 0.0)) / target[1]
        masks = channel.record.array("FullWeights")
        # Blender lists a percentage for each point instead of one for each shape.
        by_point = shapes == 1 and masks is not None and len(masks) > 1
        yield target[0].record, _name(channel, target[0]), weight, masks if by_point else None


def _channels(geometry: Object) -> Iterator[Object]:
    for deformer in geometry.children("Deformer"):
        if deformer.subclass == "BlendShape":
            yield from deformer.children("Deformer")


def _shape(
    geometry: Object, point_count: int, record: Record, name: str, weight: float, masks: Floats | None
) -> BlendShape:
    offsets, normals = _triples(record.array("Vertices")), _triples(record.array("Normals"))
    if masks is not None and len(masks) == len(offsets) and np.isfinite(masks).all():
        offsets = offsets * (masks[:, None] / 100.0)
    listed = record.array("Indexes", np.int64)
    listed = np.zeros(0, np.int64) if listed is None or not len(offsets) else listed
    geometry.charge(64 * len(listed))
    points, offsets = listed[: len(offsets)], offsets[: len(listed)]
    good = (points >= 0) & (points < point_count) & (np.abs(offsets) < FARTHEST).all(axis=1)
    if good.sum() < len(listed):
        reason = "has points that do not exist or have no valid offset; they were left out"
        geometry.document.warn(f"blend shape {name!r} of {geometry.where} {reason}")
    kept = normals[: len(points)][good] if 0 < len(points) <= len(normals) else np.full((1, 3), np.nan)
    finite = bool((np.abs(kept) < FARTHEST).all())
    return BlendShape(name, points[good], offsets[good], kept if finite else None, weight)


def _target(channel: Object) -> tuple[Object, float] | None:
    """The shape of a channel with the highest full weight, and that weight in percent."""
    shapes = channel.children("Geometry")
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


def _triples(flat: Floats | None) -> Floats:
    return np.zeros((0, 3)) if flat is None else flat[: len(flat) // 3 * 3].reshape(-1, 3)
