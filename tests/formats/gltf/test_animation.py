"""Channels, interpolation and rates against poses in closed form."""

from __future__ import annotations

import numpy as np
import pytest

from kinema import Motion, Skeleton, rotations
from kinema.errors import FormatError
from kinema.formats import load_motion, save
from kinema.formats.rates import native_rate

NODES = [{"name": "root", "children": [1]}, {"name": "tip", "translation": [0, 1, 0]}]


def about_x(angles) -> np.ndarray:
    """Quaternions xyzw, as glTF stores them."""
    half = np.asarray(angles, dtype=float) / 2
    return np.stack([np.sin(half), 0 * half, 0 * half, np.cos(half)], axis=-1)


def angles_of(motion, joint=0) -> np.ndarray:
    q = motion.local_rotations[:, joint].astype(float)
    return 2 * np.arctan2(q[:, 1], q[:, 0])


def test_linear_rotation_is_slerp_at_non_uniform_keys(gltf_file):
    file = gltf_file(nodes=NODES)
    file.animate(0, "rotation", [0, 0.1, 1.0], about_x([0, 0.3, 2.0]))
    motion = file.load(fps=60).motions[0]
    times = np.arange(61) / 60
    assert motion.frames == 61 and motion.fps == 60
    np.testing.assert_allclose(angles_of(motion), np.interp(times, [0, 0.1, 1.0], [0, 0.3, 2.0]), atol=1e-5)


def test_linear_rotation_takes_the_short_way(gltf_file):
    file = gltf_file(nodes=NODES)
    keys = about_x([0, 0.5])
    keys[1] *= -1
    file.animate(0, "rotation", [0, 1], keys)
    motion = file.load(fps=10).motions[0]
    np.testing.assert_allclose(rotations.angle(motion.local_rotations[:, 0]), np.linspace(0, 0.5, 11), atol=1e-5)


def test_step_holds_each_key_until_the_next(gltf_file):
    file = gltf_file(nodes=NODES)
    file.animate(0, "translation", [0, 0.5, 1], [[0, 0, 0], [1, 0, 0], [2, 0, 0]], "STEP")
    motion = file.load(fps=10).motions[0]
    np.testing.assert_array_equal(motion[:].local_translations[:, 0, 0], [0] * 5 + [1] * 5 + [2])


def test_cubic_spline_is_hermite_with_tangents_per_second(gltf_file):
    file = gltf_file(nodes=NODES)
    # x(t) = t^3 on keys 0, 1, 3: values t^3, tangents 3 t^2.
    keys = np.array([0.0, 1.0, 3.0])
    rows = np.stack([3 * keys**2, keys**3, 3 * keys**2], axis=1)[:, :, None] * [1, 0, 0]
    file.animate(0, "translation", keys, rows, "CUBICSPLINE")
    motion = file.load(fps=10).motions[0]
    np.testing.assert_allclose(motion[:].local_translations[:, 0, 0], (np.arange(31) / 10) ** 3, atol=1e-5)


def test_cubic_spline_rotation_is_normalised(gltf_file):
    file = gltf_file(nodes=NODES)
    values = np.stack([np.zeros((2, 4)), about_x([0, 1.0]), np.zeros((2, 4))], axis=1)
    file.animate(0, "rotation", [0, 1], values, "CUBICSPLINE")
    motion = file.load(fps=4).motions[0]
    np.testing.assert_allclose(np.linalg.norm(motion.local_rotations, axis=-1), 1, atol=1e-6)
    s = 0.25
    blend = 3 * s**2 - 2 * s**3
    raw = (1 - blend) * about_x([0])[0] + blend * about_x([1.0])[0]
    assert angles_of(motion)[1] == pytest.approx(2 * np.arctan2(raw[0], raw[3]), abs=1e-6)


def test_channels_with_different_keys_share_one_clip(gltf_file):
    file = gltf_file(nodes=NODES)
    file.animate(0, "rotation", [0, 1], about_x([0, 1]))
    file.animate(1, "translation", [0.25, 0.5, 0.75], [[0, 1, 0], [0, 2, 0], [0, 1, 0]])
    motion = file.load(fps=20).motions[0]
    times = np.arange(21) / 20
    np.testing.assert_allclose(angles_of(motion), times, atol=1e-5)
    expected = np.interp(times, [0.25, 0.5, 0.75], [1, 2, 1])
    np.testing.assert_allclose(motion[:].local_translations[:, 1, 1], expected, atol=1e-6)
    assert motion.translated.tolist() == [0, 1]


