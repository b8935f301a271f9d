"""Meshes of the scene: skinned ones bound to the skeleton's joints, rigid ones attached to one joint."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from kinema.arrays import Floats, Singles
from kinema.character import Mesh
from kinema.formats.gltf.buffers import Buffers
from kinema.formats.gltf.mesh import INSTANCE_BYTES, GltfSkin, weighted
from kinema.formats.gltf.scene import GltfRig, NodeTree
from kinema.formats.normals import cofactors, unit


def place_meshes(
    buffers: Buffers, nodes: NodeTree, rig: GltfRig, skins: list[GltfSkin], meshes: list[list[Mesh]]
) -> tuple[list[Mesh], list[int]]:
    """The meshes that the scene uses, bound to the skeleton's joints or attached to one of them, and their nodes."""
    placer = _Placer(buffers, nodes, rig, skins)
    found: list[Mesh] = []
    mesh_nodes: list[int] = []
    for node in sorted(nodes.order):
        item = nodes.items[node]
        chosen = item.index("mesh", "meshes")
        # Our writer adds a mesh of bones for viewers that show only meshes.
        if chosen is None or buffers.document.all("meshes")[chosen].notes.get("bones") is True:
            continue
        buffers.budget.charge(INSTANCE_BYTES * len(meshes[chosen]), item.where)
        if "EXT_mesh_gpu_instancing" in item.object("extensions"):
            item.warn("draws its mesh in many places (EXT_mesh_gpu_instancing); it was read once")
        found += [placer.place(node, weighted(item, mesh)) for mesh in meshes[chosen]]
        mesh_nodes += [node] * len(meshes[chosen])
    return found, mesh_nodes


class _Placer:
    def __init__(self, buffers: Buffers, nodes: NodeTree, rig: GltfRig, skins: list[GltfSkin]) -> None:
        self._buffers, self._nodes, self._rig, self._skins = buffers, nodes, rig, skins
        self._bound: dict[int, Singles] = {}

    def place(self, node: int, mesh: Mesh) -> Mesh:
        """A mesh as a node uses it."""
        skin = self._nodes.items[node].index("skin", "skins")
        return self._hung(node, mesh) if skin is None or mesh.joints is None else self._skinned(skin, mesh)

    def _hung(self, node: int, mesh: Mesh) -> Mesh:
        joint, world = self._rig.nearest.get(node), self._nodes.world[node]
        frame = world if joint is None else np.linalg.inv(self._rig.rigid[joint]) @ world
        mesh = replace(mesh, joint=joint, joints=None, weights=None)
        if np.allclose(frame, np.eye(4), atol=1e-7):
            return mesh
        return _moved(self._buffers, mesh, frame, self._nodes.items[node].where)

    def _skinned(self, number: int, mesh: Mesh) -> Mesh:
        assert mesh.joints is not None and mesh.weights is not None
        skin, bind = self._skins[number], self._inverse_bind(number)
        self._buffers.budget.charge(mesh.joints.nbytes, skin.item.where)
        table = np.array([self._rig.joint_of[node] for node in skin.joints], dtype=np.int32)
        outside = mesh.joints >= len(table)
        if (outside & (mesh.weights > 0)).any():
            raise skin.item.error(f"mesh {mesh.name!r} names a joint beyond the {len(table)} there are")
        joints = table[np.where(outside, 0, mesh.joints) if outside.any() else mesh.joints]
        if np.linalg.det(bind[table[0], :3, :3].astype(np.float64)) >= 0:
            return replace(mesh, joints=joints, inverse_bind=bind)
        # The bind matrices mirror the mesh: mirror its vertices instead, so that triangles keep facing outward.
        mirror = np.array([-1, 1, 1, 1], np.float32)
        mesh = _moved(self._buffers, mesh, np.diag(mirror).astype(np.float64), skin.item.where)
        return replace(mesh, joints=joints, inverse_bind=bind * mirror)

    def _inverse_bind(self, number: int) -> Singles:
        """The inverse bind matrices `[J, 4, 4]` of a skin."""
        if number not in self._bound:
            rig, skin = self._rig, self._skins[number]
            self._buffers.budget.charge(64 * rig.skeleton.joint_count, skin.item.where)
            joints = [rig.joint_of[node] for node in skin.joints]
            inverse_bind = np.tile(np.eye(4), (rig.skeleton.joint_count, 1, 1))
            # Rigid frames replace scaled ones: the effect of the scale on vertices moves into this matrix.
            # Where the matrices are lost, the mesh is taken to be bound in the rest pose, as most are.
            bound = np.eye(4) if skin.inverse_bind is None else rig.world[joints] @ skin.inverse_bind
            inverse_bind[joints] = np.linalg.inv(rig.rigid[joints]) @ bound
            self._bound[number] = inverse_bind.astype(np.float32)
        return self._bound[number]


def _moved(buffers: Buffers, mesh: Mesh, frame: Floats, where: str) -> Mesh:
    """The mesh transformed by a matrix `[4, 4]`; a mirrored one has its winding reversed."""
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
