"""Writes motions and characters as glTF 2.0: GLB, or JSON with the buffer embedded.

Every file carries a skin of all joints, so that Blender makes an armature and our reader finds the same skeleton. What
glTF has no place for (rate, tags, end sites) goes into `extras` under the key `kinema`.
"""

from __future__ import annotations

import base64
import json
import os
import struct
from typing import Any

from kinema.character import Character
from kinema.errors import FormatError
from kinema.formats import Asset
from kinema.formats.atomic import atomic_write
from kinema.formats.contents import contents
from kinema.formats.gltf.assembly import assemble
from kinema.formats.gltf.vrm_writer import build_avatar
from kinema.formats.gltf.vrma_writer import build_animation
from kinema.motion import Motion


def write_file(thing: Motion | Character | Asset, path: str | os.PathLike[str], *, bones: bool = True) -> None:
    """See `kinema.formats.gltf.write`."""
    suffix = os.path.splitext(os.fspath(path))[1].lower()
    if suffix not in (".glb", ".gltf", ".vrm", ".vrma"):
        raise FormatError(f"cannot write {suffix or 'a file without suffix'}; use .glb, .gltf, .vrm or .vrma")
    skeleton, character, motions = contents(thing)
    if suffix == ".vrm":
        file = build_avatar(skeleton, character, motions)
    elif suffix == ".vrma":
        file = build_animation(skeleton, motions)
    else:
        file = assemble(skeleton, character, motions, bones)
    root, data = file.finish()
    atomic_write(path, _embedded(root, data) if suffix == ".gltf" else _glb(root, data))


def _glb(root: dict[str, Any], data: bytes) -> bytes:
    text = _json(root)
    text += b" " * (-len(text) % 4)
    chunks = struct.pack("<I4s", len(text), b"JSON") + text
    if data:
        chunks += struct.pack("<I4s", len(data), b"BIN\0") + data
    return struct.pack("<4sII", b"glTF", 2, 12 + len(chunks)) + chunks


def _embedded(root: dict[str, Any], data: bytes) -> bytes:
    if data:
        root["buffers"][0]["uri"] = "data:application/octet-stream;base64," + base64.b64encode(data).decode("ascii")
    return _json(root)


def _json(root: dict[str, Any]) -> bytes:
    return json.dumps(root, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode("utf-8", "replace")
