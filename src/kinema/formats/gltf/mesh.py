"""Meshes of a glTF file: primitives, skins and morph targets, as `Mesh` values of a character."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kinema.character import Mesh, Morph
from kinema.formats.gltf.buffers import Buffers
from kinema.formats.gltf.document import Document
from kinema.formats.gltf.draco import decode_primitive
from kinema.formats.gltf.materials import base_texture, placement
from kinema.formats.normals import smooth, unit

TRIANGLES, STRIP, FAN = 4, 5, 6
INSTANCE_BYTES = 1024  # what one use of a primitive takes at least
_F = np.dtype("<f4")


@dataclass(frozen=True)
class Skin:
    """Joint nodes and, if given, inverse bind matrices `[joints, 4, 4]`."""

    where: str
    joints: list[int]
    inverse_bind: NDArray[np.float64]


def read_skins(document: Document, buffers: Buffers) -> list[Skin]:
    """All skins; matrices that are left out are the identity."""
    skins = []
    for index, item in enumerate(document.all("skins")):
        where = f"skins[{index}]"
        joints = document.indices(item, "joints", "nodes", where)
        if not joints:
            raise document.error("joints must not be empty", where)
        buffers.budget.charge(128 * len(joints), where)
        matrices = np.tile(np.eye(4), (len(joints), 1, 1))
        chosen = document.index(item, "inverseBindMatrices", "accessors", where)
        if chosen is not None:
            accessor = buffers.accessors[chosen]
            if accessor.kind != "MAT4" or accessor.dtype != _F or accessor.count < len(joints):
                raise document.error(f"must be at least {len(joints)} float MAT4 for {where}", accessor.where)
            matrices = buffers.floats(chosen)[: len(joints)].reshape(-1, 4, 4).transpose(0, 2, 1).astype(np.float64)
            unset = ~matrices.any(axis=(1, 2))
            if (np.abs(matrices[:, 3] - [0, 0, 0, 1]).max(axis=1) > 1e-4)[~unset].any():
                raise document.error(f"holds a matrix that is not affine, for {where}", accessor.where)
            matrices[:, 3] = [0, 0, 0, 1]
        skins.append(Skin(where, joints, matrices))
    return skins


def read_meshes(document: Document, buffers: Buffers) -> list[list[Mesh]]:
    """The primitives of every mesh in its own space; `Mesh.joints` still count within a skin."""
    result = []
    for index, item in enumerate(document.all("meshes")):
        where = f"meshes[{index}]"
        name = item.get("name") or f"mesh_{index}"
        names = item.get("extras", {}).get("targetNames", []) if isinstance(item.get("extras"), dict) else []
        primitives = document.objects(item, "primitives", where)
        if not primitives:
            raise document.error("primitives must not be empty", where)
        found = []
        for number, primitive in enumerate(primitives):
            label = name if len(primitives) == 1 else f"{name}.{number}"
            buffers.budget.charge(INSTANCE_BYTES, where)
            mesh = _primitive(document, buffers, primitive, label, f"{where}.primitives[{number}]", names)
            if mesh is not None:
                found.append(mesh)
        result.append([weighted(document, item, where, mesh) for mesh in found])
    return result


def weighted(document: Document, owner: dict[str, Any], where: str, mesh: Mesh) -> Mesh:
    """The mesh with the weights at rest that a mesh or a node states for its morph targets."""
    weights = owner.get("weights")
    if weights is None or not mesh.morphs:
        return mesh
    values = document.numbers(owner, "weights", where, [], len(mesh.morphs))
    return replace(mesh, morphs=tuple(replace(m, weight=w) for m, w in zip(mesh.morphs, values, strict=True)))


def _primitive(
    document: Document, buffers: Buffers, item: dict[str, Any], name: str, where: str, target_names: Any
) -> Mesh | None:
    mode = document.integer(item, "mode", where, TRIANGLES, high=6)
    attributes = document.object(item, "attributes", where)
    material = document.index(item, "material", "materials", where)
    chosen = {key: document.index(attributes, key, "accessors", where) for key in attributes}
    indices = document.index(item, "indices", "accessors", where)
    targets = document.objects(item, "targets", where)
    morph_ids = [
        [document.index(target, key, "accessors", where) for key in ("POSITION", "NORMAL")] for target in targets
    ]
    decode_primitive(document, buffers, item, where)
    if "POSITION" not in chosen:
        document.warn(f"{where} has no positions and was left out")
        return None
    count = buffers.accessors[chosen["POSITION"] or 0].count

    def values(
        key: str, kinds: tuple[str, ...], index: int | None = None, quantized: bool = False
    ) -> NDArray[np.float32]:
        """Numbers of an attribute (or of a morph target) after a check of type and count."""
        index = chosen[key] if index is None else index
        accessor = buffers.accessors[index or 0]
        if accessor.kind not in kinds or accessor.count != count:
            raise document.error(f"must hold {count} {' or '.join(kinds)} to be {key} of {where}", accessor.where)
        unsigned = accessor.normalized and accessor.dtype.kind == "u" and accessor.dtype.itemsize < 4
        loose = quantized and accessor.dtype.itemsize < 4
        if not (accessor.dtype == _F or loose or (unsigned and key[:5] in ("TEXCO", "COLOR", "WEIGH"))):
            raise document.error(f"has a number type that {key} of {where} must not have", accessor.where)
        return buffers.floats(index or 0, finite=not key.startswith("WEIGHTS"))

    quantization = any(
        "KHR_mesh_quantization" in document.root.get(key, []) for key in ("extensionsUsed", "extensionsRequired")
    )
    positions = values("POSITION", ("VEC3",), quantized=quantization)
    normals = values("NORMAL", ("VEC3",), quantized=quantization) if "NORMAL" in chosen else None
    uv_key, move = _coordinates(document, material)
    uvs = values(uv_key, ("VEC2",), quantized=quantization) if uv_key in chosen else None
    if uvs is not None and not np.array_equal(move, np.eye(2, 3)):
        buffers.budget.charge(uvs.nbytes, where)
        uvs = uvs @ move[:, :2].T + move[:, 2]
    colors = values("COLOR_0", ("VEC3", "VEC4")) if "COLOR_0" in chosen else None
    joints, weights = _influences(document, buffers, chosen, count, where, values)
    buffers.budget.charge(positions.nbytes * sum(index is None for index, _ in morph_ids), where)
    # Names are free text in `extras`; anything odd there falls back to numbers.
    labels = target_names if isinstance(target_names, list) and len(target_names) == len(targets) else []
    morphs = tuple(
        Morph(
            labels[number] if labels and isinstance(labels[number], str) else f"morph_{number}",
            np.zeros_like(positions) if index is None else values("POSITION", ("VEC3",), index, quantization),
            None if turned is None or normals is None else values("NORMAL", ("VEC3",), turned, quantization),
        )
        for number, (index, turned) in enumerate(morph_ids)
    )
    triangles = _triangles(document, buffers, indices, mode, count, where)
    if triangles is None:
        document.warn(f"{where} draws points or lines and was left out")
        return None
    if colors is not None and colors.shape[1] == 3:
        colors = np.concatenate([colors, np.ones((count, 1), np.float32)], axis=1)
    buffers.budget.charge(positions.nbytes, where)
    normals = unit(smooth(positions, triangles) if normals is None else normals)
    return Mesh(name, positions, normals, triangles, uvs, colors, joints, weights, material=material, morphs=morphs)


def _coordinates(document: Document, material: int | None) -> tuple[str, NDArray[np.float32]]:
    """The set of texture coordinates that the material's base colour takes, and how it moves them; a mesh has one."""
    if material is None:
        return "TEXCOORD_0", np.eye(2, 3, dtype=np.float32)
    info = base_texture(document, material)
    item = document.all("materials")[material]
    for key in ("normalTexture", "emissiveTexture", "occlusionTexture"):
        info = info or document.object(item, key, f"materials[{material}]")
    number, move = placement(document, info, f"materials[{material}]")
    return f"TEXCOORD_{number}", move


