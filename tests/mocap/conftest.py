"""Motions for the tests of this folder."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from kinema import Motion, Skeleton, rotations, save


@pytest.fixture
def sway(biped: Skeleton) -> Callable[..., Motion]:
    """Makes motions of the biped that glide, turn and swing all joints, different for each seed."""

    def make(seconds: float = 2.0, fps: float = 30.0, seed: int = 0, name: str = "walk_left", **changes) -> Motion:
        rng = np.random.default_rng(seed)
        skeleton = changes.pop("skeleton", biped)
        frames = round(seconds * fps) + 1
        t = np.arange(frames)[:, None, None] / fps
        swing = 0.2 * np.sin(2 * np.pi * (rng.uniform(0.3, 0.8, (1, skeleton.joint_count, 1)) * t + rng.random(3)))
        local = rotations.exp(swing.astype(np.float32))
        yaw = rotations.from_yaw((0.5 * t[:, 0, 0] + rng.uniform(-3, 3)).astype(np.float32))
        local[:, 0] = rotations.multiply(yaw, local[:, 0])
        hips = np.concatenate([0.8 * t[:, 0], 0.92 + 0.02 * np.sin(6 * t[:, 0]), 0.3 * t[:, 0] ** 2], axis=1)
        return Motion.create(skeleton, local, hips[:, None].astype(np.float32), [0], fps, name, **changes)

    return make


@pytest.fixture
def takes(tmp_path: Path, sway: Callable[..., Motion]) -> Path:
    """A folder of six short BVH files."""
    folder = tmp_path / "takes"
    folder.mkdir()
    for number in range(6):
        save(sway(seed=number, name=f"take_{number}"), folder / f"walk_left_{number}.bvh")
    return folder
