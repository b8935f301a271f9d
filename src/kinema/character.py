"""A character: a skeleton with its meshes, materials and textures."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from array_api_compat import array_namespace
from numpy.typing import NDArray

from kinema import rotations
from kinema.avatar import Collider, ColliderGroup, Constraint, Expression, Gaze, Meta, Spring, strengths
from kinema.pose import Pose
from kinema.rotations import Array, alike
from kinema.skeleton import Skeleton


@dataclass(frozen=True, eq=False)
class Texture:
    """An encoded image with its MIME type."""

    name: str
    mime: str
    data: bytes


@dataclass(frozen=True)
class Material:
    """A metallic-roughness material; texture fields index `Character.textures`.

    Colours are linear. `shade` is the shadow colour of a toon material; it is kept for writing, but not drawn.
    """

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
    shade: tuple[float, float, float] | None = None


@dataclass(frozen=True, eq=False)
class Morph:
    """A morph target (blend shape).

    Attributes:
        name: name of the target. The label `morph.<name>` `[F]` of a motion is its weight.
        positions: float32 `[V, 3]`, metres: offsets at weight one, added before skinning.
        normals: float32 `[V, 3]`: offsets of the normals, or None.
        weight: weight in the rest pose.
    """

    name: str
    positions: NDArray[np.float32]
    normals: NDArray[np.float32] | None = None
    weight: float = 0.0


@dataclass(frozen=True, eq=False)
class Mesh:
    """Triangles, skinned to joints or attached to one joint.

    Attributes:
        positions: float32 `[V, 3]`, metres, in mesh space.
        normals: float32 `[V, 3]`, unit.
        indices: uint32 `[K, 3]`, counter-clockwise from outside.
        uvs: float32 `[V, 2]` or None; origin at the top left, as in glTF.
        colors: float32 `[V, 4]` or None.
        joints: int32 `[V, I]`, indices into the skeleton, or None for a mesh without a skin.
        weights: float32 `[V, I]`; rows sum to one.
        inverse_bind: float32 `[J, 4, 4]`: from mesh space to the space of each skeleton joint.
        joint: for a mesh without a skin, the joint it is attached to; its vertices are in that joint's space.
        material: index into `Character.materials`.
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

    @cached_property
    def rest_weights(self) -> NDArray[np.float32]:
        """float32 `[M]`: weights of the morph targets in the rest pose."""
        return np.array([morph.weight for morph in self.morphs], np.float32)

    def morphed(self, weights: Array | None = None) -> Array:
        """Vertex positions `[..., V, 3]` in mesh space for morph weights `[..., M]`; None: those of the rest pose.

        If all weights are zero this is `positions`, `[V, 3]`. Differentiable in torch weights.
        """
        chosen = self.rest_weights if weights is None else weights
        used = range(len(self.morphs))
        if isinstance(chosen, np.ndarray):  # in torch a weight of zero still has a gradient
            chosen = chosen.astype(np.float32, copy=False)
            used = np.flatnonzero(chosen.reshape(-1, len(self.morphs)).any(0)).tolist() if self.morphs else ()
        result = alike(self.positions, chosen)
        for number in used:
            result = result + chosen[..., number, None, None] * alike(self.morphs[number].positions, chosen)
        return result

    def skin(self, pose: Pose, weights: Array | None = None) -> Array:
        """Vertex positions `[..., V, 3]` in the world: morph targets first, then linear blend skinning.

        Differentiable under torch, in the pose and the weights.

        Args:
            pose: poses `[...]` of the skeleton.
            weights: weights `[..., M]` of the morph targets; None: those of the rest pose.
        """
        global_rotations, global_positions = pose.global_rotations, pose.global_positions
        xp = array_namespace(global_rotations)
        positions = alike(self.morphed(weights), global_rotations)
        if self.joints is None or self.weights is None or self.inverse_bind is None:
            if self.joint is None:
                return xp.broadcast_to(positions, (*pose.shape, *positions.shape[-2:]))
            return (
                rotations.rotate(global_rotations[..., self.joint, None, :], positions)
                + global_positions[..., self.joint, None, :]
            )
        bind = alike(self.inverse_bind, global_rotations)
        matrices = rotations.to_matrix(global_rotations) @ bind[:, :3, :3]
        offsets = rotations.rotate(global_rotations, bind[:, :3, 3]) + global_positions
        palette = xp.concat([matrices, offsets[..., None]], axis=-1)
        blended: Array = 0.0
        for influence in range(self.joints.shape[1]):
            joints, weight = self.joints[:, influence], alike(self.weights[:, influence, None, None], global_rotations)
            blended = blended + weight * xp.take(palette, alike(joints, global_rotations, np.int64), axis=-3)
        return (blended[..., :3] @ positions[..., None])[..., 0] + blended[..., 3]