def test_normalized_integer_rotations(gltf_file):
    file = gltf_file(nodes=NODES)
    raw = np.round(about_x([0, 0.5]) * 32767)
    file.animate(0, "rotation", [0, 1], raw, dtype="i2", normalized=True)
    assert angles_of(file.load(fps=1).motions[0])[1] == pytest.approx(0.5, abs=1e-4)


def test_several_animations_keep_names_and_order(gltf_file):
    file = gltf_file(nodes=NODES, animations=[])
    for name in ("walk", "run", ""):
        file.root["animations"].append({"name": name, "channels": [], "samplers": []})
        file.animate(0, "rotation", [0, 1], about_x([0, 1]))
    assert [motion.name for motion in file.load().motions] == ["walk", "run", "animation_2"]


def test_animations_of_one_joint_each_become_one_clip(gltf_file):
    file = gltf_file(nodes=NODES, animations=[])
    for node in (0, 1):
        file.root["animations"].append({"channels": [], "samplers": []})
        file.animate(node, "rotation", [0, 1 + 0.005 * node], about_x([0, 1 + node]))
    asset = file.load(fps=10)
    assert len(asset.motions) == 1 and "joined into one clip" in asset.warnings[0]
    assert angles_of(asset.motions[0], 1)[5] == pytest.approx(2 * 0.5 / 1.005, abs=1e-5)
    # Other lengths: they are clips of their own.
    file.root["animations"].append({"channels": [], "samplers": []})
    file.root["nodes"] = [*NODES, {"name": "third"}]
    file.animate(2, "rotation", [0, 3], about_x([0, 1]))
    assert len(file.load().motions) == 3


@pytest.mark.parametrize("fps", [10, 12, 15, 24, 25, 29.97, 30, 48, 50, 59.94, 60, 90, 100, 120, 240])
@pytest.mark.parametrize("start", [0.0, 1 / 24])
def test_the_rate_of_uniform_float32_keys_is_found(fps, start):
    times = np.float32(start + np.arange(400) / fps).astype(float)
    assert native_rate(times) == pytest.approx(fps, rel=1e-5)


def test_the_rate_of_sparse_and_uneven_keys():
    assert native_rate(np.array([0.0])) == 30
    assert native_rate(np.array([0.0, 1.0])) == 30
    assert native_rate(np.array([0, 7, 8, 30, 31]) / 24) == 24
    assert native_rate(np.array([0, 1, 2, 3, 90, 120]) / 60) == 60
    assert native_rate(np.sort(np.random.default_rng(1).uniform(0, 10, 50))) in (24, 25, 30, 60)


def test_frames_cover_first_to_last_key(gltf_file):
    file = gltf_file(nodes=NODES)
    file.animate(0, "rotation", np.arange(5, 36) / 30, about_x(np.arange(31) / 30))
    motion = file.load().motions[0]
    assert (motion.frames, motion.fps) == (31, 30)
    np.testing.assert_allclose(angles_of(motion), np.arange(31) / 30, atol=1e-6)


