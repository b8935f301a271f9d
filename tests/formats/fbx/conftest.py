"""A builder of small FBX texts for the tests of the FBX reader."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import pytest

import kinema
from kinema.formats import Asset
from kinema.formats.fbx.curves import Curve
from kinema.formats.fbx.document import FbxDocument
from kinema.formats.fbx.keys import read_curve
from kinema.formats.fbx.objects import open_document, parse
from kinema.formats.fbx.records import Record
from kinema.formats.fbx.tangents import Segments
from kinema.formats.sources import Source

TICKS = 46_186_158_000


class FbxText:
    """A text of version 7.7 in the making; ids are given by the caller, 0 is the scene."""

    def __init__(self, version: int = 7700, **settings: float) -> None:
        self.version = version
        self.settings = settings
        self.objects: list[str] = []
        self.links: list[str] = []
        self.extra = ""

    def object(self, kind: str, id: int, full: str, subclass: str = "", body: str = "", **properties: Any) -> None:
        rows = "".join(
            f'P: "{name.replace("_", " ") if name.startswith("Lcl") else name}", "", "", "",{_listed(value)}\n'
            for name, value in properties.items()
        )
        block = f"Properties70: {{\n{rows}}}\n" if rows else ""
        self.objects.append(f'{kind}: {id}, "{full}", "{subclass}" {{\n{block}{body}}}\n')

    def model(self, id: int, name: str, parent: int = 0, kind: str = "LimbNode", **properties: Any) -> None:
        self.object("Model", id, f"Model::{name}", kind, **properties)
        self.link(id, parent)

    def link(self, child: int, parent: int, to: str | None = None) -> None:
        self.links.append(f'C: "{"OO" if to is None else "OP"}",{child},{parent}' + (f', "{to}"' if to else ""))

    def take(self, id: int, name: str = "Take 001", start: float = 0.0, stop: float = 1.0, layers: int = 1) -> None:
        """A stack `id` with layers `id + 1` and so on."""
        self.object(
            "AnimationStack", id, f"AnimStack::{name}", LocalStart=int(start * TICKS), LocalStop=int(stop * TICKS)
        )
        for layer in range(layers):
            self.layer(id + 1 + layer, id)

    def layer(self, id: int, take: int, **properties: Any) -> None:
        self.object("AnimationLayer", id, f"AnimLayer::{id}", **properties)
        self.link(id, take)

    def animate(
        self,
        layer: int,
        target: int,
        prop: str,
        curves: Sequence[Iterable[tuple[float, float]] | None],
        flags: int = 4,
        data: Sequence[float] = (0, 0, 0, 0),
        defaults: Sequence[float] = (0, 0, 0),
    ) -> None:
        """Curves of (seconds, value) for X, Y, Z, or for the property itself where there is one."""
        node = 1000 + len(self.objects)
        names = [f"d|{axis}" for axis in "XYZ"] if len(curves) == 3 else [f"d|{prop}"]
        self.object("AnimationCurveNode", node, f"AnimCurveNode::{prop}", **dict(zip(names, defaults, strict=False)))
        self.link(node, layer)
        self.link(node, target, prop)
        for name, keys in zip(names, curves, strict=True):
            if keys is not None:
                self.object(
                    "AnimationCurve",
                    node + 500 + len(self.objects),
                    "AnimCurve::",
                    "",
                    curve_body(list(keys), flags, data),
                )
                self.link(node + 500 + len(self.objects) - 1, node, name)

    def text(self) -> str:
        settings = "".join(f'P: "{name}", "", "", "",{value}\n' for name, value in self.settings.items())
        return (
            f"; FBX {self.version // 1000}.{self.version // 100 % 10}.0 project file\n"
            f"FBXHeaderExtension: {{\nFBXHeaderVersion: 1003\nFBXVersion: {self.version}\n}}\n{self.extra}"
            f"GlobalSettings: {{\nProperties70: {{\n{settings}}}\n}}\n"
            f"Objects: {{\n{''.join(self.objects)}}}\n"
            "Connections: {\n" + "\n".join(self.links) + "\n}\n"
        )

    def document(self) -> FbxDocument:
        return open_document(Source.from_bytes(self.text().encode(), "a.fbx"))

    def read(self, **options: Any) -> Asset:
        return kinema.load(Source.from_bytes(self.text().encode(), "a.fbx"), **options)


def curve_body(keys: Sequence[tuple[float, float]], flags: int = 4, data: Sequence[float] = (0, 0, 0, 0)) -> str:
    """The inside of an `AnimationCurve`: all keys have the same flags and tangents."""
    times = ",".join(str(round(time * TICKS)) for time, _ in keys)
    values = ",".join(repr(float(value)) for _, value in keys)
    tangents = ",".join(repr(float(number)) for number in data)
    return (
        f"KeyVer: 4009\nKeyTime: *{len(keys)} {{\na: {times}\n}}\nKeyValueFloat: *{len(keys)} {{\na: {values}\n}}\n"
        f"KeyAttrFlags: *1 {{\na: {flags}\n}}\nKeyAttrDataFloat: *4 {{\na: {tangents}\n}}\n"
        f"KeyAttrRefCount: *1 {{\na: {len(keys)}\n}}\n"
    )


def record_of(body: str) -> Record:
    """A record with this inside."""
    return parse(f"; FBX 7.7.0\nCurve: {{\n{body}}}\n".encode()).root.children[0]


def curve_of(keys: Sequence[tuple[float, float]], flags: int = 4, data: Sequence[float] = (0, 0, 0, 0)) -> Curve:
    """A curve as it is read from a file."""
    found = read_curve(record_of(curve_body(keys, flags, data)), TICKS)
    assert found is not None
    return found


def segments_of(curve: Curve) -> Segments:
    """Interpolation and tangents of all keys of a curve."""
    return curve.segments(np.arange(len(curve.times)))


def moving(fbx_text, curves, prop="Lcl Translation", take=(0.0, 1.0), layers=1, **settings) -> FbxText:
    """A root, a child 100 units above it, and curves on the root."""
    file = fbx_text(TimeMode=6, **settings)
    file.model(1, "root", Lcl_Translation=[1, 2, 3], InheritType=1)
    file.model(2, "child", 1, Lcl_Translation=[0, 100, 0], InheritType=1)
    file.take(10, start=take[0], stop=take[1], layers=layers)
    file.animate(11, 1, prop, curves, defaults=(1, 2, 3) if prop == "Lcl Translation" else (0, 0, 0))
    return file


def _listed(value: Any) -> str:
    if isinstance(value, str):
        return f'"{value}"'
    return ",".join(repr(v) for v in value) if isinstance(value, list | tuple) else repr(value)


@pytest.fixture
def fbx_text() -> type[FbxText]:
    """The builder; `fbx_text(UpAxis=2, ...)` starts a file."""
    return FbxText
