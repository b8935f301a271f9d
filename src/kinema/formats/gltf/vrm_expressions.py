"""Expressions, gaze and first-person notes of VRM files, by the names of VRM 1.0."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from kinema.avatar import PRESETS, ColorBind, Expression, Gaze, MorphBind, Override, TextureBind
from kinema.character import Mesh
from kinema.formats.gltf.document import GltfDocument, Item
from kinema.formats.gltf.vrm_springs import old_vector

_OLD_NAMES = {
    "neutral": "neutral", "a": "aa", "i": "ih", "u": "ou", "e": "ee", "o": "oh", "blink": "blink", "joy": "happy",
    "angry": "angry", "sorrow": "sad", "fun": "relaxed", "lookup": "lookUp", "lookdown": "lookDown",
    "lookleft": "lookLeft", "lookright": "lookRight", "blink_l": "blinkLeft", "blink_r": "blinkRight",
}  # fmt: skip
_COLORS = ("color", "emissionColor", "shadeColor", "rimColor", "outlineColor")
_OLD_COLORS = {f"_{name[0].upper()}{name[1:]}": name for name in _COLORS}
_RANGES = {"inner": "HorizontalInner", "outer": "HorizontalOuter", "down": "VerticalDown", "up": "VerticalUp"}
_FIRST_PERSON = ("auto", "both", "firstPersonOnly", "thirdPersonOnly")
_OVERRIDES: dict[str, Override] = {"block": "block", "blend": "blend"}
_OVERRIDE_KEYS = {
    "override_blink": "overrideBlink",
    "override_gaze": "overrideLookAt",
    "override_mouth": "overrideMouth",
}

MAX_BINDS = 1_000_000
"""A mesh may be used by many nodes, and each bind of it then counts as often; more than this are refused."""


class MeshIndex:
    """The meshes of a character by the nodes and the meshes of the file that they are made of."""

    def __init__(self, document: GltfDocument, meshes: Sequence[Mesh], nodes: Sequence[int]) -> None:
        self.meshes, self._handed = meshes, 0
        self._of_node: dict[int, list[int]] = {}
        self._of_mesh: dict[int, list[int]] = {}
        for number, node in enumerate(nodes):
            self._of_node.setdefault(node, []).append(number)
        for node, found in sorted(self._of_node.items()):
            mesh = int(document.all("nodes")[node].values["mesh"])
            self._of_mesh.setdefault(mesh, []).extend(found)

    def of_node(self, item: Item) -> list[int]:
        """The meshes at the `node` that an item names."""
        return self._counted(self._of_node, item.index("node", "nodes"), item)

    def of_mesh(self, item: Item) -> list[int]:
        """The meshes made of the `mesh` that an item names, wherever it is used."""
        return self._counted(self._of_mesh, item.index("mesh", "meshes"), item)

    def _counted(self, table: dict[int, list[int]], key: int | None, item: Item) -> list[int]:
        found = [] if key is None else table.get(key, [])
        self._handed += len(found)
        item.require(self._handed <= MAX_BINDS, f"binds more than {MAX_BINDS} meshes")
        return found


def read_expressions(owner: Item, meshes: MeshIndex) -> tuple[Expression, ...]:
    """The expressions of VRMC_vrm."""
    listed = owner.object("expressions")
    found: dict[str, Expression] = {}
    for group in ("preset", "custom"):
        entries = listed.object(group)
        for name in entries.values:
            item = entries.object(name)
            if group == "preset" and name not in PRESETS:
                item.warn("is not a preset of VRM; it was read as a custom expression")
            if name in found:
                item.warn("occurs twice; the first was kept")
                continue
            found[name] = _expression(item, name, meshes)
    return tuple(found.values())


def read_old_expressions(owner: Item, meshes: MeshIndex) -> tuple[Expression, ...]:
    """The blendShapeMaster of VRM 0."""
    materials = {item.get("name"): number for number, item in enumerate(owner.document.all("materials"))}
    found: dict[str, Expression] = {}
    for number, item in enumerate(owner.object("blendShapeMaster").objects("blendShapeGroups")):
        own = item.text("name") or f"expression_{number}"
        name = _OLD_NAMES.get(item.text("presetName", "unknown").lower(), own)
        name = own if name in found else name
        if name in found:
            item.warn(f"is called {name[:40]!r} like another; the first was kept")
            continue
        morphs: list[MorphBind] = []
        for bind in item.objects("binds"):
            morphs += _morph_binds(bind, meshes, meshes.of_mesh(bind), bind.number("weight", 100.0) / 100)
        colors, textures = _old_material_binds(item, materials)
        found[name] = Expression(name, tuple(morphs), colors, textures, item.get("isBinary") is True)
    return tuple(found.values())


def read_gaze(owner: Item, old: bool) -> Gaze | None:
    """How the eyes of an avatar follow a target; `old` is VRM 0."""
    if ("firstPerson" if old else "lookAt") not in owner:
        return None
    if old:
        item = owner.object("firstPerson")
        bone = item.text("lookAtTypeName", "Bone") != "BlendShape"
        x, y, z = old_vector(item, "firstPersonBoneOffset")
        offset, prefix, limit, output = (x, y, -z), "lookAt", "xRange", "yRange"
    else:
        item = owner.object("lookAt")
        bone = item.text("type", "bone") != "expression"
        x, y, z = item.numbers("offsetFromHeadBone", 3, (0, 0, 0))
        offset, prefix, limit, output = (x, y, z), "rangeMap", "inputMaxValue", "outputScale"
    ranges = {}
    for name, key in _RANGES.items():
        entry = item.object(f"{prefix}{key}")
        most, reached = entry.number(limit, 90.0), entry.number(output, 10.0 if bone else 1.0)
        ranges[name] = float(np.radians(most)), float(np.radians(reached)) if bone else reached
    return Gaze("bone" if bone else "expression", offset, **ranges)


def read_first_person(owner: Item, meshes: MeshIndex, old: bool) -> dict[int, str]:
    """For each mesh that states it, in which views it is visible."""
    found: dict[int, str] = {}
    for note in owner.object("firstPerson").objects("meshAnnotations"):
        flag = note.text("firstPersonFlag" if old else "type", "auto")
        seen = next((kind for kind in _FIRST_PERSON if kind.lower() == flag.lower()), "auto")
        if not old:
            found.update(dict.fromkeys(meshes.of_node(note), seen))
        elif note.get("mesh") != -1:
            found.update(dict.fromkeys(meshes.of_mesh(note), seen))
    return found


def _expression(item: Item, name: str, meshes: MeshIndex) -> Expression:
    morphs: list[MorphBind] = []
    for bind in item.objects("morphTargetBinds"):
        morphs += _morph_binds(bind, meshes, meshes.of_node(bind), bind.number("weight", 1.0))
    colors = []
    for bind in item.objects("materialColorBinds"):
        material, (r, g, b, a) = bind.index("material", "materials"), bind.numbers("targetValue", 4, (1, 1, 1, 1))
        if material is not None:
            colors.append(ColorBind(material, bind.text("type", "color"), (r, g, b, a)))
    textures = []
    for bind in item.objects("textureTransformBinds"):
        material, (sx, sy) = bind.index("material", "materials"), bind.numbers("scale", 2, (1, 1))
        ox, oy = bind.numbers("offset", 2, (0, 0))
        if material is not None:
            textures.append(TextureBind(material, (sx, sy), (ox, oy)))
    overrides: dict[str, Override] = {
        field: _OVERRIDES.get(item.text(key, "none"), "none") for field, key in _OVERRIDE_KEYS.items()
    }
    return Expression(name, tuple(morphs), tuple(colors), tuple(textures), item.get("isBinary") is True, **overrides)


def _old_material_binds(item: Item, materials: dict[Any, int]) -> tuple[tuple[ColorBind, ...], tuple[TextureBind, ...]]:
    """What an expression of VRM 0 does to materials, which it names; `materials` are indices by name."""
    colors, textures = [], []
    for bind in item.objects("materialValues"):
        name, key, values = bind.get("materialName"), bind.text("propertyName"), bind.get("targetValue")
        material = materials.get(name) if isinstance(name, str) else None
        values = bind.numbers("targetValue", len(values) if isinstance(values, list) else 4)
        if material is not None and key in _OLD_COLORS and len(values) in (3, 4):
            r, g, b, a = [*values, 1.0][:4]
            colors.append(ColorBind(material, _OLD_COLORS[key], (r, g, b, a)))
        elif material is not None and key == "_MainTex_ST" and len(values) == 4:
            textures.append(TextureBind(material, (values[0], values[1]), (values[2], values[3])))
        else:
            bind.warn("changes an unknown property; left out")
    return tuple(colors), tuple(textures)


def _morph_binds(bind: Item, meshes: MeshIndex, chosen: list[int], weight: float) -> list[MorphBind]:
    index = bind.integer("index")
    for mesh in chosen:
        count = len(meshes.meshes[mesh].morphs)
        bind.require(index < count, f"binds morph target {index}, the mesh has {count}")
    if not chosen:
        bind.warn("binds a mesh that the scene does not use; left out")
    return [MorphBind(mesh, index, weight) for mesh in chosen]