def _influences(
    document: Document, buffers: Buffers, chosen: dict[str, int | None], count: int, where: str, values: Any
) -> tuple[NDArray[np.int32] | None, NDArray[np.float32] | None]:
    """All sets of joints and weights side by side, weights made to sum to one."""
    joint_sets, weight_sets = [], []
    while f"JOINTS_{len(joint_sets)}" in chosen:
        key, weight_key = f"JOINTS_{len(joint_sets)}", f"WEIGHTS_{len(joint_sets)}"
        if weight_key not in chosen:
            raise document.error(f"has {key} without {weight_key}", where)
        accessor = buffers.accessors[chosen[key] or 0]
        small = accessor.dtype.kind == "u" and accessor.dtype.itemsize <= 2
        if accessor.kind != "VEC4" or not small or accessor.count != count:
            raise document.error(
                f"must hold {count} VEC4 of unsigned bytes or shorts to be {key} of {where}", accessor.where
            )
        weight = values(weight_key, ("VEC4",))
        if not joint_sets or weight.any():
            joint_sets.append(buffers.array(chosen[key] or 0))
            weight_sets.append(weight)
        else:
            break  # sets beyond an empty one are empty in every exporter we know
    if not joint_sets:
        if any(key.startswith("WEIGHTS_") for key in chosen):
            raise document.error("has weights without joints", where)
        return None, None
    buffers.budget.charge(count * 32 * len(joint_sets), where)
    joints = np.concatenate(joint_sets, axis=1).astype(np.int32)
    weights = np.concatenate(weight_sets, axis=1)
    # Exporters that divide by a sum of zero leave NaN for vertices that belong to no joint.
    broken = np.isnan(weights).any(axis=1)
    weights[broken] = 0
    if not np.isfinite(weights).all():
        raise document.error("has a joint weight that is infinite", where)
    if (weights < 0).any():
        raise document.error("has a negative joint weight", where)
    total = weights.sum(axis=1, keepdims=True)
    empty = total[:, 0] <= 0
    if empty.any():
        document.warn(f"{where} has {int(empty.sum())} vertices without a joint; they follow the first one")
        weights[empty, 0] = 1
        total[empty] = 1
    return joints, weights / total


