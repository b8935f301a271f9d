"""A character's meshes on the graphics side: vertex buffers, compact matrix lists, bounds."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from kinema.character import Character, Mesh
from kinema.errors import KinemaError
from kinema.rendering import morphs, palette
from kinema.rendering.materials import GpuMaterial, load_surfaces
from kinema.rendering.parts import joint_parts

if TYPE_CHECKING:
    import moderngl

    from kinema.rendering.shading import Shader

INFLUENCES = 8
"""Joints that may move one vertex; of more, the heaviest are kept."""


@dataclass(eq=False)
class GpuMesh:
    """Buffers of one mesh; vertex arrays are made for each program that draws it."""

    surface: GpuMaterial
    influences: int
    colored: bool
    buffers: dict[str, tuple[moderngl.Buffer, str]]
    indices: moderngl.Buffer
    morphs: morphs.GpuMorphs | None = None
    arrays: dict[int, moderngl.VertexArray] = field(default_factory=dict)

    def defines(self, targets: tuple[int, ...] = ()) -> dict[str, int]:
        """What a shader must be able to do to draw it with these morph targets."""
        return {**self.surface.defines(), **self.skinning(targets), **({"COLORED": 1} if self.colored else {})}

    def skinning(self, targets: tuple[int, ...]) -> dict[str, int]:
        """What of that says where its vertices are."""
        return {"INFLUENCES": self.influences, **({"MORPHS": morphs.room(targets)} if targets else {})}

    def draw(self, shader: Shader, instances: int, targets: tuple[int, ...] = ()) -> None:
        """Draw instances, with the morph targets that show, with a program whose uniforms are set."""
        program = shader.program
        if self.morphs is not None and targets:
            self.morphs.bind(shader, targets)
        array = self.arrays.get(program.glo)
        if array is None:
            content = [(buffer, form, name) for name, (buffer, form) in self.buffers.items() if name in program]
            array = self.arrays[program.glo] = shader.context.vertex_array(program, content, self.indices)
        array.render(instances=instances)

    def forget_programs(self) -> None:
        """Drop the vertex arrays: the programs are new."""
        for array in self.arrays.values():
            array.release()
        self.arrays.clear()

    def release(self) -> None:
        """Free the buffers."""
        self.forget_programs()
        for buffer, _ in self.buffers.values():
            buffer.release()
        self.indices.release()
        if self.morphs is not None:
            self.morphs.release()


class GpuCharacter:
    """Everything of a character that lives with the driver.

    Attributes:
        meshes: in the order of the character; those without triangles are left out.
        joints: int32 `[P]`: the joint of each matrix its shaders need (-1: none).
        binds: float32 `[P, 3, 4]`: from mesh space to that joint.
        centers: float32 `[P, 3]`, radii: float32 `[P]`: a ball, metres, around all that a matrix moves; in mesh
            space and in the world.
        morphs: int `[W]`: which of the character's morph targets are drawn. weights_at: int `[W]`: where their
            weights stand among the numbers of an instance.
    """

    def __init__(self, context: moderngl.Context, character: Character) -> None:
        surfaces, self.textures = load_surfaces(context, character.materials, character.textures)
        parts = joint_parts(character.skeleton)
        self._joints: list[int] = []
        self._binds: list[NDArray[np.float32]] = []
        self._balls: list[tuple[NDArray[np.float64], float]] = []
        self._known: dict[tuple[int, bytes], int] = {}
        self.meshes: list[GpuMesh] = []
        drawn: list[int] = []
        for number, mesh in enumerate(character.meshes):
            if len(mesh.indices) and len(mesh.positions):
                drawn.append(number)
                known = mesh.material is not None and 0 <= mesh.material < len(character.materials)
                surface = surfaces[mesh.material if known and mesh.material is not None else -1]
                self.meshes.append(self._upload(context, mesh, surface, parts, character))
        if not self.meshes:
            self.release()
            raise KinemaError(f"character {character.name!r} has no mesh to draw; give its skeleton a body first")
        self.joints = np.asarray(self._joints, np.int32)
        self.binds = np.stack(self._binds)
        self.centers = np.stack([ball[0] for ball in self._balls]).astype(np.float32)
        self.radii = np.asarray([ball[1] for ball in self._balls], np.float32)
        self.stride = palette.stride(len(self.joints))
        places, ends = [], np.cumsum([len(mesh.morphs) for mesh in character.meshes])
        for mesh, number in zip(self.meshes, drawn, strict=True):
            first = sum(count for _, count in places)
            mesh.morphs = morphs.upload(context, character.meshes[number], self.stride, first)
            if mesh.morphs is not None:
                places.append((self.stride, mesh.morphs.count))
                self.stride += mesh.morphs.texels
        self.weights_at = morphs.columns(places)
        self.morphs = morphs.choice([(int(ends[n]), len(character.meshes[n].morphs)) for n in drawn])
        self.rest_weights = character.rest_weights
        self.glows = any(mesh.surface.glows for mesh in self.meshes)

    def release(self) -> None:
        """Free everything."""
        for mesh in self.meshes:
            mesh.release()
        for texture in self.textures:
            texture.release()

    def _upload(
        self,
        context: moderngl.Context,
        mesh: Mesh,
        surface: GpuMaterial,
        parts: NDArray[np.int32],
        character: Character,
    ) -> GpuMesh:
        count, faces = len(mesh.positions), np.asarray(mesh.indices, np.uint32)
        if int(faces.max()) >= count:
            raise KinemaError(
                f"mesh {mesh.name!r} of character {character.name!r} has {count} vertices, but a triangle uses "
                f"number {int(faces.max())}"
            )
        slots, weights, part = self._influences(mesh, parts)
        buffers: dict[str, tuple[moderngl.Buffer, str]] = {}

        def put(name: str, form: str, array: NDArray) -> None:
            buffers[name] = (context.buffer(np.ascontiguousarray(array).tobytes()), form)

        put("in_position", "3f", np.asarray(mesh.positions, np.float32))
        put("in_normal", "3f", whole_normals(mesh))
        put("in_joints", "4u2", slots[:, :4].astype(np.uint16))
        put("in_weights", "4f", weights[:, :4].astype(np.float32))
        if slots.shape[1] > 4:
            put("in_more_joints", "4u2", slots[:, 4:].astype(np.uint16))
            put("in_more_weights", "4f", weights[:, 4:].astype(np.float32))
        put("in_part", "1u4", part.astype(np.uint32))
        if surface.textured:
            uvs = mesh.uvs if mesh.uvs is not None else np.zeros((count, 2), np.float32)
            put("in_uv", "2f", np.asarray(uvs, np.float32))
        if mesh.colors is not None:
            put("in_color", "4f", np.asarray(mesh.colors, np.float32))
        single = bool((weights[:, 0] > 0.9999).all())
        influences = 1 if single else slots.shape[1]
        return GpuMesh(surface, influences, mesh.colors is not None, buffers, context.buffer(faces.tobytes()))

    def _influences(
        self, mesh: Mesh, parts: NDArray[np.int32]
    ) -> tuple[NDArray[np.int64], NDArray[np.float64], NDArray[np.int32]]:
        """Matrix slots `[V, 4 or 8]`, their weights, and the body part `[V]` of each vertex."""
        count, slack = len(mesh.positions), morphs.reach(mesh)
        if mesh.joints is None or mesh.weights is None or mesh.inverse_bind is None:
            joint = -1 if mesh.joint is None else mesh.joint
            slots, weights = np.zeros((count, 4), np.int64), np.zeros((count, 4))
            slots[:], weights[:, 0] = self._slot(joint, np.eye(4, dtype=np.float32)[:3], mesh.positions, slack), 1.0
            return slots, weights, np.full(count, parts[joint] if joint >= 0 else 1, np.int32)
        joints, weights = np.asarray(mesh.joints, np.int64), np.asarray(mesh.weights, np.float64)
        order = np.argsort(-weights, axis=1, kind="stable")[:, :INFLUENCES]
        joints, weights = np.take_along_axis(joints, order, 1), np.take_along_axis(weights, order, 1)
        weights = weights / np.maximum(weights.sum(1, keepdims=True), 1e-12)
        used = int((weights > 0).any(0).sum())
        width = 4 if used <= 4 else INFLUENCES
        full_joints, full_weights = np.zeros((count, width), np.int64), np.zeros((count, width))
        keep = min(width, joints.shape[1])
        full_joints[:, :keep], full_weights[:, :keep] = joints[:, :keep], weights[:, :keep]
        full_joints = np.where(full_weights > 0, full_joints, full_joints[:, :1])
        slots = np.zeros_like(full_joints)
        for joint in np.unique(full_joints).tolist():
            hit = full_joints == joint
            slots[hit] = self._slot(joint, mesh.inverse_bind[joint, :3], mesh.positions[hit.any(1)], slack)
        return slots, full_weights, parts[full_joints[:, 0]]

    def _slot(self, joint: int, bind: NDArray[np.float32], moved: NDArray[np.float32], slack: float) -> int:
        """The matrix of a joint and a bind, made when it is new; its ball grows around the vertices that it moves."""
        key = (joint, np.ascontiguousarray(bind).tobytes())
        slot = self._known.get(key)
        points = np.asarray(moved, np.float64)
        if slack:
            points = np.concatenate([points - slack, points + slack])
        if slot is not None:
            center = self._balls[slot][0]
            points = np.concatenate([points, center[None]])
        low, high = points.min(0), points.max(0)
        center = 0.5 * (low + high)
        radius = float(np.linalg.norm((points - center) @ np.asarray(bind[:, :3], np.float64).T, axis=1).max())
        if slot is not None:
            old_center, old_radius = self._balls[slot]
            shift = float(np.linalg.norm(bind[:, :3].astype(np.float64) @ (old_center - center)))
            self._balls[slot] = (center, max(radius, old_radius + shift))
            return slot
        self._known[key] = slot = len(self._joints)
        self._joints.append(joint)
        self._binds.append(np.asarray(bind, np.float32))
        self._balls.append((center, radius))
        return slot


def whole_normals(mesh: Mesh) -> NDArray[np.float32]:
    """Unit normals `[V, 3]`: those of the mesh, area-weighted ones of its triangles where they are missing."""
    count = len(mesh.positions)
    given = np.asarray(mesh.normals, np.float32) if mesh.normals is not None and len(mesh.normals) == count else None
    if given is None:
        given = np.zeros((count, 3), np.float32)
    length = np.linalg.norm(given, axis=1, keepdims=True)
    bad = ~(np.isfinite(length) & (length > 1e-3))[:, 0]
    normals = np.where(bad[:, None], 0.0, given / np.maximum(length, 1e-12)).astype(np.float32)
    if bad.any():
        corners = np.asarray(mesh.positions, np.float64)[mesh.indices]
        face = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
        summed = np.zeros((count, 3))
        for corner in range(3):
            np.add.at(summed, mesh.indices[:, corner], face)
        summed /= np.maximum(np.linalg.norm(summed, axis=1, keepdims=True), 1e-12)
        normals[bad] = summed[bad]
    return np.ascontiguousarray(normals, np.float32)
