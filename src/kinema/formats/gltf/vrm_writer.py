"""VRM 1.0, written: a character as glTF with humanoid bones, expressions, springs, gaze and terms of use."""

from __future__ import annotations

from typing import Any

import numpy as np

from kinema import rotations
from kinema.avatar import PRESETS, Collider, Expression, Gaze, Spring, Vector
from kinema.character import Character
from kinema.errors import FormatError
from kinema.formats.checks import require
from kinema.formats.gltf import vrm_humanoid, vrm_meta
from kinema.formats.gltf.assembly import Assembly, assemble
from kinema.motion import Motion
from kinema.skeleton import Skeleton

VERSION = "1.0"


def build_avatar(skeleton: Skeleton, character: Character | None, motions: tuple[Motion, ...]) -> Assembly:
    """A .vrm file.

    Raises:
        FormatError: there is no character, there are motions, or no humanoid is known.
    """
    require(not motions, "a .vrm holds a character and no motion; write motions as .vrma")
    if character is None:
        raise FormatError(
            "a .vrm needs a character, and there is only a skeleton; `kinema convert --mannequin` gives it a body"
        )
    bones = vrm_humanoid.assign(skeleton)
    file = assemble(skeleton, character, (), bones=False)
    extensions = {"VRMC_vrm": _avatar(file, character, bones)}
    springs = _springs(file, character)
    if springs:
        extensions["VRMC_springBone"] = springs
    file.root["extensions"] = extensions
    file.extensions.update(extensions)
    _add_constraints(file, character)
    for material, entry in zip(character.materials, file.root.get("materials", ()), strict=False):
        if material.shade is not None:
            toon = {"specVersion": VERSION, "shadeColorFactor": list(material.shade)}
            entry.setdefault("extensions", {})["VRMC_materials_mtoon"] = toon
            file.extensions.add("VRMC_materials_mtoon")
    return file


def _avatar(file: Assembly, character: Character, bones: dict[str, int]) -> dict[str, Any]:
    """The main extension."""
    root: dict[str, Any] = {
        "specVersion": VERSION,
        "meta": vrm_meta.written(character.meta, character.name),
        "humanoid": {"humanBones": {name: {"node": joint} for name, joint in bones.items()}},
    }
    notes = [
        {"node": file.mesh_nodes[mesh], "type": seen}
        for mesh, seen in sorted(character.first_person.items())
        if file.mesh_nodes[mesh] is not None
    ]
    if notes:
        root["firstPerson"] = {"meshAnnotations": notes}
    if character.gaze is not None:
        root["lookAt"] = _gaze(character.gaze)
    if character.expressions:
        root["expressions"] = grouped({one.name: _expression(one, file.mesh_nodes) for one in character.expressions})
    return root


