"""Writes motions and characters as USD: metres, Y up, facing +Z, one SkelRoot with everything below it.

The first motion is bound to the skeleton and plays; further ones are SkelAnimation prims beside it. Textures go into
the package of a .usdz; for the others they are files in a folder `<name>_textures` beside.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np

from kinema import unfinished
from kinema.character import Character, Mesh
from kinema.errors import FormatError
from kinema.formats import Asset
from kinema.formats.atomic import WriteError, atomic_write
from kinema.formats.contents import contents
from kinema.formats.usd.openusd import Kind, Sdf, Usd, UsdGeom, UsdSkel, Vt
from kinema.formats.usd.out_materials import image_files, write_materials
from kinema.formats.usd.out_meshes import extent, write_mesh
from kinema.formats.usd.out_motions import write_motion
from kinema.formats.usd.out_rig import RigWriter, valid_names
from kinema.formats.usd.package import packed
from kinema.motion import Motion
from kinema.skeleton import Skeleton

SUFFIXES = (".usd", ".usda", ".usdc", ".usdz")


def write_file(thing: Motion | Character | Asset, path: str | os.PathLike[str]) -> None:
    """See `kinema.formats.usd.write`."""
    shown = os.fspath(path)
    suffix = os.path.splitext(shown)[1].lower()
    if suffix not in SUFFIXES:
        raise FormatError(f"cannot write {suffix or 'a file without suffix'}; use {' '.join(SUFFIXES)}")
    skeleton, character, motions = contents(thing)
    stem = os.path.splitext(os.path.basename(shown))[0]
    images = image_files(() if character is None else character.textures)
    folder = "textures" if suffix == ".usdz" else f"./{stem}_textures"
    assets = {f"{folder}/{name}": data for name, data in images.items()}
    layer = build(skeleton, character, motions, list(assets))
    if suffix == ".usdz":
        atomic_write(path, packed({f"{_plain(stem)}.usdc": _encoded(layer, ".usdc"), **assets}))
        return
    data = _encoded(layer, suffix)
    if images:
        _write_images(Path(shown).parent / folder, images)
    atomic_write(path, data)


def _write_images(folder: Path, images: dict[str, bytes]) -> None:
    try:
        folder.mkdir(exist_ok=True)
    except OSError as error:
        raise WriteError(f"{folder}: cannot be made: {error.strerror or error}") from None
    for name, image in images.items():
        atomic_write(folder / name, image)


def build(skeleton: Skeleton, character: Character | None, motions: tuple[Motion, ...], assets: list[str]) -> Any:
    """The layer of a file.

    Args:
        assets: asset paths of the character's textures.
    """
    layer = Sdf.Layer.CreateAnonymous(".usda")
    stage = Usd.Stage.Open(layer, None)
    per_second = motions[0].fps if motions else 30.0
    with Sdf.ChangeBlock():
        layer.pseudoRoot.SetInfo("upAxis", "Y")
        layer.pseudoRoot.SetInfo("metersPerUnit", 1.0)
    stage.SetTimeCodesPerSecond(per_second)
    stage.SetFramesPerSecond(per_second)
    stage.SetStartTimeCode(0)
    stage.SetEndTimeCode(max(motions[0].frames - 1, 0) if motions else 0)
    root = _define_root(stage, (character.name if character else motions[0].name if motions else "") or "Character")
    taken = {"Skeleton", "Materials", "Animations"}
    clips = _clip_paths(stage, root.GetPath(), motions)
    rig = RigWriter(stage, root, skeleton, taken - {"Skeleton"})
    meshes = [mesh for mesh in character.meshes if len(mesh.indices)] if character is not None else []
    bound = [] if character is None else _write_meshes(stage, root.GetPath(), rig, character, meshes, assets, taken)
    skeletons = rig.write(clips[0] if clips else None)
    for prim, number in bound:
        UsdSkel.BindingAPI(prim).CreateSkeletonRel().SetTargets([skeletons[number].GetPath()])
    shapes = list(dict.fromkeys(morph.name for mesh in meshes for morph in mesh.morphs))
    for motion, clip in zip(motions, clips, strict=True):
        write_motion(stage, clip, motion, rig.tokens, shapes, per_second)
    root.CreateExtentAttr(Vt.Vec3fArray.FromNumpy(extent(_reach(rig.rest, meshes, motions[:1]))))
    return layer


def _define_root(stage: Any, title: str) -> Any:
    root = UsdSkel.Root.Define(stage, Sdf.Path.absoluteRootPath.AppendChild(valid_names([title])[0]))
    stage.SetDefaultPrim(root.GetPrim())
    Usd.ModelAPI(root).SetKind(Kind.Tokens.component)
    if root.GetPrim().GetName() != title:
        root.GetPrim().SetDisplayName(title)
    return root


def _write_meshes(
    stage: Any, top: Any, rig: RigWriter, character: Character, meshes: list[Mesh], assets: list[str], taken: set[str]
) -> list[tuple[Any, int]]:
    """Writes meshes with their materials; those that joints move or that have morphs, with their skeleton's number."""
    materials: list[Any] = []
    if meshes and character.materials:
        UsdGeom.Scope.Define(stage, top.AppendChild("Materials"))
        materials = write_materials(stage, top.AppendChild("Materials"), character, assets)
    bound = []
    names = valid_names([mesh.name or "mesh" for mesh in meshes], taken)
    for name, mesh in zip(names, meshes, strict=True):
        moves = mesh.joints is not None or mesh.joint is not None
        number, geom = rig.bind(mesh) if moves else (0, np.eye(4))
        prim = write_mesh(stage, top.AppendChild(name), mesh, character, materials, geom)
        if moves or mesh.morphs:
            bound.append((prim, number))
    return bound


