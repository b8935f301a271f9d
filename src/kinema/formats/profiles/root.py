"""A joint on the ground that carries the travel, as engines that read root motion want it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from kinema import rotations
from kinema.character import Character, Mesh
from kinema.formats import Asset
from kinema.motion import Motion
from kinema.rootframe import root_frame
from kinema.skeleton import Hinge, Skeleton


def with_root(asset: Asset, name: str) -> Asset:
    """The asset with its travel in a root joint on the ground under the hips, that faces where the body faces.

    A joint above the hips that has the role of a root is used; otherwise one named `name` is put above everything.
    Global transforms of all other joints stay as they are.
    """
    skeleton = asset.skeleton
    if skeleton is None:
        return asset
    root = _own_root(skeleton)
    if root is None:
        asset, root = _inserted(asset, skeleton, name), 0
    return replace(asset, motions=tuple(_carried(motion, root) for motion in asset.motions))


def _own_root(skeleton: Skeleton) -> int | None:
    """A root joint of the skeleton that everything hangs on and that is not the hips."""
    roles = skeleton.roles
    single = int((skeleton.parents < 0).sum()) == 1
    return 0 if single and roles.hips != 0 and roles.parts[0] in ("root", "helper") else None


def _inserted(asset: Asset, skeleton: Skeleton, name: str) -> Asset:
    while name in skeleton.names:
        name += "_"
    nothing = np.zeros((1, 3), np.float32)
    identity = np.array([[1, 0, 0, 0]], np.float32)
    grown = Skeleton(
        (name, *skeleton.names),
        np.concatenate([[-1], skeleton.parents + 1]).astype(np.int32),
        np.concatenate([nothing, skeleton.rest_translations]),
        np.concatenate([identity, skeleton.rest_rotations]),
        skeleton.tip_joints + np.int32(1),
        skeleton.tip_offsets,
        {**skeleton.hints, name: "root"},
        tuple(Hinge(hinge.joint + 1, hinge.axis, hinge.lower, hinge.upper) for hinge in skeleton.hinges),
    )
    motions = tuple(_on(motion, grown) for motion in asset.motions)
    character = None if asset.character is None else _grown(asset.character, grown)
    return replace(asset, skeleton=grown, motions=motions, character=character)


def _on(motion: Motion, grown: Skeleton) -> Motion:
    still = np.zeros((motion.frames, 1, 4), np.float32)
    still[..., 0] = 1
    return motion.replace(
        skeleton=grown,
        local_rotations=np.concatenate([still, motion.local_rotations], axis=1),
        translated=np.concatenate([[0], motion.translated + 1]).astype(np.int32),
        local_translations=np.concatenate([still[..., 1:], motion.local_translations], axis=1),
    )


def _grown(character: Character, grown: Skeleton) -> Character:
    return replace(character, skeleton=grown, meshes=tuple(_shifted(mesh) for mesh in character.meshes))


def _shifted(mesh: Mesh) -> Mesh:
    """The mesh for a skeleton that has one joint more in front."""
    joint = None if mesh.joint is None else mesh.joint + 1
    if mesh.joints is None or mesh.inverse_bind is None:
        return replace(mesh, joint=joint)
    bind = np.concatenate([np.eye(4, dtype=np.float32)[None], mesh.inverse_bind])
    return replace(mesh, joint=joint, joints=mesh.joints + np.int32(1), inverse_bind=bind)


def _carried(motion: Motion, root: int) -> Motion:
    """The motion with its travel in joint `root`, which has no parent."""
    if motion.frames == 0:
        return motion
    skeleton = motion.skeleton
    ground, heading = root_frame(motion)
    turned, positions = motion.globals()
    children = list(skeleton.children[root])
    # The root keeps its own axes: at rest it stands as in the rest pose, turned by the heading.
    rest = skeleton.rest_rotations[root]
    own = rotations.multiply(heading, rest)
    locals_, places = motion.local_rotations.copy(), motion.translations()
    locals_[:, root], places[:, root] = own, ground
    locals_[:, children] = rotations.relative(own[:, None], turned[:, children])
    places[:, children] = rotations.inverse_rotate(own[:, None], positions[:, children] - ground[:, None])
    moving: NDArray[np.int32] = np.union1d(motion.translated, [root, *children]).astype(np.int32)
    return motion.replace(local_rotations=locals_, local_translations=places[:, moving], translated=moving)


