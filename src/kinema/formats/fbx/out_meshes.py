"""Meshes of a character: geometry, skin, blend shapes, materials and textures.

Corners of a mesh that differ in normal or texture coordinates only become one control point, so that other programs
see a closed surface.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kinema.arrays import Floats, Indices, Ints, Singles
from kinema.character import Character, Mesh
from kinema.formats.fbx.encode import Node
from kinema.formats.fbx.out_rig import bind_pose, flat, in_centimetres, used_joints
from kinema.formats.fbx.out_scene import CENTIMETRES, FbxBuilder, integer, number, transform
from kinema.formats.fbx.transform import PLAIN
from kinema.formats.normals import cofactors
from kinema.formats.rows import unique_rows


class MeshWriter:
    """Writes the meshes of one character and remembers what poses and motions need.

    Attributes:
        models: ids of the nodes of skinned meshes; they are at the origin.
        binds: global matrices `[J, 4, 4]` of the joints when the meshes were bound, metres.
        channels: ids of blend shape channels by the name of their target.
    """

    def __init__(self, builder: FbxBuilder, character: Character, joints: Sequence[int]) -> None:
        self.builder, self.character, self.joints = builder, character, joints
        self.binds, self._places = bind_pose(character.skeleton, character.meshes)
        self.models: list[int] = []
        self.channels: dict[str, list[int]] = {}

    def write(self, index: int, material: int | None) -> None:
        """One of the character's meshes on a node of its own; `material` is the id of its material."""
        mesh, place = self.character.meshes[index], self._places[index]
        skinned = used_joints(mesh).size > 0
        two_sided = mesh.material is None or self.character.materials[mesh.material].double_sided
        rows = [integer("InheritType", PLAIN, "enum", ""), *transform()]
        model = self.builder.add_model(mesh.name, "Mesh", rows, two_sided)
        self.builder.connect(model, 0 if skinned or mesh.joint is None else self.joints[mesh.joint])
        geometry, points = self._geometry(mesh, place)
        self.builder.connect(geometry, model)
        if material is not None:
            self.builder.connect(material, model)
        if skinned:
            self.models.append(model)
            self._skin(mesh, geometry, points, place)
        if mesh.morphs:
            self._shapes(mesh, geometry, points, place)

    def _geometry(self, mesh: Mesh, place: Floats) -> tuple[int, Ints]:
        """The surface; its id, and which vertex of the mesh each control point `[P]` is."""
        points, point_of = _welded(mesh)
        positions = mesh.positions[points].astype(np.float64) @ place[:3, :3].T + place[:3, 3]
        corners = mesh.indices.astype(np.int64)
        if np.linalg.det(place[:3, :3]) < 0:
            corners = corners[:, ::-1]
        polygons = point_of[corners].astype(np.int32)
        polygons[:, 2] = ~polygons[:, 2]  # the last corner of a polygon
        every = corners.ravel()
        id, record = self.builder.add("Geometry", mesh.name, "Geometry", "Mesh", GeometryVersion=124)
        record.extend(Vertices=(positions * CENTIMETRES).ravel(), PolygonVertexIndex=polygons.ravel())
        normals = _normals(mesh.normals.astype(np.float64), place)[every]
        kinds = [_layer(record, "LayerElementNormal", "ByPolygonVertex", "", Normals=normals.ravel())]
        if mesh.uvs is not None:
            rows, index = _rows(mesh.uvs, every)
            rows[:, 1] = 1 - rows[:, 1]
            kinds.append(_layer(record, "LayerElementUV", "ByPolygonVertex", "map1", UV=rows.ravel(), UVIndex=index))
        if mesh.colors is not None:
            rows, index = _rows(mesh.colors, every)
            kind = _layer(record, "LayerElementColor", "ByPolygonVertex", "", Colors=rows.ravel(), ColorIndex=index)
            kinds.append(kind)
        kinds.append(_layer(record, "LayerElementMaterial", "AllSame", "", Materials=np.zeros(1, np.int32)))
        layer = record.add("Layer", 0, Version=100)
        layer.extend(Node("LayerElement", Type=kind, TypedIndex=0) for kind in kinds)
        return id, points

    def _skin(self, mesh: Mesh, geometry: int, points: Ints, place: Floats) -> None:
        assert mesh.joints is not None and mesh.weights is not None and mesh.inverse_bind is not None
        inverse = mesh.inverse_bind.astype(np.float64) @ np.linalg.inv(place)
        fields = {"Version": 101, "Link_DeformAcuracy": 50.0, "SkinningType": "Linear"}
        skin, _ = self.builder.add("Deformer", mesh.name, "Deformer", "Skin", **fields)
        self.builder.connect(skin, geometry)
        names = self.character.skeleton.names
        for joint, vertices, weights in _by_joint(mesh.joints[points], mesh.weights[points]):
            matrix = in_centimetres(inverse[joint])
            flattens = abs(np.linalg.det(matrix[:3, :3])) < 1e-24
            link = in_centimetres(self.binds[joint]) if flattens else np.linalg.inv(matrix).astype(np.float64)
            cluster, record = self.builder.add("Deformer", names[joint], "SubDeformer", "Cluster", Version=100)
            record.extend(UserData=("", ""), Indexes=vertices, Weights=weights)
            record.extend(Transform=flat(matrix), TransformLink=flat(link))
            self.builder.connect(cluster, skin)
            self.builder.connect(self.joints[joint], cluster)

    def _shapes(self, mesh: Mesh, geometry: int, points: Ints, place: Floats) -> None:
        deformer, _ = self.builder.add("Deformer", mesh.name, "Deformer", "BlendShape", Version=100)
        self.builder.connect(deformer, geometry)
        for morph in mesh.morphs:
            percent = float(morph.weight) * 100.0
            rows = [number("DeformPercent", percent, "Number", "", "A")]
            fields = {"Version": 100, "DeformPercent": percent, "FullWeights": np.array([100.0])}
            channel, _ = self.builder.add("Deformer", morph.name, "SubDeformer", "BlendShapeChannel", rows, **fields)
            self.builder.connect(channel, deformer)
            self.channels.setdefault(morph.name, []).append(channel)
            offsets = morph.positions[points].astype(np.float64) @ place[:3, :3].T * CENTIMETRES
            normals = np.zeros_like(offsets) if morph.normals is None else morph.normals[points].astype(np.float64)
            moved = np.flatnonzero((np.abs(offsets).max(axis=1) > 0) | (np.abs(normals).max(axis=1) > 0))
            moved = moved if len(moved) else np.zeros(min(len(points), 1), np.int64)  # Blender fails on empty shapes
            target, record = self.builder.add("Geometry", morph.name, "Geometry", "Shape", Version=100)
            record.extend(
                Indexes=moved.astype(np.int32), Vertices=offsets[moved].ravel(), Normals=normals[moved].ravel()
            )
            self.builder.connect(target, channel)


