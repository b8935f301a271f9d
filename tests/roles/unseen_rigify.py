"""Rigify's metarigs with labels: people and animals as Blender's add-on has them.

Half of them stand as Blender writes them to glTF: Y up, facing +Z, joints without ends. The others stand as it writes
them to BVH: Z up, facing -Y, with ends.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import tomllib
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import numpy as np

from kinema import Skeleton, rotations

from .unseen_rigs import Rig, plans

SCRIPT = Path(__file__).with_name("rigify_script.py")
LABELS = Path(__file__).with_name("rigify_labels.toml")
AS_BVH = frozenset({"basic_human", "cat", "horse", "shark"})
TO_GLTF = rotations.from_axis_angle(np.array([1.0, 0.0, 0.0]), np.array(-np.pi / 2))


def blender() -> str | None:
    """The path of Blender, if there is one."""
    return shutil.which(os.environ.get("KINEMA_BLENDER", "blender"))


def metarigs(folder: Path, seconds: float = 150.0) -> list[Rig]:
    """All metarigs of this Blender.

    Args:
        folder: for the file that Blender writes.
        seconds: limit for Blender.
    """
    program = blender()
    assert program is not None
    out = folder / "metarigs.json"
    command = [program, "-b", "--factory-startup", "--python-exit-code", "1", "--python", str(SCRIPT), "--", str(out)]
    subprocess.run(command, capture_output=True, check=True, timeout=seconds)
    return [rig(name, bones) for name, bones in json.loads(out.read_text(encoding="utf-8")).items()]


def rig(name: str, bones: list[dict[str, Any]]) -> Rig:
    """One metarig, labelled."""
    bvh = name in AS_BVH
    names = [bone["name"] for bone in bones]
    parents = np.array([names.index(bone["parent"]) if bone["parent"] else -1 for bone in bones])
    heads = np.array([bone["head"] for bone in bones])
    tails = np.array([bone["tail"] for bone in bones])
    turns = rotations.from_matrix(np.array([bone["rotation"] for bone in bones]))
    if not bvh:
        heads, tails = (rotations.rotate(TO_GLTF, points) for points in (heads, tails))
        turns = rotations.multiply(TO_GLTF, turns)
    top = (parents < 0)[:, None]
    outer = np.where(top, [1.0, 0.0, 0.0, 0.0], turns[parents])
    ends = sorted(set(range(len(names))) - set(parents.tolist())) if bvh else []
    skeleton = Skeleton.create(
        names,
        parents,
        rotations.inverse_rotate(outer, heads - np.where(top, 0.0, heads[parents])),
        rotations.multiply(rotations.inverse(outer), turns),
        tips=[(end, rotations.inverse_rotate(turns[end], tails[end] - heads[end])) for end in ends],
    )
    patterns, plan = labels(name)
    parts = {bone: next(roles for pattern, roles in patterns if fnmatchcase(bone, pattern)) for bone in names}
    up, forward = ("+Z", "-Y") if bvh else ("+Y", "+Z")
    return Rig(name, "rigify", skeleton, parts, up, forward, plan)


def labels(name: str) -> tuple[list[tuple[str, frozenset[str]]], frozenset[str]]:
    """Patterns of bone names with the roles that are right, most special first, and the right body plans."""
    read = tomllib.loads(LABELS.read_text(encoding="utf-8"))
    table = read[read[name].get("same", name)]
    found = []
    for pattern, text in table["parts"].items():
        found.append((pattern, frozenset(text.split("|"))))
        if "L" in pattern.replace("left", ""):
            mirrored = frozenset(text.replace("left_", "right_").split("|"))
            found.append((pattern.replace(".L", ".R").replace("*L*", "*R*"), mirrored))
    return found, plans(table["plans"])
