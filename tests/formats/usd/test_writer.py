"""What is written is read back, and is what usd-core takes it for."""

from __future__ import annotations

import subprocess
import sys
import time
import zipfile

import numpy as np
import pytest

import kinema
from kinema import Motion, rotations
from kinema.errors import FormatError
from kinema.formats import Asset
from kinema.formats.usd.openusd import Usd, UsdGeom, UsdSkel, Vt

SUFFIXES = ("usda", "usdc", "usd", "usdz")


def _moved(asset: Asset, number: int) -> list[np.ndarray]:
    """Skinned vertices of every triangle's corners in a clip, by mesh; order of vertices does not matter."""
    motion = asset.motions[number]
    found = []
    for mesh in asset.character.meshes:
        still = np.zeros(motion.frames)
        weights = (
            np.stack([motion.labels.get(f"morph.{morph.name}", still + morph.weight) for morph in mesh.morphs], axis=1)
            if mesh.morphs
            else None
        )
        found.append(mesh.skin(motion[:], weights)[:, mesh.indices.reshape(-1)])
    return found


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_everything_comes_back(tmp_path, everything, suffix):
    path = tmp_path / f"one.{suffix}"
    kinema.save(everything, path)
    back = kinema.load(path)
    old, new = everything.skeleton, back.skeleton
    assert new.names == old.names and new.parents.tolist() == old.parents.tolist() and new.hints == old.hints
    assert np.allclose(new.rest_translations, old.rest_translations, atol=1e-5)
    assert np.allclose(new.tip_offsets, old.tip_offsets) and new.tip_joints.tolist() == old.tip_joints.tolist()
    assert back.warnings == ()
    for number, (was, now) in enumerate(zip(everything.motions, back.motions, strict=True)):
        assert (now.name, now.fps, now.frames, now.tags) == (was.name, was.fps, was.frames, was.tags)
        assert np.allclose(now[:].global_positions, was[:].global_positions, atol=1e-5)
        assert now.labels["contact.left"].dtype == bool and set(now.labels) == set(was.labels)
        assert all(np.allclose(now.labels[name], was.labels[name], atol=1e-6) for name in was.labels)
        for mine, theirs in zip(_moved(everything, number), _moved(back, number), strict=True):
            assert np.allclose(mine, theirs, atol=1e-5)
    for was, now in zip(everything.character.meshes, back.character.meshes, strict=True):
        assert now.name == was.name
        shapes = [[(morph.name, morph.weight) for morph in mesh.morphs] for mesh in (was, now)]
        assert shapes[0] == shapes[1]
        assert (now.colors is None) == (was.colors is None) and (now.material is None) == (was.material is None)
        assert was.uvs is None or np.allclose(now.uvs[now.indices], was.uvs[was.indices], atol=1e-6)
        assert was.colors is None or np.allclose(now.colors[now.indices], was.colors[was.indices], atol=1e-6)
    for was, now in zip(everything.character.materials, back.character.materials, strict=True):
        assert np.allclose(now.base_color, was.base_color) and np.allclose(now.emissive, was.emissive)
        for kind in ("metallic", "roughness", "alpha_cutoff"):
            assert np.isclose(getattr(now, kind), getattr(was, kind))
        assert (now.name, now.alpha_mode, now.double_sided) == (was.name, was.alpha_mode, was.double_sided)
        for kind in ("base_color", "metallic_roughness", "normal"):
            index, other = getattr(was, f"{kind}_texture"), getattr(now, f"{kind}_texture")
            pictures = everything.character.textures, back.character.textures
            assert (index is None) == (other is None)
            assert index is None or pictures[0][index].data == pictures[1][other].data


def test_usd_core_skins_it_as_we_do(tmp_path, everything):
    """The library's own skinning of the written file is an independent witness."""
    path = tmp_path / "one.usdc"
    kinema.save(everything, path)
    motion = everything.motions[0]
    stage = Usd.Stage.Open(str(path))
    assert (stage.GetStartTimeCode(), stage.GetEndTimeCode()) == (0, 6) and stage.GetTimeCodesPerSecond() == 30
    cache = UsdSkel.Cache()
    cache.Populate(UsdSkel.Root(stage.GetDefaultPrim()), Usd.PrimDefaultPredicate)
    seen = 0
    for mesh in everything.character.meshes[:3]:
        prim = next(prim for prim in stage.Traverse() if prim.IsA(UsdGeom.Mesh) and prim.GetName() == mesh.name)
        query = cache.GetSkinningQuery(prim)
        skeleton = cache.GetSkelQuery(UsdSkel.BindingAPI(prim).GetInheritedSkeleton())
        shown = skeleton.GetAnimQuery()
        for frame in range(motion.frames):
            points = Vt.Vec3fArray(UsdGeom.Mesh(prim).GetPointsAttr().Get())
            weights = None
            if mesh.morphs:
                driven = dict(zip(shown.GetBlendShapeOrder(), shown.ComputeBlendShapeWeights(frame), strict=True))
                weights = np.array([driven.get(morph.name, 0.0) for morph in mesh.morphs], np.float32)
                shapes = UsdSkel.BlendShapeQuery(UsdSkel.BindingAPI(prim))
                parts = shapes.ComputeSubShapeWeights(Vt.FloatArray.FromNumpy(weights))
                shapes.ComputeDeformedPoints(
                    *parts, shapes.ComputeBlendShapePointIndices(), shapes.ComputeSubShapePointOffsets(), points
                )
            matrices = skeleton.ComputeSkinningTransforms(frame)
            if query.IsRigidlyDeformed():
                matrix = np.array(query.ComputeSkinnedTransform(matrices, frame))
                theirs = np.array(points) @ matrix[:3, :3] + matrix[3, :3]
            else:
                assert query.ComputeSkinnedPoints(matrices, points, frame)
                theirs = np.array(points)
            assert np.allclose(mesh.skin(motion[frame], weights), theirs, atol=1e-5)
            seen += 1
    assert seen == 3 * motion.frames


