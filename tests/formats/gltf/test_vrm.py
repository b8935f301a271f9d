"""Whole VRM files, small ones and real ones: which nodes become joints, and that both versions tell the same."""

from __future__ import annotations

import numpy as np
import pytest

from kinema.formats import load

from .vrm_files import HAIR, vrm_0, vrm_1


def test_both_versions_stand_alike(gltf_file):
    old, new = vrm_0(gltf_file).load(), vrm_1(gltf_file).load()
    assert old.skeleton.names == new.skeleton.names and old.skeleton.hints == new.skeleton.hints
    np.testing.assert_allclose(
        old.skeleton.rest_pose.global_positions, new.skeleton.rest_pose.global_positions, atol=1e-6
    )


def test_spring_joints_are_joints_even_where_skins_leave_them_out(gltf_file):
    file = vrm_1(gltf_file)
    file.root["skins"] = [{"joints": [0, 1]}]
    assert "hair_0" not in file.load().skeleton.names
    file.root["extensions"]["VRMC_springBone"] = {"springs": [{"joints": [{"node": HAIR}, {"node": HAIR + 1}]}]}
    asset = file.load()
    assert "hair_0" in asset.skeleton.names and len(asset.character.springs[0].joints) == 2


def test_an_avatar_without_meshes_is_still_an_avatar(gltf_file):
    file = vrm_1(gltf_file)
    del file.root["nodes"][18]["mesh"]
    asset = file.load()
    assert asset.character.meshes == () and asset.character.meta.title == "Ada"


def test_unknown_versions_are_said(gltf_file):
    assert any("version '2.0'" in line for line in vrm_1(gltf_file, specVersion="2.0").load().warnings)


def test_toon_materials_are_not_metal(gltf_file):
    file = vrm_1(gltf_file)
    toon = {"specVersion": "1.0", "shadeColorFactor": [0.5, 0.25, 0.1]}
    file.root["materials"] = [{"extensions": {"VRMC_materials_mtoon": toon}}]
    [skin] = file.load().character.materials
    assert (skin.metallic, skin.roughness, skin.shade) == (0, 1, (0.5, 0.25, 0.1))
    file = vrm_0(
        gltf_file,
        materialProperties=[
            {"name": "skin", "shader": "VRM/MToon", "vectorProperties": {"_ShadeColor": [1, 0.5, 0, 1]}}
        ],
    )
    np.testing.assert_allclose(file.load().character.materials[0].shade, [1, 0.2140, 0], atol=1e-3)


@pytest.mark.parametrize("version", [0, 1])
def test_real_avatars_know_their_bones(data_dir, version):
    for path in sorted((data_dir / "characters" / "vrm_tests").glob("*.vrm")):
        asset = load(path)
        assert asset.character is not None and asset.character.meta is not None, path.name
        assert len(asset.skeleton.hints) >= 15 and not any("lacks" in line for line in asset.warnings), path.name
        roles = set(asset.skeleton.hints.values())
        assert {"hips", "head", "left_foot", "right_hand"} <= roles


def test_real_expressions(data_dir):
    folder = data_dir / "characters" / "vrm_tests"
    faces = {one.name: one for one in load(folder / "expression_migration.vrm").character.expressions}
    assert len(faces) == 24 and len(faces["happy"].morphs) == 1 and len(faces["custom_e"].morphs) == 2
    [mouth] = [one for one in load(folder / "pose_rotation_scale_shape_key.vrm").character.expressions if one.morphs]
    assert mouth.name == "aa" and mouth.morphs[0].weight == pytest.approx(1)
