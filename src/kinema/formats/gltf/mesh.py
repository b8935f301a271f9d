"""Meshes of a glTF file: primitives, skins and morph targets, as `Mesh` values of a character."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kinema.arrays import Floats, Indices, Singles
from kinema.character import Mesh, Morph
from kinema.formats.gltf.buffers import Accessor, Buffers
from kinema.formats.gltf.document import GltfDocument, Item, MissingDataError
from kinema.formats.gltf.draco import decode_primitive
from kinema.formats.gltf.materials import base_texture, placement
from kinema.formats.normals import smooth, unit

TRIANGLES, FAN = 4, 6  # 5 is a strip
INSTANCE_BYTES = 1024  # what one use of a primitive takes at least
_F = np.dtype("<f4")


@dataclass(frozen=True)
class GltfSkin:
    """Joint nodes and inverse bind matrices `[joints, 4, 4]`; None where the file has lost them."""

    item: Item
    joints: list[int]
    inverse_bind: Floats | None


def read_skins(document: GltfDocument, buffers: Buffers) -> list[GltfSkin]:
    """All skins; matrices that are left out are the identity."""
    skins = []
    for item in document.all("skins"):
        joints = item.indices("joints", "nodes")
        item.require(joints, "joints must not be empty")
        buffers.budget.charge(128 * len(joints), item.where)
        chosen = item.index("inverseBindMatrices", "accessors")
        matrices = np.tile(np.eye(4), (len(joints), 1, 1))
        skins.append(GltfSkin(item, joints, matrices if chosen is None else _inverse_bind(item, buffers, chosen)))
    return skins


def _inverse_bind(skin: Item, buffers: Buffers, chosen: int) -> Floats | None:
    """The matrices `[N, 4, 4]` of a skin's joints in an accessor; None if their data is missing."""
    accessor, count = buffers.accessors[chosen], len(skin.indices("joints", "nodes"))
    if accessor.kind != "MAT4" or accessor.dtype != _F or accessor.count < count:
        raise accessor.item.error(f"must be at least {count} float MAT4 for {skin.where}")
    try:
        matrices = buffers.floats(chosen)[:count].reshape(-1, 4, 4).transpose(0, 2, 1).astype(np.float64)
    except MissingDataError as error:
        skin.document.lose("inverse bind matrices of skins", error)
        return None
    unset = ~matrices.any(axis=(1, 2))
    if (np.abs(matrices[:, 3] - [0, 0, 0, 1]).max(axis=1) > 1e-4)[~unset].any():
        raise accessor.item.error(f"holds a matrix that is not affine, for {skin.where}")
    matrices[:, 3] = [0, 0, 0, 1]
    return matrices


def read_meshes(document: GltfDocument, buffers: Buffers) -> list[list[Mesh]]:
    """The primitives of every mesh in its own space; `Mesh.joints` still count within a skin."""
    named = [document.values.get(key, []) for key in ("extensionsUsed", "extensionsRequired")]
    quantized = any("KHR_mesh_quantization" in names for names in named)
    result = []
    for index, item in enumerate(document.all("meshes")):
        name = item.get("name") or f"mesh_{index}"
        primitives = item.objects("primitives")
        item.require(primitives, "primitives must not be empty")
        found = []
        for number, primitive in enumerate(primitives):
            buffers.budget.charge(INSTANCE_BYTES, item.where)
            label = name if len(primitives) == 1 else f"{name}.{number}"
            try:
                mesh = _Primitive(buffers, primitive, quantized).read(label, target_names(item))
            except MissingDataError as error:
                document.lose("primitives of meshes", error)
            else:
                found += [] if mesh is None else [weighted(item, mesh)]
        result.append(found)
    return result


def target_names(mesh: Item) -> list[Any]:
    """The names of a mesh's morph targets in its `extras`, unchecked."""
    extras = mesh.get("extras")
    names = extras.get("targetNames") if isinstance(extras, dict) else None
    return names if isinstance(names, list) else []


def weighted(owner: Item, mesh: Mesh) -> Mesh:
    """The mesh with the weights at rest that a mesh or a node states for its morph targets."""
    if owner.get("weights") is None or not mesh.morphs:
        return mesh
    values = owner.numbers("weights", len(mesh.morphs))
    return replace(mesh, morphs=tuple(replace(m, weight=w) for m, w in zip(mesh.morphs, values, strict=True)))


