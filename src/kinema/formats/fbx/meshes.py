"""Meshes of an FBX file, skinned to the joints of its rig or attached to one of them.

A skinned mesh keeps its bind pose, in metres and Y up, and ignores the transform of its node: nodes of skinned
meshes do not move them. Each mesh has one material; geometries with several become several meshes, and a geometry on
several nodes one for each.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from kinema.arrays import Floats, Indices, Ints, Singles
from kinema.character import Character, Mesh, Morph
from kinema.formats.fbx.document import Id, Object
from kinema.formats.fbx.materials import Materials
from kinema.formats.fbx.nodes import FARTHEST, geometric
from kinema.formats.fbx.scene import FbxRig
from kinema.formats.fbx.shapes import BlendShape, read_shapes
from kinema.formats.fbx.skins import Clusters, influences, read_skin
from kinema.formats.fbx.surface import SurfacePart, control_points, read_surface
from kinema.formats.normals import normal_map, unit

MESH_BYTES = 4096  # what one mesh takes at least
_LEFT_OUT = ("NurbsCurve", "NurbsSurface", "TrimNurbsSurface", "Nurbs", "Patch", "Line", "Boundary")


class _Skin(NamedTuple):
    """Influences of all control points, and the inverse bind matrices; None for a mesh without a skin."""

    joints: Indices | None = None
    weights: Singles | None = None
    inverse_bind: Singles | None = None

    def of(self, points: Ints) -> _Skin:
        """The skin of vertices at some control points."""
        if self.joints is None or self.weights is None:
            return self
        return _Skin(self.joints[points], self.weights[points], self.inverse_bind)


class _Geometry(NamedTuple):
    """A geometry at its place in the character.

    Attributes:
        positions: float32 `[P, 3]` of its control points.
        linear: `[3, 3]`: from the geometry's own space.
        joint: the joint that a mesh without a skin is attached to.
    """

    positions: Singles
    linear: Floats
    skin: _Skin
    joint: int | None
    shapes: list[BlendShape]

    def mesh(self, name: str, part: SurfacePart, material: int | None) -> Mesh:
        """The mesh of one material."""
        normals, mirrored = normal_map(self.linear)
        return Mesh(
            name,
            self.positions[part.points],
            unit(part.normals @ normals.T),
            np.ascontiguousarray(part.triangles[:, ::-1]) if mirrored else part.triangles,
            part.uvs,
            part.colors,
            *self.skin.of(part.points),
            joint=self.joint,
            material=material,
            morphs=tuple(_morph(shape, part, len(self.positions), self.linear, normals) for shape in self.shapes),
        )


def read_character(rig: FbxRig) -> Character | None:
    """All meshes with their materials; None if there is none.

    Raises:
        FormatError: the meshes need more memory than a file of this size may.
    """
    reader = _Reader(rig)
    with np.errstate(over="ignore", invalid="ignore"):  # what overflows is refused
        meshes = reader.meshes()
    if not meshes:
        return None
    name, materials = rig.tree.document.source.stem, reader.materials
    return Character(name, rig.skeleton, tuple(meshes), tuple(materials.found), tuple(materials.textures.found))


class _Reader:
    def __init__(self, rig: FbxRig) -> None:
        self.nodes, self.rig = rig.tree, rig
        self.materials = Materials(rig.tree.document, self.culled())
        # Points and parts by geometry and sets of texture coordinates: many nodes may show the same.
        self.surfaces: dict[tuple[Id, tuple[tuple[int, str], ...]], tuple[Floats, list[SurfacePart]]] = {}

    def culled(self) -> set[Id]:
        """Materials of meshes that are invisible from behind."""
        models = [m for m in self.nodes.models if m.record.text("Culling") in ("CullingOnCCW", "CullingOnCW")]
        return {item.id for model in models for item in model.children("Material")}

    def meshes(self) -> list[Mesh]:
        meshes: list[Mesh] = []
        for node, model in enumerate(self.nodes.models):
            found = model.children("Geometry")
            if found and not (model.number("Visibility", 1.0) and model.integer("Show", 1)):
                model.warn("is hidden and was left out")
                continue
            for geometry in found:
                if self.is_mesh(geometry):
                    meshes += self.place(node, geometry)
        return meshes

    def is_mesh(self, geometry: Object) -> bool:
        if geometry.subclass in _LEFT_OUT or geometry.record.find("Vertices") is None:
            kind = geometry.subclass or "empty"
            geometry.warn(f"is not a mesh ({kind}) and was left out")
            return False
        return geometry.subclass != "Shape"

    def surface(self, geometry: Object, uv_sets: dict[int, str]) -> tuple[Floats, list[SurfacePart]]:
        key = (geometry.id, tuple(sorted(uv_sets.items())))
        if key not in self.surfaces:
            points = control_points(geometry)
            self.surfaces[key] = points, read_surface(geometry, points, uv_sets)
        return self.surfaces[key]

    def place(self, node: int, geometry: Object) -> list[Mesh]:
        """The meshes of one geometry on one node."""
        model = self.nodes.models[node]
        slots = model.children("Material")
        uv_sets = {place: name for place, item in enumerate(slots) if (name := self.materials.uv_set(item))}
        points, parts = self.surface(geometry, uv_sets)
        if not parts:
            return []
        geometry.charge(MESH_BYTES * len(parts) + 24 * len(points))
        shapes = read_shapes(geometry, len(points))
        clusters = read_skin(self.nodes, node, geometry, len(points))
        if clusters is None:
            skin, joint, frame = _Skin(), self.rig.nearest.get(node), self.frame(node)  # no joint: it never moves
        else:
            joint = None
            frame, skin = self.bind(node, geometry, clusters, len(points))
        positions = self.single(geometry, points @ frame[:3, :3].T + frame[:3, 3])
        for shape in shapes:
            self.single(geometry, shape.offsets @ frame[:3, :3].T)
        geometry.charge(sum(len(part.points) for part in parts) * (32 + 24 * len(shapes)))
        whole = _Geometry(positions, frame[:3, :3], skin, joint, shapes)
        name = model.name or geometry.name
        names = [name] if len(parts) == 1 else [f"{name}.{number}" for number in range(len(parts))]
        return [whole.mesh(*named, self.material(slots, named[1], model)) for named in zip(names, parts, strict=True)]

    def material(self, slots: list[Object], part: SurfacePart, model: Object) -> int | None:
        if not slots:
            return None
        loose = next(iter(model.children("Texture")), None)
        return self.materials.index(slots[part.material if 0 <= part.material < len(slots) else 0], loose)

    def frame(self, node: int) -> Floats:
        """From a geometry without a skin `[4, 4]` to the joint that it is attached to, or to the world."""
        rest, joint = self.nodes.rest, self.rig.nearest.get(node)
        outer = self.rig.conversion
        if joint is not None:
            outer = self.rig.attach[joint] @ np.linalg.pinv(rest[self.rig.nodes[joint]])
        return outer @ rest[node] @ geometric(self.nodes.models[node])

    def bind(self, node: int, geometry: Object, clusters: Clusters, point_count: int) -> tuple[Floats, _Skin]:
        """The transform of the mesh in its bind pose `[4, 4]`, metres, and its skin from there."""
        nodes, rig = self.nodes, self.rig
        offset = geometric(nodes.models[node])
        frame = self.rig.conversion @ clusters.links[0] @ clusters.binds[0] @ offset
        self.single(geometry, frame)
        if abs(np.linalg.det(frame[:3, :3])) < 1e-24:
            frame = self.rig.conversion
        back = np.linalg.inv(frame)
        geometry.charge(128 * rig.skeleton.joint_count)
        inverse_bind = np.tile(np.eye(4), (rig.skeleton.joint_count, 1, 1))
        joints = np.array([rig.joint_of[bone] for bone in clusters.bones], dtype=np.int32)
        inverse_bind[joints] = rig.attach[joints] @ clusters.binds @ offset @ back
        bones, weights, bare = influences(geometry, clusters, point_count)
        chosen = joints[bones]
        if bare.any():
            # In FBX, points without a joint follow the mesh's node; here they follow the joint that it is attached to.
            holder = rig.nearest.get(node, 0)
            name = rig.skeleton.names[holder]
            geometry.warn(f"has {int(bare.sum())} points without a joint; they follow {name!r}")
            if holder not in joints:
                carried = np.linalg.pinv(nodes.rest[rig.nodes[holder]]) @ nodes.rest[node]
                inverse_bind[holder] = rig.attach[holder] @ carried @ offset @ back
            chosen[bare, 0], weights[bare, 0] = holder, 1
        return frame, _Skin(chosen, weights, self.single(geometry, inverse_bind))

    def single(self, geometry: Object, values: Floats) -> Singles:
        """Values in single precision; FormatError for those outside of any sensible range."""
        if not (np.abs(values) < FARTHEST).all():  # also if they are NaN
            raise geometry.document.error("lies outside of any sensible range", geometry.where)
        return values.astype(np.float32)


def _morph(shape: BlendShape, part: SurfacePart, point_count: int, linear: Floats, normal: Floats) -> Morph:
    def spread(offsets: Floats, by: Floats) -> Singles:
        every = np.zeros((point_count, 3), np.float32)
        every[shape.points] = offsets @ by.T
        return every[part.points]

    normals = None
    if shape.normals is not None and shape.normals.any():
        normals = spread(shape.normals, normal)
    return Morph(shape.name, spread(shape.offsets, linear), normals, shape.weight)
