"""Meshes where the scene has them: skins bound to the skeleton's joints, the others hung on one of them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kinema.character import Mesh
from kinema.formats.gltf.buffers import Buffers
from kinema.formats.gltf.document import Document
from kinema.formats.gltf.mesh import INSTANCE_BYTES, Skin, weighted
from kinema.formats.gltf.scene import Nodes, Rig
from kinema.formats.normals import cofactors, unit


def place_meshes(
    document: Document, buffers: Buffers, nodes: Nodes, rig: Rig, skins: list[Skin], meshes: list[list[Mesh]]
) -> tuple[list[Mesh], list[int]]:
    """The meshes as the scene uses them: bound to the skeleton's joints, or hung on one of them; and their nodes."""
    items = document.all("nodes")
    placed: list[Mesh] = []
    mesh_of: list[int] = []
    bound: dict[int, tuple[NDArray[np.int32], NDArray[np.float32]]] = {}
    for node in sorted(nodes.order):
        chosen = document.index(items[node], "mesh", "meshes", f"nodes[{node}]")
        skin = document.index(items[node], "skin", "skins", f"nodes[{node}]")
        if chosen is None or _is_marker(document.all("meshes")[chosen]):
            continue
        buffers.budget.charge(INSTANCE_BYTES * len(meshes[chosen]), f"nodes[{node}]")
        extensions = document.object(items[node], "extensions", f"nodes[{node}]")
        if "EXT_mesh_gpu_instancing" in extensions:
            document.warn(f"nodes[{node}] draws its mesh in many places (EXT_mesh_gpu_instancing); it was read once")
        for mesh in meshes[chosen]:
            mesh = weighted(document, items[node], f"nodes[{node}]", mesh)
            mesh_of.append(node)
            if skin is not None and mesh.joints is not None:
                if skin not in bound:
                    buffers.budget.charge(64 * rig.skeleton.joint_count, skins[skin].where)
                    bound[skin] = _bind(rig, skins[skin])
                placed.append(_skinned(document, buffers, mesh, skins[skin], *bound[skin]))
            else:
                placed.append(_hung(buffers, nodes, rig, node, mesh))
    return placed, mesh_of


def _is_marker(item: dict[str, Any]) -> bool:
    """Whether a mesh is the set of bones that our writer adds for viewers that show only meshes."""
    extras = item.get("extras")
    kinema = extras.get("kinema") if isinstance(extras, dict) else None
    return isinstance(kinema, dict) and kinema.get("bones") is True


def _bind(rig: Rig, skin: Skin) -> tuple[NDArray[np.int32], NDArray[np.float32]]:
    joints = np.array([rig.joint_of[node] for node in skin.joints], dtype=np.int32)
    inverse_bind = np.tile(np.eye(4), (rig.skeleton.joint_count, 1, 1))
    # Rigid frames stand in for scaled ones: what the scale does to the vertices moves into this matrix.
    inverse_bind[joints] = np.linalg.inv(rig.rigid[joints]) @ rig.world[joints] @ skin.inverse_bind
    return joints, inverse_bind.astype(np.float32)


def _skinned(
    document: Document, buffers: Buffers, mesh: Mesh, skin: Skin, table: NDArray[np.int32], bind: NDArray[np.float32]
) -> Mesh:
    assert mesh.joints is not None and mesh.weights is not None
    buffers.budget.charge(mesh.joints.nbytes, skin.where)
    outside = mesh.joints >= len(table)
    if (outside & (mesh.weights > 0)).any():
        raise document.error(f"mesh {mesh.name!r} names a joint beyond the {len(table)} there are", skin.where)
    joints = table[np.where(outside, 0, mesh.joints) if outside.any() else mesh.joints]
    if np.linalg.det(bind[table[0], :3, :3].astype(np.float64)) >= 0:
        return replace(mesh, joints=joints, inverse_bind=bind)
    # Bound as its own mirror image: the mesh is mirrored instead, so that its triangles show their fronts.
    mirror = np.array([-1, 1, 1, 1], np.float32)
    mesh = _moved(buffers, mesh, np.diag(mirror).astype(np.float64), skin.where)
    return replace(mesh, joints=joints, inverse_bind=bind * mirror)


def _hung(buffers: Buffers, nodes: Nodes, rig: Rig, node: int, mesh: Mesh) -> Mesh:
    joint = rig.nearest.get(node)
    frame = nodes.world[node] if joint is None else np.linalg.inv(rig.rigid[joint]) @ nodes.world[node]
    mesh = replace(mesh, joint=joint, joints=None, weights=None)
    return mesh if np.allclose(frame, np.eye(4), atol=1e-7) else _moved(buffers, mesh, frame, f"nodes[{node}]")


def _moved(buffers: Buffers, mesh: Mesh, frame: NDArray[np.float64], where: str) -> Mesh:
    """The mesh moved by a matrix `[4, 4]`; a mirrored one is wound the other way round."""
    size = sum(m.positions.nbytes * (1 if m.normals is None else 2) for m in mesh.morphs)
    buffers.budget.charge(2 * mesh.positions.nbytes + size, where)
    linear = frame[:3, :3].astype(np.float32)
    positions = mesh.positions @ linear.T + frame[:3, 3].astype(np.float32)
    mirrored = np.linalg.det(frame[:3, :3]) < 0
    turned = cofactors(frame[:3, :3])
    turn = (turned / max(np.sqrt(np.square(turned).sum() / 3), 1e-30)).astype(np.float32)
    turn = -turn if mirrored else turn
    normals = unit(mesh.normals @ turn.T)
    return replace(
        mesh,
        positions=positions,
        normals=normals,
        indices=np.ascontiguousarray(mesh.indices[:, ::-1]) if mirrored else mesh.indices,
        morphs=tuple(
            replace(
                morph,
                positions=morph.positions @ linear.T,
                normals=None if morph.normals is None else morph.normals @ turn.T,
            )
            for morph in mesh.morphs
        ),
    )
