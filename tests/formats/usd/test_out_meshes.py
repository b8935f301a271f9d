"""Meshes as prims."""

from __future__ import annotations

import numpy as np
import pytest

from kinema.formats.usd.openusd import Usd, UsdGeom, UsdShade, UsdSkel
from kinema.formats.usd.out_meshes import extent, write_mesh


@pytest.fixture
def written(everything):
    stage = Usd.Stage.CreateInMemory()
    materials = [UsdShade.Material.Define(stage, f"/m{number}") for number in range(3)]
    geom = np.eye(4)
    geom[:3, 3] = (1, 2, 3)
    for number, mesh in enumerate(everything.character.meshes):
        write_mesh(stage, f"/mesh{number}", mesh, everything.character, materials, geom)
    yield stage


def test_shapes_are_sparse(written):
    smile = UsdSkel.BlendShape(written.GetPrimAtPath("/mesh0/smile"))
    assert len(smile.GetOffsetsAttr().Get()) == len(smile.GetPointIndicesAttr().Get()) < 6
    assert written.GetPrimAtPath("/mesh0/frown").GetCustomDataByKey("kinema")["weight"] == 0.25


def test_bindings(written):
    body, hat, floor = (UsdSkel.BindingAPI(written.GetPrimAtPath(f"/mesh{number}")) for number in (0, 2, 3))
    assert body.GetJointIndicesPrimvar().GetElementSize() == 3
    assert body.GetJointIndicesPrimvar().GetInterpolation() == "vertex"
    assert np.array(body.GetGeomBindTransformAttr().Get())[3].tolist() == [1, 2, 3, 1]
    assert hat.GetJointIndicesPrimvar().GetInterpolation() == "constant"
    assert not floor.GetJointIndicesPrimvar() and not floor.GetPrim().HasAPI(UsdSkel.BindingAPI)


def test_surface(written, everything):
    body, coat = (UsdGeom.Mesh(written.GetPrimAtPath(f"/mesh{number}")) for number in (0, 1))
    assert body.GetDoubleSidedAttr().Get() and body.GetSubdivisionSchemeAttr().Get() == "none"
    assert np.allclose(body.GetExtentAttr().Get(), extent(everything.character.meshes[0].positions))
    st = np.array(UsdGeom.PrimvarsAPI(body).GetPrimvar("st").Get())
    assert np.allclose(st[:, 1], 1 - everything.character.meshes[0].uvs[:, 1])
    assert coat.GetPrim().GetAttribute("kinema:colors").Get() and len(coat.GetDisplayOpacityAttr().Get()) == 6


def test_the_box_around_nothing():
    assert extent(np.zeros((0, 3))).tolist() == [[0, 0, 0], [0, 0, 0]]
