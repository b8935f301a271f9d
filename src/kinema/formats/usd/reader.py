"""Reads a USD file: what the sandbox extracted becomes skeleton, motions, meshes and materials."""

from __future__ import annotations

from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np

from kinema import unfinished
from kinema.arrays import Singles
from kinema.character import Character, Material, Mesh
from kinema.errors import FormatError
from kinema.formats import Asset
from kinema.formats.checks import require
from kinema.formats.sources import Source
from kinema.formats.usd.files import Files
from kinema.formats.usd.geometry import MeshPlacer
from kinema.formats.usd.materials import read_materials
from kinema.formats.usd.morphs import MorphTable
from kinema.formats.usd.pose import ClipReader
from kinema.formats.usd.rig import UsdRig, build_rig
from kinema.formats.usd.sandbox import ask, check_installed


def read_file(source: Source, fps: float | None) -> Asset:
    """See `kinema.formats.usd.read`."""
    check_installed()
    files = Files(source)
    with unfinished.temporary_folder("kinema-usd-") as folder:
        layer = files.copy_layers(Path(folder))
        scene = ask({"do": "read", "folder": folder, "layer": layer, "fps": fps}, source.path, files.size)
    return _asset(source, files, scene)


def _asset(source: Source, files: Files, scene: dict[str, Any]) -> Asset:
    warnings: list[str] = [str(line) for line in scene["warnings"]]
    rig = build_rig(scene, warnings)
    if rig is None:
        if scene["skeletons"]:
            raise _no_joints(scene, "its skeleton has no joints")
        require(not scene["animations"] + scene["clips"], "holds an animation without the skeleton that it is of")
        return Asset(source.path, "usd", warnings=(*warnings, "holds no skeleton, mesh or animation"))
    table = MorphTable(scene["meshes"])
    if table.between:
        warnings.append(f"{table.between} in-between shapes were made morphs of their own")
    motions = [ClipReader(scene, rig, clip).read(table, source.stem) for clip in scene["clips"]]
    character = _character(source, files, scene, rig, table, warnings)
    if rig.skeletons and not (character or motions or any(skeleton.tokens for skeleton in rig.skeletons)):
        raise _no_joints(scene, "its skeleton has no joints, and there is nothing else")
    return Asset.create(source.path, "usd", rig.skeleton, motions, character, warnings)


def _no_joints(scene: dict[str, Any], message: str) -> FormatError:
    return FormatError(message, node=f"<{scene['skeletons'][0]['path']}>")


def _character(
    source: Source, files: Files, scene: dict[str, Any], rig: UsdRig, table: MorphTable, warnings: list[str]
) -> Character | None:
    poses = ClipReader(scene, rig, scene["clips"][0]).first_worlds() if scene["clips"] else {}
    placer = MeshPlacer(scene, rig, poses, table, warnings)
    made_of = [(item, placer.place(item)) for item in scene["meshes"]]
    meshes = [(mesh, item["double_sided"]) for item, made in made_of for mesh in made]
    subdivided = sum(item["subdivided"] and bool(made) for item, made in made_of)
    if subdivided:
        warnings.append(f"{subdivided} meshes are subdivision surfaces; the cages around them were read")
    if not meshes:
        return None
    materials, textures = read_materials(scene, files, warnings)
    multiplied = {item["name"] for item in scene["meshes"] if item["multiply"]}
    final, used = _with_final_materials(meshes, materials, multiplied)
    return Character(source.stem, rig.skeleton, final, used, tuple(textures))


def _with_final_materials(
    meshes: list[tuple[Mesh, bool]], materials: list[Material], multiplied: set[str]
) -> tuple[tuple[Mesh, ...], tuple[Material, ...]]:
    """Meshes and the materials they use: in USD, meshes are double-sided and may have a colour without a material.

    Materials are in file order; a double-sided one follows the one it was made from.

    Args:
        multiplied: names of meshes whose colours multiply those of their material.
    """
    further = count(len(materials))
    places: dict[Any, tuple[int, int]] = {}
    found: dict[Any, Material] = {}
    keys = []
    final = []
    for mesh, both in meshes:
        key, material, colors = _surface(mesh, both, materials, multiplied)
        keys.append(key)
        final.append(replace(mesh, colors=colors))
        if material is not None and key not in found:
            number = mesh.material if mesh.material is not None and not both else next(further)
            found[key], places[key] = material, (number if mesh.material is None else mesh.material, number)
    used = sorted(found, key=places.__getitem__)
    index = {key: number for number, key in enumerate(used)}
    final = [replace(mesh, material=index.get(key)) for mesh, key in zip(final, keys, strict=True)]
    return tuple(final), tuple(found[key] for key in used)


def _surface(
    mesh: Mesh, both: bool, materials: list[Material], multiplied: set[str]
) -> tuple[Any, Material | None, Singles | None]:
    """The material of a mesh with a key that equal ones share, and its colours."""
    colors = mesh.colors
    if mesh.material is not None:
        material = replace(materials[mesh.material], double_sided=both)
        # USD shows displayColor only where there is no material.
        return (mesh.material, both), material, colors if mesh.name in multiplied else None
    if colors is not None and (colors == colors[0]).all():
        red, green, blue, alpha = np.clip(colors[0], 0, 1).tolist()
        tint = (red, green, blue, alpha)
        return (tint, both), Material("", tint, 0.0, 0.5, double_sided=both), None
    if both:
        return (None, both), Material(metallic=0.0, roughness=0.5, double_sided=True), colors
    return None, None, colors
