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
from kinema.formats.gltf.assembly import Assembly
from kinema.formats.gltf.bones import bone_mesh
from kinema.motion import Motion
from kinema.skeleton import Skeleton


def write(thing: Motion | Character | Asset, path: str | os.PathLike[str], *, bones: bool = True) -> None:
    """See `kinema.formats.gltf.write`."""
    shown = os.fspath(path)
    suffix = os.path.splitext(shown)[1].lower()
    if suffix not in (".glb", ".gltf", ".vrm", ".vrma"):
        raise FormatError(
            f"cannot write {suffix or 'a file without suffix'}; use .glb, .gltf, .vrm or .vrma", path=shown
        )
    skeleton, character, motions = contents(thing, shown)
    if suffix == ".vrm":
        from kinema.formats.gltf.vrm_writer import build_avatar

        root, data = build_avatar(skeleton, character, motions, shown)
    elif suffix == ".vrma":
        from kinema.formats.gltf.vrma_writer import build_animation

        root, data = build_animation(skeleton, motions, shown)
    else:
        root, data = build(skeleton, character, motions, bones)
    atomic_write(path, _embedded(root, data) if suffix == ".gltf" else _glb(root, data))


def build(
    skeleton: Skeleton, character: Character | None, motions: tuple[Motion, ...], bones: bool = True
) -> tuple[dict[str, Any], bytes]:
    """The JSON and the binary part of a file; the same input gives the same bytes."""
    return assemble(skeleton, character, motions, bones).finish()


def assemble(
    skeleton: Skeleton, character: Character | None, motions: tuple[Motion, ...], bones: bool = True
) -> Assembly:
    """A whole file, to which more can still be added."""
    file = Assembly()
    file.skeleton(skeleton)
    if character is not None:
        file.materials(character)
        for mesh in character.meshes:
            file.mesh(mesh)
    if bones and (character is None or not character.meshes):
        file.mesh(bone_mesh(skeleton), {"kinema": {"bones": True}})
    if not file.skins:
        file.skin(bone_mesh(skeleton).inverse_bind)
    for number, motion in enumerate(motions):
        file.animation(motion, number, character)
    return file


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
