"""Joints as limb nodes, with a bind pose.

The rest rotation of a joint is its `PreRotation`, so that the rest pose is one of zero angles and curves stay away from
gimbal lock. Tips become limb nodes without weights, named `<joint>_end` and marked by the property `KinemaTip`: other
programs need them to know how long the last bones are. What a skeleton states of a joint is the property `KinemaRole`.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from kinema import rotations
from kinema.formats.fbx.encode import Long, Node
from kinema.formats.fbx.notes import ROLE, TIP
from kinema.formats.fbx.out_scene import CENTIMETRES, FbxBuilder, integer, string, transform, vector
from kinema.formats.fbx.transform import PLAIN
from kinema.skeleton import Skeleton


def euler(q: NDArray[np.floating]) -> NDArray[np.float64]:
    """Degrees `[..., 3]` about x, y and z; FBX turns about x first, then about the axes of the parent."""
    turned = rotations.normalize(np.asarray(q, dtype=np.float64))
    return np.degrees(rotations.to_euler(turned, "ZYX")[..., ::-1])


def continuous_euler(q: NDArray[np.floating]) -> NDArray[np.float64]:
    """Degrees `[F, ..., 3]` like `euler`, without jumps from frame to frame.

    Each rotation has two sets of angles, which change places where the middle one passes a quarter turn; of both the
    one nearer to the frame before is taken, and whole turns are added. Taking the other set in both frames leaves
    their distance as it is, so that the choices are a running sum.
    """
    first = euler(q)
    if len(first) < 2:
        return first
    other = first * [1, -1, 1] + 180.0

    def apart(a: NDArray[np.float64], b: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.abs((b - a + 180.0) % 360.0 - 180.0).sum(axis=-1)

    change = apart(first[:-1], other[1:]) < apart(first[:-1], first[1:])
    odd = np.concatenate([np.zeros_like(change[:1]), np.cumsum(change, axis=0) % 2 == 1])
    return np.unwrap(np.where(odd[..., None], other, first), axis=0, period=360.0)


def write_joints(builder: FbxBuilder, skeleton: Skeleton) -> list[int]:
    """Limb nodes of all joints and tips; ids of the joints."""
    angles = euler(skeleton.rest_rotations)
    offsets = skeleton.rest_translations.astype(np.float64) * CENTIMETRES
    ids: list[int] = []
    for joint, (name, parent) in enumerate(zip(skeleton.names, skeleton.parents.tolist(), strict=True)):
        rows = [string(ROLE, skeleton.hints[name], "U")] if name in skeleton.hints else []
        node = _limb(builder, name, offsets[joint], angles[joint], rows)
        builder.connect(node, 0 if parent < 0 else ids[parent])
        ids.append(node)
    taken = set(skeleton.names)
    for joint, offset in zip(skeleton.tip_joints.tolist(), skeleton.tip_offsets.astype(np.float64), strict=True):
        name = _free(f"{skeleton.names[joint]}_end", taken)
        node = _limb(builder, name, offset * CENTIMETRES, np.zeros(3), [integer(TIP, 1, "bool", "", "U")])
        builder.connect(node, ids[joint])
    return ids


def write_bind_pose(builder: FbxBuilder, nodes: list[int], matrices: NDArray[np.float64]) -> None:
    """One bind pose of nodes with their global matrices `[N, 4, 4]`, centimetres."""
    _, record = builder.add(
        "Pose", "BindPose", "Pose", "BindPose", Type="BindPose", Version=100, NbPoseNodes=len(nodes)
    )
    for node, matrix in zip(nodes, matrices, strict=True):
        record.add("PoseNode", Node=Long(node), Matrix=flat(matrix))


def rest_matrices(skeleton: Skeleton) -> NDArray[np.float64]:
    """Global matrices `[J, 4, 4]` of the rest pose, in metres."""
    turned, positions = skeleton.rest_pose.global_rotations, skeleton.rest_pose.global_positions
    result = np.tile(np.eye(4), (skeleton.joint_count, 1, 1))
    result[:, :3, :3] = rotations.to_matrix(rotations.normalize(turned.astype(np.float64)))
    result[:, :3, 3] = positions
    return result


def flat(matrix: NDArray[np.float64]) -> NDArray[np.float64]:
    """The 16 numbers of a matrix that acts on columns, as the file stores them: column by column."""
    return np.ascontiguousarray(matrix.T).reshape(16)


def in_centimetres(matrix: NDArray[np.float64]) -> NDArray[np.float64]:
    """Transforms `[..., 4, 4]` of metres as those of centimetres."""
    result = np.array(matrix)
    result[..., :3, 3] *= CENTIMETRES
    return result


def _limb(
    builder: FbxBuilder, name: str, offset: NDArray[np.float64], angles: NDArray[np.float64], more: list[Node]
) -> int:
    rows = [integer("RotationActive", 1, "bool", ""), integer("InheritType", PLAIN, "enum", "")]
    if np.abs(angles).max() > 0:
        rows.append(vector("PreRotation", angles))
    node = builder.add_model(name, "LimbNode", [*rows, *transform(offset), *more])
    attribute, _ = builder.add("NodeAttribute", name, "NodeAttribute", "LimbNode", TypeFlags="Skeleton")
    builder.connect(attribute, node)
    return node


def _free(name: str, taken: set[str]) -> str:
    number, candidate = 2, name
    while candidate in taken:
        candidate, number = f"{name}{number}", number + 1
    taken.add(candidate)
    return candidate
