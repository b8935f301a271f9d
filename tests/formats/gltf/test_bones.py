"""The mesh of bones."""

from __future__ import annotations

import numpy as np

from kinema import Skeleton
from kinema.formats.gltf.bones import bone_mesh


def test_bones_reach_from_joint_to_child_and_face_outward(biped):
    mesh = bone_mesh(biped)
    bones = biped.joint_count - 1 + len(biped.tip_joints)
    assert mesh.positions.shape == (24 * bones, 3) and mesh.indices.shape == (8 * bones, 3)
    positions = biped.rest_pose.global_positions
    corners = mesh.positions.reshape(bones, 24, 3)
    for bone, joint in enumerate(range(1, biped.joint_count)):
        start, end = positions[biped.parents[joint]], positions[joint]
        for point in (start, end):
            assert np.linalg.norm(corners[bone] - point, axis=1).min() < 1e-6
        center = corners[bone].mean(axis=0)
        outward = corners[bone].reshape(8, 3, 3).mean(axis=1) - center
        assert (np.einsum("fc,fc->f", outward, mesh.normals.reshape(bones, 8, 3, 3)[bone, :, 0]) > 0).all()


def test_bones_rest_where_they_are(biped):
    mesh = bone_mesh(biped)
    np.testing.assert_allclose(mesh.skin(biped.rest_pose), mesh.positions, atol=1e-6)


def test_a_single_joint_gets_a_mark():
    mesh = bone_mesh(Skeleton.create(["only"], [-1], [[0, 1, 0]]))
    assert np.isfinite(mesh.positions).all() and len(mesh.indices) == 8
