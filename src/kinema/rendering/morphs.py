"""Morph targets on the GPU: the offsets of a mesh in a float texture, weights next to the matrices.

Texel `(2 m + r) V + v` holds what target `m` does to vertex `v` of `V`: to its position (`r` = 0) or to its
normal (1). An instance stores its weights after its matrices, four in a texel (see `kinema.rendering.palette`).
Shaders loop only over the targets that are active, that is, have a weight in some instance. A face has dozens of
targets, but few are active at once.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from kinema.arrays import Ints, Singles
from kinema.character import Mesh
from kinema.errors import KinemaError

if TYPE_CHECKING:
    import moderngl

    from kinema.rendering.shading import Shader

WIDTH = 2048
Active = tuple[int, ...]
"""The morph targets of a mesh that have a weight in some instance."""

UNIT = 8
"""Texture unit of the offsets."""

MOST = 256
"""Maximum number of active targets per mesh. If there are more, those with the largest weights are drawn."""


@dataclass(frozen=True, eq=False)
class GpuMorphs:
    """The targets of one mesh.

    Attributes:
        count: number of targets.
        texel: where their weights begin in an instance.
        vertices: number of vertices of the mesh.
        first: index of the first one among all drawn targets of the character.
    """

    texture: moderngl.Texture
    count: int
    texel: int
    vertices: int
    first: int

    @property
    def texels(self) -> int:
        """Texels for the weights of an instance."""
        return -(-self.count // 4)

    def active(self, weights: Singles) -> Active:
        """Which targets are active, from the weights `[n, W]` of all drawn targets of the character."""
        strength = np.abs(weights[:, self.first : self.first + self.count]).max(axis=0, initial=0.0)
        strongest = np.argsort(-strength, kind="stable")[:MOST]
        return tuple(sorted(strongest[strength[strongest] > 0].tolist()))

    def bind(self, shader: Shader, targets: Active) -> None:
        """Bind the offsets and set the uniforms of the active targets."""
        self.texture.use(UNIT)
        shader.set(
            morphs=UNIT,
            morph_texel=self.texel,
            vertices=self.vertices,
            active_count=len(targets),
            targets=targets + (0,) * (capacity(targets) - len(targets)),
        )

    def release(self) -> None:
        self.texture.release()


def capacity(targets: Active) -> int:
    """The number of targets a shader is compiled for: a power of two, so that there are few shaders."""
    return max(4, 1 << (len(targets) - 1).bit_length()) if targets else 0


def upload(context: moderngl.Context, mesh: Mesh, texel: int, first: int) -> GpuMorphs | None:
    """Upload the targets of a mesh, whose weights start at a texel; None for a mesh without targets.

    Raises:
        KinemaError: they do not fit into a texture of this driver.
    """
    if not mesh.morphs:
        return None
    count, vertices = len(mesh.morphs), len(mesh.positions)
    rows = -(-2 * count * vertices // WIDTH)
    if rows > int(context.info["GL_MAX_TEXTURE_SIZE"]):
        raise KinemaError(f"mesh {mesh.name!r} has {count} morph targets of {vertices} vertices, too many to draw")
    offsets = np.zeros((rows * WIDTH, 3), np.float32)
    filled = offsets[: 2 * count * vertices].reshape(count, 2, vertices, 3)
    for number, morph in enumerate(mesh.morphs):
        filled[number, 0] = morph.positions
        if morph.normals is not None:
            filled[number, 1] = morph.normals
    texture = context.texture((WIDTH, rows), 3, offsets.tobytes(), dtype="f4")
    texture.filter = (0x2600, 0x2600)  # GL_NEAREST
    return GpuMorphs(texture, count, texel, vertices, first)


def reach(mesh: Mesh) -> float:
    """The largest distance by which a target at weight one moves a vertex, in mesh space."""
    lengths = [float(np.linalg.norm(morph.positions, axis=1).max(initial=0.0)) for morph in mesh.morphs]
    return max(lengths, default=0.0)


def columns(places: list[tuple[int, int]]) -> Ints:
    """Where the weights are in the floats of an instance, from the (first texel, count) of each mesh."""
    parts = [np.arange(4 * texel, 4 * texel + count) for texel, count in places]
    return np.concatenate([np.zeros(0, np.int64), *parts])


def choice(spans: list[tuple[int, int]]) -> Ints:
    """Indices of targets, from the (end, count) of each mesh."""
    return np.concatenate([np.zeros(0, np.int64), *(np.arange(end - count, end) for end, count in spans)])
