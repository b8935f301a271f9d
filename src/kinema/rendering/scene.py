"""A view made ready for drawing: characters with their buffers, all matrices in one texture, and bounds."""

from __future__ import annotations

import weakref
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from kinema.character import Character
from kinema.errors import KinemaError
from kinema.pose import Pose
from kinema.rendering import palette
from kinema.rendering.gpu_mesh import GpuCharacter, GpuMesh
from kinema.rendering.view import Actors, View

if TYPE_CHECKING:
    import moderngl

PALETTE_WIDTH = 2048


@dataclass(frozen=True, eq=False)
class ActorBatch:
    """Instances of one character: the first `solid` ones are opaque, the `faded` ones behind them are not.

    Attributes:
        base, previous_base: first texel of the first instance in the palette, now and in the picture before.
        centers: `[n, P, 3]`: where the balls around its parts are, metres, world.
        showing: for each mesh, the morph targets that show in some instance.
    """

    character: GpuCharacter
    base: int
    previous_base: int
    solid: int
    faded: int
    centers: NDArray[np.float32]
    showing: tuple[tuple[int, ...], ...] = ()

    @property
    def meshes(self) -> Iterator[tuple[GpuMesh, tuple[int, ...]]]:
        """The character's meshes, each with the morph targets that show."""
        return zip(self.character.meshes, self.showing, strict=True)

    def texel(self, instance: int) -> int:
        """First texel of an instance in the palette."""
        return self.base + instance * self.character.stride


class GpuLibrary:
    """Buffers by character. They are freed when the character is gone, at the next picture."""

    def __init__(self, context: moderngl.Context) -> None:
        self.context = context
        self._kept: dict[int, tuple[weakref.ref[Character], GpuCharacter]] = {}
        self._gone: list[GpuCharacter] = []

    def get(self, character: Character) -> GpuCharacter:
        """The buffers of a character, made when it is new."""
        key = id(character)
        kept = self._kept.get(key)
        if kept is not None and kept[0]() is character:
            return kept[1]
        made = GpuCharacter(self.context, character)

        # A character may die in any thread and at any time; its buffers may only be freed here.
        def bury(_: object, key: int = key, made: GpuCharacter = made) -> None:
            self._gone.append(made)
            if key in self._kept and self._kept[key][1] is made:
                del self._kept[key]

        self._kept[key] = (weakref.ref(character, bury), made)
        return made

    def sweep(self) -> None:
        """Free what belonged to characters that are gone."""
        while self._gone:
            self._gone.pop().release()

    def forget_programs(self) -> None:
        """The programs are new: vertex arrays are made again."""
        for _, character in self._kept.values():
            for mesh in character.meshes:
                mesh.forget_programs()

    def release(self) -> None:
        """Free everything."""
        self.sweep()
        for _, character in self._kept.values():
            character.release()
        self._kept.clear()

    def __len__(self) -> int:
        return len(self._kept)


