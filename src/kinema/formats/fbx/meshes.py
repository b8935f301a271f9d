"""Meshes of an FBX file, bound to the joints of its rig or hung on one of them.

A skinned mesh keeps the pose in which it was bound, in metres and upright, whatever its node says: nodes of skinned
meshes do not move them. Each mesh has one material; geometries with several become several meshes, and a geometry on
several nodes one for each.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from kinema.character import Character, Mesh, Morph
from kinema.formats.fbx.document import FbxDocument, Id, Object
from kinema.formats.fbx.materials import Materials
from kinema.formats.fbx.nodes import FARTHEST, Nodes, geometric
from kinema.formats.fbx.scene import Rig
from kinema.formats.fbx.settings import Settings
from kinema.formats.fbx.shapes import BlendShape, read_shapes
from kinema.formats.fbx.skins import Clusters, influences, read_skin
from kinema.formats.fbx.surface import SurfacePart, control_points, read_surface
from kinema.formats.normals import cofactors, unit

Array = NDArray[np.float64]

MESH_BYTES = 4096  # what one mesh takes at least
_LEFT_OUT = ("NurbsCurve", "NurbsSurface", "TrimNurbsSurface", "Nurbs", "Patch", "Line", "Boundary")


class _Skin(NamedTuple):
    """Influences of all control points, and the inverse bind matrices; None for a mesh without a skin."""

    joints: NDArray[np.int32] | None = None
    weights: NDArray[np.float32] | None = None
    inverse_bind: NDArray[np.float32] | None = None

    def of(self, points: NDArray[np.int64]) -> _Skin:
        """The skin of vertices at some control points."""
        if self.joints is None or self.weights is None:
            return self
        return _Skin(self.joints[points], self.weights[points], self.inverse_bind)


def read_character(document: FbxDocument, settings: Settings, nodes: Nodes, rig: Rig) -> Character | None:
    """All meshes with their materials; None if there is none.

    Raises:
        FormatError: the meshes ask for more memory than a file of this size may.
    """
    reader = _Reader(document, settings, nodes, rig)
    with np.errstate(over="ignore", invalid="ignore"):  # what overflows is refused
        meshes = reader.meshes()
    if not meshes:
        return None
    materials = reader.materials
    return Character(
        document.source.stem, rig.skeleton, tuple(meshes), tuple(materials.found), tuple(materials.textures.found)
    )


class _Reader:
    def __init__(self, document: FbxDocument, settings: Settings, nodes: Nodes, rig: Rig) -> None:
        self.document, self.settings, self.nodes, self.rig = document, settings, nodes, rig
        self.materials = Materials(document, self.culled())
        # Points and parts by geometry and sets of texture coordinates: many nodes may show the same.
        self.surfaces: dict[tuple[Id, tuple[tuple[int, str], ...]], tuple[Array, list[SurfacePart]]] = {}

    def culled(self) -> set[Id]:
        """Materials of meshes that are not to be seen from behind."""
        models = [m for m in self.nodes.models if m.record.text("Culling") in ("CullingOnCCW", "CullingOnCW")]
        return {item.id for model in models for item in self.document.children(model.id, "Material")}

    def meshes(self) -> list[Mesh]:
        meshes: list[Mesh] = []
        for node, model in enumerate(self.nodes.models):
            found = self.document.children(model.id, "Geometry")
            if found and not (model.number("Visibility", 1.0) and model.integer("Show", 1)):
                self.document.warn(f"{model.where} is hidden and was left out")
                continue
            for geometry in found:
                if self.is_mesh(geometry):
                    meshes += self.place(node, geometry)
        return meshes

    def is_mesh(self, geometry: Object) -> bool:
        if geometry.subclass in _LEFT_OUT or geometry.record.find("Vertices") is None:
            kind = geometry.subclass or "empty"
            self.document.warn(f"{geometry.where} is no mesh ({kind}) and was left out")
            return False
        return geometry.subclass != "Shape"

    def surface(self, geometry: Object, uv_sets: dict[int, str]) -> tuple[Array, list[SurfacePart]]:
        key = (geometry.id, tuple(sorted(uv_sets.items())))
        if key not in self.surfaces:
            points = control_points(self.document, geometry)
            self.surfaces[key] = points, read_surface(self.document, geometry, points, uv_sets)
        return self.surfaces[key]

    def place(self, node: int, geometry: Object) -> list[Mesh]:
        """The meshes of one geometry on one node."""
        document, model = self.document, self.nodes.models[node]
        slots = document.children(model.id, "Material")
        loose = next(iter(document.children(model.id, "Texture")), None)
        uv_sets = {place: name for place, item in enumerate(slots) if (name := self.materials.uv_set(item))}
        points, parts = self.surface(geometry, uv_sets)
        if not parts:
            return []
        document.budget.charge(MESH_BYTES * len(parts) + 24 * len(points), geometry.where)
        shapes = read_shapes(document, geometry, len(points))
        clusters = read_skin(document, self.nodes, node, geometry, len(points))
        if clusters is None:
            skin, joint, frame = _Skin(), self.rig.nearest.get(node), self.frame(node)  # no joint: it never moves
        else:
            joint = None
            frame, skin = self.bind(node, geometry, clusters, len(points))
        mirrored = bool(np.linalg.det(frame[:3, :3]) < 0)
        positions = self.single(geometry, points @ frame[:3, :3].T + frame[:3, 3])
        normal_map = cofactors(frame[:3, :3]) * (-1 if mirrored else 1)
        for shape in shapes:
            self.single(geometry, shape.offsets @ frame[:3, :3].T)
        name = model.name or geometry.name
        document.budget.charge(sum(len(part.points) for part in parts) * (32 + 24 * len(shapes)), geometry.where)
        return [
            Mesh(
                name if len(parts) == 1 else f"{name}.{number}",
                positions[part.points],
                unit(part.normals @ normal_map.T),
                np.ascontiguousarray(part.triangles[:, ::-1]) if mirrored else part.triangles,
                part.uvs,
                part.colors,
                *skin.of(part.points),
                joint=joint,
                material=self.material(slots, part, loose),
                morphs=tuple(_morph(shape, part, len(points), frame[:3, :3], normal_map) for shape in shapes),
            )
            for number, part in enumerate(parts)
        ]

    def material(self, slots: list[Object], part: SurfacePart, loose: Object | None) -> int | None:
        if not slots:
            return None
        return self.materials.index(slots[part.material if 0 <= part.material < len(slots) else 0], loose)

    def frame(self, node: int) -> Array:
        """From a geometry without a skin `[4, 4]` to the joint that it hangs on, or to the world."""
        rest, joint = self.nodes.rest, self.rig.nearest.get(node)
        outer = self.settings.conversion
        if joint is not None:
            outer = self.rig.attach[joint] @ np.linalg.pinv(rest[self.rig.nodes[joint]])
        return outer @ rest[node] @ geometric(self.nodes.models[node])

    def bind(self, node: int, geometry: Object, clusters: Clusters, point_count: int) -> tuple[Array, _Skin]:
        """Where the mesh was when it was bound `[4, 4]`, metres, and its skin from there."""
        document, nodes, rig = self.document, self.nodes, self.rig
        offset = geometric(nodes.models[node])
        frame = self.settings.conversion @ clusters.links[0] @ clusters.binds[0] @ offset
        self.single(geometry, frame)
        if abs(np.linalg.det(frame[:3, :3])) < 1e-24:
            frame = self.settings.conversion
        back = np.linalg.inv(frame)
        document.budget.charge(128 * rig.skeleton.joint_count, geometry.where)
        inverse_bind = np.tile(np.eye(4), (rig.skeleton.joint_count, 1, 1))
        joints = np.array([rig.joint_of[bone] for bone in clusters.bones], dtype=np.int32)
        inverse_bind[joints] = rig.attach[joints] @ clusters.binds @ offset @ back
        bones, weights, bare = influences(document, geometry, clusters, point_count)
        chosen = joints[bones]
        if bare.any():
            # Points without a joint stay on the mesh's node; here they need a joint, and follow the one it hangs on.
            holder = rig.nearest.get(node, 0)
            name = rig.skeleton.names[holder]
            document.warn(f"{geometry.where} has {int(bare.sum())} points without a joint; they follow {name!r}")
            if holder not in joints:
                carried = np.linalg.pinv(nodes.rest[rig.nodes[holder]]) @ nodes.rest[node]
                inverse_bind[holder] = rig.attach[holder] @ carried @ offset @ back
            chosen[bare, 0], weights[bare, 0] = holder, 1
        return frame, _Skin(chosen, weights, self.single(geometry, inverse_bind))

    def single(self, geometry: Object, values: Array) -> NDArray[np.float32]:
        """Values in single precision; FormatError for those outside of any sensible range."""
        if not (np.abs(values) < FARTHEST).all():  # also if they are NaN
            raise self.document.error("lies outside of any sensible range", geometry.where)
        return values.astype(np.float32)


def _morph(shape: BlendShape, part: SurfacePart, point_count: int, linear: Array, normal_map: Array) -> Morph:
    def spread(offsets: Array, by: Array) -> NDArray[np.float32]:
        every = np.zeros((point_count, 3), np.float32)
        every[shape.points] = offsets @ by.T
        return every[part.points]

    normals = None
    if shape.normals is not None and shape.normals.any():
        size = np.cbrt(abs(np.linalg.det(normal_map))) or 1.0
        normals = spread(shape.normals, normal_map / size)
    return Morph(shape.name, spread(shape.offsets, linear), normals, shape.weight)
