"""Skeletons as prims, and bind transforms that meshes share."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from kinema.errors import FormatError
from kinema.formats.usd.openusd import Usd, UsdSkel
from kinema.formats.usd.out_rig import RigWriter, valid_names


@pytest.fixture
def rig(everything):
    stage = Usd.Stage.CreateInMemory()
    yield RigWriter(stage, UsdSkel.Root.Define(stage, "/r"), everything.skeleton, set())


def test_names_are_valid_and_unique():
    assert valid_names(["a:b", "a_b", "", "1x", "a_b"]) == ["a_b", "a_b_1", "prim", "_x", "a_b_2"]
    assert valid_names(["Skeleton"], {"Skeleton"}) == ["Skeleton_1"]


def test_meshes_of_one_bind_pose_share_a_skeleton(rig, everything):
    """bind[j] @ inverse_bind[j] is the same for all joints: that is what geomBindTransform is."""
    body, coat, hat, _ = everything.character.meshes
    shifted = np.eye(4, dtype=np.float32)
    shifted[:3, 3] = (0, 3, 0)
    moved = dataclasses.replace(body, inverse_bind=body.inverse_bind @ shifted)
    numbers = [rig.bind(mesh)[0] for mesh in (body, moved, hat, coat)]
    assert numbers == [0, 0, 0, 1]
    assert np.allclose(rig.bind(moved)[1], shifted, atol=1e-5)
    for mesh in (body, coat):
        number, geom = rig.bind(mesh)
        bind = rig._bindings[number].bind
        for joint in np.unique(mesh.joints[mesh.weights > 0]):
            assert np.allclose(np.linalg.inv(bind[joint]) @ geom, mesh.inverse_bind[joint], atol=1e-4)
    prims = rig.write(None)
    assert len(prims) == 2 and prims[1].GetPrim().GetCustomDataByKey("kinema")["same_as"] == 0
    assert UsdSkel.Topology(prims[0].GetJointsAttr().Get()).Validate()
    assert list(prims[0].GetJointNamesAttr().Get()) == list(everything.skeleton.names)


def test_matrices_that_cannot_be_inverted_are_refused(rig, everything):
    body = everything.character.meshes[0]
    with pytest.raises(FormatError, match="mesh 'body' is bound by a matrix that cannot be inverted"):
        rig.bind(dataclasses.replace(body, inverse_bind=np.zeros_like(body.inverse_bind)))
