"""What moves in an FBX file: stacks of layers (version 7) or takes (before), as channels of curves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kinema.formats.fbx.curves import Curve
from kinema.formats.fbx.document import Document, Id, Object, split_name
from kinema.formats.fbx.keys import read_curve, read_keys
from kinema.formats.fbx.records import Record
from kinema.formats.fbx.settings import Settings

Array = NDArray[np.float64]

ADDITIVE, OVERRIDE, PASSTHROUGH = 0, 1, 2  # BlendMode of a layer
KEY_COST = 64  # bytes and time of a key
_PARTS = {"T": "Lcl Translation", "R": "Lcl Rotation", "S": "Lcl Scaling"}
_AXES = ("X", "Y", "Z")


@dataclass(eq=False)
class Channel:
    """A property that moves: one curve for each of its numbers.

    Where there is no curve the number stays at its default; where that is None, too, at what the object says.
    """

    curves: list[Curve | None]
    defaults: list[float | None]

    def evaluate(self, at: Array, rest: Sequence[float]) -> Array:
        """Values `[F, C]` at times `[F]`; `rest` holds the object's own `C` numbers."""
        result = np.empty((len(at), len(self.curves)))
        for column, (curve, default, own) in enumerate(zip(self.curves, self.defaults, rest, strict=True)):
            result[:, column] = curve.evaluate(at) if curve is not None else own if default is None else default
        return result

    def strays(self, rest: Sequence[float]) -> bool:
        """Whether it is ever away from the object's own numbers."""
        for curve, default, own in zip(self.curves, self.defaults, rest, strict=True):
            if curve is not None:
                away = curve.strays(own)
            else:
                away = default is not None and abs(default - own) > 1e-6 * max(1.0, abs(own))
            if away:
                return True
        return False


@dataclass(eq=False)
class Layer:
    """One layer: `channels` by object and property, and how it lies over those before it."""

    channels: dict[tuple[Id, str], Channel] = field(default_factory=dict)
    mode: int = ADDITIVE
    weight: Curve | float = 100.0
    turns_together: bool = True  # rotations are combined as rotations, not angle by angle
    sizes_multiply: bool = True

    def weights(self, at: Array) -> Array:
        """Share `[F]` from 0 to 1 that the layer has at times `[F]`."""
        percent = self.weight.evaluate(at) if isinstance(self.weight, Curve) else np.full(len(at), self.weight)
        return np.clip(percent / 100, 0.0, 1.0)


@dataclass(eq=False)
class Take:
    """One animation: `start` and `stop` in seconds as the file states them, None where it does not."""

    name: str
    layers: list[Layer]
    start: float | None
    stop: float | None
    id: Id | None = None  # of its stack, in version 7

    def curves(self) -> Iterator[Curve]:
        """All curves of all channels."""
        for layer in self.layers:
            for channel in layer.channels.values():
                yield from (curve for curve in channel.curves if curve is not None)


def read_takes(document: Document, settings: Settings) -> list[Take]:
    """All takes of a file, in file order.

    Raises:
        FormatError: a curve whose keys do not fit together.
    """
    if document.version >= 7000:
        channels = _Channels(document, settings)
        return [_stack(document, settings, stack, channels) for stack in document.all("AnimationStack")]
    takes = document.root.find("Takes")
    return [_take(document, settings, record) for record in (takes.all("Take") if takes is not None else ())]


def _stack(document: Document, settings: Settings, stack: Object, channels: _Channels) -> Take:
    layers = []
    for item in _each(document.children(stack.id, "AnimationLayer")):
        if item.integer("Mute", 0) and layers:
            document.warn(f"{item.where} is muted; left out")
            continue
        layer = Layer(
            mode=item.integer("BlendMode", ADDITIVE),
            weight=item.number("Weight", 100.0),
            turns_together=item.integer("RotationAccumulationMode", 0) == 0,
            sizes_multiply=item.integer("ScaleAccumulationMode", 0) == 0,
        )
        document.visit(item)
        for node in _each(document.children(item.id, "AnimationCurveNode")):
            for link in document.links_above(node.id):
                if link.parent_property is not None and (link.parent, link.parent_property) not in layer.channels:
                    layer.channels[link.parent, link.parent_property] = channels.of(node)
        # The curve of a layer's weight may hang on any layer, this one among them.
        for link in document.links_below(item.id):
            node = document.objects.get(link.child)
            if link.parent_property == "Weight" and node is not None and node.class_ == "AnimationCurveNode":
                layer.weight = channels.of(node).curves[0] or layer.weight
        layers.append(layer)
    start, stop = (_moment(stack, name, settings) for name in ("LocalStart", "LocalStop"))
    if start is None and stop is None:
        start, stop = (_moment(stack, name, settings) for name in ("ReferenceStart", "ReferenceStop"))
    return Take(stack.name, layers, 0.0 if start is None and stop is not None else start, stop, stack.id)


