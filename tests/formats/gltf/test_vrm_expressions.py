"""Expressions, gaze and first-person notes of both versions."""

from __future__ import annotations

import numpy as np
import pytest

from kinema import rotations
from kinema.avatar import ColorBind, MorphBind, TextureBind
from kinema.errors import FormatError
from kinema.formats.gltf import vrm_expressions

from .vrm_files import FACE, HAIR, vrm_0, vrm_1


def test_expressions_of_version_1(gltf_file):
    happy = {
        "morphTargetBinds": [{"node": FACE, "index": 0, "weight": 0.75}],
        "isBinary": True,
        "overrideBlink": "block",
        "overrideMouth": "blend",
    }
    own = {
        "materialColorBinds": [{"material": 0, "type": "shadeColor", "targetValue": [1, 0, 0, 1]}],
        "textureTransformBinds": [{"material": 0, "scale": [2, 1], "offset": [0, 0.5]}],
    }
    character = vrm_1(gltf_file, expressions={"preset": {"happy": happy}, "custom": {"own": own}}).load().character
    first, second = character.expressions
    assert first.name == "happy" and first.morphs == (MorphBind(0, 0, 0.75),) and first.binary
    assert (first.override_blink, first.override_gaze, first.override_mouth) == ("block", "none", "blend")
    assert second.colors == (ColorBind(0, "shadeColor", (1, 0, 0, 1)),)
    assert second.textures == (TextureBind(0, (2, 1), (0, 0.5)),)
    weights = character.morph_weights({"expression.happy": np.float32([0, 0.4, 0.6])})
    np.testing.assert_allclose(weights, [[0, 0], [0, 0], [0.75, 0]])


def test_blend_shapes_of_version_0(gltf_file):
    groups = [
        {"name": "A", "presetName": "a", "binds": [{"mesh": 0, "index": 1, "weight": 50}]},
        {
            "name": "Joy",
            "presetName": "joy",
            "materialValues": [
                {"materialName": "skin", "propertyName": "_EmissionColor", "targetValue": [1, 1, 0, 1]},
                {"materialName": "skin", "propertyName": "_MainTex_ST", "targetValue": [1, 1, 0.5, 0]},
                {"materialName": "skin", "propertyName": "_Cutoff", "targetValue": [1]},
            ],
        },
        {"name": "Mine", "presetName": "unknown"},
        {"name": "again", "presetName": "A"},
    ]
    asset = vrm_0(gltf_file, blendShapeMaster={"blendShapeGroups": groups}).load()
    mouth, joy, mine, again = asset.character.expressions
    assert mouth.name == "aa" and mouth.morphs == (MorphBind(0, 1, 0.5),)
    assert joy.name == "happy" and joy.colors == (ColorBind(0, "emissionColor", (1, 1, 0, 1)),)
    assert joy.textures == (TextureBind(0, (1, 1), (0.5, 0)),)
    assert (mine.name, again.name) == ("Mine", "again")
    assert any("materialValues[2]" in line for line in asset.warnings)


@pytest.mark.parametrize(
    ("bind", "said"),
    [
        ({"node": FACE, "index": 2}, "binds morph target 2, the mesh has 2"),
        ({"node": FACE}, "index is missing"),
        ({"node": 99, "index": 0}, r"node refers to nodes\[99\]"),
        ({"node": FACE, "index": 0, "weight": "x"}, "weight must be a number"),
    ],
)
def test_binds_that_lead_nowhere(gltf_file, bind, said):
    listed = {"preset": {"sad": {"morphTargetBinds": [bind]}}}
    with pytest.raises(FormatError, match=said):
        vrm_1(gltf_file, expressions=listed).load()


def test_gaze_in_radians(gltf_file):
    ranges = {"rangeMapHorizontalInner": {"inputMaxValue": 60, "outputScale": 30}}
    look = {"type": "bone", "offsetFromHeadBone": [0, 0.06, 0.1], **ranges}
    gaze = vrm_1(gltf_file, lookAt=look).load().character.gaze
    assert gaze.kind == "bone" and gaze.offset == (0, 0.06, 0.1)
    np.testing.assert_allclose(gaze.inner, np.radians([60, 30]))
    old = {
        "lookAtTypeName": "BlendShape",
        "firstPersonBoneOffset": {"x": 0.1, "y": 0.06, "z": 0.2},
        "lookAtVerticalUp": {"xRange": 45, "yRange": 0.5},
    }
    asset = vrm_0(gltf_file, firstPerson=old).load()
    gaze = asset.character.gaze
    assert gaze.kind == "expression"
    np.testing.assert_allclose(gaze.up, [np.pi / 4, 0.5])
    # 0.2 in front of the head: the file's axes are left-handed, the character looked along its +Z, now along ours.
    turned = asset.skeleton.rest_pose.global_rotations[asset.skeleton.index("J_head")]
    eyes = rotations.rotate(turned, np.float32(gaze.offset))
    np.testing.assert_allclose(eyes, [-0.1, 0.06, 0.2], atol=1e-6)
    assert vrm_1(gltf_file).load().character.gaze is None


def test_who_sees_which_mesh(gltf_file):
    notes = {"meshAnnotations": [{"node": FACE, "type": "thirdPersonOnly"}]}
    assert vrm_1(gltf_file, firstPerson=notes).load().character.first_person == {0: "thirdPersonOnly"}
    notes = {"meshAnnotations": [{"mesh": 0, "firstPersonFlag": "FirstPersonOnly"}]}
    assert vrm_0(gltf_file, firstPerson=notes).load().character.first_person == {0: "firstPersonOnly"}


def test_a_bind_counts_as_often_as_its_mesh_is_used(gltf_file, monkeypatch):
    monkeypatch.setattr(vrm_expressions, "MAX_BINDS", 3)
    binds = [{"mesh": 0, "index": 0}] * 3
    file = vrm_0(gltf_file, blendShapeMaster={"blendShapeGroups": [{"name": "x", "binds": binds}]})
    assert len(file.load().character.expressions[0].morphs) == 3
    file.root["nodes"][HAIR + 2]["mesh"] = 0
    with pytest.raises(FormatError, match="binds more than 3 meshes"):
        file.load()


def test_a_material_without_a_proper_name_is_passed_over(gltf_file):
    value = {"materialName": ["a", "list"], "propertyName": "_Color", "targetValue": [1, 0, 0, 1]}
    group = {"name": "red", "materialValues": [value]}
    file = gltf_file(nodes=[{"mesh": 0}], materials=[{"name": "m"}])
    file.root["meshes"] = [{"primitives": [file.triangle()]}]
    file.root["extensions"] = {"VRM": {"blendShapeMaster": {"blendShapeGroups": [group]}}}
    asset = file.load()
    assert asset.character.expressions[0].colors == () and any("unknown property" in line for line in asset.warnings)
