"""Writes motions and characters as binary FBX 7.4: Y up, centimetres, facing +Z.

One scene with the joints as limb nodes, skinned meshes beside them, and one animation stack for each motion.
"""

from __future__ import annotations

import os

import numpy as np

from kinema.character import Character
from kinema.formats import Asset
from kinema.formats.atomic import atomic_write
from kinema.formats.contents import contents
from kinema.formats.fbx.encode import encode
from kinema.formats.fbx.out_materials import write_materials
from kinema.formats.fbx.out_meshes import MeshWriter
from kinema.formats.fbx.out_motions import write_motion
from kinema.formats.fbx.out_rig import in_centimetres, rest_matrices, write_bind_pose, write_joints
from kinema.formats.fbx.out_scene import FbxBuilder
from kinema.formats.trees import unique_names
from kinema.motion import Motion
from kinema.skeleton import Skeleton


def write(thing: Motion | Character | Asset, path: str | os.PathLike[str]) -> None:
    """See `kinema.formats.fbx.write`."""
    atomic_write(path, build(*contents(thing)))


def build(skeleton: Skeleton, character: Character | None, motions: tuple[Motion, ...]) -> bytes:
    """The bytes of a file; the same input gives the same bytes."""
    builder = FbxBuilder()
    joints = write_joints(builder, skeleton)
    posed, binds = joints, rest_matrices(skeleton)
    channels: dict[str, list[int]] = {}
    if character is not None:
        materials = write_materials(builder, character)
        meshes = MeshWriter(builder, character, joints)
        for number, mesh in enumerate(character.meshes):
            meshes.write(number, None if mesh.material is None else materials[mesh.material])
        channels = meshes.channels
        # Maya and Unreal want the meshes of a bind pose in it, too.
        posed = joints + meshes.models
        binds = np.concatenate([meshes.binds, np.tile(np.eye(4), (len(meshes.models), 1, 1))])
    write_bind_pose(builder, posed, in_centimetres(binds))
    # Other programs identify takes by name alone.
    names = unique_names([motion.name or f"Take {number}" for number, motion in enumerate(motions, 1)], " ", 2)
    takes = [
        (name, write_motion(builder, motion, name, joints, channels))
        for name, motion in zip(names, motions, strict=True)
    ]
    fps = motions[0].fps if motions else 30.0
    return encode(builder.records(fps, max((stop for _, stop in takes), default=0), takes))
