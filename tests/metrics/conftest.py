"""Closed-form motions to measure."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from kinema import rotations
from kinema.metrics import Reference, Rollout

CLEARANCE = 0.04


@pytest.fixture(scope="session")
def make_rollout() -> Callable[..., Rollout]:
    """A body of three joints (hips, left toe, right toe) at rest, changed by keywords."""

    def make(frames: int = 60, fps: float = 30.0, **changes) -> Rollout:
        positions = np.zeros((frames, 3, 3), np.float32)
        positions[:, 0, 1] = 0.9
        positions[:, 1:, 1] = CLEARANCE
        positions[:, 1, 0], positions[:, 2, 0] = 0.1, -0.1
        values = {
            "fps": fps,
            "positions": positions,
            "root_positions": np.zeros((frames, 3), np.float32),
            "root_rotations": rotations.from_yaw(np.zeros(frames, np.float32)),
            "hips": 0,
            "feet": (1, 2),
            "clearance": CLEARANCE,
        }
        return Rollout(**(values | changes))

    return make


@pytest.fixture(scope="session")
def walk(make_rollout) -> Callable[..., Rollout]:
    """A walk along +Z at a speed, its phase and details drawn by a seed."""

    def make(speed: float = 1.2, seed: int = 0, frames: int = 300, fps: float = 30.0) -> Rollout:
        rng = np.random.default_rng(seed)
        t = np.arange(frames) / fps
        cycle = 2 * np.pi * ((0.6 + 0.3 * speed) * t + rng.random())
        positions = np.zeros((frames, 3, 3), np.float32)
        positions[:, :, 2] = (speed * t)[:, None]
        positions[:, 0, 1] = 0.9 + 0.02 * np.sin(2 * cycle)
        for foot, lag in ((1, 0.0), (2, np.pi)):
            positions[:, foot, 2] += 0.3 * speed * np.sin(cycle + lag)
            positions[:, foot, 1] = CLEARANCE + 0.1 * np.maximum(np.cos(cycle + lag), 0)
            positions[:, foot, 0] = 0.1 if foot == 1 else -0.1
        positions += 0.02 * np.cumsum(rng.normal(size=positions.shape), axis=0) / fps**0.5
        roots = positions[:, 0] * np.float32([1, 0, 1])
        contacts = positions[:, 1:, 1] < CLEARANCE + 0.02
        return make_rollout(frames, fps, positions=positions, root_positions=roots, contacts=contacts)

    return make


@pytest.fixture(scope="session")
def reference(walk) -> Reference:
    clips = [walk(speed, seed) for seed, speed in enumerate((0.8, 1.0, 1.2, 1.4, 0.9, 1.1))]
    return Reference.create(clips, [f"take{i}" for i in range(6)])
