"""Meshes as UsdGeom prims with skins, blend shapes and materials."""

from __future__ import annotations

from typing import Any

import numpy as np

from kinema.arrays import Floats, Reals, Singles
from kinema.character import Character, Mesh, Morph
from kinema.formats.usd.openusd import Gf, Sdf, UsdGeom, UsdShade, UsdSkel, Vt
from kinema.formats.usd.out_rig import valid_names


def write_mesh(stage: Any, path: Any, mesh: Mesh, character: Character, materials: list[Any], geom: Floats) -> Any:
    """One mesh; a rigid one is bound to its joint as a whole. Its Skeleton prim is set later.

    Args:
        materials: prims of the character's materials.
        geom: `[4, 4]` geomBindTransform.
    """
    prim = UsdGeom.Mesh.Define(stage, path)
    if prim.GetPrim().GetName() != mesh.name:
        prim.GetPrim().SetDisplayName(mesh.name)
    prim.CreatePointsAttr(_vectors(mesh.positions))
    prim.CreateExtentAttr(Vt.Vec3fArray.FromNumpy(extent(mesh.positions)))
    prim.CreateFaceVertexCountsAttr(Vt.IntArray([3] * len(mesh.indices)))
    prim.CreateFaceVertexIndicesAttr(Vt.IntArray.FromNumpy(mesh.indices.reshape(-1).astype(np.int32)))
    prim.CreateSubdivisionSchemeAttr(UsdGeom.Tokens.none)
    prim.CreateNormalsAttr(_vectors(mesh.normals))
    prim.SetNormalsInterpolation(UsdGeom.Tokens.vertex)
    primvars = UsdGeom.PrimvarsAPI(prim)
    if mesh.uvs is not None:
        coordinates = np.stack([mesh.uvs[:, 0], 1 - mesh.uvs[:, 1]], axis=1).astype(np.float32)
        kind = Sdf.ValueTypeNames.TexCoord2fArray
        primvars.CreatePrimvar("st", kind, UsdGeom.Tokens.vertex).Set(Vt.Vec2fArray.FromNumpy(coordinates))
    if mesh.colors is not None:
        colors = np.ascontiguousarray(mesh.colors, dtype=np.float32)
        prim.CreateDisplayColorPrimvar(UsdGeom.Tokens.vertex).Set(_vectors(colors[:, :3]))
        if (colors[:, 3] != 1).any():
            opacity = Vt.FloatArray.FromNumpy(np.ascontiguousarray(colors[:, 3]))
            prim.CreateDisplayOpacityPrimvar(UsdGeom.Tokens.vertex).Set(opacity)
        # USD shows these colours only without a material; ours multiply it.
        prim.GetPrim().CreateAttribute("kinema:colors", Sdf.ValueTypeNames.Bool).Set(True)
    if mesh.material is not None:
        prim.CreateDoubleSidedAttr(character.materials[mesh.material].double_sided)
        UsdShade.MaterialBindingAPI.Apply(prim.GetPrim()).Bind(materials[mesh.material])
    _bind(prim, mesh, geom)
    if mesh.morphs:
        _write_shapes(stage, prim, mesh)
    return prim


def extent(positions: Reals) -> Singles:
    """The corners `[2, 3]` of the box around points `[..., 3]`; a point at the origin where there are none."""
    if not positions.size:
        return np.zeros((2, 3), np.float32)
    flat = positions.reshape(-1, 3)
    return np.stack([flat.min(axis=0), flat.max(axis=0)]).astype(np.float32)


def _bind(prim: Any, mesh: Mesh, geom: Floats) -> None:
    skinned = mesh.joints is not None and mesh.weights is not None
    if not skinned and mesh.joint is None and not mesh.morphs:
        return
    api = UsdSkel.BindingAPI.Apply(prim.GetPrim())
    if skinned:
        assert mesh.joints is not None and mesh.weights is not None
        size = mesh.joints.shape[1]
        joints = np.where(mesh.weights > 0, mesh.joints, 0).reshape(-1).astype(np.int32)
        weights = np.ascontiguousarray(mesh.weights, dtype=np.float32).reshape(-1)
        api.CreateJointIndicesPrimvar(False, size).Set(Vt.IntArray.FromNumpy(joints))
        api.CreateJointWeightsPrimvar(False, size).Set(Vt.FloatArray.FromNumpy(weights))
    elif mesh.joint is not None:
        api.CreateJointIndicesPrimvar(True, 1).Set(Vt.IntArray([mesh.joint]))
        api.CreateJointWeightsPrimvar(True, 1).Set(Vt.FloatArray([1.0]))
    else:
        return
    api.CreateGeomBindTransformAttr(Gf.Matrix4d(geom.T.tolist()))


def _write_shapes(stage: Any, prim: Any, mesh: Mesh) -> None:
    api = UsdSkel.BindingAPI(prim)
    names = [morph.name for morph in mesh.morphs]
    paths = [prim.GetPath().AppendChild(name) for name in valid_names(names)]
    api.CreateBlendShapesAttr(names)
    for path, morph in zip(paths, mesh.morphs, strict=True):
        _write_shape(UsdSkel.BlendShape.Define(stage, path), morph)
    api.CreateBlendShapeTargetsRel().SetTargets(paths)


def _write_shape(shape: Any, morph: Morph) -> None:
    """Offsets of the points that move, one at least."""
    offsets = [morph.positions] if morph.normals is None else [morph.positions, morph.normals]
    moved = np.concatenate(offsets, axis=1).any(axis=1)
    chosen = np.flatnonzero(moved) if moved.any() else np.zeros(1, np.int64)
    shape.CreateOffsetsAttr(_vectors(morph.positions[chosen]))
    if morph.normals is not None:
        shape.CreateNormalOffsetsAttr(_vectors(morph.normals[chosen]))
    if len(chosen) < len(morph.positions):
        shape.CreatePointIndicesAttr(Vt.IntArray.FromNumpy(chosen.astype(np.int32)))
    if morph.weight:
        shape.GetPrim().SetCustomDataByKey("kinema", {"weight": float(morph.weight)})


def _vectors(rows: Reals) -> Any:
    return Vt.Vec3fArray.FromNumpy(np.ascontiguousarray(rows, dtype=np.float32))
