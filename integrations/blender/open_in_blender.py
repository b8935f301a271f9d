"""Opens files that Kinema wrote in Blender: the scene gets the clip's rate and length, and the timeline starts at 0.

    blender --python open_in_blender.py -- walk.glb
    blender -b --python open_in_blender.py -- walk.glb save walk.blend

Blender counts glTF keys in seconds times the scene's rate: a clip of 60 frames per second, imported into a scene of 24,
has its keys between frames. So the rate, which Kinema leaves in the file, is set first.
"""

import json
import struct
import sys
from pathlib import Path

import bpy  # pyright: ignore[reportMissingImports]
import numpy

if not hasattr(numpy, "bool"):
    numpy.bool = bool  # the glTF importer of Blender 3.4 asks for it, and NumPy 1.24 and later have it no more


def rate(path: Path) -> float:
    """Frames per second of the first clip of a .glb; 30 where it does not say."""
    data = path.read_bytes()
    document = json.loads(data[20 : 20 + struct.unpack_from("<I", data, 12)[0]])
    notes = [clip.get("extras", {}).get("kinema", {}) for clip in document.get("animations", [])]
    return next((note["fps"] for note in notes if "fps" in note), 30.0)


def read(path: Path) -> None:
    """Imports a .glb, .gltf or .fbx into an empty scene."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    scene = bpy.context.scene
    if path.suffix in (".glb", ".gltf"):
        fps = rate(path) if path.suffix == ".glb" else 30.0
        scene.render.fps = max(round(fps), 1)
        scene.render.fps_base = scene.render.fps / fps
        bpy.ops.import_scene.gltf(filepath=str(path), bone_heuristic="TEMPERANCE")
    else:
        bpy.ops.import_scene.fbx(filepath=str(path), ignore_leaf_bones=True)
    ends = [action.frame_range[1] for action in bpy.data.actions]
    scene.frame_start, scene.frame_end = 0, max(round(max(ends, default=0)), 1)
    scene.frame_set(0)


def main() -> None:
    given = sys.argv[sys.argv.index("--") + 1 :]
    read(Path(given[0]).resolve())
    if "save" in given:
        bpy.ops.wm.save_as_mainfile(filepath=str(Path(given[given.index("save") + 1]).resolve()))


main()
