"""Morph targets on the graphics side: the offsets of a mesh in a float texture, weights beside the matrices.

Texel `(2 m + r) V + v` holds what target `m` does to vertex `v` of `V`: to its position (`r` = 0) or to its
normal (1). The weights of an instance stand behind its matrices, four a texel (see `kinema.rendering.palette`).
Shaders go through the targets that show in some instance, and through no others: of the dozens that faces have, few
ever do.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from kinema.character import Mesh
from kinema.errors import KinemaError

if TYPE_CHECKING:
    import moderngl

    from kinema.rendering.shading import Shader

WIDTH = 2048
UNIT = 8
"""Texture unit of the offsets."""

MOST = 256
"""Targets of one mesh that show at once; of more, the strongest are drawn."""


@dataclass(frozen=True, eq=False)
class GpuMorphs:
    """The targets of one mesh.

    Attributes:
        count: of targets. texel: of their first weights, within an instance. vertices: of the mesh.
        first: place of the first one among all targets of the character that are drawn.
    """

    texture: moderngl.Texture
    count: int
    texel: int
    vertices: int
    first: int

    @property
    def texels(self) -> int:
        """Texels that the weights of an instance take."""
        return -(-self.count // 4)

    def showing(self, weights: NDArray[np.float32]) -> tuple[int, ...]:
        """Which targets show, by weights `[n, W]` of all targets of the character that are drawn."""
        strength = np.abs(weights[:, self.first : self.first + self.count]).max(axis=0, initial=0.0)
        strongest = np.argsort(-strength, kind="stable")[:MOST]
        return tuple(sorted(strongest[strength[strongest] > 0].tolist()))

    def bind(self, shader: Shader, targets: tuple[int, ...]) -> None:
        """Put the offsets on their unit and say which targets show and where their weights are."""
        self.texture.use(UNIT)
        shader.set(
            morphs=UNIT,
            morph_texel=self.texel,
            vertices=self.vertices,
            showing=len(targets),
            targets=targets + (0,) * (room(targets) - len(targets)),
        )

    def release(self) -> None:
        self.texture.release()


def room(targets: tuple[int, ...]) -> int:
    """How many targets the shader is made for that shows these; few sizes, so that few shaders are made."""
    return max(4, 1 << (len(targets) - 1).bit_length()) if targets else 0


def upload(context: moderngl.Context, mesh: Mesh, texel: int, first: int) -> GpuMorphs | None:
    """The targets of a mesh, their weights from a texel on; None for a mesh without.

    Raises:
        KinemaError: they do not fit a texture of this driver.
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
    """How far, in mesh space, the targets move a vertex at most when each shows at full strength, alone."""
    lengths = [float(np.linalg.norm(morph.positions, axis=1).max(initial=0.0)) for morph in mesh.morphs]
    return max(lengths, default=0.0)


def columns(places: list[tuple[int, int]]) -> NDArray[np.int64]:
    """Where weights stand among the numbers of an instance, for meshes that begin at a texel and have a count each."""
    parts = [np.arange(4 * texel, 4 * texel + count) for texel, count in places]
    return np.concatenate([np.zeros(0, np.int64), *parts])


def choice(spans: list[tuple[int, int]]) -> NDArray[np.int64]:
    """Numbers of targets in spans that have an end and a count each."""
    return np.concatenate([np.zeros(0, np.int64), *(np.arange(end - count, end) for end, count in spans)])