class GpuScene:
    """The part of a view that moves, on the graphics side. One object serves all pictures of a renderer."""

    def __init__(self, context: moderngl.Context) -> None:
        self.context, self.library = context, GpuLibrary(context)
        self.batches: list[ActorBatch] = []
        self.centers, self.radii = np.empty((0, 3), np.float32), np.empty(0, np.float32)
        self._texels = np.empty((0, 4), np.float32)
        self._texture: moderngl.Texture | None = None

    @property
    def palette(self) -> moderngl.Texture:
        """The float texture of heads and matrices."""
        if self._texture is None:
            self._grow(PALETTE_WIDTH)
        assert self._texture is not None
        return self._texture

    @property
    def translucent(self) -> bool:
        """Whether anything is seen through."""
        return any(
            batch.faded or any(mesh.surface.blended for mesh in batch.character.meshes) for batch in self.batches
        )

    @property
    def glows(self) -> bool:
        return any(batch.character.glows for batch in self.batches)

    def fill(self, view: View, motion: bool) -> None:
        """Compute and upload all matrices of a view; those of the picture before too, if `motion` is wanted."""
        self.library.sweep()
        drawn = [(actors, self.library.get(actors.character)) for actors in view.actors if len(actors.pose)]
        total = sum(len(actors.pose) * gpu.stride * (2 if motion else 1) for actors, gpu in drawn)
        if total > len(self._texels):
            self._grow(total)
        self.batches, at, entity = [], 0, 1
        for actors, gpu in drawn:
            at, entity = self._add(actors, gpu, view.camera.position, at, entity, motion)
        if at:
            rows = -(-at // PALETTE_WIDTH)
            self.palette.write(self._texels[: rows * PALETTE_WIDTH], viewport=(0, 0, PALETTE_WIDTH, rows))
        if self.batches:
            self.centers = np.concatenate([batch.centers.reshape(-1, 3) for batch in self.batches])
            self.radii = np.concatenate([np.tile(b.character.radii, len(b.centers)) for b in self.batches])
        else:
            self.centers, self.radii = np.empty((0, 3), np.float32), np.empty(0, np.float32)

    def release(self) -> None:
        """Free everything."""
        self.library.release()
        if self._texture is not None:
            self._texture.release()
            self._texture = None
        self.batches = []

    def _grow(self, texels: int) -> None:
        rows = -(-texels * 5 // (4 * PALETTE_WIDTH))
        if self._texture is not None:
            self._texture.release()
        self._texels = np.zeros((rows * PALETTE_WIDTH, 4), np.float32)
        self._texture = self.context.texture((PALETTE_WIDTH, rows), 4, dtype="f4")
        self._texture.filter = (0x2600, 0x2600)  # GL_NEAREST: matrices are read, not sampled

    def _add(
        self,
        actors: Actors,
        gpu: GpuCharacter,
        eye: NDArray[np.float64],
        at: int,
        entity: int,
        motion: bool,
    ) -> tuple[int, int]:
        rotations, positions = _transforms(actors, actors.pose)
        count = len(positions)
        tints = None if actors.tints is None else np.asarray(actors.tints, np.float32).reshape(count, 4)
        if actors.entities is None:
            ids = np.arange(entity, entity + count, dtype=np.int32)
        else:
            ids = np.asarray(actors.entities, np.int32).reshape(count)
        solid = np.ones(count, bool) if tints is None else tints[:, 3] >= 0.999
        # Solid ones first; then those that are seen through, the farthest first.
        away = np.linalg.norm(positions[:, 0] - eye, axis=-1)
        order = np.lexsort((np.where(solid, 0.0, -away), ~solid))
        texels = count * gpu.stride
        rows = self._texels[at : at + texels].reshape(count, gpu.stride, 4)
        palette.fill_heads(rows, None if tints is None else tints[order], ids[order])
        palette.fill_matrices(rows, rotations, positions, gpu.joints, gpu.binds, order)
        weights = _weights(actors.pose, gpu)
        rows.reshape(count, -1)[:, gpu.weights_at] = weights[order]
        base, previous = at, at
        at += texels
        if motion and actors.previous is not None:
            before = self._texels[at : at + texels].reshape(count, gpu.stride, 4)
            palette.fill_matrices(before, *_transforms(actors, actors.previous), gpu.joints, gpu.binds, order)
            old_weights = _weights(actors.previous, gpu)
            before.reshape(count, -1)[:, gpu.weights_at] = old_weights[order]
            weights = np.concatenate([weights, old_weights])
            previous, at = at, at + texels
        matrices = rows[:, palette.HEAD : palette.stride(len(gpu.joints))].reshape(count, -1, 3, 4)
        centers = (matrices[..., :3] @ gpu.centers[..., None])[..., 0] + matrices[..., 3]
        showing = tuple(() if mesh.morphs is None else mesh.morphs.showing(weights) for mesh in gpu.meshes)
        self.batches.append(ActorBatch(gpu, base, previous, int(solid.sum()), int((~solid).sum()), centers, showing))
        return at, max(entity + count, int(ids.max()) + 1)


def _weights(pose: Pose, gpu: GpuCharacter) -> NDArray[np.float32]:
    """Weights `[n, W]` of the morph targets that are drawn."""
    every = gpu.rest_weights
    given = np.broadcast_to(every, (len(pose), len(every))) if pose.morph_weights is None else pose.morph_weights
    if given.shape != (len(pose), len(every)):
        raise KinemaError(
            f"morph weights of a pose to draw must be [{len(pose)}, {len(every)}], not {list(given.shape)}"
        )
    return np.nan_to_num(np.asarray(given[:, gpu.morphs], np.float32))


def _transforms(actors: Actors, pose: Pose) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Global rotations `[n, J, 4]` and positions `[n, J, 3]`, contiguous."""
    rotations = np.ascontiguousarray(pose.global_rotations, np.float32)
    positions = np.ascontiguousarray(pose.global_positions, np.float32)
    joints, name = actors.character.skeleton.joint_count, actors.character.name
    if rotations.shape != (len(actors.pose), joints, 4):
        raise KinemaError(
            f"poses of {name!r} must be [{len(actors.pose)}] of its {joints} joints, "
            f"not {list(pose.shape)} of {rotations.shape[-2]}"
        )
    if not np.isfinite(positions).all() or not np.isfinite(rotations).all():
        raise KinemaError(f"a pose of {name!r} holds a value that is not finite")
    return rotations, positions
