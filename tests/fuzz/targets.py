"""What is fuzzed: one function a parser, with the modules whose branches count and a few small files to start from.

To fuzz another parser: add a function and a line to `TARGETS`.
"""

from __future__ import annotations

import io
import json
import struct
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np

import kinema
from kinema.errors import KinemaError
from kinema.formats import bvh, fbx, gltf, npz
from kinema.formats.sources import Source
from kinema.mocap.edits import files as edits
from kinema.mocap.procedural import Segment, generate


class Target(NamedTuple):
    """A parser under attack; anything but a `KinemaError` that it raises is a find."""

    parse: Callable[[bytes], object]
    modules: tuple[str, ...]
    seeds: Callable[[], list[bytes]]


def _saved(*names: str) -> list[bytes]:
    motion = generate(script=[Segment("idle", 0.1)], fps=30)
    with tempfile.TemporaryDirectory() as folder:
        for name in names:
            kinema.save(motion, Path(folder) / name)
        return [(Path(folder) / name).read_bytes() for name in names]


def _text_bvh() -> list[bytes]:
    tiny = b"HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 3 Zrotation Xrotation Yrotation\n"
    tiny += b"End Site\n{\nOFFSET 0 1 0\n}\n}\n"
    return [tiny + b"MOTION\nFrames: 2\nFrame Time: 0.1\n1 2 3\n4 5 6\n", *_saved("a.bvh")]


def _binary_and_text_gltf() -> list[bytes]:
    text = json.dumps({"asset": {"version": "2.0"}, "nodes": [{"children": [1]}, {"translation": [0, 1, 0]}],
                       "scenes": [{"nodes": [0]}], "scene": 0}).encode()  # fmt: skip
    text += b" " * (-len(text) % 4)
    small = struct.pack("<4sIIII", b"glTF", 2, 20 + len(text), len(text), 0x4E4F534A) + text
    return [small, text, *_saved("a.glb")]


def _binary_and_text_fbx() -> list[bytes]:
    head = "; FBX {}.0 project file\nFBXHeaderExtension: {{ FBXVersion: {} }}\n"
    take = """Objects: { Model: "Model::a", "LimbNode" { Properties60: {
Property: "Lcl Rotation", "Lcl Rotation", "A",1,2,3
}
Vertices: 0,0,0,1,0,0,0,1,0
PolygonVertexIndex: 0,1,-3
} }
Connections: { Connect: "OO", "Model::a", "Model::Scene"
}
Takes: { Take: "t" { LocalTime: 0,46186158000
Model: "Model::a" { Channel: "Transform" { Channel: "R" { Channel: "X" {
Default: 1
KeyCount: 3
Key: 0,1,U,s,0,0,n,23093079000,5,U,a,n,46186158000,2,L
Post-Extrapolation: { Type: R
} } } } } } }
"""
    stack = """Objects: { Model: 1, "Model::a", "Mesh" { }
Geometry: 2, "", "Mesh" { Vertices: *9 { a: 0,0,0,1,0,0,0,1,0 }
PolygonVertexIndex: *3 { a: 0,1,-3 } }
AnimationStack: 3, "AnimStack::t", "" { }
AnimationLayer: 4, "", "" { }
AnimationCurveNode: 5, "", "" { }
AnimationCurve: 6, "", "" { KeyTime: *3 { a: 0,9237231600,18474463200 }
KeyValueFloat: *3 { a: 0,10,20.5 }
KeyAttrFlags: *3 { a: 24840,520,50332680 }
KeyAttrRefCount: *3 { a: 1,1,1 }
KeyAttrDataFloat: *12 { a: 0,0,218434821,0,0.5,0.5,0,0,1,2,218434821,0 } } }
Connections: { C: "OO",1,0
C: "OO",2,1
C: "OO",4,3
C: "OO",5,4
C: "OP",5,1,"Lcl Translation"
C: "OP",6,5,"d|X"
}
"""
    return [(head.format("6.1", 6100) + take).encode(), (head.format("7.7", 7700) + stack).encode(), *_saved("a.fbx")]


def _zipped() -> list[bytes]:
    held = io.BytesIO()
    np.savez(held, positions=np.zeros((2, 3, 3), np.float32))
    return [held.getvalue(), *_saved("a.npz")]


def _edits() -> list[bytes]:
    clip = {
        "frames": 524, "fps": 120.0,
        "pieces": [{"start": 40, "stop": 260, "name": "start"}, {"start": 300, "stop": 480}],
        "labels": [{"start": 60, "stop": 150, "tag": "walk", "text": "slowly"}],
        "contacts": {"left": [[1, 38], [116, 187]], "right": [[35, 114]]},
        "mirror": False, "mirror_partners": [["LeftHand", "LeftHand"]],
    }  # fmt: skip
    source = {"name": "walk.bvh", "size": 394263, "sha256": "0" * 64}
    whole = {"kinema_edits": 1, "source": source, "clips": {"walk": clip}}
    return [json.dumps(whole).encode(), json.dumps({**whole, "clips": {}}).encode()]


TARGETS: dict[str, Target] = {
    "bvh": Target(
        lambda data: bvh.read(Source.from_bytes(data, "a.bvh")),
        ("kinema.formats.bvh", "kinema.formats.bvh.reader", "kinema.formats.bvh.header"), _text_bvh,
    ),
    "gltf": Target(
        lambda data: gltf.read(Source.from_bytes(data, "a.glb" if data[:4] == b"glTF" else "a.gltf")),
        tuple(f"kinema.formats.gltf{part}" for part in (
            "", ".animation", ".bones", ".buffers", ".document", ".materials", ".mesh", ".pose", ".scene",
        )),
        _binary_and_text_gltf,
    ),
    "fbx": Target(
        lambda data: fbx.read(Source.from_bytes(data, "a.fbx")),
        tuple(f"kinema.formats.fbx{part}" for part in (
            "", ".ascii", ".binary", ".curves", ".document", ".layers", ".legacy", ".materials", ".meshes", ".nodes",
            ".pose", ".records", ".scene", ".settings", ".shapes", ".skins", ".surface", ".takes", ".textures",
            ".transform",
        )),
        _binary_and_text_fbx,
    ),
    "npz": Target(lambda data: npz.read(Source.from_bytes(data, "a.npz")), ("kinema.formats.npz",), _zipped),
    "edits": Target(edits.parse, ("kinema.mocap.edits.files", "kinema.mocap.edits.model"), _edits),
}  # fmt: skip


def attempt(name: str, data: bytes) -> None:
    """Parse; what the parser refuses is refused in one line."""
    try:
        TARGETS[name].parse(data)
    except KinemaError as error:
        assert "\n" not in str(error), repr(str(error))
