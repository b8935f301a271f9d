"""Reads a USD file: what the sandbox extracted becomes skeleton, motions, meshes and materials."""

from __future__ import annotations

import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from kinema.character import Character, Material, Mesh
from kinema.errors import FormatError, SkeletonError
from kinema.formats import Asset
from kinema.formats.sources import Source
from kinema.formats.usd.files import Files
from kinema.formats.usd.geometry import place_mesh
from kinema.formats.usd.materials import read_materials
from kinema.formats.usd.morphs import MorphTable
from kinema.formats.usd.pose import first_worlds, read_motion
from kinema.formats.usd.rig import Rig, build_rig
from kinema.formats.usd.sandbox import ask, check_installed


def read_file(source: Source, fps: float | None) -> Asset:
    """See `kinema.formats.usd.read`."""
    check_installed()
    files = Files(source)
    with tempfile.TemporaryDirectory(prefix="kinema-usd-", ignore_cleanup_errors=True) as folder:
        layer = files.copy_layers(Path(folder))
        scene = ask({"do": "read", "folder": folder, "layer": layer, "fps": fps}, source.path, files.size)
    try:
        return _asset(source, files, scene)
    except FormatError as error:
        if error.path is not None:
            raise
        raise FormatError(error.message, path=source.path, node=error.node) from None
    except SkeletonError as error:
        raise FormatError(str(error), path=source.path) from None


def _asset(source: Source, files: Files, scene: dict[str, Any]) -> Asset:
    warnings: list[str] = [str(line) for line in scene["warnings"]]
    rig = build_rig(scene, warnings)
    if rig is None:
        if scene["skeletons"]:
            raise FormatError("its skeleton has no joints", node=f"<{scene['skeletons'][0]['path']}>")
        if scene["animations"] or scene["clips"]:
            raise FormatError("holds an animation without the skeleton that it is of")
        return Asset(source.path, "usd", warnings=(*warnings, "holds no skeleton, mesh or animation"))
    table = MorphTable(scene["meshes"])
    if table.between:
        warnings.append(f"{table.between} in-between shapes were made morphs of their own")
    motions = [read_motion(scene, rig, clip, table) for clip in scene["clips"]]
    motions = [motion.replace(name=motion.name or source.stem) for motion in motions]
    character = _character(source, files, scene, rig, table, warnings)
    if character is None and not scene["clips"] and not any(bone.tokens for bone in rig.bones) and scene["skeletons"]:
        raise FormatError(
            "its skeleton has no joints, and there is nothing else", node=f"<{scene['skeletons'][0]['path']}>"
        )
    lines = tuple(dict.fromkeys(warnings))
    every = tuple(dict.fromkeys((*lines, *(line for motion in motions for line in motion.warnings))))
    motions = [motion.replace(warnings=tuple(dict.fromkeys((*lines, *motion.warnings)))) for motion in motions]
    if character is not None:
        character = replace(character, warnings=lines)
    return Asset(source.path, "usd", rig.skeleton, tuple(motions), character, every)


def _character(
    source: Source, files: Files, scene: dict[str, Any], rig: Rig, table: MorphTable, warnings: list[str]
) -> Character | None:
    poses = first_worlds(scene, rig, scene["clips"][0]) if scene["clips"] else {}
    meshes: list[Mesh] = []
    double_sided: list[bool] = []
    subdivided = 0
    for item in scene["meshes"]:
        made = place_mesh(item, rig, scene, poses, table, warnings)
        meshes += made
        double_sided += [item["double_sided"]] * len(made)
        subdivided += bool(made) and item["subdivided"]
    if subdivided:
        warnings.append(f"{subdivided} meshes are subdivision surfaces; the cages around them were read")
    if not meshes:
        return None
    materials, textures = read_materials(scene, files, warnings)
    meshes, materials = _dressed(meshes, double_sided, materials, scene)
    return Character(source.stem, rig.skeleton, tuple(meshes), tuple(materials), tuple(textures))


def _dressed(
    meshes: list[Mesh], double_sided: list[bool], materials: list[Material], scene: dict[str, Any]
) -> tuple[list[Mesh], list[Material]]:
    """Meshes with final materials: one that shows both sides has a material that does; one without takes its colour."""
    keep = {item["name"] for item in scene["meshes"] if item["multiply"]}
    found: dict[Any, int] = {number: number for number in range(len(materials))}
    every = list(materials)
    dressed = []
    for mesh, both in zip(meshes, double_sided, strict=True):
        colors = mesh.colors
        if mesh.material is None and colors is not None and (colors == colors[0]).all():
            tint = tuple(float(value) for value in np.clip(colors[0], 0, 1))
            base, colors = Material("", (tint[0], tint[1], tint[2], tint[3]), 0.0, 0.5), None
            key: Any = (tint, both)
        elif mesh.material is None and not both:
            dressed.append(mesh)
            continue
        else:
            base = Material(metallic=0.0, roughness=0.5) if mesh.material is None else materials[mesh.material]
            key = mesh.material if not both else (mesh.material, both)
            if mesh.material is not None and mesh.name not in keep:
                colors = None  # USD shows displayColor only where there is no material
        if key not in found:
            found[key] = len(every)
            every.append(replace(base, double_sided=both))
        dressed.append(replace(mesh, material=found[key], colors=colors))
    # In the order of the file: those that show both sides stand where the ones do that they were made from.
    places = {
        number: key[0] if isinstance(key, tuple) and isinstance(key[0], int) else number
        for key, number in found.items()
    }
    numbers = {mesh.material for mesh in dressed if mesh.material is not None}
    used = sorted(numbers, key=lambda number: (places[number], number))
    return (
        [replace(mesh, material=None if mesh.material is None else used.index(mesh.material)) for mesh in dressed],
        [every[number] for number in used],
    )
