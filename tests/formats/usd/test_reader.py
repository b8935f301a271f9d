"""Whole files: the baked references beside them, and every file of the data folder."""

from __future__ import annotations

import numpy as np
import pytest

import kinema
from kinema import rotations
from kinema.errors import FormatError
from kinema.formats.sources import Source
from kinema.formats.usd.openusd import Usd, UsdGeom

CENTIMETRES = 0.01  # what the reference files are in, by saying nothing


def _skinned_normals(mesh, motion, weights) -> np.ndarray:
    """Unit normals `[F, V, 3]` by linear blend skinning, morphs first."""
    normals = np.broadcast_to(mesh.normals, (motion.frames, *mesh.normals.shape))
    for number, morph in enumerate(mesh.morphs):
        if morph.normals is not None:
            normals = normals + weights[:, number, None, None] * morph.normals
    turned = motion[:].global_rotations
    if mesh.joints is None:
        mixed = normals if mesh.joint is None else rotations.rotate(turned[:, mesh.joint, None], normals)
    else:
        linear = rotations.to_matrix(turned) @ mesh.inverse_bind[:, :3, :3]
        across = np.swapaxes(np.linalg.inv(linear), -1, -2)[:, mesh.joints]
        mixed = np.einsum("vi,fviab,fvb->fva", mesh.weights, across, normals)
    return mixed / np.linalg.norm(mixed, axis=-1, keepdims=True)


@pytest.mark.parametrize("name", ["lbs", "blendshapesWithNormals"])
def test_points_and_normals_match_the_baked_reference(data_dir, name):
    folder = data_dir / "usd" / "openusd"
    asset = kinema.load(folder / f"{name}.usda", fps=24.0)
    motion = asset.motions[0]
    baked = Usd.Stage.Open(str(folder / f"{name}.baked.usda"))
    compared = 0
    for mesh in asset.character.meshes:
        prim = next(prim for prim in baked.Traverse() if prim.IsA(UsdGeom.Mesh) and prim.GetName() == mesh.name)
        points = UsdGeom.Mesh(prim).GetPointsAttr()
        times = points.GetTimeSamples()
        assert len(times) == motion.frames
        world = np.stack([np.array(UsdGeom.Xformable(prim).ComputeLocalToWorldTransform(t)) for t in times])
        reference = np.stack([np.array(points.Get(t)) for t in times])
        reference = (reference @ world[:, :3, :3] + world[:, None, 3, :3]) * CENTIMETRES
        driven = [motion.labels[f"morph.{morph.name}"] for morph in mesh.morphs]
        weights = np.stack(driven, axis=1) if driven else None
        ours = mesh.skin(motion[:], weights)
        apart = np.abs(ours[:, :, None] - reference[:, None]).max(axis=(0, 3))  # [V, P] over all times
        assert apart.min(axis=1).max() < 1e-7 and apart.min(axis=0).max() < 1e-7
        normals = UsdGeom.Mesh(prim).GetNormalsAttr()
        if normals.GetNumTimeSamples():
            interpolation = UsdGeom.Mesh(prim).GetNormalsInterpolation()
            expected = np.stack([np.array(normals.Get(t)) for t in times])
            expected /= np.linalg.norm(expected, axis=-1, keepdims=True)
            found = _skinned_normals(mesh, motion, weights)
            corner_points = np.array(UsdGeom.Mesh(prim).GetFaceVertexIndicesAttr().Get())
            point = corner_points if interpolation == "faceVarying" else np.arange(reference.shape[1])
            # A vertex of ours is one of the reference's where both its path and its normal agree at all times.
            off = np.abs(found[:, :, None] - expected[:, None]).max(axis=(0, 3))
            matched = (apart[:, point] < 1e-7) & (off < 1e-4)
            assert matched.any(axis=1).all() and matched.any(axis=0).all(), mesh.name
            compared += 1
    assert compared


def test_every_file_is_read_or_refused_in_a_line(data_dir):
    files = sorted((data_dir / "usd").rglob("*.usd*"))
    assert len(files) >= 15
    refused = []
    for file in files:
        try:
            asset = kinema.load(file)
            assert asset.skeleton is not None
        except FormatError as error:
            assert "\n" not in str(error)
            refused.append(file.name)
    assert refused == ["usdskel-002.usda"]


def test_text_and_binary_agree(data_dir):
    one, two = (kinema.load(data_dir / "usd" / "tinyusdz" / f"skintest.{kind}") for kind in ("usda", "usdc"))
    assert one.skeleton.names == two.skeleton.names == ("Bone", "Bone_001")
    for a, b in zip(one.character.meshes, two.character.meshes, strict=True):
        assert np.array_equal(a.positions, b.positions) and np.array_equal(a.weights, b.weights)


def test_a_package_is_the_character_that_the_other_format_has(data_dir):
    """CesiumMan from a USDZ and from a GLB: other joint names, the same man at the same times."""
    usd = kinema.load(data_dir / "usd" / "usdwg" / "CesiumMan.usdz")
    assert (usd.skeleton.joint_count, usd.motions[0].frames, usd.motions[0].fps) == (19, 48, 24.0)
    assert len(usd.character.textures) == 1 and usd.character.materials[0].base_color_texture == 0
    assert 1.3 < np.ptp(usd.character.meshes[0].skin(usd.motions[0][:])[..., 1]) < 1.7
    bytes_alone = kinema.load(Source.from_bytes((data_dir / "usd" / "usdwg" / "CesiumMan.usdz").read_bytes(), "c.usdz"))
    assert bytes_alone.character.textures[0].data == usd.character.textures[0].data


def test_nothing_to_read(read_text):
    asset = read_text("#usda 1.0\n")
    assert asset.skeleton is None and "holds no skeleton, mesh or animation" in asset.warnings