@pytest.mark.parametrize(
    ("times", "values", "interpolation", "message"),
    [
        ([0, 1], about_x([0, 1, 2]), "LINEAR", r"accessors\[1\]: must hold 2 VEC4 for animations\[0\].channels\[0\]"),
        ([0, 1], about_x([0, 1]), "CUBICSPLINE", "must hold 6 VEC4"),
        ([0], np.tile(about_x([0]), (3, 1)), "CUBICSPLINE", "at least two keys"),
        ([1, 0], about_x([0, 1]), "LINEAR", "go backwards"),
        ([0, 1], 2 * about_x([0, 1]), "LINEAR", "key 0 is a rotation of length 2"),
        ([0, np.inf], about_x([0, 1]), "LINEAR", "not finite"),
        ([0, 1e8], about_x([0, 1]), "LINEAR", "too long"),
        ([0, 1e5], about_x([0, 1]), "LINEAR", None),
    ],
)
def test_wrong_samplers_are_refused(gltf_file, times, values, interpolation, message):
    file = gltf_file(nodes=NODES)
    file.animate(0, "rotation", times, values, interpolation)
    if message is None:
        assert file.load().motions[0].frames > 10**6  # long, but it fits
        return
    with pytest.raises(FormatError, match=message):
        file.load()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"sampler": 3}, "sampler 3 of 1"),
        ({"sampler": None}, "sampler is missing"),
        ({"target": {"node": 9, "path": "rotation"}}, r"nodes\[9\]"),
        ({"target": {"node": 0}}, "path is missing"),
        ({"target": {"node": 0, "path": "weights"}}, "no morph targets"),
        ({"target": {"node": 0, "path": "translation"}}, "must hold 2 VEC3"),
        ({"target": 3}, "target is missing"),
    ],
)
def test_wrong_channels_are_refused(gltf_file, change, message):
    file = gltf_file(nodes=NODES)
    file.animate(0, "rotation", [0, 1], about_x([0, 1]))
    file.root["animations"][0]["channels"][0].update(change)
    with pytest.raises(FormatError, match=message):
        file.load()


def test_channels_of_an_unknown_kind_are_left_out_and_the_others_are_read(gltf_file):
    file = gltf_file(nodes=NODES)
    file.animate(0, "rotation", [0, 1], about_x([0, 1]))
    file.animate(0, "translation", [0, 1], np.eye(3)[:2])
    file.animate(0, "scale", [0, 1], np.ones((2, 3)))
    channels, samplers = (file.root["animations"][0][key] for key in ("channels", "samplers"))
    channels[1]["target"]["path"] = "colour"
    samplers[2]["interpolation"] = "SMOOTH"
    motion = file.load().motions[0]
    np.testing.assert_allclose(angles_of(motion)[[0, -1]], [0, 1], atol=1e-6)
    assert any("channels[1] was left out: it moves an unknown property, 'colour'" in line for line in motion.warnings)
    assert any("channels[2] was left out: it has an unknown interpolation" in line for line in motion.warnings)


def test_two_channels_for_one_property(gltf_file):
    file = gltf_file(nodes=NODES)
    file.animate(0, "rotation", [0, 1], about_x([0, 1]))
    channels = file.root["animations"][0]["channels"]
    channels.append(dict(channels[0]))
    assert "twice" in file.load().warnings[0]
    file.animate(0, "rotation", [0, 1], about_x([0, 2]))
    with pytest.raises(FormatError, match=r"channels\[2\]: moves the rotation of nodes\[0\] a second time"):
        file.load()


def test_a_matrix_node_cannot_be_animated(gltf_file):
    file = gltf_file(nodes=[{"matrix": np.eye(4).ravel().tolist(), "children": [1]}, {}])
    file.animate(0, "rotation", [0, 1], about_x([0, 1]))
    with pytest.raises(FormatError, match="has a matrix"):
        file.load()


def test_keys_at_one_time_keep_the_last(gltf_file):
    file = gltf_file(nodes=NODES)
    file.animate(0, "translation", [0, 0.5, 0.5, 1], [[0, 0, 0], [1, 0, 0], [5, 0, 0], [6, 0, 0]])
    asset = file.load(fps=2)
    np.testing.assert_allclose(asset.motions[0][:].local_translations[:, 0, 0], [0, 5, 6])
    assert "several keys at one time" in asset.motions[0].warnings[0]


def test_a_long_clip_is_not_smeared_by_rounded_times(tmp_path):
    frames = 200_000
    moved = np.random.default_rng(0).normal(size=(frames, 1, 3)).astype(np.float32)
    still = np.tile(np.array([1, 0, 0, 0], np.float32), (frames, 1, 1))
    motion = Motion.create(Skeleton.create(["a"], [-1], np.zeros((1, 3))), still, moved, [0], 30.0)
    save(motion, tmp_path / "a.glb", bones=False)
    back = load_motion(tmp_path / "a.glb")
    np.testing.assert_array_equal(back.local_translations, moved)
