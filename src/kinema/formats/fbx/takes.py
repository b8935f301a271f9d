"""What moves in an FBX file: stacks of layers (version 7) or takes (before), as animated properties."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from kinema.arrays import Floats
from kinema.formats.fbx.curves import Curve
from kinema.formats.fbx.document import FbxDocument, Id, Object, split_name
from kinema.formats.fbx.keys import read_curve, read_keys
from kinema.formats.fbx.records import Record
from kinema.formats.fbx.settings import FbxSettings
from kinema.formats.fbx.transform import CHANNELS

ADDITIVE, OVERRIDE, PASSTHROUGH = 0, 1, 2  # BlendMode of a layer
KEY_COST = 64  # bytes and time of a key
_AXES = ("X", "Y", "Z")
_NOTHING = Record("", [], [])


@dataclass(eq=False)
class AnimatedProperty:
    """One curve for each number of a property.

    A number without a curve stays at its default; if that is None, too, at the object's own value.
    """

    curves: list[Curve | None]
    defaults: list[float | None]

    def evaluate(self, at: Floats, rest: Sequence[float]) -> Floats:
        """Values `[F, C]` at times `[F]`; `rest` holds the object's own `C` numbers."""
        result = np.empty((len(at), len(self.curves)))
        for column, (curve, default, own) in enumerate(zip(self.curves, self.defaults, rest, strict=True)):
            result[:, column] = curve.evaluate(at) if curve is not None else own if default is None else default
        return result

    def strays(self, rest: Sequence[float]) -> bool:
        """Whether it ever differs from the object's own numbers."""
        return any(
            curve.strays(own)
            if curve is not None
            else default is not None and abs(default - own) > 1e-6 * max(1.0, abs(own))
            for curve, default, own in zip(self.curves, self.defaults, rest, strict=True)
        )


@dataclass(eq=False)
class AnimationLayer:
    """One layer: animated properties by object and name, and how the layer blends with those before it."""

    properties: dict[tuple[Id, str], AnimatedProperty] = field(default_factory=dict)
    mode: int = ADDITIVE
    weight: Curve | float = 100.0
    blends_rotations: bool = True  # as rotations, not angle by angle
    multiplies_scales: bool = True

    def weights(self, at: Floats) -> Floats:
        """Weight `[F]` of the layer, 0 to 1, at times `[F]`."""
        percent = self.weight.evaluate(at) if isinstance(self.weight, Curve) else np.full(len(at), self.weight)
        return np.clip(percent / 100, 0.0, 1.0)


@dataclass(eq=False)
class FbxTake:
    """One animation: `start` and `stop` in seconds as the file states them, None if it does not."""

    name: str
    layers: list[AnimationLayer]
    start: float | None
    stop: float | None
    id: Id | None = None  # of its stack, in version 7

    @property
    def where(self) -> str:
        """The name of the take in messages."""
        return f"take {self.name[:60]!r}"

    def curves(self) -> Iterator[Curve]:
        """All curves of all layers."""
        for layer in self.layers:
            for animated in layer.properties.values():
                yield from (curve for curve in animated.curves if curve is not None)


def read_takes(document: FbxDocument, settings: FbxSettings) -> list[FbxTake]:
    """All takes of a file, in file order.

    Raises:
        FormatError: a curve whose keys do not fit together.
    """
    if document.version >= 7000:
        nodes = _CurveNodes(document, settings)
        return [_stack(document, settings, stack, nodes) for stack in document.all("AnimationStack")]
    takes = document.root.find("Takes")
    return [_take(document, settings, record) for record in (takes.all("Take") if takes is not None else ())]


def _stack(document: FbxDocument, settings: FbxSettings, stack: Object, nodes: _CurveNodes) -> FbxTake:
    layers: list[AnimationLayer] = []
    for item in _unique(stack.children("AnimationLayer")):
        if item.integer("Mute", 0) and layers:
            item.warn("is muted; left out")
        else:
            layers.append(_layer(document, item, nodes))
    return FbxTake(stack.name, layers, *_span(stack, settings), stack.id)


def _span(stack: Object, settings: FbxSettings) -> tuple[float | None, float | None]:
    """Start and stop that a stack states, in seconds."""
    for kind in ("Local", "Reference"):
        start, stop = (_seconds(stack, kind + end, settings) for end in ("Start", "Stop"))
        if stop is not None:
            return start or 0.0, stop
        if start is not None:
            return start, None
    return None, None


def _layer(document: FbxDocument, item: Object, nodes: _CurveNodes) -> AnimationLayer:
    layer = AnimationLayer(
        mode=item.integer("BlendMode", ADDITIVE),
        weight=item.number("Weight", 100.0),
        blends_rotations=item.integer("RotationAccumulationMode", 0) == 0,
        multiplies_scales=item.integer("ScaleAccumulationMode", 0) == 0,
    )
    document.visit(item)
    for node in _unique(item.children("AnimationCurveNode")):
        for link in document.connections_above(node.id):
            if link.parent_property is not None and (link.parent, link.parent_property) not in layer.properties:
                layer.properties[link.parent, link.parent_property] = nodes.of(node)
    # The curve of a layer's weight may belong to any layer, this one among them.
    for node in item.children("AnimationCurveNode", "Weight"):
        layer.weight = nodes.of(node).curves[0] or layer.weight
    return layer


