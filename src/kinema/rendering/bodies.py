"""Bodies for the camera: a character's own meshes, or a mannequin, and the space they take."""

from __future__ import annotations

import dataclasses

import numpy as np

from kinema.arrays import Bools, Ints, Singles
from kinema.character import Character, Mesh
from kinema.errors import SkeletonError
from kinema.motion import Motion
from kinema.pose import Pose
from kinema.rendering.mannequin.build import build_mannequin
from kinema.skeleton import Skeleton


def body_for(skeleton: Skeleton, motion: Motion | None = None, character: Character | None = None) -> Character:
    """The character itself if it has meshes, else a body for the skeleton.

    Raises:
        SkeletonError: the character has other joints.
    """
    if character is not None and not character.skeleton.same_topology(skeleton):
        name = "a motion" if motion is None else f"motion {motion.name!r}"
        raise SkeletonError(
            f"character {character.name!r} ({character.skeleton.joint_count} joints) cannot show {name} "
            f"({skeleton.joint_count} joints): their skeletons differ"
        )
    if character is not None and character.meshes:
        return character
    return build_mannequin(skeleton, motion=motion)


def thinned(character: Character, points: int) -> Character:
    """The character with about this many of its vertices and no triangles, to find its bounds quickly."""
    step = character.vertex_count // points + 1
    return dataclasses.replace(character, meshes=tuple(_thin(mesh, step) for mesh in character.meshes))


def outline(character: Character, pose: Pose) -> Singles:
    """Points `[N, P, 3]` of the surface in poses `[N]`.

    The joints are not enough: rigs keep joints at the world's origin, and heads reach beyond theirs.
    """
    if not character.vertex_count:
        return pose.global_positions
    return np.concatenate(character.skin(pose), axis=1)


def hanging(character: Character) -> Bools:
    """Which points `[P]` of `outline` belong to a tail, by the names of the joints."""
    skeleton = character.skeleton
    tail = skeleton.below(joint for joint, name in enumerate(skeleton.names) if "tail" in name.lower())
    if not character.vertex_count:
        return tail
    return np.concatenate([tail[owners(mesh)] for mesh in character.meshes])


def owners(mesh: Mesh) -> Ints:
    """The joint `[V]` that moves each vertex most."""
    if mesh.joints is None or mesh.weights is None:
        return np.full(len(mesh.positions), mesh.joint or 0, np.int64)
    most = np.argmax(mesh.weights, axis=1)[:, None]
    return np.take_along_axis(mesh.joints, most, axis=1)[:, 0].astype(np.int64)


def _thin(mesh: Mesh, step: int) -> Mesh:
    return dataclasses.replace(
        mesh,
        positions=mesh.positions[::step],
        normals=mesh.normals[::step],
        indices=np.zeros((0, 3), np.uint32),
        joints=None if mesh.joints is None else mesh.joints[::step],
        weights=None if mesh.weights is None else mesh.weights[::step],
        morphs=tuple(dataclasses.replace(m, positions=m.positions[::step], normals=None) for m in mesh.morphs),
    )
