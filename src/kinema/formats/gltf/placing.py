"""Meshes where the scene has them: skins bound to the skeleton's joints, the others hung on one of them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from kinema.character import Mesh
from kinema.formats.gltf.buffers import Buffers
from kinema.formats.gltf.mesh import INSTANCE_BYTES, GltfSkin, weighted
from kinema.formats.gltf.scene import GltfRig, NodeTree
from kinema.formats.normals import cofactors, unit


def place_meshes(
    buffers: Buffers, nodes: NodeTree, rig: GltfRig, skins: list[GltfSkin], meshes: list[list[Mesh]]
) -> tuple[list[Mesh], list[int]]:
    """The meshes as the scene uses them: bound to the skeleton's joints, or hung on one of them; and their nodes."""
    placed: list[Mesh] = []
    mesh_nodes: list[int] = []
    bound: dict[int, NDArray[np.float32]] = {}
    for node in sorted(nodes.order):
        item = nodes.items[node]
        chosen, skin = item.index("mesh", "meshes"), item.index("skin", "skins")
        # Our writer adds a mesh of bones for viewers that show only meshes.
        if chosen is None or buffers.document.all("meshes")[chosen].notes.get("bones") is True:
            continue
        buffers.budget.charge(INSTANCE_BYTES * len(meshes[chosen]), item.where)
        if "EXT_mesh_gpu_instancing" in item.object("extensions"):
            item.warn("draws its mesh in many places (EXT_mesh_gpu_instancing); it was read once")
        for mesh in meshes[chosen]:
            mesh = weighted(item, mesh)
            mesh_nodes.append(node)
            if skin is None or mesh.joints is None:
                placed.append(_hung(buffers, nodes, rig, node, mesh))
                continue
            if skin not in bound:
                buffers.budget.charge(64 * rig.skeleton.joint_count, skins[skin].item.where)
                bound[skin] = _inverse_bind(rig, skins[skin])
            placed.append(_skinned(buffers, mesh, rig, skins[skin], bound[skin]))
    return placed, mesh_nodes


def _inverse_bind(rig: GltfRig, skin: GltfSkin) -> NDArray[np.float32]:
    joints = [rig.joint_of[node] for node in skin.joints]
    inverse_bind = np.tile(np.eye(4), (rig.skeleton.joint_count, 1, 1))
    # Rigid frames stand in for scaled ones: what the scale does to the vertices moves into this matrix.
    inverse_bind[joints] = np.linalg.inv(rig.rigid[joints]) @ rig.world[joints] @ skin.inverse_bind
    return inverse_bind.astype(np.float32)


def _skinned(buffers: Buffers, mesh: Mesh, rig: GltfRig, skin: GltfSkin, bind: NDArray[np.float32]) -> Mesh:
    assert mesh.joints is not None and mesh.weights is not None
    buffers.budget.charge(mesh.joints.nbytes, skin.item.where)
    table = np.array([rig.joint_of[node] for node in skin.joints], dtype=np.int32)
    outside = mesh.joints >= len(table)
    if (outside & (mesh.weights > 0)).any():
        raise skin.item.error(f"mesh {mesh.name!r} names a joint beyond the {len(table)} there are")
    joints = table[np.where(outside, 0, mesh.joints) if outside.any() else mesh.joints]
    if np.linalg.det(bind[table[0], :3, :3].astype(np.float64)) >= 0:
        return replace(mesh, joints=joints, inverse_bind=bind)
    # Bound as its own mirror image: the mesh is mirrored instead, so that its triangles show their fronts.
    mirror = np.array([-1, 1, 1, 1], np.float32)
    mesh = _moved(buffers, mesh, np.diag(mirror).astype(np.float64), skin.item.where)
    return replace(mesh, joints=joints, inverse_bind=bind * mirror)


def _hung(buffers: Buffers, nodes: NodeTree, rig: GltfRig, node: int, mesh: Mesh) -> Mesh:
    joint = rig.nearest.get(node)
    frame = nodes.world[node] if joint is None else np.linalg.inv(rig.rigid[joint]) @ nodes.world[node]
    mesh = replace(mesh, joint=joint, joints=None, weights=None)
    return mesh if np.allclose(frame, np.eye(4), atol=1e-7) else _moved(buffers, mesh, frame, nodes.items[node].where)


def _moved(buffers: Buffers, mesh: Mesh, frame: NDArray[np.float64], where: str) -> Mesh:
    """The mesh moved by a matrix `[4, 4]`; a mirrored one is wound the other way round."""
    size = sum(m.positions.nbytes * (1 if m.normals is None else 2) for m in mesh.morphs)
    buffers.budget.charge(2 * mesh.positions.nbytes + size, where)
    linear = frame[:3, :3].astype(np.float32)
    positions = mesh.positions @ linear.T + frame[:3, 3].astype(np.float32)
    mirrored = np.linalg.det(frame[:3, :3]) < 0
    cofactor = cofactors(frame[:3, :3])
    turn = (cofactor / max(np.sqrt(np.square(cofactor).sum() / 3), 1e-30)).astype(np.float32)
    turn = -turn if mirrored else turn
    indices = np.ascontiguousarray(mesh.indices[:, ::-1]) if mirrored else mesh.indices
    morphs = tuple(
        replace(
            morph,
            positions=morph.positions @ linear.T,
            normals=None if morph.normals is None else morph.normals @ turn.T,
        )
        for morph in mesh.morphs
    )
    return replace(mesh, positions=positions, normals=unit(mesh.normals @ turn.T), indices=indices, morphs=morphs)