def _moment(stack: Object, name: str, settings: Settings) -> float | None:
    given = stack.get(name)
    return given[0] / settings.ticks if given and isinstance(given[0], int) else None


def _each(items: list[Object]) -> list[Object]:
    """Objects without repetition."""
    return list({item.id: item for item in items}.values())


class _Channels:
    """Channels of curve nodes, and their curves. Many may share them: each is read once, and charged whenever used."""

    def __init__(self, document: Document, settings: Settings) -> None:
        self._document, self._settings = document, settings
        self._channels: dict[Id, Channel] = {}
        self._curves: dict[Id, Curve | None] = {}

    def of(self, node: Object) -> Channel:
        """A node's curves are connected to its properties `d|X`, `d|Y`, `d|Z`, or to one of any name."""
        if node.id not in self._channels:
            self._channels[node.id] = self._read(node)
        channel = self._channels[node.id]
        self._document.visit(node, KEY_COST * sum(len(curve.times) for curve in channel.curves if curve is not None))
        return channel

    def _read(self, node: Object) -> Channel:
        curves: dict[str, Curve] = {}
        for link in self._document.links_below(node.id):
            item = self._document.objects.get(link.child)
            if item is None or item.class_ != "AnimationCurve" or link.parent_property is None:
                continue
            curve = self._curve(item, node)
            if curve is not None:
                curves.setdefault(link.parent_property.removeprefix("d|"), curve)
        if not curves.keys() <= set(_AXES) or not (curves or node.get("d|X") is not None):
            name = next(iter(curves), "")
            return Channel([curves.get(name)], [_default(node.get(f"d|{name}"))])
        return Channel([curves.get(axis) for axis in _AXES], [_default(node.get(f"d|{axis}")) for axis in _AXES])

    def _curve(self, item: Object, node: Object) -> Curve | None:
        if item.id not in self._curves:
            try:
                self._curves[item.id] = read_curve(item.record, self._settings.ticks)
            except ValueError as error:
                raise self._document.error(str(error), f"AnimationCurve {item.id} of {node.where}") from None
        curve = self._curves[item.id]
        self._document.visit(item, KEY_COST * len(curve.times) if curve is not None else 0)
        return curve


def _take(document: Document, settings: Settings, record: Record) -> Take:
    layer = Layer()
    for model in record.all("Model"):
        id: Id = model.title
        if not id:
            continue
        if id not in document.objects:
            id = f"Model::{split_name(id)[1]}"
        for channel in model.all("Channel"):
            if channel.title == "Transform":
                for part in channel.all("Channel"):
                    name = _PARTS.get(part.title)
                    if name is not None:
                        _add(document, settings, layer, id, name, part)
            elif channel.title:
                # Before version 6 the weights of shapes say so in their name.
                _add(document, settings, layer, id, channel.title.removesuffix(" (Shape)"), channel)
    spans = [found.numbers(np.int64) for key in ("LocalTime", "ReferenceTime") for found in record.all(key)]
    spans = [span for span in spans if len(span) == 2]
    start, stop = (float(tick) / settings.ticks for tick in spans[0]) if spans else (None, None)
    return Take(split_name(record.title)[1], [layer], start, stop)


def _add(document: Document, settings: Settings, layer: Layer, id: Id, name: str, record: Record) -> None:
    single = record.find("Key") is not None or record.find("Default") is not None
    parts = {"": record} if single else {part.title: part for part in record.all("Channel")}
    names = [""] if single else list(_AXES)
    if not any(part in parts for part in names) or (id, name) in layer.channels:
        return
    curves: list[Curve | None] = []
    for part in names:
        try:
            curves.append(read_keys(parts[part], settings.ticks, document.version) if part in parts else None)
        except ValueError as error:
            raise document.error(str(error), f"take of {str(id)[:60]!r}, {name} {part}".rstrip()) from None
    defaults = [_default([parts[part].value("Default")]) if part in parts else None for part in names]
    layer.channels[id, name] = Channel(curves, defaults)


def _default(values: list[Any] | None) -> float | None:
    value = values[0] if values else None
    return float(value) if isinstance(value, int | float) and abs(value) < 1e300 else None
