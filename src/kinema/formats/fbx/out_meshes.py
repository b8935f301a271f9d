"""Meshes of a character: geometry, skin, blend shapes, materials and textures.

Corners of a mesh that differ in normal or texture coordinates only become one control point, so that other programs
see a closed surface.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from kinema.character import Character, Mesh
from kinema.formats.fbx.encode import Node
from kinema.formats.fbx.out_binds import bind_pose, used_joints
from kinema.formats.fbx.out_rig import add_model, flat, in_centimetres
from kinema.formats.fbx.out_scene import CENTIMETRES, Scene, integer, number, vector
from kinema.formats.fbx.rows import unique_rows


class MeshWriter:
    """Writes the meshes of one character and remembers what poses and motions need.

    Attributes:
        models: ids of the nodes of skinned meshes; they stand at the origin.
        binds: global matrices `[J, 4, 4]` of the joints when the meshes were bound, metres.
        channels: ids of blend shape channels by the name of their target.
    """

    def __init__(self, scene: Scene, character: Character, joints: Sequence[int]) -> None:
        self.scene, self.character, self.joints = scene, character, joints
        self.binds, self._places = bind_pose(character.skeleton, character.meshes)
        self.models: list[int] = []
        self.channels: dict[str, list[int]] = {}

    def write(self, index: int, material: int | None) -> None:
        """One of the character's meshes on a node of its own; `material` is the id of its material."""
        mesh, shape = self.character.meshes[index], self._places[index]
        skinned = used_joints(mesh).size > 0
        sides = mesh.material is None or self.character.materials[mesh.material].double_sided
        rows = [
            integer("InheritType", 1, "enum", ""),
            integer("DefaultAttributeIndex", 0),
            vector("Lcl Translation", (0, 0, 0), "Lcl Translation", "", "A"),
            vector("Lcl Rotation", (0, 0, 0), "Lcl Rotation", "", "A"),
            vector("Lcl Scaling", (1, 1, 1), "Lcl Scaling", "", "A"),
        ]
        model = add_model(self.scene, mesh.name, "Mesh", rows, sides)
        self.scene.connect(model, 0 if skinned or mesh.joint is None else self.joints[mesh.joint])
        geometry, points = self._geometry(mesh, shape)
        self.scene.connect(geometry, model)
        if material is not None:
            self.scene.connect(material, model)
        if skinned:
            self.models.append(model)
            self._skin(mesh, geometry, points, shape)
        if mesh.morphs:
            self._shapes(mesh, geometry, points, shape)

    def _geometry(self, mesh: Mesh, shape: NDArray[np.float64]) -> tuple[int, NDArray[np.int64]]:
        """The surface; its id, and which vertex of the mesh each control point `[P]` is."""
        points, point_of = _welded(mesh)
        places = _moved(mesh.positions[points].astype(np.float64), shape) * CENTIMETRES
        corners = mesh.indices.astype(np.int64)
        if np.linalg.det(shape[:3, :3]) < 0:
            corners = corners[:, ::-1]
        polygons = point_of[corners].astype(np.int32)
        polygons[:, 2] = ~polygons[:, 2]  # the last corner of a polygon
        flat_corners = corners.ravel()
        geometry, record = self.scene.add("Geometry", mesh.name, "Geometry", "Mesh")
        record.children = [
            Node("GeometryVersion", 124),
            Node("Vertices", places.ravel()),
            Node("PolygonVertexIndex", polygons.ravel()),
        ]
        turned = _turned(mesh.normals.astype(np.float64), shape)
        layers: list[tuple[str, Node, Node | None]] = [
            ("LayerElementNormal", Node("Normals", turned[flat_corners].ravel()), None)
        ]
        if mesh.uvs is not None:
            rows, index = _rows(mesh.uvs, flat_corners)
            rows[:, 1] = 1 - rows[:, 1]
            layers.append(("LayerElementUV", Node("UV", rows.ravel()), Node("UVIndex", index)))
        if mesh.colors is not None:
            rows, index = _rows(mesh.colors, flat_corners)
            layers.append(("LayerElementColor", Node("Colors", rows.ravel()), Node("ColorIndex", index)))
        for kind, values, index in layers:
            entry = record.add(
                kind,
                0,
                children=[
                    Node("Version", 101),
                    Node("Name", "map1" if kind.endswith("UV") else ""),
                    Node("MappingInformationType", "ByPolygonVertex"),
                    Node("ReferenceInformationType", "Direct" if index is None else "IndexToDirect"),
                    values,
                ],
            )
            if index is not None:
                entry.add(index.name, *index.values)
        record.add(
            "LayerElementMaterial",
            0,
            children=[
                Node("Version", 101),
                Node("Name", ""),
                Node("MappingInformationType", "AllSame"),
                Node("ReferenceInformationType", "IndexToDirect"),
                Node("Materials", np.zeros(1, np.int32)),
            ],
        )
        kinds = [kind for kind, _, _ in layers] + ["LayerElementMaterial"]
        record.add(
            "Layer",
            0,
            children=[
                Node("Version", 100),
                *(Node("LayerElement", children=[Node("Type", kind), Node("TypedIndex", 0)]) for kind in kinds),
            ],
        )
        return geometry, points

    def _skin(self, mesh: Mesh, geometry: int, points: NDArray[np.int64], shape: NDArray[np.float64]) -> None:
        assert mesh.joints is not None and mesh.weights is not None and mesh.inverse_bind is not None
        inverse = mesh.inverse_bind.astype(np.float64) @ np.linalg.inv(shape)
        skin, record = self.scene.add("Deformer", mesh.name, "Deformer", "Skin")
        record.children = [Node("Version", 101), Node("Link_DeformAcuracy", 50.0), Node("SkinningType", "Linear")]
        self.scene.connect(skin, geometry)
        names = self.character.skeleton.names
        for joint, vertices, weights in _by_joint(mesh.joints[points], mesh.weights[points]):
            cluster, record = self.scene.add("Deformer", names[joint], "SubDeformer", "Cluster")
            matrix = in_centimetres(inverse[joint])
            flattens = abs(np.linalg.det(matrix[:3, :3])) < 1e-24
            link = in_centimetres(self.binds[joint]) if flattens else np.linalg.inv(matrix).astype(np.float64)
            record.children = [
                Node("Version", 100),
                Node("UserData", "", ""),
                Node("Indexes", vertices),
                Node("Weights", weights),
                Node("Transform", flat(matrix)),
                Node("TransformLink", flat(link)),
            ]
            self.scene.connect(cluster, skin)
            self.scene.connect(self.joints[joint], cluster)

    def _shapes(self, mesh: Mesh, geometry: int, points: NDArray[np.int64], shape: NDArray[np.float64]) -> None:
        deformer, record = self.scene.add("Deformer", mesh.name, "Deformer", "BlendShape")
        record.children = [Node("Version", 100)]
        self.scene.connect(deformer, geometry)
        for morph in mesh.morphs:
            percent = float(morph.weight) * 100.0
            channel, record = self.scene.add(
                "Deformer",
                morph.name,
                "SubDeformer",
                "BlendShapeChannel",
                [
                    number("DeformPercent", percent, "Number", "", "A"),
                ],
            )
            record.children = [
                Node("Version", 100),
                Node("DeformPercent", percent),
                Node("FullWeights", np.array([100.0])),
                *(record.children or []),
            ]
            self.scene.connect(channel, deformer)
            self.channels.setdefault(morph.name, []).append(channel)
            offsets = morph.positions[points].astype(np.float64) @ shape[:3, :3].T * CENTIMETRES
            bends = np.zeros_like(offsets) if morph.normals is None else morph.normals[points].astype(np.float64)
            moved = np.flatnonzero((np.abs(offsets).max(axis=1) > 0) | (np.abs(bends).max(axis=1) > 0))
            moved = moved if len(moved) else np.zeros(min(len(points), 1), np.int64)  # Blender fails on empty shapes
            target, record = self.scene.add("Geometry", morph.name, "Geometry", "Shape")
            record.children = [
                Node("Version", 100),
                Node("Indexes", moved.astype(np.int32)),
                Node("Vertices", offsets[moved].ravel()),
                Node("Normals", bends[moved].ravel()),
            ]
            self.scene.connect(target, channel)


