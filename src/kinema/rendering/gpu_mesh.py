"""A character's meshes on the GPU: vertex buffers, matrix palettes and bounding spheres."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from kinema.arrays import Floats, Indices, Ints, Singles
from kinema.character import Character, Mesh
from kinema.errors import KinemaError
from kinema.formats.normals import smooth
from kinema.rendering import morphs, palette
from kinema.rendering.materials import GpuMaterial, load_surfaces
from kinema.rendering.parts import joint_parts
from kinema.rotations import normalize_vector

if TYPE_CHECKING:
    import moderngl

    from kinema.rendering.shading import Shader

INFLUENCES = 8
"""Maximum number of joints per vertex. If a mesh has more, those with the largest weights are kept."""


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

    def defines(self, targets: morphs.Active = ()) -> dict[str, int]:
        """Preprocessor definitions of a shader that draws this mesh with these morph targets."""
        return {**self.surface.defines(), **self.skinning(targets), **({"COLORED": 1} if self.colored else {})}

    def skinning(self, targets: morphs.Active) -> dict[str, int]:
        """The definitions for skinning and morph targets, without those of the material."""
        return {
            "PALETTE_WIDTH": palette.WIDTH,
            "INFLUENCES": self.influences,
            **({"MORPHS": morphs.capacity(targets)} if targets else {}),
        }

    def draw(self, shader: Shader, instances: int, targets: morphs.Active = ()) -> None:
        """Draw instances with a program whose uniforms are set; `targets` are the active morph targets."""
        program = shader.program
        if self.morphs is not None and targets:
            self.morphs.bind(shader, targets)
        array = self.arrays.get(program.glo)
        if array is None:
            content = [(buffer, form, name) for name, (buffer, form) in self.buffers.items() if name in program]
            array = self.arrays[program.glo] = shader.context.vertex_array(program, content, self.indices)
        array.render(instances=instances)

    def forget_programs(self) -> None:
        """Release the vertex arrays, because their programs were compiled again."""
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
    """All GPU data of a character.

    Attributes:
        meshes: the meshes, in the order of the character; those without triangles are left out.
        joints: int32 `[P]`: the joint of each skinning matrix (-1: none).
        binds: float32 `[P, 3, 4]`: inverse bind matrices, from mesh space to the space of that joint.
        centers: float32 `[P, 3]`: centres of bounding spheres of the vertices that each matrix moves, in mesh space.
        radii: float32 `[P]`: radii of these spheres, metres, in the world.
        morphs: int `[W]`: which of the character's morph targets are drawn.
        weights_at: int `[W]`: where their weights are in the floats of an instance.
    """

    def __init__(self, context: moderngl.Context, character: Character) -> None:
        surfaces, self.textures = load_surfaces(context, character.materials, character.textures)
        parts, slots = joint_parts(character.skeleton), _Slots()
        self.meshes: list[GpuMesh] = []
        drawn = [number for number, mesh in enumerate(character.meshes) if len(mesh.indices) and len(mesh.positions)]
        for mesh in (character.meshes[number] for number in drawn):
            material = -1 if mesh.material is None or mesh.material >= len(character.materials) else mesh.material
            _check_triangles(mesh, character.name)
            self.meshes.append(_upload(context, mesh, surfaces[max(material, -1)], parts, slots))
        if not self.meshes:
            self.release()
            raise KinemaError(f"character {character.name!r} has no mesh to draw; add a mannequin first")
        self.joints, self.binds, self.centers, self.radii = slots.arrays()
        self.stride = palette.stride(len(self.joints))
        self._add_morphs(context, character, drawn)
        self.rest_weights = character.rest_weights
        self.glows = any(mesh.surface.glows for mesh in self.meshes)

    def _add_morphs(self, context: moderngl.Context, character: Character, drawn: list[int]) -> None:
        """Upload morph targets. An instance stores the weights of all meshes after its matrices."""
        places, ends = [], np.cumsum([len(mesh.morphs) for mesh in character.meshes])
        for mesh, number in zip(self.meshes, drawn, strict=True):
            first = sum(count for _, count in places)
            mesh.morphs = morphs.upload(context, character.meshes[number], self.stride, first)
            if mesh.morphs is not None:
                places.append((self.stride, mesh.morphs.count))
                self.stride += mesh.morphs.texels
        self.weights_at = morphs.columns(places)
        self.morphs = morphs.choice([(int(ends[n]), len(character.meshes[n].morphs)) for n in drawn])

    def forget_programs(self) -> None:
        """Release the vertex arrays, because their programs were compiled again."""
        for mesh in self.meshes:
            mesh.forget_programs()

    def release(self) -> None:
        """Free everything."""
        for mesh in self.meshes:
            mesh.release()
        for texture in self.textures:
            texture.release()


class _Slots:
    """The skinning matrices of a character: pairs of a joint and an inverse bind matrix, and the points each moves."""

    def __init__(self) -> None:
        self._numbers: dict[tuple[int, bytes], int] = {}
        self._binds: list[Singles] = []
        self._points: list[list[Floats]] = []

    def add(self, joint: int, bind: Singles, moved: Singles, slack: float) -> int:
        """Index of the matrix of a joint and a bind matrix; morph targets move its points by at most `slack`."""
        key = joint, np.ascontiguousarray(bind).tobytes()
        number = self._numbers.setdefault(key, len(self._numbers))
        if number == len(self._binds):
            self._binds.append(np.asarray(bind, np.float32))
            self._points.append([])
        points = np.asarray(moved, np.float64)
        self._points[number] += [points - slack, points + slack] if slack else [points]
        return number

    def arrays(self) -> tuple[Indices, Singles, Singles, Singles]:
        """Joints, bind matrices, and centres and radii of the bounding spheres; see `GpuCharacter`."""
        centers, radii = [], []
        for bind, pieces in zip(self._binds, self._points, strict=True):
            points = np.concatenate(pieces)
            centers.append(0.5 * (points.min(0) + points.max(0)))
            reach = np.linalg.norm((points - centers[-1]) @ bind[:, :3].astype(np.float64).T, axis=1)
            radii.append(float(reach.max()))
        joints = np.array([joint for joint, _ in self._numbers], np.int32)
        return joints, np.stack(self._binds), np.stack(centers).astype(np.float32), np.array(radii, np.float32)


def _check_triangles(mesh: Mesh, owner: str) -> None:
    most = int(np.asarray(mesh.indices).max())
    if most >= len(mesh.positions):
        raise KinemaError(
            f"mesh {mesh.name!r} of character {owner!r} has {len(mesh.positions)} vertices, "
            f"but a triangle uses vertex {most}"
        )


def _upload(context: moderngl.Context, mesh: Mesh, surface: GpuMaterial, parts: Indices, slots: _Slots) -> GpuMesh:
    numbers, weights, part = _influences(mesh, parts, slots)
    arrays = {
        "in_position": ("3f", mesh.positions, np.float32),
        "in_normal": ("3f", complete_normals(mesh), np.float32),
        "in_joints": ("4u2", numbers[:, :4], np.uint16),
        "in_weights": ("4f", weights[:, :4], np.float32),
        "in_part": ("1u4", part, np.uint32),
    }
    if numbers.shape[1] > 4:
        arrays["in_more_joints"] = "4u2", numbers[:, 4:], np.uint16
        arrays["in_more_weights"] = "4f", weights[:, 4:], np.float32
    if surface.textured:
        arrays["in_uv"] = "2f", np.zeros((len(part), 2)) if mesh.uvs is None else mesh.uvs, np.float32
    if mesh.colors is not None:
        arrays["in_color"] = "4f", mesh.colors, np.float32
    buffers = {
        name: (context.buffer(np.ascontiguousarray(array, kind).tobytes()), form)
        for name, (form, array, kind) in arrays.items()
    }
    influences = 1 if (weights[:, 0] > 0.9999).all() else numbers.shape[1]
    indices = context.buffer(np.asarray(mesh.indices, np.uint32).tobytes())
    return GpuMesh(surface, influences, mesh.colors is not None, buffers, indices)


def _influences(mesh: Mesh, parts: Indices, slots: _Slots) -> tuple[Ints, Floats, Indices]:
    """Matrix slots `[V, 4 or 8]`, their weights, and the body part `[V]` of each vertex."""
    count, slack = len(mesh.positions), morphs.reach(mesh)
    if mesh.joints is None or mesh.weights is None or mesh.inverse_bind is None:
        joint = -1 if mesh.joint is None else mesh.joint
        slot = slots.add(joint, np.eye(4, dtype=np.float32)[:3], mesh.positions, slack)
        weights = np.tile([1.0, 0.0, 0.0, 0.0], (count, 1))
        return np.full((count, 4), slot), weights, np.full(count, parts[joint] if joint >= 0 else 1, np.int32)
    joints, weights = np.asarray(mesh.joints, np.int64), np.asarray(mesh.weights, np.float64)
    order = np.argsort(-weights, axis=1, kind="stable")[:, :INFLUENCES]
    joints, weights = np.take_along_axis(joints, order, 1), np.take_along_axis(weights, order, 1)
    weights = weights / np.maximum(weights.sum(1, keepdims=True), 1e-12)
    width = 4 if not (weights[:, 4:] > 0).any() else INFLUENCES
    padding = ((0, 0), (0, max(width - weights.shape[1], 0)))
    joints, weights = np.pad(joints, padding)[:, :width], np.pad(weights, padding)[:, :width]
    joints = np.where(weights > 0, joints, joints[:, :1])
    numbers = np.zeros_like(joints)
    for joint in np.unique(joints).tolist():
        hit = joints == joint
        numbers[hit] = slots.add(joint, mesh.inverse_bind[joint, :3], mesh.positions[hit.any(1)], slack)
    return numbers, weights, parts[joints[:, 0]]


def complete_normals(mesh: Mesh) -> Singles:
    """Unit normals `[V, 3]` of a mesh. Missing ones are area-weighted means of the normals of its triangles."""
    given = np.asarray(mesh.normals, np.float32)
    if given.shape != mesh.positions.shape:
        given = np.zeros_like(mesh.positions)
    lengths = np.linalg.norm(given, axis=1, keepdims=True)
    missing = ~(np.isfinite(lengths) & (lengths > 1e-3))
    if missing.any():
        given = np.where(missing, smooth(mesh.positions, mesh.indices), given)
    return normalize_vector(given).astype(np.float32)