def grouped(expressions: dict[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """Expressions by name, presets apart from those of the avatar itself."""
    groups: dict[str, dict[str, Any]] = {}
    for name, entry in expressions.items():
        groups.setdefault("preset" if name in PRESETS else "custom", {})[name] = entry
    return groups


def _gaze(gaze: Gaze) -> dict[str, Any]:
    def reach(limits: tuple[float, float]) -> dict[str, float]:
        most, output = limits
        scale = float(np.degrees(output)) if gaze.kind == "bone" else output
        return {"inputMaxValue": float(np.degrees(most)), "outputScale": scale}

    return {
        "type": gaze.kind,
        "offsetFromHeadBone": list(gaze.offset),
        "rangeMapHorizontalInner": reach(gaze.inner),
        "rangeMapHorizontalOuter": reach(gaze.outer),
        "rangeMapVerticalDown": reach(gaze.down),
        "rangeMapVerticalUp": reach(gaze.up),
    }


def _expression(one: Expression, nodes: list[int | None]) -> dict[str, Any]:
    morphs = [
        {"node": nodes[bind.mesh], "index": bind.morph, "weight": bind.weight}
        for bind in one.morphs
        if nodes[bind.mesh] is not None
    ]
    colors = [{"material": b.material, "type": b.kind, "targetValue": list(b.color)} for b in one.colors]
    textures = [{"material": b.material, "scale": list(b.scale), "offset": list(b.offset)} for b in one.textures]
    binds = {"morphTargetBinds": morphs, "materialColorBinds": colors, "textureTransformBinds": textures}
    return {
        **{key: value for key, value in binds.items() if value},
        "isBinary": one.binary,
        "overrideBlink": one.override_blink,
        "overrideLookAt": one.override_gaze,
        "overrideMouth": one.override_mouth,
    }


def _springs(file: Assembly, character: Character) -> dict[str, Any]:
    parts: dict[str, Any] = {
        "colliders": [_collider(file, collider) for collider in character.colliders],
        "colliderGroups": [
            {"name": group.name, "colliders": list(group.colliders)} for group in character.collider_groups
        ],
        "springs": [_spring(file, character.skeleton, spring) for spring in character.springs],
    }
    parts = {key: value for key, value in parts.items() if value}
    return {"specVersion": VERSION, **parts} if parts else {}


def _collider(file: Assembly, collider: Collider) -> dict[str, Any]:
    shape: dict[str, Any] = {"offset": list(collider.offset), "radius": collider.radius}
    if collider.tail is not None:
        shape["tail"] = list(collider.tail)
    kind = "sphere" if collider.tail is None else "capsule"
    entry: dict[str, Any] = {"node": collider.joint, "shape": {kind: shape}}
    if collider.inside:
        # Readers that do not know the extension must not push springs out of a collider that should contain them.
        entry["shape"] = {kind: {**shape, "radius": 0.0}}
        wider = {"specVersion": VERSION, "shape": {kind: {**shape, "inside": True}}}
        entry["extensions"] = {"VRMC_springBone_extended_collider": wider}
        file.extensions.add("VRMC_springBone_extended_collider")
    return entry


def _spring(file: Assembly, skeleton: Skeleton, spring: Spring) -> dict[str, Any]:
    joints: list[dict[str, Any]] = [
        {
            "node": joint.joint,
            "hitRadius": joint.radius,
            "stiffness": joint.stiffness,
            "gravityPower": joint.gravity,
            "gravityDir": list(joint.gravity_direction),
            "dragForce": joint.drag,
        }
        for joint in spring.joints
    ]
    if spring.tail > 0:
        last = spring.joints[-1].joint
        end = {
            "name": f"{skeleton.names[last]}_spring_end",
            "translation": list(_beyond(skeleton, last, spring.tail)),
            "extras": {"kinema": {"spring_end": True}},
        }
        joints.append({"node": file.add_node(end, last)})
    entry: dict[str, Any] = {"name": spring.name, "joints": joints}
    if spring.groups:
        entry["colliderGroups"] = list(spring.groups)
    if spring.center is not None:
        entry["center"] = spring.center
    return entry


def _beyond(skeleton: Skeleton, joint: int, length: float) -> Vector:
    """The point at a distance beyond a joint, away from its parent, in the joint's frame."""
    direction = rotations.normalize_vector(skeleton.rest_translations[joint].astype(np.float64), (0.0, 1.0, 0.0))
    local = rotations.inverse_rotate(skeleton.rest_rotations[joint].astype(np.float64), direction)
    x, y, z = (length * local).tolist()
    return x, y, z


def _add_constraints(file: Assembly, character: Character) -> None:
    for item in character.constraints:
        rule: dict[str, Any] = {"source": item.source, "weight": item.weight}
        if item.kind != "rotation":
            rule[f"{item.kind}Axis"] = item.axis
        found = file.nodes[item.joint].setdefault("extensions", {})
        found["VRMC_node_constraint"] = {"specVersion": VERSION, "constraint": {item.kind: rule}}
        file.extensions.add("VRMC_node_constraint")
