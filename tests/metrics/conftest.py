"""Closed-form motions to measure."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from kinema import Motion, Skeleton, rotations
from kinema.metrics import Reference, Rollout

CLEARANCE = 0.04
DOTS = ("Hips", "LeftToe", "RightToe")


def dots(scale: float = 1.0) -> Skeleton:
    """Three joints that hang on nothing, as large as an adult whose leg is the reference's (0.82 m), times a scale."""
    return Skeleton.create(DOTS, [-1, -1, -1], scale * np.array([[0, 1.64, 0], [0.1, 0, 0], [-0.1, 0, 0]]))


@pytest.fixture(scope="session")
def make_rollout() -> Callable[..., Rollout]:
    """A body of three joints (hips, left toe, right toe) at rest, changed by keywords; `positions` [F, 3, 3]."""

    def make(frames: int = 60, fps: float = 30.0, positions=None, scale: float = 1.0, **changes) -> Rollout:
        if positions is None:
            positions = np.zeros((frames, 3, 3), np.float32)
            positions[:, 0, 1] = 0.9
            positions[:, 1:, 1] = CLEARANCE
            positions[:, 1, 0], positions[:, 2, 0] = 0.1, -0.1
        rest = np.tile(np.float32([1, 0, 0, 0]), (frames, 3, 1))
        values = {
            "motion": Motion.create(dots(scale), rest, positions, translated=[0, 1, 2], fps=fps),
            "root_positions": np.zeros((frames, 3), np.float32),
            "root_rotations": rotations.from_yaw(np.zeros(frames, np.float32)),
            "feet": (1, 2),
            "clearance": CLEARANCE,
        }
        return Rollout(**(values | changes))

    return make


@pytest.fixture(scope="session")
def at(make_rollout) -> Callable[..., Rollout]:
    """A rollout with its joints elsewhere, and other values changed; all else as it was."""

    def moved(run: Rollout, positions: np.ndarray, **changes) -> Rollout:
        names = ("root_positions", "root_rotations", "feet", "clearance", "contacts")
        kept = {name: getattr(run, name) for name in names}
        return make_rollout(run.frames, run.fps, positions, **(kept | changes))

    return moved


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
        return make_rollout(frames, fps, positions, root_positions=roots, contacts=contacts)

    return make


@pytest.fixture(scope="session")
def reference(walk) -> Reference:
    clips = [walk(speed, seed) for seed, speed in enumerate((0.8, 1.0, 1.2, 1.4, 0.9, 1.1))]
    return Reference.create(clips, [f"take{i}" for i in range(6)])


@pytest.fixture(scope="session")
def posed(biped) -> Callable[..., Rollout]:
    """The person of all tests, posed: joints turn about an axis of their parents by angles in degrees."""

    def make(fps: float = 30.0, lift=0.0, contacts=None, **turns) -> Rollout:
        frames = max(len(np.atleast_1d(degrees)) for _, degrees in turns.values()) if turns else 60
        local = np.tile(biped.rest_rotations, (frames, 1, 1))
        for joint, (axis, degrees) in turns.items():
            angles = np.radians(np.broadcast_to(degrees, frames)).astype(np.float32)
            local[:, biped.index(joint)] = rotations.from_axis_angle(np.tile(np.float32(axis), (frames, 1)), angles)
        moved = np.tile(biped.rest_translations, (frames, 1, 1))
        moved[:, 0, 1] += lift
        return Rollout(
            motion=Motion.create(biped, local, moved, fps=fps),
            root_positions=np.zeros((frames, 3), np.float32),
            root_rotations=rotations.from_yaw(np.zeros(frames, np.float32)),
            feet=tuple(biped.indices(["LeftToeBase", "RightToeBase"]).tolist()),
            clearance=float(biped.rest_pose.global_positions[biped.index("LeftToeBase"), 1]),
            contacts=contacts,
        )

    return make
