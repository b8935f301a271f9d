"""Whole files: characters that stand upright, sizes that cannot be, real files."""

from __future__ import annotations

import numpy as np
import pytest

import kinema
from kinema.errors import FormatError
from kinema.formats import load
from kinema.formats.sources import Source


def person(biped, fbx_text, factor: float, **settings):
    """The test person as a file; `factor` is what its lengths are multiplied by."""
    file = fbx_text(**settings)
    for joint, name in enumerate(biped.names):
        place = [float(value) * factor for value in biped.rest_translations[joint]]
        file.model(joint + 1, name, int(biped.parents[joint]) + 1, Lcl_Translation=place)
    return file


def test_centimetres_become_metres(biped, fbx_text):
    asset = person(biped, fbx_text, 100).read()
    assert asset.skeleton is not None and asset.kind == "fbx" and asset.warnings == ()
    np.testing.assert_allclose(asset.skeleton.rest_pose.global_positions, biped.rest_pose.global_positions, atol=1e-5)


@pytest.mark.parametrize(("factor", "scale"), [(10_000, 0.01), (1, 100), (1 / 0.0254 * 0.45 * 100, 0.0254 / 0.45)])
def test_people_of_impossible_size_are_scaled_with_a_warning(biped, fbx_text, factor: float, scale: float):
    file = person(biped, fbx_text, factor)
    asset = file.read()
    assert asset.skeleton is not None
    np.testing.assert_allclose(
        asset.skeleton.rest_pose.global_positions, biped.rest_pose.global_positions, rtol=1e-4, atol=1e-4
    )
    assert f"scaled by {scale:.4g}" in asset.warnings[0]
    kept = file.read(scale=1)
    assert kept.skeleton is not None and not kept.warnings
    np.testing.assert_allclose(
        kept.skeleton.rest_pose.global_positions * scale, asset.skeleton.rest_pose.global_positions, atol=1e-4
    )


def test_giants_stay_giants(biped, fbx_text):
    asset = person(biped, fbx_text, 250).read()
    assert asset.skeleton is not None and asset.skeleton.height > 3
    assert asset.warnings == ("a person of 3.58 m from the ankles to the head: check the unit that the file states",)


def test_z_up_files_stand_upright(biped, fbx_text):
    file = person(biped, fbx_text, 1, UpAxis=2, FrontAxis=1, FrontAxisSign=-1, UnitScaleFactor=100.0)
    file.links = [link.replace(",1,0", ",99,0") if link == 'C: "OO",1,0' else link for link in file.links]
    file.model(99, "Turn", kind="Null", Lcl_Rotation=[90, 0, 0], InheritType=1)
    file.links = [link.replace(",99,0", ",1,99") if link == 'C: "OO",99,0' else link for link in file.links[:-1]]
    file.link(99, 0)
    asset = file.read()
    assert asset.skeleton is not None
    np.testing.assert_allclose(asset.skeleton.rest_pose.global_positions, biped.rest_pose.global_positions, atol=1e-5)


def test_files_with_nothing_in_them(fbx_text):
    asset = fbx_text().read()
    assert asset.skeleton is None and "holds no skeleton" in asset.warnings[0]


@pytest.mark.parametrize("scale", [0, -1, float("nan"), 1e9])
def test_scales_that_cannot_be(fbx_text, scale: float):
    with pytest.raises(FormatError, match="cannot be scaled"):
        fbx_text().read(scale=scale)


def test_values_that_are_no_numbers_do_no_harm(fbx_text):
    file = fbx_text()
    file.model(1, "a", Lcl_Translation=[1.0, float("inf"), 2.0])
    text = file.text().replace("inf", "1e9999")
    asset = kinema.load(Source.from_bytes(text.encode(), "a.fbx"))
    assert asset.skeleton is not None and np.isfinite(asset.skeleton.rest_translations).all()


def test_real_bones_stand_where_the_same_character_stands_in_another_format(data_dir):
    character = load(data_dir / "characters" / "geno_nc" / "Geno.fbx")
    other = load(data_dir / "characters" / "geno_nc" / "Geno_bind.bvh")
    assert character.skeleton is not None and other.skeleton is not None
    places = other.motions[0][:].global_positions[0]
    order = [other.skeleton.index(name) for name in character.skeleton.names]
    np.testing.assert_allclose(character.skeleton.rest_pose.global_positions, places[order], atol=1e-4)


def test_a_real_take_agrees_with_the_clip_that_it_was_made_of(data_dir):
    mocap = data_dir / "human_mocap"
    motion = load(mocap / "cmu_fbx" / "01_01_cmu.fbx").motions[0]
    other = load(mocap / "cmu_bvh" / "01_01.bvh").motions[0]
    assert (motion.frames, motion.fps) == (other.frames, pytest.approx(other.fps))
    names = [name for name in other.skeleton.names if name in motion.skeleton.names]
    ours = motion[:].global_positions[1:, [motion.skeleton.index(name) for name in names]]
    theirs = other[:].global_positions[1:, [other.skeleton.index(name) for name in names]]
    away = np.linalg.norm(ours - theirs, axis=-1)
    # The program that wrote the take left out keys that it could nearly do without.
    assert len(names) == 29 and away.max() < 6e-3 and away.mean() < 1e-3


@pytest.mark.parametrize(
    ("folder", "name", "joints", "clips"),
    [
        ("characters/mesh2motion_tests", "mixamo-original-rig.fbx", 65, [("mixamo.com", 148, 30)]),
        ("human_mocap/cmu_fbx", "85_03.fbx", 22, [("85_03", 812, 30)]),
        ("importers/fbx_ufbx", "maya_scale_no_inherit_6100_ascii.fbx", 4, [("Take 001", 120, 24)]),
        ("importers/fbx_assimp", "boxWithCompressedCTypeArray.FBX", 1, []),
    ],
)
def test_real_files(data_dir, folder: str, name: str, joints: int, clips: list):
    asset = load(data_dir / folder / name)
    assert asset.skeleton is not None and asset.skeleton.joint_count == joints
    assert [(motion.name, motion.frames, motion.fps) for motion in asset.motions] == clips


def test_fuzzed_files_are_read_or_refused_in_one_line(data_dir):
    refused = 0
    for path in sorted((data_dir / "importers" / "fbx_fuzz").glob("*.fbx")):
        try:
            load(path)
        except FormatError as error:
            assert "\n" not in str(error)
            refused += 1
    assert refused > 30