def _layer(record: Node, kind: str, mapping: str, name: str, **values: NDArray[Any]) -> str:
    """A layer element of values, with an index behind them or (of materials) as one; its kind."""
    indexed = len(values) > 1 or "Materials" in values
    reference = "IndexToDirect" if indexed else "Direct"
    layer = record.add(kind, 0, Version=101, Name=name, MappingInformationType=mapping)
    layer.extend(ReferenceInformationType=reference, **values)
    return kind


def _normals(normals: Floats, place: Floats) -> Floats:
    """Unit normals of a surface whose points are moved by a matrix."""
    sign = -1.0 if np.linalg.det(place[:3, :3]) < 0 else 1.0
    moved = sign * normals @ cofactors(place[:3, :3]).T
    lengths = np.linalg.norm(moved, axis=1, keepdims=True)
    return np.where(lengths > 1e-20, moved / np.maximum(lengths, 1e-20), normals)


def _welded(mesh: Mesh) -> tuple[Ints, Ints]:
    """Vertices that are one point of the surface: the first of each `[P]`, and the point of every vertex `[V]`."""
    columns = [mesh.positions, *(morph.positions for morph in mesh.morphs)]
    if mesh.joints is not None and mesh.weights is not None:
        columns += [mesh.weights, np.where(mesh.weights > 0, mesh.joints, 0).astype(np.float32)]
    return unique_rows(np.concatenate(columns, axis=1))


def _rows(values: Singles, corners: Ints) -> tuple[Floats, Indices]:
    """Different values of a layer, and the one of each corner."""
    first, which = unique_rows(values)
    return values[first].astype(np.float64), which[corners].astype(np.int32)


def _by_joint(joints: Indices, weights: Singles) -> list[tuple[int, Indices, Floats]]:
    """For each joint that moves something, the points and their weights; several influences of one are added."""
    point, column = np.nonzero(weights > 0)
    key = joints[point, column].astype(np.int64) * len(weights) + point
    pairs, which = np.unique(key, return_inverse=True)
    totals = np.bincount(which.reshape(-1), weights[point, column], len(pairs)).astype(np.float64)
    owners, vertices = np.divmod(pairs, max(len(weights), 1))
    used, starts = np.unique(owners, return_index=True)
    parts = zip(np.split(vertices, starts[1:]), np.split(totals, starts[1:]), strict=True)
    return [(int(joint), part.astype(np.int32), share) for joint, (part, share) in zip(used, parts, strict=True)]
