"""Small VRM files: one body of fifteen bones, dressed as VRM 0 and as VRM 1.0 say it."""

from __future__ import annotations

from typing import Any

import numpy as np

REQUIRED = {
    "hips": (None, (0, 1, 0)), "spine": ("hips", (0, 0.2, 0)), "head": ("spine", (0, 0.4, 0)),
    **{
        f"{side}{bone}": (parent and parent.replace("*", side), (sign * x, y, 0))
        for side, sign in (("left", 1), ("right", -1))
        for bone, parent, x, y in (
            ("UpperLeg", "hips", 0.1, 0), ("LowerLeg", "*UpperLeg", 0, -0.45), ("Foot", "*LowerLeg", 0, -0.45),
            ("UpperArm", "spine", 0.2, 0.3), ("LowerArm", "*UpperArm", 0.25, 0), ("Hand", "*LowerArm", 0.25, 0),
        )
    },
}  # fmt: skip
HAIR = 15  # node: three joints from here on hang from the head
FACE = 18  # node of the mesh


def body(gltf_file: Any, turned: bool = False) -> Any:
    """Nodes of the fifteen bones, hair and a face with two morph targets. `turned`: it faces -Z, as VRM 0 does."""
    names = list(REQUIRED)
    sign = np.array([-1, 1, -1]) if turned else np.ones(3)
    nodes: list[dict[str, Any]] = [
        {"name": f"J_{name}", "translation": (sign * place).tolist()} for name, (_, place) in REQUIRED.items()
    ]
    for name, (parent, _) in REQUIRED.items():
        if parent is not None:
            nodes[names.index(parent)].setdefault("children", []).append(names.index(name))
    head = nodes[names.index("head")]
    head["children"] = [HAIR, FACE]
    nodes += [{"name": f"hair_{i}", "translation": (sign * [0, 0.1, -0.1]).tolist()} for i in range(3)]
    nodes[HAIR]["children"], nodes[HAIR + 1]["children"] = [HAIR + 1], [HAIR + 2]
    file = gltf_file(nodes=[*nodes, {"name": "face", "mesh": 0}], scenes=[{"nodes": [0]}], scene=0)
    primitive = {**file.triangle(), "material": 0}
    primitive["targets"] = [{"POSITION": file.accessor(np.full((3, 3), size), "VEC3")} for size in (0.1, 0.2)]
    file.root["meshes"] = [{"primitives": [primitive], "extras": {"targetNames": ["smile", "wink"]}}]
    file.root["materials"] = [{"name": "skin"}]
    return file


def vrm_1(gltf_file: Any, **extra: Any) -> Any:
    """A VRM 1.0 file; `extra` are further properties of VRMC_vrm."""
    file = body(gltf_file)
    bones = {name: {"node": number} for number, name in enumerate(REQUIRED)}
    meta = {
        "name": "Ada",
        "authors": ["A", "B"],
        "licenseUrl": "https://vrm.dev/licenses/1.0/",
        "modification": "x",
        "allowRedistribution": True,
        "version": "2",
    }
    file.root["extensions"] = {
        "VRMC_vrm": {"specVersion": "1.0", "humanoid": {"humanBones": bones}, "meta": meta, **extra}
    }
    return file


def vrm_0(gltf_file: Any, **extra: Any) -> Any:
    """A VRM 0 file; `extra` are further properties of VRM."""
    file = body(gltf_file, turned=True)
    bones = [{"bone": name, "node": number} for number, name in enumerate(REQUIRED)]
    meta = {"title": "Eva", "author": "C", "licenseName": "CC0", "texture": -1, "allowedUserName": "Everyone"}
    file.root["extensions"] = {"VRM": {"humanoid": {"humanBones": bones}, "meta": meta, **extra}}
    return file
