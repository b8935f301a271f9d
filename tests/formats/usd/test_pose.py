"""Motions from clips: the fast way and the general one agree."""

from __future__ import annotations

import numpy as np
import pytest

from kinema import rotations
from kinema.formats.usd import pose
from kinema.formats.usd.pose import SkeletonClip
from kinema.formats.usd.rig import build_rig

from .conftest import ARM, HEAD, stage_text

SCENE = {
    "up": "Y", "metres": 0.5, "meshes": [], "nodes": [{
        "name": "s", "path": "/s", "kind": "Skeleton", "parent": -1, "resets": False, "matrix": np.eye(4),
        "light": False, "moves": False,
    }],
    "skeletons": [{
        "node": 0, "path": "/s", "joints": ["a", "a/b", "a/b/c", "d"], "names": None, "bind": None,
        "rest": np.tile(np.eye(4), (4, 1, 1)), "animation": -1, "notes": {},
    }],
}  # fmt: skip


@pytest.mark.parametrize("still", [False, True])
def test_both_ways_agree(monkeypatch, still):
    rng = np.random.default_rng(5)
    rig = build_rig(SCENE, [])
    assert rig is not None
    world = np.tile(np.eye(4), (1 if still else 6, 1, 1))
    world[:, :3, :3] = 0.5 * rotations.to_matrix(rotations.normalize(rng.standard_normal((len(world), 4))))
    world[:, :3, 3] = rng.standard_normal((len(world), 3))
    turned = rotations.normalize(rng.standard_normal((6, 4, 4)))
    played = SkeletonClip(rig.skeletons[0], rng.standard_normal((6, 4, 3)), turned, np.ones((1, 4, 3)), world)
    results = []
    for uniform in (pose.UNIFORM, -1.0):
        monkeypatch.setattr(pose, "UNIFORM", uniform)
        reader = pose.ClipReader(SCENE, rig, {"frames": 6, "nodes": [], "matrices": []})
        reader.pose(played)
        results.append((reader.local_rotations, reader.local_translations))
    (fast_turned, fast_moved), (slow_turned, slow_moved) = results
    assert np.allclose(np.abs(np.einsum("fjc,fjc->fj", fast_turned, slow_turned)), 1, atol=1e-5)
    assert np.allclose(fast_moved, slow_moved, atol=1e-5)


def test_animations_that_leave_things_out(read_text):
    whole = 'uniform token[] joints = ["a", "a/b"]\n            float3[] translations = [(0, 0, 0), (0, 1, 0)]'
    partial = ARM.replace(whole, 'uniform token[] joints = ["x", "a/b"]')
    motion = read_text(stage_text(partial)).motions[0]
    assert np.allclose(motion[:].global_positions[-1], [(0, 0, 0), (0, 1, 0)])
    assert np.allclose(motion.local_rotations[-1, 1], (0.5**0.5, 0, 0, 0.5**0.5), atol=1e-6)
    assert any("has no translations" in line for line in motion.warnings)
    assert any("1 joints that the skeleton does not have" in line for line in motion.warnings)


def test_scale_that_moves_is_noted(read_text):
    samples = "half3[] scales.timeSamples = { 0: [(1, 1, 1), (1, 1, 1)], 2: [(1, 2, 1), (1, 1, 1)] }"
    moving = ARM.replace("half3[] scales = [(1, 1, 1), (1, 1, 1)]", samples)
    motion = read_text(stage_text(moving)).motions[0]
    assert np.allclose(motion[:].global_positions[-1, 1], (0, 2, 0), atol=1e-6)
    assert any("animated scale" in line for line in motion.warnings)


def test_a_rotation_of_nothing_is_none(read_text):
    motion = read_text(stage_text(ARM.replace("0: [(1, 0, 0, 0)", "0: [(0, 0, 0, 0)"))).motions[0]
    assert np.allclose(motion.local_rotations[0, 0], (1, 0, 0, 0))


def test_an_animation_alone_needs_its_skeleton(read_text):
    from kinema.errors import FormatError

    with pytest.raises(FormatError, match="an animation without the skeleton"):
        read_text(HEAD + 'def SkelAnimation "A"\n{\n    uniform token[] joints = ["a"]\n}\n')