def test_packages_are_valid_and_hold_their_textures(tmp_path, everything):
    from pxr import UsdValidation  # pyright: ignore[reportMissingImports, reportAttributeAccessIssue]

    kinema.save(everything, tmp_path / "one.usdz")
    validators = UsdValidation.ValidationRegistry().GetOrLoadAllValidators()  # pyright: ignore
    assert len(validators) > 10
    stage = Usd.Stage.Open(str(tmp_path / "one.usdz"))
    found = UsdValidation.ValidationContext(validators).Validate(stage)  # pyright: ignore
    assert [(error.GetName(), error.GetMessage()) for error in found] == []
    names = zipfile.ZipFile(tmp_path / "one.usdz").namelist()
    assert names == ["one.usdc", "textures/0_cloth.png", "textures/1_metal.png"]
    box = UsdGeom.Boundable(stage.GetDefaultPrim()).GetExtentAttr().Get()
    for corners in _moved(everything, 0):
        assert (corners >= np.array(box[0]) - 1e-4).all() and (corners <= np.array(box[1]) + 1e-4).all()


def test_textures_of_the_others_lie_beside(tmp_path, everything, png):
    kinema.save(everything, tmp_path / "one.usda")
    assert (tmp_path / "one_textures" / "0_cloth.png").read_bytes() == png
    assert not list(tmp_path.rglob("*.part"))
    assert "@./one_textures/0_cloth.png@" in (tmp_path / "one.usda").read_text()


@pytest.mark.slow
def test_the_same_bytes_in_another_process(tmp_path):
    """Hashes of texts differ between processes; files must not."""
    script = (
        "import sys, numpy as np, kinema\nfrom kinema import Skeleton, Motion\n"
        "s = Skeleton.create(['a', 'b', 'c'], [-1, 0, 0], np.ones((3, 3)))\n"
        "m = Motion.create(s, np.tile(np.float32([1, 0, 0, 0]), (5, 3, 1)), labels={'x': np.ones(5)}, name='n')\n"
        "[kinema.save(m, f'{sys.argv[1]}/a.{suffix}') for suffix in ('usda', 'usdc', 'usdz')]"
    )
    for seed in (1, 2):
        (tmp_path / str(seed)).mkdir()
        subprocess.run(
            [sys.executable, "-c", script, tmp_path / str(seed)],
            check=True,
            env={"PYTHONHASHSEED": str(seed), "PATH": ""},
        )
    for suffix in ("usda", "usdc", "usdz"):
        assert (tmp_path / "1" / f"a.{suffix}").read_bytes() == (tmp_path / "2" / f"a.{suffix}").read_bytes()


def test_a_long_motion_is_written_fast(tmp_path, rng, biped):
    turned = rotations.normalize(rng.standard_normal((7200, biped.joint_count, 4)).astype(np.float32))
    motion = Motion.create(biped, turned, rng.standard_normal((7200, 1, 3)), [0], fps=60.0, name="long")
    kinema.save(motion.cut(0, 2), tmp_path / "warm.usdc")
    start = time.process_time()
    kinema.save(motion, tmp_path / "long.usdc")
    assert time.process_time() - start < 2  # a fifth of a second on an idle machine, 75 joints
    back = kinema.load_motion(tmp_path / "long.usdc")
    assert back.frames == 7200 and back.translated.tolist() == [0]
    assert np.allclose(back[:].global_positions, motion[:].global_positions, atol=2e-5)


def test_small_things(tmp_path, everything, biped):
    still = Motion.create(biped, np.tile(np.float32([1, 0, 0, 0]), (1, biped.joint_count, 1)), fps=50.0, name="still")
    kinema.save(still, tmp_path / "a.usda")
    back = kinema.load_motion(tmp_path / "a.usda")
    assert (back.frames, back.fps, back.skeleton.names) == (1, 50.0, biped.names)
    kinema.save(everything.character, tmp_path / "b.usdz")
    assert not kinema.load(tmp_path / "b.usdz").motions
    with pytest.raises(FormatError, match="no skeleton, motion or character"):
        kinema.save(Asset("x", "usd"), tmp_path / "c.usda")
    with pytest.raises(FormatError, match="'still' has different joints"):
        kinema.save(Asset("x", "usd", everything.skeleton, (still,)), tmp_path / "c.usda")
    assert not (tmp_path / "c.usda").exists()


@pytest.mark.parametrize("name", ["usd/usdwg/CesiumMan.usdz", "characters/quaternius/cyberpunk_pack_Enemy_2Legs.glb"])
def test_real_characters_come_back(tmp_path, data_dir, name):
    asset = kinema.load(data_dir / name)
    kinema.save(asset, tmp_path / "a.usdz")
    back = kinema.load(tmp_path / "a.usdz")
    assert len(back.motions) == len(asset.motions) and back.skeleton.names == asset.skeleton.names
    for number in range(len(asset.motions)):
        for mine, theirs in zip(_moved(asset, number), _moved(back, number), strict=True):
            assert np.allclose(mine, theirs, atol=1e-5)
