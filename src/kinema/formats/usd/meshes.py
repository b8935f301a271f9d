"""Meshes of a stage as plain arrays, in the sandbox: polygons, primvars, subsets, joint influences, blend shapes."""

from __future__ import annotations

from typing import Any

import numpy as np

from kinema.arrays import Floats, Ints, Singles
from kinema.errors import FormatError
from kinema.formats.checks import require, within
from kinema.formats.usd import values
from kinema.formats.usd.openusd import Gf, UsdGeom, UsdShade, UsdSkel
from kinema.formats.usd.surfaces import Library

MAX_SHAPES = 10_000  # of one mesh
MAX_SHAPE_VALUES = 32 * 1024**2


def extract_mesh(prim: Any, node: int, skeleton: int, library: Library, warnings: list[str]) -> dict[str, Any]:
    """One mesh; keys are those that `geometry` reads."""
    if prim.GetAttribute("points").ValueMightBeTimeVarying():
        warnings.append(f"{values.place(prim)} has animated points; those of the first frame were read")
    points = values.numbers(prim, "points", 3)
    points = np.zeros((0, 3)) if points is None else points.astype(np.float64)
    materials = _materials(prim, library)
    return {
        "name": prim.GetDisplayName() or prim.GetName(),
        "path": str(prim.GetPath()),
        "node": node,
        "points": points,
        "counts": _whole(prim, "faceVertexCounts"),
        "indices": _whole(prim, "faceVertexIndices"),
        "holes": _whole(prim, "holeIndices"),
        "left_handed": values.token(prim, "orientation") == "leftHanded",
        "double_sided": values.flag(prim, "doubleSided"),
        "subdivided": values.token(prim, "subdivisionScheme", "catmullClark") != "none",
        "normals": _primvar(prim, ["normals"], 3) or _plain_normals(prim),
        "uvs": _texture_coordinates(prim, [library.uv_name(material) for _, material in materials]),
        "color": _primvar(prim, ["displayColor"], 3),
        "opacity": _primvar(prim, ["displayOpacity"], 1),
        "materials": [[faces, material] for faces, material in materials],
        "skin": _skin(prim, skeleton, len(points), warnings),
        "shapes": _shapes(prim, len(points), warnings) if skeleton >= 0 else [],
        "skeleton": skeleton,
        "multiply": values.flag(prim, "kinema:colors"),
    }


def _whole(prim: Any, name: str) -> Ints:
    found = values.numbers(prim, name)
    if found is None:
        return np.zeros(0, np.int64)
    require(found.dtype.kind == "i", f"{name} must hold whole numbers", node=values.place(prim))
    return found


def _primvar(prim: Any, names: list[str], width: int) -> dict[str, Any] | None:
    """The first primvar that has a value: its numbers `[N, width]`, with indices resolved, and interpolation."""
    api = UsdGeom.PrimvarsAPI(prim)
    for name in names:
        primvar = api.FindPrimvarWithInheritance(name)
        value = values.first_value(primvar.GetAttr()) if primvar and primvar.HasValue() else None
        if value is None:
            continue
        rows = values.as_array(value, width, prim, name)
        if primvar.IsIndexed():
            chosen = values.as_array(values.first_value(primvar.GetIndicesAttr()), 1, prim, f"{name}:indices")
            if chosen.dtype.kind != "i" or not within(chosen, len(rows)):
                raise FormatError(f"{name}:indices lie beyond its {len(rows)} values", node=values.place(prim))
            rows = rows[chosen]
        return {"values": rows.astype(np.float64), "interpolation": str(primvar.GetInterpolation()), "name": name}
    return None


def _plain_normals(prim: Any) -> dict[str, Any] | None:
    rows = values.numbers(prim, "normals", 3)
    if rows is None or not len(rows):
        return None
    interpolation = UsdGeom.PointBased(prim).GetNormalsInterpolation()
    return {"values": rows.astype(np.float64), "interpolation": str(interpolation), "name": "normals"}


def _texture_coordinates(prim: Any, asked: list[str | None]) -> dict[str, Any] | None:
    """The set that a material reads; else `st`; else the first that is of texture coordinates."""
    names = [name for name in asked if name] + ["st", "UVMap", "st0", "uv", "map1"]
    for primvar in UsdGeom.PrimvarsAPI(prim).GetPrimvarsWithValues():
        if str(primvar.GetTypeName()).startswith("texCoord2"):
            names.append(primvar.GetPrimvarName())
    return _primvar(prim, list(dict.fromkeys(names)), 2)


def _materials(prim: Any, library: Library) -> list[tuple[Ints | None, int | None]]:
    """Material of the faces that no subset takes (first, faces None), then subsets with faces and material."""
    whole, _ = UsdShade.MaterialBindingAPI(prim).ComputeBoundMaterial()
    found: list[tuple[Ints | None, int | None]] = [(None, library.add(whole))]
    for subset in UsdShade.MaterialBindingAPI(prim).GetMaterialBindSubsets():
        owner = subset.GetPrim()
        if values.token(owner, "elementType", "face") == "face":
            material, _ = UsdShade.MaterialBindingAPI(owner).ComputeBoundMaterial()
            found.append((_whole(owner, "indices"), library.add(material)))
    return found


