"""A builder of small glTF files for the tests of the glTF modules."""

from __future__ import annotations

import json
import struct
from typing import Any

import numpy as np
import pytest

from kinema.formats import Asset, load
from kinema.formats.sources import Source

_TYPES = {"i1": 5120, "u1": 5121, "i2": 5122, "u2": 5123, "u4": 5125, "f4": 5126}


class GltfFile:
    """JSON and binary part of a file in the making; `root` may be changed at will before `data` is taken."""

    def __init__(self, **root: Any) -> None:
        self.root: dict[str, Any] = {"asset": {"version": "2.0"}, **root}
        self.binary = bytearray()

    def view(self, data: bytes, **entry: Any) -> int:
        self.binary += b"\0" * (-len(self.binary) % 4)
        views = self.root.setdefault("bufferViews", [])
        views.append({"buffer": 0, "byteOffset": len(self.binary), "byteLength": len(data), **entry})
        self.binary += data
        return len(views) - 1

    def accessor(self, values: Any, kind: str, dtype: str = "f4", **entry: Any) -> int:
        array = np.ascontiguousarray(values, dtype="<" + dtype)
        width = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}[kind]
        accessors = self.root.setdefault("accessors", [])
        accessors.append(
            {
                "bufferView": self.view(array.tobytes()),
                "componentType": _TYPES[dtype],
                "count": array.size // width,
                "type": kind,
                **entry,
            }
        )
        return len(accessors) - 1

    def animate(
        self, node: int, path: str, times: Any, values: Any, interpolation: str = "LINEAR", **entry: Any
    ) -> None:
        """Adds a channel to the last animation, with samplers of its own."""
        animation = self.root.setdefault("animations", [{"channels": [], "samplers": []}])[-1]
        kind = {"translation": "VEC3", "rotation": "VEC4", "scale": "VEC3", "weights": "SCALAR"}[path]
        animation["samplers"].append(
            {
                "input": self.accessor(times, "SCALAR"),
                "output": self.accessor(values, kind, **entry),
                "interpolation": interpolation,
            }
        )
        target = {"node": node, "path": path}
        animation["channels"].append({"sampler": len(animation["samplers"]) - 1, "target": target})

    def triangle(self, **attributes: int) -> dict[str, Any]:
        """A primitive with one triangle in the plane z = 0."""
        position = self.accessor([[0, 0, 0], [1, 0, 0], [0, 1, 0]], "VEC3")
        return {"attributes": {"POSITION": position, **attributes}}

    @property
    def data(self) -> bytes:
        root = dict(self.root)
        binary = bytes(self.binary) + b"\0" * (-len(self.binary) % 4)
        if binary:
            root["buffers"] = [{"byteLength": len(binary)}]
        text = json.dumps(root).encode()
        text += b" " * (-len(text) % 4)
        chunks = struct.pack("<I4s", len(text), b"JSON") + text
        if binary:
            chunks += struct.pack("<I4s", len(binary), b"BIN\0") + binary
        return struct.pack("<4sII", b"glTF", 2, 12 + len(chunks)) + chunks

    @property
    def source(self) -> Source:
        return Source.from_bytes(self.data, "test.glb")

    def load(self, **options: Any) -> Asset:
        return load(self.source, **options)


@pytest.fixture
def gltf_file() -> type[GltfFile]:
    return GltfFile
