"""VRM animations: bones, faces and gaze as they are read."""

from __future__ import annotations

import numpy as np
import pytest

from kinema.errors import FormatError
from kinema.formats import load

from .vrm_files import REQUIRED, body


def animation(gltf_file):
    file = body(gltf_file)
    del file.root["nodes"][18]["mesh"], file.root["meshes"], file.root["materials"]
    bones = {name: {"node": number} for number, name in enumerate(REQUIRED)}
    file.root["nodes"] += [{"name": "happy"}, {"name": "gaze"}]
    file.root["scenes"][0]["nodes"] += [19, 20]
    file.root["extensions"] = {
        "VRMC_vrm_animation": {
            "specVersion": "1.0",
            "humanoid": {"humanBones": bones},
            "lookAt": {"node": 20},
            "expressions": {"preset": {"happy": {"node": 19}}, "custom": {"own": {"node": 18}}},
        }
    }
    file.animate(0, "translation", [0, 1], [[0, 1, 0], [0, 1, 1]])
    file.animate(19, "translation", [0, 1], [[0, 0, 0], [1, 0, 0]])
    half = np.sin(np.pi / 8)
    file.animate(20, "rotation", [0, 1], [[0, 0, 0, 1], [0, half, 0, np.cos(np.pi / 8)]])
    return file


def test_faces_and_gaze_are_labels_and_no_joints(gltf_file):
    asset = animation(gltf_file).load(fps=10)
    [motion] = asset.motions
    assert "happy" not in asset.skeleton.names and "gaze" not in asset.skeleton.names
    assert asset.skeleton.hints["J_hips"] == "hips" and asset.character is None
    np.testing.assert_allclose(motion.labels["expression.happy"], np.linspace(0, 1, 11), atol=1e-6)
    np.testing.assert_allclose(motion.labels["gaze.yaw"], np.linspace(0, np.pi / 4, 11), atol=1e-5)
    np.testing.assert_allclose(motion.labels["gaze.pitch"], 0, atol=1e-6)
    assert set(motion.labels) == {"expression.happy", "gaze.yaw", "gaze.pitch"}
    np.testing.assert_allclose(motion[:].global_positions[-1, 0], [0, 1, 1], atol=1e-6)


def test_a_bone_is_no_face(gltf_file):
    file = animation(gltf_file)
    file.root["extensions"]["VRMC_vrm_animation"]["expressions"]["preset"]["sad"] = {"node": 0}
    assert "J_hips" in file.load().skeleton.names


def test_real_animations(data_dir):
    folder = data_dir / "characters" / "vrm"
    asset = load(folder / "test.vrma")
    assert len(asset.skeleton.hints) == 51 and asset.motions[0].frames == 91
    happy = asset.motions[0].labels["expression.happy"]
    assert happy.min() >= 0 and 0.9 < happy.max() <= 1
    assert load(folder / "nop.vrma").motions[0].frames == 1


def test_faces_by_the_thousand_are_refused(gltf_file):
    file = animation(gltf_file)
    listed = file.root["extensions"]["VRMC_vrm_animation"]["expressions"]
    listed["custom"] = {f"face {number}": {"node": 19} for number in range(5000)}
    file.animate(1, "rotation", [0, 1000], [[0, 0, 0, 1], [0, 0, 0, 1]])
    with pytest.raises(FormatError, match=r"asks for .* try a lower fps"):
        file.load(fps=30)
