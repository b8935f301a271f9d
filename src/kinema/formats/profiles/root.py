"""Root motion: a joint on the ground that carries the travel, as game engines expect it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from kinema import rotations
from kinema.arrays import Indices, Singles
from kinema.character import Character, Mesh
from kinema.formats import Asset
from kinema.motion import Motion
from kinema.roles.rest import rest_pose
from kinema.rootframe import root_frame
from kinema.skeleton import Skeleton

Axes = tuple[float, float, float, float]
_NO_BODY = ("", "root", "helper", "prop")
LEVEL: Axes = (1.0, 0.0, 0.0, 0.0)
"""The axes of our world: Y up, Z ahead."""
Z_UP: Axes = (0.5**0.5, -(0.5**0.5), 0.0, 0.0)
"""Z up and -Y ahead, as in worlds with these axes."""


def with_root(asset: Asset, name: str, axes: Axes = LEVEL) -> Asset:
    """The asset with its travel in a root joint on the ground under the hips, which turns with the body.

    Uses the file's own root joint above the hips; without one, adds a joint called `name` above everything, with `axes`
    (wxyz) as its rest rotation. Global transforms of all other joints stay the same. If no body is recognised (markers,
    a crane), the root stays at rest.
    """
    skeleton = asset.skeleton
    if skeleton is None:
        return asset
    root = _own_root(skeleton, asset.character)
    if root is None:
        asset, root = _inserted(asset, skeleton, name, np.array([axes], np.float32)), 0
    if not is_body(skeleton):
        return asset
    turn = _from_rest(skeleton)
    return replace(asset, motions=tuple(_with_travel_in_root(motion, root, turn) for motion in asset.motions))


def is_body(skeleton: Skeleton) -> bool:
    """Whether there is more of a body than one joint; markers and props have no travel of their own."""
    return sum(part not in _NO_BODY for part in skeleton.roles.parts) > 1


def _own_root(skeleton: Skeleton, character: Character | None) -> int | None:
    """The joint above everything that is not part of the body: one with the role of a root, or one without meshes."""
    roles, part = skeleton.roles, skeleton.roles.parts[0]
    if int((skeleton.parents < 0).sum()) > 1 or roles.hips == 0 or not is_body(skeleton) or part not in _NO_BODY:
        return None
    meshes = () if character is None or part == "root" else character.meshes
    return None if any(_moves(mesh, 0) for mesh in meshes) else 0


def _moves(mesh: Mesh, joint: int) -> bool:
    if mesh.joints is None or mesh.weights is None:
        return mesh.joint == joint
    return bool((mesh.weights[mesh.joints == joint] > 0).any())


def _from_rest(skeleton: Skeleton) -> Singles:
    """The rotation `[4]` from the body's facing in the rest pose to +Z."""
    rest = rest_pose(skeleton)
    if rest.kind == "none" or abs(float(rest.up[1])) < 0.9:
        return np.array([1, 0, 0, 0], np.float32)
    return rotations.from_yaw(np.float32(-np.arctan2(rest.forward[0], rest.forward[2])))


def _inserted(asset: Asset, skeleton: Skeleton, name: str, axes: Singles) -> Asset:
    taken = {other.casefold() for other in skeleton.names}
    while name.casefold() in taken:
        name += "_"
    local_rotations, local_translations = skeleton.rest_rotations.copy(), skeleton.rest_translations.copy()
    tops = skeleton.parents < 0
    local_rotations[tops] = rotations.relative(axes, local_rotations[tops])
    local_translations[tops] = rotations.inverse_rotate(axes, local_translations[tops])
    grown = Skeleton(
        (name, *skeleton.names),
        np.concatenate([[-1], skeleton.parents + 1]).astype(np.int32),
        np.concatenate([np.zeros((1, 3), np.float32), local_translations]),
        np.concatenate([axes, local_rotations]),
        skeleton.tip_joints + np.int32(1),
        skeleton.tip_offsets,
        {**skeleton.hints, name: "root"},
        tuple(replace(hinge, joint=hinge.joint + 1) for hinge in skeleton.hinges),
    )
    motions = tuple(_motion_on(motion, grown, axes) for motion in asset.motions)
    character = None if asset.character is None else _character_on(asset.character, grown, axes)
    return replace(asset, skeleton=grown, motions=motions, character=character)


def _motion_on(motion: Motion, grown: Skeleton, axes: Singles) -> Motion:
    """The motion on the skeleton with the new root, which stays at rest."""
    local_rotations, local_translations = motion.local_rotations.copy(), motion.local_translations.copy()
    tops, moved = motion.skeleton.parents < 0, motion.skeleton.parents[motion.translated] < 0
    local_rotations[:, tops] = rotations.relative(axes, local_rotations[:, tops])
    local_translations[:, moved] = rotations.inverse_rotate(axes, local_translations[:, moved])
    root_rotations = np.broadcast_to(axes, (motion.frames, 1, 4))
    root_translations = np.zeros((motion.frames, 1, 3), np.float32)
    return motion.replace(
        skeleton=grown,
        local_rotations=np.concatenate([root_rotations, local_rotations], axis=1),
        translated=np.concatenate([[0], motion.translated + 1]).astype(np.int32),
        local_translations=np.concatenate([root_translations, local_translations], axis=1),
    )


def _character_on(character: Character, grown: Skeleton, axes: Singles) -> Character:
    """The character on the skeleton with the new root."""
    return replace(
        character,
        skeleton=grown,
        meshes=tuple(_shifted(mesh, axes) for mesh in character.meshes),
        springs=tuple(
            replace(
                spring,
                center=None if spring.center is None else spring.center + 1,
                joints=tuple(replace(item, joint=item.joint + 1) for item in spring.joints),
            )
            for spring in character.springs
        ),
        colliders=tuple(replace(item, joint=item.joint + 1) for item in character.colliders),
        constraints=tuple(
            replace(item, joint=item.joint + 1, source=item.source + 1) for item in character.constraints
        ),
    )


def _shifted(mesh: Mesh, axes: Singles) -> Mesh:
    bind, first = mesh.inverse_bind, np.eye(4, dtype=np.float32)[None]
    first[:, :3, :3] = rotations.to_matrix(rotations.inverse(axes))
    return replace(
        mesh,
        joint=None if mesh.joint is None else mesh.joint + 1,
        joints=None if mesh.joints is None else mesh.joints + np.int32(1),
        inverse_bind=None if bind is None else np.concatenate([first, bind]),
    )


def _with_travel_in_root(motion: Motion, root: int, turn: Singles) -> Motion:
    """The motion with its travel in joint `root`, which has no parent."""
    if motion.frames == 0:
        return motion
    skeleton = motion.skeleton
    ground, heading = root_frame(motion[:], motion.fps)
    pose = motion[:]
    children = list(skeleton.children[root])
    # The root keeps its own axes: it has its rest rotation when the body faces as in the rest pose.
    own = rotations.multiply(rotations.multiply(heading, turn), skeleton.rest_rotations[root])
    local_rotations, local_translations = motion.local_rotations.copy(), pose.local_translations.copy()
    local_rotations[:, root], local_translations[:, root] = own, ground
    local_rotations[:, children] = rotations.relative(own[:, None], pose.global_rotations[:, children])
    offsets = pose.global_positions[:, children] - ground[:, None]
    local_translations[:, children] = rotations.inverse_rotate(own[:, None], offsets)
    moving: Indices = np.union1d(motion.translated, [root, *children]).astype(np.int32)
    return motion.replace(
        local_rotations=local_rotations, local_translations=local_translations[:, moving], translated=moving
    )
