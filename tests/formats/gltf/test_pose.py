"""Poses under scale: both evaluations against world matrices multiplied out one by one."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest

from kinema import rotations
from kinema.errors import FormatError


def compose(t, q, s) -> np.ndarray:
    matrix = np.eye(4)
    matrix[:3, :3], matrix[:3, 3] = rotations.to_matrix(np.asarray(q, float)) * np.asarray(s, float), t
    return matrix


def build(gltf_file, rng, scales, animated_scale=None):
    """A chain of four joints under a static node, all moving, with the expected joint positions `[F, 4, 3]`."""
    frames, count = 11, len(scales)
    moved = rng.normal(size=(count, 3))
    turned = rotations.normalize(rng.normal(size=(frames, count, 4)))
    nodes = [
        {"translation": moved[i].tolist(), "scale": list(map(float, scales[i])), "children": [i + 1]}
        for i in range(count)
    ]
    del nodes[-1]["children"]
    file = gltf_file(nodes=nodes, skins=[{"joints": list(range(1, count))}])
    times = np.arange(frames) / 30
    turned[:, 0] = [1, 0, 0, 0]
    for i in range(1, count):
        file.animate(i, "rotation", times, turned[:, i][:, [1, 2, 3, 0]])
    sizes = np.broadcast_to(scales, (frames, count, 3)).copy()
    if animated_scale is not None:
        sizes[:, 2] = rng.uniform(0.5, 2, (frames, 3 if animated_scale == "uneven" else 1))
        file.animate(2, "scale", times, sizes[:, 2])
    expected = np.empty((frames, count - 1, 3))
    for frame in range(frames):
        world = np.eye(4)
        for i in range(count):
            world = world @ compose(moved[i], turned[frame, i], sizes[frame, i])
            if i:
                expected[frame, i - 1] = world[:3, 3]
    return file, expected


@pytest.mark.parametrize(
    ("scales", "animated"),
    [
        ([[1, 1, 1]] * 5, None),
        ([[100, 100, 100], [0.5, 0.5, 0.5], [1, 1, 1], [3, 3, 3], [1, 1, 1]], None),
        ([[1, 2, 3], [1, 1, 1], [1, 1, 1], [1, 1, 1], [1, 1, 1]], None),
        ([[1, 1, 1], [1, 2, 1], [0.5, 1, 1], [1, 1, 3], [1, 1, 1]], None),
        ([[-1, 1, 1], [1, 1, 1], [1, -1, 1], [1, 1, 1], [1, 1, 1]], None),
        ([[1, 1, 1]] * 5, "even"),
        ([[2, 2, 2]] * 5, "uneven"),
        ([[1, 1, 1], [1, 1, 1], [0, 0, 0], [1, 1, 1], [1, 1, 1]], None),
    ],
)
def test_joint_positions_are_exact_under_any_scale(gltf_file, rng, scales, animated):
    file, expected = build(gltf_file, rng, scales, animated)
    motion = file.load().motions[0]
    size = np.abs(expected).max()
    np.testing.assert_allclose(motion[:].global_positions, expected, atol=3e-6 * max(1, size))
    assert bool(motion.warnings) == (animated is not None)
    np.testing.assert_allclose(np.linalg.norm(motion.local_rotations, axis=-1), 1, atol=1e-5)


def test_uniform_static_scale_leaves_only_roots_translated(gltf_file, rng):
    file, _ = build(gltf_file, rng, [[100, 100, 100], [1, 1, 1], [1, 1, 1], [1, 1, 1]])
    motion = file.load().motions[0]
    assert motion.translated.tolist() == [0]


def test_animated_ancestor_becomes_a_joint(gltf_file):
    file = gltf_file(nodes=[{"name": "mover", "children": [1]}, {"name": "hips"}], skins=[{"joints": [1]}])
    file.animate(0, "translation", [0, 1], [[0, 0, 0], [0, 0, 2]])
    motion = file.load(fps=30).motions[0]
    assert motion.skeleton.names == ("mover", "hips")
    np.testing.assert_allclose(motion[:].global_positions[-1, 1], [0, 0, 2])


def test_many_joints_below_a_deep_static_chain_take_no_time(gltf_file):
    deep, wide = 20_000, 2_000
    nodes = [{"children": [i + 1]} for i in range(deep - 1)] + [{"children": list(range(deep, deep + wide))}]
    nodes += [{"translation": [0, i, 0]} for i in range(wide)]
    skeleton = gltf_file(nodes=nodes, skins=[{"joints": list(range(deep, deep + wide))}]).load().skeleton
    assert skeleton.joint_count == wide and (skeleton.parents == -1).all()


def test_a_channel_that_stays_at_rest_makes_no_joint(gltf_file):
    file = gltf_file(
        nodes=[{"name": "Armature", "scale": [2, 2, 2], "children": [1]}, {"name": "hips"}], skins=[{"joints": [1]}]
    )
    file.animate(0, "scale", [0, 1], [[2, 2, 2], [2, 2, 2]])
    file.animate(1, "translation", [0, 1], [[0, 0, 0], [0, 0, 2]])
    motion = file.load(fps=30).motions[0]
    assert motion.skeleton.names == ("hips",) and motion.warnings == ()
    np.testing.assert_allclose(motion[:].global_positions[-1, 0], [0, 0, 4])


def test_morph_weights_become_labels(gltf_file):
    file = gltf_file(nodes=[{"mesh": 0}])
    primitive = file.triangle()
    primitive["targets"] = [{"POSITION": file.accessor(np.ones((3, 3)), "VEC3")} for _ in range(2)]
    file.root["meshes"] = [{"primitives": [primitive], "extras": {"targetNames": ["smile", "frown"]}}]
    file.animate(0, "weights", [0, 1], [0, 1, 1, 0])
    motion = file.load(fps=2).motions[0]
    np.testing.assert_allclose(motion.labels["morph.smile"], [0, 0.5, 1])
    np.testing.assert_allclose(motion.labels["morph.frown"], [1, 0.5, 0])


def test_a_very_small_turn_is_kept(gltf_file):
    file = gltf_file(nodes=[{"children": [1]}, {"translation": [0, 0, 1]}], skins=[{"joints": [0, 1]}])
    angle = 1e-3
    file.animate(0, "rotation", [0, 1], [[0, 0, 0, 1], [np.sin(angle / 2), 0, 0, np.cos(angle / 2)]])
    tip = file.load(fps=30).motions[0][:].global_positions[-1, 1]
    np.testing.assert_allclose(tip, [0, -np.sin(angle), np.cos(angle)], atol=1e-6)


def test_many_joints_under_moving_scale_take_no_more_memory_than_their_poses(gltf_file):
    joints, seconds = 1000, 30
    file = gltf_file(nodes=[{"translation": [0, 0.01, 0], "children": [n + 1]} for n in range(joints - 1)] + [{}])
    file.animate(0, "scale", [0, seconds], [[1, 1, 1], [1, 2, 1]])
    tracemalloc.start()
    motion = file.load().motions[0]
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 8 * motion.frames * joints * 28
    heights = motion[:].global_positions[:, -1, 1]
    np.testing.assert_allclose(heights, np.linspace(1, 2, motion.frames) * 0.01 * (joints - 2) + 0.01, rtol=1e-3)


def test_many_labels_of_one_accessor_are_refused(gltf_file):
    file = gltf_file(nodes=[{}])
    frames = 50_000
    file.animate(0, "translation", np.arange(frames) / 30, np.random.default_rng(0).normal(size=(frames, 3)))
    notes = {"fps": 30, "frames": frames, "labels": {f"label_{number}": 0 for number in range(4000)}}
    file.root["animations"][0]["extras"] = {"kinema": notes}
    with pytest.raises(FormatError, match=r"animations.0.: asks for .* bytes of memory"):
        file.load()
