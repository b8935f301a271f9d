"""A view prepared for drawing: characters with their buffers, all matrices in one texture, and bounds."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

import numpy as np

from kinema.arrays import Floats, Ints, Singles
from kinema.character import Character
from kinema.errors import KinemaError
from kinema.pose import Pose
from kinema.rendering import palette
from kinema.rendering.gpu_mesh import GpuCharacter, GpuMesh
from kinema.rendering.gpu_surface import GpuSurface
from kinema.rendering.morphs import Active
from kinema.rendering.view import Instances, View
from kinema.terrain import SurfaceMesh

if TYPE_CHECKING:
    import moderngl

    from kinema.rendering.shading import Shader

PALETTE_UNIT = 7


@dataclass(frozen=True, eq=False)
class ActorBatch:
    """Instances of one character: first the opaque ones, then the faded ones.

    Attributes:
        base, previous_base: first texel of the first instance in the palette, now and in the previous picture.
        solid, faded: number of opaque and of faded instances.
        centers: `[n, P, 3]`: centres of the bounding spheres of its parts, metres, world.
        active: for each mesh, the morph targets that have a weight in some instance.
    """

    character: GpuCharacter
    base: int
    previous_base: int
    solid: int
    faded: int
    centers: Singles
    active: tuple[Active, ...] = ()

    @property
    def meshes(self) -> Iterator[tuple[GpuMesh, Active]]:
        """The character's meshes, each with its active morph targets."""
        return zip(self.character.meshes, self.active, strict=True)

    def texel(self, instance: int) -> int:
        """First texel of an instance in the palette."""
        return self.base + instance * self.character.stride


class Uploaded(Protocol):
    """Buffers on the GPU."""

    def forget_programs(self) -> None: ...

    def release(self) -> None: ...


K = TypeVar("K")
U = TypeVar("U", bound=Uploaded)


class GpuLibrary(Generic[K, U]):
    """Buffers by the object that they are made from. They are freed at the first picture after the object is gone."""

    def __init__(self, context: moderngl.Context, upload: Callable[[moderngl.Context, K], U]) -> None:
        self.context, self._upload = context, upload
        self._kept: weakref.WeakKeyDictionary[K, U] = weakref.WeakKeyDictionary()
        self._gone: list[U] = []

    def get(self, thing: K) -> U:
        """The buffers of an object, made when it is new."""
        made = self._kept.get(thing)
        if made is None:
            made = self._kept[thing] = self._upload(self.context, thing)
            # An object may be collected in any thread and at any time; its buffers may only be freed in this one.
            weakref.finalize(thing, self._gone.append, made).atexit = False
        return made

    def sweep(self) -> None:
        """Free what belonged to objects that are gone."""
        while self._gone:
            self._gone.pop().release()

    def forget_programs(self) -> None:
        """The programs are new: vertex arrays are made again."""
        for made in self._kept.values():
            made.forget_programs()

    def release(self) -> None:
        """Free everything."""
        self.sweep()
        for made in self._kept.values():
            made.release()
        self._kept.clear()
        self._gone = []

    def __len__(self) -> int:
        return len(self._kept)


