"""One bind pose for all meshes of a character.

Programs such as Blender know one pose that a skeleton and all its meshes are bound in. Here that is the rest pose, if
every mesh fits it after being moved as a whole. Otherwise it is made of the matrices of the meshes, joint by joint,
beginning with the mesh that most joints move.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from kinema.character import Mesh
from kinema.formats.fbx.out_rig import rest_matrices
from kinema.skeleton import Skeleton

Array = NDArray[np.float64]
AGREE = 1e-4  # relative; matrices that differ by less are the same


def bind_pose(skeleton: Skeleton, meshes: Sequence[Mesh]) -> tuple[Array, list[Array]]:
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
    pose = rest.copy()
    for joint, parent in enumerate(skeleton.parents.tolist()):
        if joint in binds:
            pose[joint] = binds[joint]
        elif parent >= 0:
            pose[joint] = pose[parent] @ np.linalg.inv(rest[parent]) @ rest[joint]
    return pose, places


def _binds_of_meshes(skins: dict[int, tuple[NDArray[np.int64], Array]], places: list[Array]) -> dict[int, Array]:
    """Global matrices of joints by the meshes that they move; fills in where the meshes are."""
    binds: dict[int, Array] = {}
    for number in sorted(skins, key=lambda key: -skins[key][0].size):
        used, inverse = skins[number]
        known = next((joint for joint in used.tolist() if joint in binds), None)
        if known is not None:
            places[number] = _tidy(binds[known] @ inverse[known])
        for joint in used.tolist():
            if joint not in binds:
                binds[joint] = places[number] @ np.linalg.inv(inverse[joint])
    return binds


def used_joints(mesh: Mesh) -> NDArray[np.int64]:
    """Joints that move a mesh, ascending; none for one without a skin."""
    if mesh.joints is None or mesh.weights is None or mesh.inverse_bind is None:
        return np.zeros(0, np.int64)
    return np.unique(mesh.joints[mesh.weights > 0]).astype(np.int64)


def _inverse(mesh: Mesh) -> Array | None:
    """The mesh's inverse bind matrices; None if one cannot be inverted."""
    assert mesh.inverse_bind is not None
    inverse = mesh.inverse_bind.astype(np.float64)
    return inverse if (np.abs(np.linalg.det(inverse[used_joints(mesh), :3, :3])) > 1e-24).all() else None


def _same(moved: Array, whole: Array, mesh: Mesh) -> bool:
    """Whether matrices move the mesh's vertices to the same positions, within the tolerance."""
    size = max(float(np.abs(mesh.positions).max(initial=0.0)), 1e-6)
    apart = np.abs((moved - whole)[:, :3] * [size, size, size, 1]).max(initial=0.0)
    return bool(apart < AGREE * max(size * float(np.abs(whole[:3, :3]).max()), 1e-3))


def _tidy(matrix: Array) -> Array:
    return np.eye(4) if np.abs(matrix - np.eye(4)).max() < 1e-6 else matrix
