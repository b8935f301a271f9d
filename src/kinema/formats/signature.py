"""What a file is by its first bytes, for the message when it could not be read as what its name says.

Readers are chosen by the suffix alone.
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
_UNSUPPORTED = (
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
"""First bytes of a file that are examined."""
_SAME = {
    ".vrm": (".glb",),
    ".vrma": (".glb",),
    ".gltf": (".gltf", ".glb"),
    ".usd": (".usda", ".usdc", ".usdz"),
    ".xml": (".mjcf",),
}


def mistaken(beginning: bytes, suffix: str) -> str | None:
    """What a file is by its first bytes, if its suffix says something else; None if not or if nothing is known.

    Args:
        beginning: its first bytes, up to `LOOKED_AT`.
        suffix: that of its name, such as ".bvh", in lower case; may be empty.
    """
    for pattern, kind in _UNSUPPORTED:
        if re.match(pattern, beginning, re.IGNORECASE):
            return kind
    for pattern, kind, right in _BEGINNINGS:
        if re.match(pattern, beginning, re.DOTALL):
            return None if right in _SAME.get(suffix, (suffix,)) else f"{kind}; name it {right}"
    return None