def _triangles(
    document: Document, buffers: Buffers, index: int | None, mode: int, count: int, where: str
) -> NDArray[np.uint32] | None:
    if index is None:
        buffers.budget.charge(12 * count, where)
        corners: NDArray[np.uint32] = np.arange(count, dtype=np.uint32)
    else:
        accessor = buffers.accessors[index]
        if accessor.kind != "SCALAR" or accessor.dtype not in [np.dtype(t) for t in ("<u1", "<u2", "<u4")]:
            raise document.error(f"must hold unsigned SCALAR to be the indices of {where}", accessor.where)
        buffers.budget.charge(12 * accessor.count, where)
        corners = buffers.array(index)[:, 0].astype(np.uint32)
        if corners.max() >= count:
            raise document.error(f"names vertex {corners.max()} of {count}, for {where}", accessor.where)
    if mode < TRIANGLES:
        return None
    if mode == TRIANGLES:
        if len(corners) % 3:
            document.warn(f"{where} has {len(corners)} corners, which is not a multiple of three")
        return corners[: len(corners) // 3 * 3].reshape(-1, 3)
    if len(corners) < 3:
        return np.zeros((0, 3), np.uint32)
    if mode == FAN:
        return np.stack([corners[1:-1], corners[2:], np.broadcast_to(corners[:1], len(corners) - 2)], axis=1)
    strip = np.stack([corners[:-2], corners[1:-1], corners[2:]], axis=1)
    strip[1::2] = strip[1::2][:, [0, 2, 1]]  # every second triangle of a strip turns the other way
    return strip