@dataclass(frozen=True, eq=False, repr=False)
class Character:
    """A skeleton with everything that is drawn with it; `kinema.avatar` describes the parts of avatars.

    Attributes:
        colliders, collider_groups: shapes that `springs` do not enter.
        first_person: visibility of meshes by index: "auto", "both", "firstPersonOnly" or "thirdPersonOnly".
    """

    name: str
    skeleton: Skeleton
    meshes: tuple[Mesh, ...] = ()
    materials: tuple[Material, ...] = ()
    textures: tuple[Texture, ...] = ()
    warnings: tuple[str, ...] = field(default=())
    expressions: tuple[Expression, ...] = ()
    springs: tuple[Spring, ...] = ()
    colliders: tuple[Collider, ...] = ()
    collider_groups: tuple[ColliderGroup, ...] = ()
    constraints: tuple[Constraint, ...] = ()
    gaze: Gaze | None = None
    first_person: Mapping[int, str] = field(default_factory=dict)
    meta: Meta | None = None

    def __repr__(self) -> str:
        return (
            f"<Character {self.name!r}: {self.skeleton.joint_count} joints, {len(self.meshes)} meshes, "
            f"{self.vertex_count} vertices>"
        )

    def _repr_html_(self) -> str:
        import kinema

        return kinema.as_html(self)

    @property
    def vertex_count(self) -> int:
        return sum(len(mesh.positions) for mesh in self.meshes)

    @cached_property
    def rest_weights(self) -> NDArray[np.float32]:
        """float32 `[M]`: weights of all morph targets in the rest pose, one mesh after the other."""
        return np.concatenate([mesh.rest_weights for mesh in self.meshes] or [np.zeros(0, np.float32)])

    def morph_weights(self, labels: Mapping[str, NDArray]) -> NDArray[np.float32]:
        """Weights `[..., M]` of the morph targets of all meshes, one mesh after the other.

        Args:
            labels: `morph.<target>` `[...]` is the weight of all targets with that name. `expression.<name>` `[...]` is
                the strength of an expression, whose binds are added. Other labels, of any shape, are ignored.
        """
        names = [f"morph.{morph.name}" for mesh in self.meshes for morph in mesh.morphs]
        faces = {name[11:]: weight for name, weight in labels.items() if name.startswith("expression.")}
        faces = strengths(self.expressions, faces) if names else {}
        moved = {number: labels[name] for number, name in enumerate(names) if name in labels}
        shape = np.shape(next(iter([*moved.values(), *faces.values()]), 0.0))
        weights = np.array(np.broadcast_to(self.rest_weights, (*shape, len(names))))
        for number, values in moved.items():
            weights[..., number] = values
        starts = np.cumsum([0, *(len(mesh.morphs) for mesh in self.meshes)])
        for expression in self.expressions:
            for bind in expression.morphs if expression.name in faces else ():
                weights[..., starts[bind.mesh] + bind.morph] += bind.weight * faces[expression.name]
        return weights

    def skin(self, pose: Pose, labels: Mapping[str, NDArray] | None = None) -> list[Array]:
        """World vertex positions `[..., V, 3]` of each mesh; see `Mesh.skin`.

        Args:
            pose: pose of `skeleton`. Its `morph_weights` `[..., M]`, if any, are those of all meshes.
            labels: labels `[...]` of a motion that give the weights instead; see `morph_weights`.
        """
        weights = pose.morph_weights if labels is None else self.morph_weights(labels)
        weights = self.rest_weights if weights is None else weights
        ends = np.cumsum([len(mesh.morphs) for mesh in self.meshes]).tolist()
        return [
            mesh.skin(pose, weights[..., end - len(mesh.morphs) : end])
            for mesh, end in zip(self.meshes, ends, strict=True)
        ]
