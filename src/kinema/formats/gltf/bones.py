"""A mesh of bones for a skeleton: one octahedron from each joint to each of its children and tips."""

from __future__ import annotations

import numpy as np

from kinema import rotations
from kinema.character import Mesh
from kinema.skeleton import Skeleton

WAIST = 0.1  # widest part of a bone: at this share of its length, and of that thickness
_FACES = np.array([[0, 2, 1], [0, 3, 2], [0, 4, 3], [0, 1, 4], [5, 1, 2], [5, 2, 3], [5, 3, 4], [5, 4, 1]])


def bone_mesh(skeleton: Skeleton) -> Mesh:
    """A flat-shaded mesh in the rest pose, each bone bound to the joint that it leaves."""
    global_rotations, positions = skeleton.rest_pose.global_rotations, skeleton.rest_pose.global_positions
    child = np.flatnonzero(skeleton.parents >= 0)
    owners = np.concatenate([skeleton.parents[child], skeleton.tip_joints]).astype(np.int32)
    tips = positions[skeleton.tip_joints] + rotations.rotate(
        global_rotations[skeleton.tip_joints], skeleton.tip_offsets
    )
    starts, ends = positions[owners], np.concatenate([positions[child], tips])
    long = np.linalg.norm(ends - starts, axis=1) > 1e-5
    owners, starts, ends = owners[long], starts[long], ends[long]
    if not len(owners):  # no bone has a length: mark each joint
        owners, starts = np.arange(skeleton.joint_count, dtype=np.int32), positions
        ends = positions + np.array([0, 0.05, 0], np.float32)
    length = np.linalg.norm(ends - starts, axis=1)
    along = np.broadcast_to(np.array([0, 0, 1], np.float32), starts.shape)
    frame = rotations.to_matrix(rotations.between(along, ends - starts))
    waist = [[1, 1, 1], [-1, 1, 1], [-1, -1, 1], [1, -1, 1]]
    shape = np.array([[0, 0, 0], *waist, [0, 0, 1 / WAIST]], np.float32) * WAIST
    corners = starts[:, None] + (shape * length[:, None, None]) @ frame.transpose(0, 2, 1)
    faces = corners[:, _FACES]  # [bones, 8, 3, 3]
    normals = np.cross(faces[:, :, 1] - faces[:, :, 0], faces[:, :, 2] - faces[:, :, 0])
    normals = rotations.normalize_vector(normals, (0.0, 1.0, 0.0))
    vertices = faces.reshape(-1, 3).astype(np.float32)
    inverse_bind = np.tile(np.eye(4, dtype=np.float32), (skeleton.joint_count, 1, 1))
    inverse_bind[:, :3, :3] = np.swapaxes(rotations.to_matrix(global_rotations), 1, 2)
    inverse_bind[:, :3, 3] = -rotations.inverse_rotate(global_rotations, positions)
    return Mesh(
        name="bones",
        positions=vertices,
        normals=np.repeat(normals.reshape(-1, 3), 3, axis=0).astype(np.float32),
        indices=np.arange(len(vertices), dtype=np.uint32).reshape(-1, 3),
        joints=np.repeat(owners, 24)[:, None],
        weights=np.ones((len(vertices), 1), np.float32),
        inverse_bind=inverse_bind,
    )