class GpuScene:
    """The moving part of a view on the GPU. One object serves all pictures of a renderer."""

    def __init__(self, context: moderngl.Context) -> None:
        self.context = context
        self.library: GpuLibrary[Character, GpuCharacter] = GpuLibrary(context, GpuCharacter)
        self.surfaces: GpuLibrary[SurfaceMesh, GpuSurface] = GpuLibrary(context, GpuSurface.upload)
        self.batches: list[ActorBatch] = []
        self.centers, self.radii = np.empty((0, 3), np.float32), np.empty(0, np.float32)
        self._texels = np.empty((0, 4), np.float32)
        self._texture: moderngl.Texture | None = None

    @property
    def palette(self) -> moderngl.Texture:
        """The float texture of heads and matrices."""
        if self._texture is None:
            self._grow(palette.WIDTH)
        assert self._texture is not None
        return self._texture

    @property
    def translucent(self) -> bool:
        """Whether anything is transparent."""
        return any(
            batch.faded or any(mesh.surface.blended for mesh in batch.character.meshes) for batch in self.batches
        )

    @property
    def glows(self) -> bool:
        return any(batch.character.glows for batch in self.batches)

    def fill(self, view: View, motion: bool) -> None:
        """Compute and upload all matrices of a view; those of the previous picture too, if `motion` is wanted."""
        self.library.sweep()
        self.surfaces.sweep()
        drawn = [
            (instances, self.library.get(instances.character)) for instances in view.instances if len(instances.pose)
        ]
        total = sum(len(instances.pose) * gpu.stride for instances, gpu in drawn) * (2 if motion else 1)
        if total > len(self._texels):
            self._grow(total)
        self.batches, at, entity = [], 0, 1
        for instances, gpu in drawn:
            at, entity = self._add(instances, gpu, view.camera.position, at, entity, motion)
        if at:
            rows = -(-at // palette.WIDTH)
            self.palette.write(self._texels[: rows * palette.WIDTH], viewport=(0, 0, palette.WIDTH, rows))
        centers = [batch.centers.reshape(-1, 3) for batch in self.batches]
        radii = [np.tile(batch.character.radii, len(batch.centers)) for batch in self.batches]
        self.centers = np.concatenate([np.empty((0, 3), np.float32), *centers])
        self.radii = np.concatenate([np.empty(0, np.float32), *radii])

    def draw(
        self,
        shader: Shader,
        batch: ActorBatch,
        mesh: GpuMesh,
        targets: Active,
        count: int,
        first: int = 0,
        **uniforms: object,
    ) -> None:
        """Draw instances of a mesh with a program; the uniforms of its skin are set here."""
        self.palette.use(PALETTE_UNIT)
        shader.set(base=batch.texel(first), stride=batch.character.stride, palette=PALETTE_UNIT, **uniforms)
        mesh.draw(shader, count, targets)

    def forget_programs(self) -> None:
        """The programs are new: vertex arrays are made again."""
        self.library.forget_programs()
        self.surfaces.forget_programs()

    def cull(self, mesh: GpuMesh) -> None:
        """Leave out triangles seen from behind, unless the material is double-sided."""
        if mesh.surface.material.double_sided:
            self.context.disable(self.context.CULL_FACE)
        else:
            self.context.enable(self.context.CULL_FACE)

    def release(self) -> None:
        """Free everything."""
        self.library.release()
        self.surfaces.release()
        if self._texture is not None:
            self._texture.release()
            self._texture = None
        self.batches = []

    def _grow(self, texels: int) -> None:
        rows = -(-texels * 5 // (4 * palette.WIDTH))
        if self._texture is not None:
            self._texture.release()
        self._texels = np.zeros((rows * palette.WIDTH, 4), np.float32)
        self._texture = self.context.texture((palette.WIDTH, rows), 4, dtype="f4")
        self._texture.filter = (0x2600, 0x2600)  # GL_NEAREST: matrices are read, not sampled

    def _add(
        self, instances: Instances, gpu: GpuCharacter, eye: Floats, at: int, entity: int, motion: bool
    ) -> tuple[int, int]:
        """Add a batch; returns the next free texel and the next free entity."""
        count = len(instances.pose)
        tints = np.ones((count, 4), np.float32) if instances.tints is None else np.asarray(instances.tints, np.float32)
        ids = np.arange(entity, entity + count) if instances.entities is None else instances.entities
        ids, tints = np.asarray(ids, np.int32).reshape(count), tints.reshape(count, 4)
        solid = tints[:, 3] >= 0.999
        # Opaque ones first; then the faded ones, the farthest first.
        away = np.linalg.norm(instances.pose.global_positions[:, 0] - eye, axis=-1)
        order = np.lexsort((np.where(solid, 0.0, -away), ~solid))
        rows, weights = self._place(instances, instances.pose, gpu, at, order)
        palette.fill_heads(rows, tints[order], ids[order])
        base, previous, texels = at, at, count * gpu.stride
        at += texels
        if motion and instances.previous is not None:
            _, old_weights = self._place(instances, instances.previous, gpu, at, order)
            weights = np.concatenate([weights, old_weights])
            previous, at = at, at + texels
        matrices = rows[:, palette.HEAD : palette.stride(len(gpu.joints))].reshape(count, -1, 3, 4)
        centers = (matrices[..., :3] @ gpu.centers[..., None])[..., 0] + matrices[..., 3]
        active = tuple(() if mesh.morphs is None else mesh.morphs.active(weights) for mesh in gpu.meshes)
        self.batches.append(ActorBatch(gpu, base, previous, int(solid.sum()), int((~solid).sum()), centers, active))
        return at, max(entity + count, int(ids.max()) + 1)

    def _place(
        self, instances: Instances, pose: Pose, gpu: GpuCharacter, at: int, order: Ints
    ) -> tuple[Singles, Singles]:
        """Write matrices and morph weights of poses from a texel on; returns the rows and the weights `[n, W]`."""
        rows = self._texels[at : at + len(order) * gpu.stride].reshape(len(order), gpu.stride, 4)
        palette.fill_matrices(rows, *_transforms(instances, pose), gpu.joints, gpu.binds, order)
        weights = _weights(pose, gpu)
        rows.reshape(len(order), -1)[:, gpu.weights_at] = weights[order]
        return rows, weights


def _weights(pose: Pose, gpu: GpuCharacter) -> Singles:
    """Weights `[n, W]` of the morph targets that are drawn."""
    every = gpu.rest_weights
    given = np.broadcast_to(every, (len(pose), len(every))) if pose.morph_weights is None else pose.morph_weights
    if given.shape != (len(pose), len(every)):
        raise KinemaError(
            f"morph weights of a pose to draw must be [{len(pose)}, {len(every)}], not {list(given.shape)}"
        )
    return np.nan_to_num(np.asarray(given[:, gpu.morphs], np.float32))


def _transforms(instances: Instances, pose: Pose) -> tuple[Singles, Singles]:
    """Global rotations `[n, J, 4]` and positions `[n, J, 3]`, contiguous."""
    rotations = np.ascontiguousarray(pose.global_rotations, np.float32)
    positions = np.ascontiguousarray(pose.global_positions, np.float32)
    count, joints, name = len(instances.pose), instances.character.skeleton.joint_count, instances.character.name
    if rotations.shape != (count, joints, 4):
        raise KinemaError(
            f"poses of {name!r} must be [{count}] of its {joints} joints, "
            f"not {list(pose.shape)} of {rotations.shape[-2]}"
        )
    if not np.isfinite(positions).all() or not np.isfinite(rotations).all():
        raise KinemaError(f"a pose of {name!r} holds a value that is not finite")
    return rotations, positions
