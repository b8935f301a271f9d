"""A character: a skeleton with the meshes, materials and textures that it moves."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from kinema import rotations
from kinema.skeleton import Skeleton


@dataclass(frozen=True, eq=False)
class Texture:
    """An image as it stood in the file: encoded bytes and their MIME type."""

    name: str
    mime: str
    data: bytes


@dataclass(frozen=True)
class Material:
    """A metallic-roughness material; texture fields index :attr:`Character.textures`."""

    name: str = ""
    base_color: tuple[float, float, float, float] = (1.0, 1.0, 1.0, 1.0)
    metallic: float = 1.0
    roughness: float = 1.0
    emissive: tuple[float, float, float] = (0.0, 0.0, 0.0)
    alpha_mode: str = "OPAQUE"
    alpha_cutoff: float = 0.5
    double_sided: bool = False
    base_color_texture: int | None = None
    metallic_roughness_texture: int | None = None
    normal_texture: int | None = None
    occlusion_texture: int | None = None
    emissive_texture: int | None = None


@dataclass(frozen=True, eq=False)
class Morph:
    """A morph target (blend shape).

    Attributes:
        name: of the target; a motion moves it by the label ``morph.<name>`` ``[F]``.
        positions: float32 ``[V, 3]``, metres: offsets added at weight one, before skinning.
        normals: float32 ``[V, 3]``: offsets of the normals, or None.
        weight: at rest.
    """

    name: str
    positions: NDArray[np.float32]
    normals: NDArray[np.float32] | None = None
    weight: float = 0.0


@dataclass(frozen=True, eq=False)
class Mesh:
    """Triangles, skinned to joints or hung on one.

    Attributes:
        positions: float32 ``[V, 3]``, metres, in the mesh's own space.
        normals: float32 ``[V, 3]``, unit.
        indices: uint32 ``[K, 3]``, counter-clockwise from outside.
        uvs: float32 ``[V, 2]`` or None; origin at the top left, as in glTF.
        colors: float32 ``[V, 4]`` or None.
        joints: int32 ``[V, I]``, indices into the skeleton, or None for a mesh without a skin.
        weights: float32 ``[V, I]``; rows sum to one.
        inverse_bind: float32 ``[J, 4, 4]``: from mesh space to the space of each skeleton joint.
        joint: for a mesh without a skin, the joint it hangs on (its vertices are in that joint's space).
        material: index into :attr:`Character.materials`.
        morphs: morph targets.
    """

    name: str
    positions: NDArray[np.float32]
    normals: NDArray[np.float32]
    indices: NDArray[np.uint32]
    uvs: NDArray[np.float32] | None = None
    colors: NDArray[np.float32] | None = None
    joints: NDArray[np.int32] | None = None
    weights: NDArray[np.float32] | None = None
    inverse_bind: NDArray[np.float32] | None = None
    joint: int | None = None
    material: int | None = None
    morphs: tuple[Morph, ...] = ()

    def skin(self, global_rotations: NDArray[np.float32], global_positions: NDArray[np.float32]) -> NDArray[np.float32]:
        """Vertex positions ``[..., V, 3]`` in the world by linear blend skinning.

        Args:
            global_rotations: ``[..., J, 4]`` of the skeleton's joints.
            global_positions: ``[..., J, 3]``, metres.
        """
        if self.joints is None or self.weights is None or self.inverse_bind is None:
            if self.joint is None:
                return np.broadcast_to(self.positions, (*global_positions.shape[:-2], *self.positions.shape))
            turned = rotations.rotate(global_rotations[..., self.joint, None, :], self.positions)
            return turned + global_positions[..., self.joint, None, :]
        matrices = rotations.to_matrix(global_rotations) @ self.inverse_bind[:, :3, :3]
        offsets = rotations.rotate(global_rotations, self.inverse_bind[:, :3, 3]) + global_positions
        palette = np.concatenate([matrices, offsets[..., None]], axis=-1)
        blended = np.zeros((*palette.shape[:-3], len(self.positions), 3, 4), np.float32)
        for influence in range(self.joints.shape[1]):
            weight = self.weights[:, influence, None, None]
            blended += weight * palette[..., self.joints[:, influence], :, :]
        return (blended[..., :3] @ self.positions[..., None])[..., 0] + blended[..., 3]


@dataclass(frozen=True, eq=False)
class Character:
    """A skeleton and everything that is drawn with it."""

    name: str
    skeleton: Skeleton
    meshes: tuple[Mesh, ...] = ()
    materials: tuple[Material, ...] = ()
    textures: tuple[Texture, ...] = ()
    warnings: tuple[str, ...] = field(default=())

    @property
    def vertex_count(self) -> int:
        return sum(len(mesh.positions) for mesh in self.meshes)

    def skin(
        self, global_rotations: NDArray[np.float32], global_positions: NDArray[np.float32]
    ) -> list[NDArray[np.float32]]:
        """World vertex positions ``[..., V, 3]`` of each mesh for poses of :attr:`skeleton`; see :meth:`Mesh.skin`."""
        return [mesh.skin(global_rotations, global_positions) for mesh in self.meshes]
