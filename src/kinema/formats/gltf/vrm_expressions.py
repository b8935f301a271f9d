"""Expressions, gaze and first-person notes of VRM files, by the names of VRM 1.0."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from kinema.avatar import (
    PRESETS,
    ColorBind,
    Expression,
    Gaze,
    MorphBind,
    Override,
    TextureBind,
)
from kinema.character import Mesh
from kinema.formats.gltf.document import Document
from kinema.formats.gltf.vrm_springs import old_vector

_OLD_NAMES = {
    "neutral": "neutral", "a": "aa", "i": "ih", "u": "ou", "e": "ee", "o": "oh", "blink": "blink", "joy": "happy",
    "angry": "angry", "sorrow": "sad", "fun": "relaxed", "lookup": "lookUp", "lookdown": "lookDown",
    "lookleft": "lookLeft", "lookright": "lookRight", "blink_l": "blinkLeft", "blink_r": "blinkRight",
}  # fmt: skip
_OLD_COLORS = {
    "_Color": "color",
    "_EmissionColor": "emissionColor",
    "_ShadeColor": "shadeColor",
    "_RimColor": "rimColor",
    "_OutlineColor": "outlineColor",
}
_RANGES = (("inner", "HorizontalInner"), ("outer", "HorizontalOuter"), ("down", "VerticalDown"), ("up", "VerticalUp"))
_SEEN = ("auto", "both", "firstPersonOnly", "thirdPersonOnly")


MAX_BINDS = 1_000_000
"""A mesh may be used by many nodes, and each bind of it then counts as often; more than this are refused."""


class Placed:
    """The meshes of a character, and which nodes of the file they are of."""

    def __init__(self, document: Document, meshes: Sequence[Mesh], nodes: Sequence[int]) -> None:
        self.meshes, self._document, self._handed = meshes, document, 0
        self._at: dict[int, list[int]] = {}
        for number, node in enumerate(nodes):
            self._at.setdefault(node, []).append(number)
        self._using: dict[int, list[int]] = {}
        for node, item in enumerate(document.all("nodes")):
            if node in self._at:
                self._using.setdefault(int(item["mesh"]), []).extend(self._at[node])

    def at(self, node: int | None, where: str) -> list[int]:
        """The meshes of a node."""
        return self._counted([] if node is None else self._at.get(node, []), where)

    def using(self, mesh: int | None, where: str) -> list[int]:
        """The meshes that stand for a mesh of the file, wherever it is used."""
        return self._counted([] if mesh is None else self._using.get(mesh, []), where)

    def _counted(self, found: list[int], where: str) -> list[int]:
        self._handed += len(found)
        if self._handed > MAX_BINDS:
            raise self._document.error(f"binds more than {MAX_BINDS} meshes", where)
        return found


def read_expressions(document: Document, owner: dict[str, Any], where: str, placed: Placed) -> tuple[Expression, ...]:
    """The expressions of VRMC_vrm."""
    listed = document.object(owner, "expressions", where)
    found: dict[str, Expression] = {}
    for group in ("preset", "custom"):
        entries = document.object(listed, group, f"{where}.expressions")
        for name in entries:
            place = f"{where}.expressions.{group}.{name[:40]}"
            if group == "preset" and name not in PRESETS:
                document.warn(f"{place} is no preset of VRM; it was taken for the avatar's own")
            if name in found:
                document.warn(f"{place} stands twice; the first was kept")
                continue
            found[name] = _expression(document, document.object(entries, name, place), name, place, placed)
    return tuple(found.values())


def read_old_expressions(
    document: Document, owner: dict[str, Any], where: str, placed: Placed
) -> tuple[Expression, ...]:
    """The blendShapeMaster of VRM 0."""
    master = document.object(owner, "blendShapeMaster", where)
    materials = {item.get("name"): number for number, item in enumerate(document.all("materials"))}
    found: dict[str, Expression] = {}
    for number, item in enumerate(document.objects(master, "blendShapeGroups", f"{where}.blendShapeMaster")):
        place = f"{where}.blendShapeMaster.blendShapeGroups[{number}]"
        own = document.text(item, "name", place) or f"expression_{number}"
        name = _OLD_NAMES.get(document.text(item, "presetName", place, "unknown").lower(), own)
        name = own if name in found else name
        if name in found:
            document.warn(f"{place} is called {name[:40]!r} like another; the first was kept")
            continue
        morphs: list[MorphBind] = []
        for at, bind in enumerate(document.objects(item, "binds", place)):
            spot = f"{place}.binds[{at}]"
            mesh = document.index(bind, "mesh", "meshes", spot)
            weight = document.number(bind, "weight", spot, 100.0) / 100
            morphs += _bind(document, placed, placed.using(mesh, spot), bind, weight, spot)
        colors, textures = [], []
        for at, bind in enumerate(document.objects(item, "materialValues", place)):
            spot = f"{place}.materialValues[{at}]"
            name_of, prop = bind.get("materialName"), document.text(bind, "propertyName", spot)
            material = materials.get(name_of) if isinstance(name_of, str) else None
            values = bind.get("targetValue")
            values = document.numbers(bind, "targetValue", spot, [], len(values) if isinstance(values, list) else 4)
            if material is not None and prop in _OLD_COLORS and len(values) in (3, 4):
                r, g, b, a = [*values, 1.0][:4]
                colors.append(ColorBind(material, _OLD_COLORS[prop], (r, g, b, a)))
            elif material is not None and prop == "_MainTex_ST" and len(values) == 4:
                textures.append(TextureBind(material, (values[0], values[1]), (values[2], values[3])))
            else:
                document.warn(f"{spot} changes a property that is not known; left out")
        binary = item.get("isBinary") is True
        found[name] = Expression(name, tuple(morphs), tuple(colors), tuple(textures), binary)
    return tuple(found.values())


def read_gaze(document: Document, owner: dict[str, Any], where: str) -> Gaze | None:
    """How the eyes of a VRM 1.0 avatar follow a target."""
    if "lookAt" not in owner:
        return None
    item, place = document.object(owner, "lookAt", where), f"{where}.lookAt"
    bone = document.text(item, "type", place, "bone") != "expression"
    x, y, z = document.numbers(item, "offsetFromHeadBone", place, [0, 0, 0], 3)
    ranges = {}
    for name, key in _RANGES:
        entry = document.object(item, f"rangeMap{key}", place)
        most = document.number(entry, "inputMaxValue", place, 90.0)
        ranges[name] = _range(most, document.number(entry, "outputScale", place, 10.0 if bone else 1.0), bone)
    return Gaze("bone" if bone else "expression", (x, y, z), **ranges)


def read_old_gaze(document: Document, owner: dict[str, Any], where: str) -> Gaze | None:
    """The same of a VRM 0 avatar."""
    if "firstPerson" not in owner:
        return None
    item, place = document.object(owner, "firstPerson", where), f"{where}.firstPerson"
    bone = document.text(item, "lookAtTypeName", place, "Bone") != "BlendShape"
    x, y, z = old_vector(document, item, "firstPersonBoneOffset", place)
    ranges = {}
    for name, key in _RANGES:
        entry = document.object(item, f"lookAt{key}", place)
        most = document.number(entry, "xRange", place, 90.0)
        ranges[name] = _range(most, document.number(entry, "yRange", place, 10.0 if bone else 1.0), bone)
    return Gaze("bone" if bone else "expression", (x, y, -z), **ranges)


def read_first_person(
    document: Document, owner: dict[str, Any], where: str, placed: Placed, old: bool
) -> dict[int, str]:
    """When each mesh that says so is seen."""
    item, place = document.object(owner, "firstPerson", where), f"{where}.firstPerson"
    found: dict[int, str] = {}
    for number, note in enumerate(document.objects(item, "meshAnnotations", place)):
        spot = f"{place}.meshAnnotations[{number}]"
        flag = document.text(note, "firstPersonFlag" if old else "type", spot, "auto")
        seen = next((kind for kind in _SEEN if kind.lower() == flag.lower()), "auto")
        if old:
            mesh = document.index(note, "mesh", "meshes", spot) if note.get("mesh") != -1 else None
            meshes = placed.using(mesh, spot)
        else:
            meshes = placed.at(document.index(note, "node", "nodes", spot), spot)
        found.update(dict.fromkeys(meshes, seen))
    return found


def _expression(document: Document, item: dict[str, Any], name: str, where: str, placed: Placed) -> Expression:
    morphs: list[MorphBind] = []
    for number, bind in enumerate(document.objects(item, "morphTargetBinds", where)):
        place = f"{where}.morphTargetBinds[{number}]"
        meshes = placed.at(document.index(bind, "node", "nodes", place), place)
        morphs += _bind(document, placed, meshes, bind, document.number(bind, "weight", place, 1.0), place)
    colors = []
    for number, bind in enumerate(document.objects(item, "materialColorBinds", where)):
        place = f"{where}.materialColorBinds[{number}]"
        material = document.index(bind, "material", "materials", place)
        r, g, b, a = document.numbers(bind, "targetValue", place, [1, 1, 1, 1], 4)
        if material is not None:
            colors.append(ColorBind(material, document.text(bind, "type", place, "color"), (r, g, b, a)))
    textures = []
    for number, bind in enumerate(document.objects(item, "textureTransformBinds", where)):
        place = f"{where}.textureTransformBinds[{number}]"
        material = document.index(bind, "material", "materials", place)
        sx, sy = document.numbers(bind, "scale", place, [1, 1], 2)
        ox, oy = document.numbers(bind, "offset", place, [0, 0], 2)
        if material is not None:
            textures.append(TextureBind(material, (sx, sy), (ox, oy)))
    overrides: dict[str, Override] = {}
    for field, key in (("blink", "overrideBlink"), ("gaze", "overrideLookAt"), ("mouth", "overrideMouth")):
        how = document.text(item, key, where, "none")
        overrides[f"override_{field}"] = "block" if how == "block" else "blend" if how == "blend" else "none"
    return Expression(name, tuple(morphs), tuple(colors), tuple(textures), item.get("isBinary") is True, **overrides)


def _bind(
    document: Document, placed: Placed, meshes: list[int], bind: dict[str, Any], weight: float, where: str
) -> list[MorphBind]:
    index = document.integer(bind, "index", where)
    for mesh in meshes:
        count = len(placed.meshes[mesh].morphs)
        if index >= count:
            raise document.error(f"binds morph target {index}, the mesh has {count}", where)
    if not meshes:
        document.warn(f"{where} binds a mesh that the scene does not use; left out")
    return [MorphBind(mesh, index, weight) for mesh in meshes]


def _range(most: float, output: float, bone: bool) -> tuple[float, float]:
    return float(np.radians(most)), float(np.radians(output)) if bone else output