def _moved(places: NDArray[np.float64], by: NDArray[np.float64]) -> NDArray[np.float64]:
    return places @ by[:3, :3].T + by[:3, 3]


def _turned(normals: NDArray[np.float64], by: NDArray[np.float64]) -> NDArray[np.float64]:
    """Unit normals of a surface whose points are moved by a matrix."""
    linear = by[:3, :3]
    cofactors = np.cross(linear[:, [1, 2, 0]], linear[:, [2, 0, 1]], axis=0)
    sign = -1.0 if np.linalg.det(linear) < 0 else 1.0
    turned = sign * normals @ cofactors.T
    lengths = np.linalg.norm(turned, axis=1, keepdims=True)
    return np.where(lengths > 1e-20, turned / np.maximum(lengths, 1e-20), normals)


def _welded(mesh: Mesh) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Vertices that are one point of the surface: the first of each `[P]`, and the point of every vertex `[V]`."""
    columns = [mesh.positions, *(morph.positions for morph in mesh.morphs)]
    if mesh.joints is not None and mesh.weights is not None:
        columns += [mesh.weights, np.where(mesh.weights > 0, mesh.joints, 0).astype(np.float32)]
    return unique_rows(np.concatenate(columns, axis=1))


def _rows(values: NDArray[np.float32], corners: NDArray[np.int64]) -> tuple[NDArray[np.float64], NDArray[np.int32]]:
    """Different values of a layer, and the one of each corner."""
    first, which = unique_rows(values)
    return values[first].astype(np.float64), which[corners].astype(np.int32)


def _by_joint(
    joints: NDArray[np.int32], weights: NDArray[np.float32]
) -> list[tuple[int, NDArray[np.int32], NDArray[np.float64]]]:
    """For each joint that moves something, the points and their weights; several influences of one are added."""
    point, column = np.nonzero(weights > 0)
    key = joints[point, column].astype(np.int64) * len(weights) + point
    pairs, which = np.unique(key, return_inverse=True)
    totals = np.bincount(which.reshape(-1), weights[point, column], len(pairs)).astype(np.float64)
    owners, vertices = np.divmod(pairs, max(len(weights), 1))
    used, starts = np.unique(owners, return_index=True)
    parts = zip(np.split(vertices, starts[1:]), np.split(totals, starts[1:]), strict=True)
    return [(int(joint), part.astype(np.int32), share) for joint, (part, share) in zip(used, parts, strict=True)]
