"""Joints as limb nodes, with one bind pose for all meshes of a character.

The rest rotation of a joint is its `PreRotation`, so that the rest pose is one of zero angles and curves stay away from
gimbal lock. Tips become limb nodes without weights, named `<joint>_end` and marked by the property `KinemaTip`: other
programs need them to know how long the last bones are. What a skeleton states of a joint is the property `KinemaRole`.

Programs such as Blender know one pose that a skeleton and all its meshes are bound in. Here that is the rest pose, if
every mesh fits it after being moved as a whole. Otherwise it is made of the matrices of the meshes, joint by joint,
beginning with the mesh that most joints move.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from kinema import rotations
from kinema.arrays import Floats, Ints, Reals
from kinema.character import Mesh
from kinema.formats.fbx.encode import Long, Node
from kinema.formats.fbx.notes import ROLE, TIP
from kinema.formats.fbx.out_scene import CENTIMETRES, FbxBuilder, integer, string, transform, vector
from kinema.formats.fbx.transform import PLAIN
from kinema.formats.rigid import carried, transforms
from kinema.formats.trees import unique_names
from kinema.skeleton import Skeleton

AGREE = 1e-4  # relative; matrices that differ by less are the same


def euler(q: Reals) -> Floats:
    """Degrees `[..., 3]` about X, Y and Z; X rotates first, and all about the axes of the parent."""
    unit = rotations.normalize(np.asarray(q, dtype=np.float64))
    return np.degrees(rotations.to_euler(unit, "ZYX")[..., ::-1])


def continuous_euler(q: Reals) -> Floats:
    """Degrees `[F, ..., 3]` like `euler`, without jumps from frame to frame.

    Each rotation has two sets of angles, which change places where the middle one passes a quarter turn; of both the
    one nearer to the frame before is taken, and whole turns are added. Taking the other set in both frames leaves
    their distance as it is, so that the choices are a running sum.
    """
    first = euler(q)
    if len(first) < 2:
        return first
    other = first * [1, -1, 1] + 180.0

    def apart(a: Floats, b: Floats) -> Floats:
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
    tips = skeleton.tip_joints.tolist()
    names = unique_names([*skeleton.names, *(f"{skeleton.names[joint]}_end" for joint in tips)], "", 2)[len(ids) :]
    for name, joint, offset in zip(names, tips, skeleton.tip_offsets.astype(np.float64), strict=True):
        node = _limb(builder, name, offset * CENTIMETRES, np.zeros(3), [integer(TIP, 1, "bool", "", "U")])
        builder.connect(node, ids[joint])
    return ids


def write_bind_pose(builder: FbxBuilder, nodes: list[int], matrices: Floats) -> None:
    """One bind pose of nodes with their global matrices `[N, 4, 4]`, centimetres."""
    _, record = builder.add(
        "Pose", "BindPose", "Pose", "BindPose", Type="BindPose", Version=100, NbPoseNodes=len(nodes)
    )
    for node, matrix in zip(nodes, matrices, strict=True):
        record.add("PoseNode", Node=Long(node), Matrix=flat(matrix))


def rest_matrices(skeleton: Skeleton) -> Floats:
    """Global matrices `[J, 4, 4]` of the rest pose, in metres."""
    rest = skeleton.rest_pose
    return transforms(rotations.normalize(rest.global_rotations.astype(np.float64)), rest.global_positions)


def flat(matrix: Floats) -> Floats:
    """The 16 numbers of a matrix that acts on columns, as the file stores them: column by column."""
    return np.ascontiguousarray(matrix.T).reshape(16)


def in_centimetres(matrix: Floats) -> Floats:
    """Transforms `[..., 4, 4]` of metres as those of centimetres."""
    result = np.array(matrix)
    result[..., :3, 3] *= CENTIMETRES
    return result


def _limb(builder: FbxBuilder, name: str, offset: Floats, angles: Floats, more: list[Node]) -> int:
    rows = [integer("RotationActive", 1, "bool", ""), integer("InheritType", PLAIN, "enum", "")]
    if np.abs(angles).max() > 0:
        rows.append(vector("PreRotation", angles))
    node = builder.add_model(name, "LimbNode", [*rows, *transform(offset), *more])
    attribute, _ = builder.add("NodeAttribute", name, "NodeAttribute", "LimbNode", TypeFlags="Skeleton")
    builder.connect(attribute, node)
    return node


def bind_pose(skeleton: Skeleton, meshes: Sequence[Mesh]) -> tuple[Floats, list[Floats]]:
    """The bind pose, and where each mesh has to be in it.

    Returns:
        Global matrices `[J, 4, 4]` of the joints, metres, and for each mesh the matrix `[4, 4]` that takes its
        vertices there; the identity for meshes without a skin.
    """
    rest = rest_matrices(skeleton)
    places = [np.eye(4) for _ in meshes]
    skins = {
        number: (used, matrices)
        for number, mesh in enumerate(meshes)
        if (used := used_joints(mesh)).size and (matrices := _inverse(mesh)) is not None
    }
    agree = True
    for number, (used, inverse) in skins.items():
        moved = rest[used] @ inverse[used]
        places[number] = _tidy(moved[0])
        agree = agree and _same(moved, moved[0], meshes[number])
    if agree:
        return rest, places
    binds = _binds_of_meshes(skins, places)
    return carried(rest, binds, skeleton.parents), places


def _binds_of_meshes(skins: dict[int, tuple[Ints, Floats]], places: list[Floats]) -> dict[int, Floats]:
    """Global matrices of joints by the meshes that they move; fills in where the meshes are."""
    binds: dict[int, Floats] = {}
    for number in sorted(skins, key=lambda key: -skins[key][0].size):
        used, inverse = skins[number]
        known = next((joint for joint in used.tolist() if joint in binds), None)
        if known is not None:
            places[number] = _tidy(binds[known] @ inverse[known])
        for joint in used.tolist():
            if joint not in binds:
                binds[joint] = places[number] @ np.linalg.inv(inverse[joint])
    return binds


def used_joints(mesh: Mesh) -> Ints:
    """Joints that move a mesh, ascending; none for one without a skin."""
    if mesh.joints is None or mesh.weights is None or mesh.inverse_bind is None:
        return np.zeros(0, np.int64)
    return np.unique(mesh.joints[mesh.weights > 0]).astype(np.int64)


def _inverse(mesh: Mesh) -> Floats | None:
    """The mesh's inverse bind matrices; None if one cannot be inverted."""
    assert mesh.inverse_bind is not None
    inverse = mesh.inverse_bind.astype(np.float64)
    return inverse if (np.abs(np.linalg.det(inverse[used_joints(mesh), :3, :3])) > 1e-24).all() else None


def _same(moved: Floats, whole: Floats, mesh: Mesh) -> bool:
    """Whether matrices move the mesh's vertices to the same positions, within the tolerance."""
    size = max(float(np.abs(mesh.positions).max(initial=0.0)), 1e-6)
    apart = np.abs((moved - whole)[:, :3] * [size, size, size, 1]).max(initial=0.0)
    return bool(apart < AGREE * max(size * float(np.abs(whole[:3, :3]).max()), 1e-3))


def _tidy(matrix: Floats) -> Floats:
    return np.eye(4) if np.abs(matrix - np.eye(4)).max() < 1e-6 else matrix
