"""glTF 2.0 (.glb, .gltf) and the VRM formats made of it (.vrm, .vrma), read and written without a library.

A file is read correctly or refused with the place that is wrong. glTF already has our axes and units: right-handed,
Y up, +Z forward, metres; only VRM 0 faces the other way. `scene` decides which nodes become joints, `animation`
handles frame rates.
"""

from __future__ import annotations

import os

from kinema.character import Character
from kinema.formats import Asset
from kinema.formats.gltf.reader import read
from kinema.motion import Motion

__all__ = ["read", "write"]


def write(thing: Motion | Character | Asset, path: str | os.PathLike[str], *, bones: bool = True) -> None:
    """Writes a motion, a character, or both (an `Asset`) as .glb, or as .gltf with everything embedded.

    A character alone can be a .vrm (version 1.0), and one motion a .vrma, where the joints are known to be a humanoid:
    by the skeleton's hints, or by its roles.

    Args:
        thing: an asset's motions all move its skeleton.
        bones: give a file without meshes a small mesh of bones, so that every viewer shows something.

    Raises:
        FormatError: another suffix, nothing that the format can hold, or motions of different skeletons.
        WriteError: the file system refused.
    """
    from kinema.formats.gltf.writer import write_file

    write_file(thing, path, bones=bones)