def _clip_paths(stage: Any, top: Any, motions: tuple[Motion, ...]) -> list[Any]:
    if not motions:
        return []
    scope = UsdGeom.Scope.Define(stage, top.AppendChild("Animations")).GetPath()
    names = valid_names([motion.name or f"animation_{number}" for number, motion in enumerate(motions)])
    return [scope.AppendChild(name) for name in names]


def _reach(rest: np.ndarray, meshes: list[Mesh], motions: tuple[Motion, ...]) -> np.ndarray:
    """Points `[N, 3]` whose box contains everything: the joints in all frames, widened by their meshes."""
    joints = [rest[:, :3, 3]] + [motion[:].global_positions.reshape(-1, 3) for motion in motions if motion.frames]
    places = np.concatenate(joints)
    away = 0.0
    still = []
    for mesh in meshes:
        if mesh.joints is None and mesh.joint is None:
            still.append(mesh.positions.astype(np.float64))
        else:
            away = max(away, _distance_from_joints(mesh))
        away += sum(abs(float(np.abs(morph.positions).max(initial=0))) for morph in mesh.morphs)
    return np.concatenate([places.min(axis=0)[None] - away, places.max(axis=0)[None] + away, *still])


def _distance_from_joints(mesh: Mesh) -> float:
    """How far vertices are from the joints that move them, at most."""
    positions = mesh.positions.astype(np.float64)
    if mesh.joints is None or mesh.weights is None or mesh.inverse_bind is None:
        return float(np.linalg.norm(positions, axis=1).max(initial=0))
    away = 0.0
    for joint in np.unique(mesh.joints[mesh.weights > 0]):
        held = positions[((mesh.joints == joint) & (mesh.weights > 0)).any(axis=1)]
        matrix = mesh.inverse_bind[joint]
        away = max(away, float(np.linalg.norm(held @ matrix[:3, :3].T + matrix[:3, 3], axis=1).max()))
    return away


def _encoded(layer: Any, suffix: str) -> bytes:
    with unfinished.temporary_folder("kinema-usd-") as folder:
        file = Path(folder) / f"out{suffix}"
        layer.Export(str(file))
        return file.read_bytes()


def _plain(stem: str) -> str:
    return "".join(letter if letter.isascii() and letter.isalnum() else "_" for letter in stem) or "character"