class _Primitive:
    """One primitive of a mesh while it is read.

    Args:
        quantized: whether the file may keep positions, normals and texture coordinates as small integers.
    """

    def __init__(self, buffers: Buffers, item: Item, quantized: bool) -> None:
        self._buffers, self._item, self._quantized = buffers, item, quantized
        self._mode = item.integer("mode", TRIANGLES)
        attributes = item.object("attributes")
        self._material = item.index("material", "materials")
        self._attributes = {key: attributes.required_index(key, "accessors") for key in attributes.values}
        self._indices = item.index("indices", "accessors")
        self._targets = [
            [target.index(key, "accessors") for key in ("POSITION", "NORMAL")] for target in item.objects("targets")
        ]
        decode_primitive(buffers, item)
        self._count = buffers.accessors[self._attributes["POSITION"]].count if "POSITION" in self._attributes else 0

    def read(self, name: str, target_names: list[Any]) -> Mesh | None:
        """The mesh; None for what has no triangles."""
        if "POSITION" not in self._attributes:
            self._item.warn("has no positions and was left out")
            return None
        positions = self._floats("POSITION", "VEC3")
        normals = self._floats("NORMAL", "VEC3") if "NORMAL" in self._attributes else None
        uvs, colors = self._uvs(), self._colors()
        joints, weights = self._influences()
        morphs = self._morphs(positions, normals is not None, target_names)
        corners = self._corners()
        if not TRIANGLES <= self._mode <= FAN:
            self._item.warn("draws points, lines or something unknown and was left out")
            return None
        triangles = self._triangles(corners)
        self._charge(positions.nbytes)
        normals = unit(smooth(positions, triangles) if normals is None else normals)
        return Mesh(
            name, positions, normals, triangles, uvs, colors, joints, weights, material=self._material, morphs=morphs
        )

    def _charge(self, size: int) -> None:
        self._buffers.budget.charge(size, self._item.where)

    def _floats(self, key: str, *kinds: str, index: int | None = None) -> Singles:
        """Numbers of an attribute (or of a morph target) after a check of type and count."""
        index = self._attributes[key] if index is None else index
        accessor = self._buffers.accessors[index]
        if accessor.kind not in kinds or accessor.count != self._count:
            what = f"{self._count} {' or '.join(kinds)}"
            raise accessor.item.error(f"must hold {what} to be {key} of {self._item.where}")
        if not (accessor.dtype == _F or (accessor.dtype.itemsize < 4 and self._may_be_small(key, accessor))):
            raise accessor.item.error(f"has a number type that {key} of {self._item.where} must not have")
        return self._buffers.floats(index, finite=not key.startswith("WEIGHTS"))

    def _may_be_small(self, key: str, accessor: Accessor) -> bool:
        """Whether an attribute may be kept in bytes or shorts."""
        if self._quantized and key.startswith(("POSITION", "NORMAL", "TEXCOORD")):
            return True
        unsigned = accessor.normalized and accessor.dtype.kind == "u"
        return unsigned and key.startswith(("TEXCOORD", "COLOR", "WEIGHTS"))

    def _uvs(self) -> Singles | None:
        """The texture coordinates of the material's base colour, transformed as it states; a mesh has one set."""
        number, move = _coordinates(self._item.document, self._material)
        key = f"TEXCOORD_{number}"
        if key not in self._attributes:
            return None
        uvs = self._floats(key, "VEC2")
        if np.array_equal(move, np.eye(2, 3)):
            return uvs
        self._charge(uvs.nbytes)
        return uvs @ move[:, :2].T + move[:, 2]

    def _colors(self) -> Singles | None:
        if "COLOR_0" not in self._attributes:
            return None
        colors = self._floats("COLOR_0", "VEC3", "VEC4")
        if colors.shape[1] == 4:
            return colors
        return np.concatenate([colors, np.ones((self._count, 1), np.float32)], axis=1)

    def _influences(self) -> tuple[Indices | None, Singles | None]:
        """All sets of joints and weights side by side, weights made to sum to one."""
        sets = self._influence_sets()
        if not sets:
            if any(key.startswith("WEIGHTS_") for key in self._attributes):
                raise self._item.error("has weights without joints")
            return None, None
        self._charge(self._count * 32 * len(sets))
        joints = np.concatenate([found for found, _ in sets], axis=1).astype(np.int32)
        weights = np.concatenate([found for _, found in sets], axis=1)
        # Exporters that divide by a sum of zero leave NaN for vertices that belong to no joint.
        weights[np.isnan(weights).any(axis=1)] = 0
        self._item.require(np.isfinite(weights).all(), "has a joint weight that is infinite")
        self._item.require(not (weights < 0).any(), "has a negative joint weight")
        total = weights.sum(axis=1, keepdims=True)
        empty = total[:, 0] <= 0
        if empty.any():
            self._item.warn(f"has {int(empty.sum())} vertices without a joint; they follow the first one")
            weights[empty, 0] = 1
            total[empty] = 1
        return joints, weights / total

    def _influence_sets(self) -> list[tuple[NDArray[np.generic], Singles]]:
        sets: list[tuple[NDArray[np.generic], Singles]] = []
        while (key := f"JOINTS_{len(sets)}") in self._attributes:
            weight_key = f"WEIGHTS_{len(sets)}"
            self._item.require(weight_key in self._attributes, f"has {key} without {weight_key}")
            accessor = self._buffers.accessors[self._attributes[key]]
            small = accessor.dtype.kind == "u" and accessor.dtype.itemsize <= 2
            if accessor.kind != "VEC4" or not small or accessor.count != self._count:
                what = f"{self._count} VEC4 of unsigned bytes or shorts"
                raise accessor.item.error(f"must hold {what} to be {key} of {self._item.where}")
            weights = self._floats(weight_key, "VEC4")
            if sets and not weights.any():
                break  # sets beyond an empty one are empty in every exporter we know
            sets.append((self._buffers.array(self._attributes[key]), weights))
        return sets

    def _morphs(self, positions: Singles, has_normals: bool, names: list[Any]) -> tuple[Morph, ...]:
        self._charge(positions.nbytes * sum(index is None for index, _ in self._targets))
        # Names are unchecked; anything but strings falls back to numbers.
        names = names if len(names) == len(self._targets) else [None] * len(self._targets)
        return tuple(
            Morph(
                name if isinstance(name, str) else f"morph_{number}",
                np.zeros_like(positions) if moved is None else self._floats("POSITION", "VEC3", index=moved),
                self._floats("NORMAL", "VEC3", index=normals) if normals is not None and has_normals else None,
            )
            for number, (name, (moved, normals)) in enumerate(zip(names, self._targets, strict=True))
        )

    def _corners(self) -> NDArray[np.uint32]:
        """Vertex indices in drawing order."""
        if self._indices is None:
            self._charge(12 * self._count)
            return np.arange(self._count, dtype=np.uint32)
        accessor = self._buffers.accessors[self._indices]
        if accessor.kind != "SCALAR" or accessor.dtype.str not in ("|u1", "<u2", "<u4"):
            raise accessor.item.error(f"must hold unsigned SCALAR to be the indices of {self._item.where}")
        self._charge(12 * accessor.count)
        corners = self._buffers.array(self._indices)[:, 0].astype(np.uint32)
        if corners.max() >= self._count:
            raise accessor.item.error(f"names vertex {corners.max()} of {self._count}, for {self._item.where}")
        return corners

    def _triangles(self, corners: NDArray[np.uint32]) -> NDArray[np.uint32]:
        if self._mode == TRIANGLES:
            if len(corners) % 3:
                self._item.warn(f"has {len(corners)} corners, which is not a multiple of three")
            return corners[: len(corners) // 3 * 3].reshape(-1, 3)
        if len(corners) < 3:
            return np.zeros((0, 3), np.uint32)
        if self._mode == FAN:
            return np.stack([corners[1:-1], corners[2:], np.broadcast_to(corners[:1], len(corners) - 2)], axis=1)
        strip = np.stack([corners[:-2], corners[1:-1], corners[2:]], axis=1)
        strip[1::2] = strip[1::2][:, [0, 2, 1]]  # every second triangle of a strip is wound the other way
        return strip


def _coordinates(document: GltfDocument, material: int | None) -> tuple[int, Singles]:
    """The set of texture coordinates that a material's base colour uses, and the affine map applied to them."""
    if material is None:
        return 0, np.eye(2, 3, dtype=np.float32)
    item = document.all("materials")[material]
    textures = [base_texture(item), *(item.object(f"{key}Texture") for key in ("normal", "emissive", "occlusion"))]
    return placement(next((info for info in textures if info.values), textures[0]))
