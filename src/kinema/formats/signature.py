"""What a file is by its first bytes, to say so where its name says otherwise and reading it failed.

Nothing is read by what it looks like: a file is taken for what its suffix says, and this only finds words for the
error.
"""

from __future__ import annotations

import re

_BEGINNINGS = (
    (rb"glTF", "a GLB file", ".glb"),
    (rb"Kaydara FBX Binary", "an FBX file", ".fbx"),
    (rb"\s*; ?FBX \d", "an FBX file", ".fbx"),
    (rb"PXR-USDC", "a USD file", ".usdc"),
    (rb"#usda \d", "a USD file", ".usda"),
    (rb"\s*HIERARCHY\s", "a BVH file", ".bvh"),
    (rb"\s*#\s*AST/ASF", "an ASF skeleton", ".asf"),
    (rb"PK\x03\x04.{26}[^/]*\.usd[ac]?", "a USD package", ".usdz"),
    (rb"PK\x03\x04.{26}[^/]*\.npy", "an NPZ file", ".npz"),
    (rb"PK\x03\x04", "a zip archive", ".zip"),
    (rb'\s*\{[^\0]*?"asset"\s*:\s*\{', "a glTF file", ".gltf"),
    (rb"(?:[^<]|<[?!])*<robot\b", "a URDF file", ".urdf"),
    (rb"(?:[^<]|<[?!])*<mujoco\b", "an MJCF file", ".mjcf"),
)  # fmt: skip
_STRANGERS = (
    (rb"version https://git-lfs", "only a pointer to a file in Git LFS; `git lfs pull` fetches the file itself"),
    (rb"\s*<(?:!doctype html|html|head)\b", "a web page, so the download went wrong"),
    (rb"BLENDER", "a Blender file; export it as .glb from there"),
    (rb"(?:[^<]|<[?!])*<COLLADA\b", "a Collada file (.dae); convert it to .glb with Blender before"),
    (rb"\x93NUMPY", "a NumPy array (.npy), which does not say what its numbers are"),
    (rb"\x89HDF", "an HDF5 file"),
    (rb"ply\r?\n", "a PLY file, which holds no joints"),
    (rb"\x1f\x8b", "packed with gzip; unpack it before"),
    (rb"7z\xbc\xaf|Rar!", "an archive; unpack it before, or pack it as .zip"),
)
LOOKED_AT = 4096
"""Bytes from the beginning of a file that tell what it is."""
_SAME = {".vrm": ".glb", ".vrma": ".glb", ".usd": ".usdc", ".xml": ".mjcf"}


def mistaken(beginning: bytes, suffix: str) -> str | None:
    """What a file is by its first bytes, where that is not what its suffix says; None where it is or nothing is known.

    Args:
        beginning: its first bytes, up to `LOOKED_AT`.
        suffix: that of its name, such as ".bvh", in lower case; may be empty.
    """
    for pattern, said in _STRANGERS:
        if re.match(pattern, beginning, re.IGNORECASE):
            return said
    for pattern, said, right in _BEGINNINGS:
        if re.match(pattern, beginning, re.DOTALL):
            usd = suffix == ".usd" and right in (".usda", ".usdc", ".usdz")
            gltf = suffix == ".gltf" and right == ".glb"
            same = right in (suffix, _SAME.get(suffix)) or usd or gltf
            return None if same else f"{said}; name it {right}"
    return None
