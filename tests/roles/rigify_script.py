"""Run by Blender: the bones of every metarig of the Rigify add-on, as JSON.

    blender -b --factory-startup --python rigify_script.py -- OUT.json

The bones are Rigify's and are written where they are asked for; none of them is kept in this repository.
"""

import json
import sys

import addon_utils
import bpy

METARIGS = ("human", "basic_human", "cat", "wolf", "horse", "shark", "bird", "basic_quadruped")


def bones(name: str) -> list[dict[str, object]]:
    """Name, parent, head, tail and rotation (3 x 3) of each bone in the axes of the armature, parents first."""
    getattr(bpy.ops.object, f"armature_{name}_metarig_add")()
    return [
        {
            "name": bone.name,
            "parent": bone.parent.name if bone.parent else "",
            "head": list(bone.head_local),
            "tail": list(bone.tail_local),
            "rotation": [list(row) for row in bone.matrix_local.to_3x3()],
        }
        for bone in bpy.context.object.data.bones
    ]


if __name__ == "__main__":
    addon_utils.enable("rigify", default_set=True)
    with open(sys.argv[sys.argv.index("--") + 1], "w", encoding="utf-8") as file:
        json.dump({name: bones(name) for name in METARIGS}, file)