def _seconds(stack: Object, name: str, settings: FbxSettings) -> float | None:
    given = stack.get(name)
    return given[0] / settings.ticks if given and isinstance(given[0], int) else None


def _unique(items: list[Object]) -> list[Object]:
    return list({item.id: item for item in items}.values())


class _CurveNodes:
    """Animated properties of curve nodes. Many may share a node or a curve: each is read once, and charged per use."""

    def __init__(self, document: FbxDocument, settings: FbxSettings) -> None:
        self._document, self._settings = document, settings
        self._properties: dict[Id, AnimatedProperty] = {}
        self._curves: dict[Id, Curve | None] = {}

    def of(self, node: Object) -> AnimatedProperty:
        """A node's curves are connected to its properties `d|X`, `d|Y`, `d|Z`, or to one of any name."""
        if node.id not in self._properties:
            self._properties[node.id] = self._read(node)
        found = self._properties[node.id]
        self._document.visit(node, KEY_COST * sum(len(curve.times) for curve in found.curves if curve is not None))
        return found

    def _read(self, node: Object) -> AnimatedProperty:
        curves: dict[str, Curve] = {}
        for link in self._document.connections_below(node.id):
            curve = self._curve(link.child, node)
            if curve is not None and link.parent_property is not None:
                curves.setdefault(link.parent_property.removeprefix("d|"), curve)
        single = not curves.keys() <= set(_AXES) or not (curves or node.get("d|X") is not None)
        names = (next(iter(curves), ""),) if single else _AXES
        return AnimatedProperty([curves.get(name) for name in names], [_default(node.get(f"d|{n}")) for n in names])

    def _curve(self, id: Id, node: Object) -> Curve | None:
        item = self._document.objects.get(id)
        if item is None or item.class_ != "AnimationCurve":
            return None
        if item.id not in self._curves:
            try:
                self._curves[item.id] = read_curve(item.record, self._settings.ticks)
            except ValueError as error:
                raise self._document.error(str(error), f"AnimationCurve {item.id} of {node.where}") from None
        curve = self._curves[item.id]
        self._document.visit(item, KEY_COST * len(curve.times) if curve is not None else 0)
        return curve


def _take(document: FbxDocument, settings: FbxSettings, record: Record) -> FbxTake:
    """A take of version 6."""
    layer = AnimationLayer()
    for model in record.all("Model"):
        if model.title:
            _add_model(document, settings, layer, model)
    spans = [found.numbers(np.int64) for key in ("LocalTime", "ReferenceTime") for found in record.all(key)]
    start, stop = next((span / settings.ticks for span in spans if len(span) == 2), (None, None))
    return FbxTake(split_name(record.title)[1], [layer], start, stop)


def _add_model(document: FbxDocument, settings: FbxSettings, layer: AnimationLayer, model: Record) -> None:
    id: Id = model.title if model.title in document.objects else f"Model::{split_name(model.title)[1]}"
    for name, channel in _named_channels(model):
        animated = _channel(document, settings, channel, f"take of {str(id)[:60]!r}, {name}")
        if animated is not None:
            layer.properties.setdefault((id, name), animated)


def _named_channels(model: Record) -> Iterator[tuple[str, Record]]:
    """Properties of a model that a take of version 6 animates, by name."""
    for channel in model.all("Channel"):
        if channel.title == "Transform":
            yield from ((CHANNELS[part.title], part) for part in channel.all("Channel") if part.title in CHANNELS)
        elif channel.title:  # before version 6 the names of blend shapes end like this
            yield channel.title.removesuffix(" (Shape)"), channel


def _channel(document: FbxDocument, settings: FbxSettings, record: Record, where: str) -> AnimatedProperty | None:
    single = record.find("Key") is not None or record.find("Default") is not None
    axes = {part.title: part for part in record.all("Channel")}
    parts = {"": record} if single else {axis: axes.get(axis, _NOTHING) for axis in _AXES}
    if all(part is _NOTHING for part in parts.values()):
        return None
    curves = [_keys(document, settings, part, f"{where} {name}".rstrip()) for name, part in parts.items()]
    return AnimatedProperty(curves, [_default([part.value("Default")]) for part in parts.values()])


def _keys(document: FbxDocument, settings: FbxSettings, record: Record, where: str) -> Curve | None:
    try:
        return read_keys(record, settings.ticks, document.version)
    except ValueError as error:
        raise document.error(str(error), where) from None


def _default(values: list[Any] | None) -> float | None:
    value = values[0] if values else None
    return float(value) if isinstance(value, int | float) and abs(value) < 1e300 else None
