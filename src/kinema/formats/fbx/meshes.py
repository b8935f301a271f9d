"""Meshes of an FBX file, bound to the joints of its rig or hung on one of them.

A skinned mesh is kept as it stood when it was bound, in metres and upright, whatever its node says: nodes of skinned
meshes do not move them. Each mesh has one material; geometries with several become several meshes, and a geometry on
several nodes one for each.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from kinema.character import Character, Mesh, Morph
from kinema.formats.fbx.document import Document, Id, Object
from kinema.formats.fbx.materials import Materials
from kinema.formats.fbx.nodes import FARTHEST, Nodes, geometric
from kinema.formats.fbx.scene import Rig
from kinema.formats.fbx.settings import Settings
from kinema.formats.fbx.shapes import Shape, read_shapes
from kinema.formats.fbx.skins import Skin, influences, read_skin
from kinema.formats.fbx.surface import Part, control_points, read_surface
from kinema.formats.normals import cofactors, unit

MESH_BYTES = 4096  # what one mesh takes at least
Surfaces = dict[tuple[Id, tuple[tuple[int, str], ...]], tuple[NDArray[np.float64], list[Part]]]
"""Points and parts by geometry and sets of texture coordinates: many nodes may show the same."""
_LEFT_OUT = ("NurbsCurve", "NurbsSurface", "TrimNurbsSurface", "Nurbs", "Patch", "Line", "Boundary")


@dataclass(frozen=True)
class _Bound:
    """A skin as the vertices of a mesh need it, for all control points of its geometry."""

    joints: NDArray[np.int32]
    weights: NDArray[np.float32]
    inverse_bind: NDArray[np.float32]


def read_character(document: Document, settings: Settings, nodes: Nodes, rig: Rig) -> Character | None:
    """All meshes with their materials; None where there is none.

    Raises:
        FormatError: the meshes ask for more memory than a file of this size may.
    """
    materials = Materials(document, _culled(document, nodes))
    meshes: list[Mesh] = []
    with np.errstate(over="ignore", invalid="ignore"):  # what comes of it is refused
        _read_all(document, settings, nodes, rig, materials, meshes)
    if not meshes:
        return None
    return Character(
        document.source.stem, rig.skeleton, tuple(meshes), tuple(materials.found), tuple(materials.textures.found)
    )


def _read_all(
    document: Document, settings: Settings, nodes: Nodes, rig: Rig, materials: Materials, meshes: list[Mesh]
) -> None:
    surfaces: Surfaces = {}
    for node, model in enumerate(nodes.models):
        found = document.children(model.id, "Geometry")
        if found and not (model.number("Visibility", 1.0) and model.integer("Show", 1)):
            document.warn(f"{model.where} is not to be seen and was left out")
            continue
        for geometry in found:
            if geometry.subclass in _LEFT_OUT or geometry.record.find("Vertices") is None:
                document.warn(f"{geometry.where} is no mesh ({geometry.subclass or 'empty'}) and was left out")
            elif geometry.subclass != "Shape":
                meshes += _place(document, settings, nodes, rig, node, geometry, materials, surfaces)


def _culled(document: Document, nodes: Nodes) -> set[Id]:
    """Materials of meshes that are not to be seen from behind."""
    found: set[Id] = set()
    for model in nodes.models:
        if model.record.text("Culling") in ("CullingOnCCW", "CullingOnCW"):
            found.update(item.id for item in document.children(model.id, "Material"))
    return found


def _place(
    document: Document,
    settings: Settings,
    nodes: Nodes,
    rig: Rig,
    node: int,
    geometry: Object,
    materials: Materials,
    surfaces: Surfaces,
) -> list[Mesh]:
    """The meshes of one geometry on one node."""
    model = nodes.models[node]
    slots = document.children(model.id, "Material")
    loose = next(iter(document.children(model.id, "Texture")), None)
    uv_sets = {place: name for place, item in enumerate(slots) if (name := materials.uv_set(item))}
    key = (geometry.id, tuple(sorted(uv_sets.items())))
    if key not in surfaces:
        points = control_points(document, geometry)
        surfaces[key] = points, read_surface(document, geometry, points, uv_sets)
    points, parts = surfaces[key]
    if not parts:
        return []
    document.budget.charge(MESH_BYTES * len(parts) + 24 * len(points), geometry.where)
    shapes = read_shapes(document, geometry, len(points))
    skin = read_skin(document, nodes, node, geometry, len(points))
    joint = rig.nearest.get(node)  # None for what stands still in the world
    bound = None
    if skin is not None:
        frame, bound = _bind(document, settings, nodes, rig, node, geometry, skin, len(points))
    elif joint is not None:
        frame = rig.attach[joint] @ np.linalg.pinv(nodes.rest[rig.nodes[joint]]) @ nodes.rest[node] @ geometric(model)
    else:
        frame = settings.conversion @ nodes.rest[node] @ geometric(model)
    mirrored = bool(np.linalg.det(frame[:3, :3]) < 0)
    places = _single(document, geometry, points @ frame[:3, :3].T + frame[:3, 3])
    normal_map = cofactors(frame[:3, :3]) * (-1 if mirrored else 1)
    for shape in shapes:
        _single(document, geometry, shape.offsets @ frame[:3, :3].T)
    name = model.name or geometry.name
    meshes = []
    for number, part in enumerate(parts):
        document.budget.charge(len(part.points) * (32 + 24 * len(shapes)), geometry.where)
        material = None
        if slots:
            chosen = part.material if 0 <= part.material < len(slots) else 0
            material = materials.index(slots[chosen], loose)
        meshes.append(
            Mesh(
                name if len(parts) == 1 else f"{name}.{number}",
                places[part.points],
                unit(part.normals @ normal_map.T),
                np.ascontiguousarray(part.triangles[:, ::-1]) if mirrored else part.triangles,
                part.uvs,
                part.colors,
                None if bound is None else bound.joints[part.points],
                None if bound is None else bound.weights[part.points],
                None if bound is None else bound.inverse_bind,
                joint if bound is None else None,
                material,
                tuple(_morph(shape, part, len(points), frame[:3, :3], normal_map) for shape in shapes),
            )
        )
    return meshes


def _bind(
    document: Document,
    settings: Settings,
    nodes: Nodes,
    rig: Rig,
    node: int,
    geometry: Object,
    skin: Skin,
    point_count: int,
) -> tuple[NDArray[np.float64], _Bound]:
    """Where the mesh was when it was bound `[4, 4]`, metres, and its skin from there."""
    offset = geometric(nodes.models[node])
    frame = settings.conversion @ skin.links[0] @ skin.binds[0] @ offset
    _single(document, geometry, frame)
    if abs(np.linalg.det(frame[:3, :3])) < 1e-24:
        frame = settings.conversion
    back = np.linalg.inv(frame)
    document.budget.charge(128 * rig.skeleton.joint_count, geometry.where)
    inverse_bind = np.tile(np.eye(4), (rig.skeleton.joint_count, 1, 1))
    joints = np.array([rig.joint_of[bone] for bone in skin.bones], dtype=np.int32)
    inverse_bind[joints] = rig.attach[joints] @ skin.binds @ offset @ back
    bones, weights, bare = influences(document, geometry, skin, point_count)
    chosen = joints[bones]
    if bare.any():
        # Points without a joint stay on the mesh's node; here they need a joint, and move with what it hangs on.
        holder = rig.nearest.get(node, 0)
        document.warn(
            f"{geometry.where} has {int(bare.sum())} points without a joint; they follow {rig.skeleton.names[holder]!r}"
        )
        if holder not in joints:
            carried = np.linalg.pinv(nodes.rest[rig.nodes[holder]]) @ nodes.rest[node]
            inverse_bind[holder] = rig.attach[holder] @ carried @ offset @ back
        chosen[bare, 0], weights[bare, 0] = holder, 1
    return frame, _Bound(chosen, weights, _single(document, geometry, inverse_bind))


def _morph(
    shape: Shape, part: Part, point_count: int, linear: NDArray[np.float64], normal_map: NDArray[np.float64]
) -> Morph:
    def spread(offsets: NDArray[np.float64], by: NDArray[np.float64]) -> NDArray[np.float32]:
        every = np.zeros((point_count, 3), np.float32)
        every[shape.points] = offsets @ by.T
        return every[part.points]

    bends = None
    if shape.bends is not None and shape.bends.any():
        size = np.cbrt(abs(np.linalg.det(normal_map))) or 1.0
        bends = spread(shape.bends, normal_map / size)
    return Morph(shape.name, spread(shape.offsets, linear), bends, shape.weight)


def _single(document: Document, geometry: Object, values: NDArray[np.float64]) -> NDArray[np.float32]:
    """Values in single precision; FormatError for those that are nowhere."""
    if not (np.abs(values) < FARTHEST).all():  # also where they are no numbers
        raise document.error("lies outside of any sensible range", geometry.where)
    return values.astype(np.float32)