def _skin(prim: Any, skeleton: int, points: int, warnings: list[str]) -> dict[str, Any] | None:
    api = UsdGeom.PrimvarsAPI(prim)
    joints, weights = (api.FindPrimvarWithInheritance(f"skel:{name}") for name in ("jointIndices", "jointWeights"))
    if not (joints and joints.HasValue() and weights and weights.HasValue()):
        return None
    if skeleton < 0:
        warnings.append(
            f"{values.place(prim)} has joint weights, but is bound to no skeleton under a SkelRoot; it was left rigid"
        )
        return None
    if values.token(prim, "primvars:skel:skinningMethod") == "dualQuaternion":
        warnings.append(f"{values.place(prim)} uses dual quaternion skinning; it was read with linear blend skinning")
    indices = values.as_array(values.first_value(joints.GetAttr()), 1, prim, "jointIndices")
    require(indices.dtype.kind == "i", "jointIndices must hold whole numbers", node=values.place(prim))
    size, kinds = int(joints.GetElementSize()), {str(joints.GetInterpolation()), str(weights.GetInterpolation())}
    if len(kinds) > 1 or size != weights.GetElementSize():
        warnings.append(f"{values.place(prim)} states two sizes of its joint influences; it was read by their number")
        size = len(indices) // max(points, 1)
    return {
        "order": _joint_order(prim),
        "indices": indices,
        "size": size,
        "weights": values.as_array(values.first_value(weights.GetAttr()), 1, prim, "jointWeights").astype(np.float64),
        "constant": kinds == {"constant"},
        "bind": _bind_transform(prim, api.FindPrimvarWithInheritance("skel:geomBindTransform")),
    }


def _joint_order(prim: Any) -> list[str] | None:
    """The joints that indices refer to, if a mesh or a prim above it states its own order."""
    while prim and not prim.IsPseudoRoot():
        order = values.tokens(prim, "skel:joints")
        if order is not None:
            return order
        prim = prim.GetParent()
    return None


def _bind_transform(prim: Any, bind: Any) -> Floats:
    """From the mesh to skeleton space at binding time, acting on columns."""
    matrix = values.as_array(bind.Get() or Gf.Matrix4d(1.0), 16, prim, "geomBindTransform") if bind else np.zeros(0)
    return matrix[0].T if len(matrix) else np.eye(4)


def _shapes(prim: Any, count: int, warnings: list[str]) -> list[dict[str, Any]]:
    """Blend shapes as dense offsets `[V, 3]`, in-betweens with their weights among them."""
    names = values.tokens(prim, "skel:blendShapes") or []
    relationship = prim.GetRelationship("skel:blendShapeTargets")
    targets = list(relationship.GetForwardedTargets()) if relationship else []
    if len(names) != len(targets):
        raise FormatError(f"names {len(names)} blend shapes, but has {len(targets)}", node=values.place(prim))
    if len(names) > MAX_SHAPES or len(names) * count * 3 > MAX_SHAPE_VALUES:
        raise FormatError(f"has {len(names)} blend shapes of {count} points, too many", node=values.place(prim))
    shapes = []
    for name, target in zip(names, targets, strict=True):
        shape = prim.GetStage().GetPrimAtPath(target)
        if shape and shape.IsA(UsdSkel.BlendShape):
            shapes.append({"name": name, "keys": _keys(shape, count)})
        else:
            warnings.append(f"{values.place(prim)} refers to <{target}>, which is not a blend shape; it was left out")
    return shapes


def _keys(shape: Any, count: int) -> list[dict[str, Any]]:
    """A blend shape at full weight, and its in-betweens."""
    chosen = _whole(shape, "pointIndices") if shape.GetAttribute("pointIndices").HasAuthoredValue() else None
    if chosen is not None and not within(chosen, count):
        raise FormatError(f"pointIndices lie beyond the {count} points of the mesh", node=values.place(shape))
    keys = [_key(shape, "offsets", "normalOffsets", chosen, count, 1.0)]
    for between in UsdSkel.BlendShape(shape).GetInbetweens():
        weight = between.GetWeight()
        if weight is not None and np.isfinite(weight) and weight not in (0.0, 1.0):
            name = between.GetAttr().GetName()
            key = _key(shape, name, f"{name}:normalOffsets", chosen, count, weight)
            keys.append({"name": name.split(":", 1)[-1], **key})
    return keys


def _key(shape: Any, offsets: str, normals: str, chosen: Ints | None, count: int, weight: float) -> dict[str, Any]:
    noted = values.plain(shape.GetCustomDataByKey("kinema") or {})
    rest = noted.get("weight") if isinstance(noted, dict) else None
    return {
        "rest": float(rest) if isinstance(rest, float) and weight == 1.0 and np.isfinite(rest) else 0.0,
        "weight": float(weight),
        "offsets": _dense(shape, offsets, chosen, count, True),
        "normals": _dense(shape, normals, chosen, count, False),
    }


def _dense(shape: Any, name: str, chosen: Ints | None, count: int, always: bool) -> Singles | None:
    given = values.numbers(shape, name, 3)
    if given is None or not len(given):
        return np.zeros((count, 3), np.float32) if always else None
    expected = count if chosen is None else len(chosen)
    require(len(given) == expected, f"{name} has {len(given)} values for {expected} points", node=values.place(shape))
    if chosen is None:
        return given.astype(np.float32)
    dense = np.zeros((count, 3), np.float32)
    dense[chosen] = given
    return dense
