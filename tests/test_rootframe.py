"""The root frame: where a character stands and faces."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.signal import savgol_filter

from kinema import Motion, Skeleton, rotations
from kinema.rootframe import facing, smooth_columns


def circling(skeleton: Skeleton, frames: int = 240, radius: float = 2.0, rate: float = 0.5) -> Motion:
    """A walk around the origin, counter-clockwise from above, swaying with every step and bobbing up and down."""
    time = np.arange(frames) / 60.0
    heading = rate * time
    sway = 0.06 * np.sin(2 * np.pi * 1.0 * time)
    turned = np.tile([1.0, 0, 0, 0], (frames, skeleton.joint_count, 1))
    turned[:, 0] = rotations.multiply(
        rotations.from_yaw(heading + sway), rotations.exp([0.05, 0, 0] * np.ones((frames, 3)))
    )
    moved = np.broadcast_to(skeleton.rest_translations, (frames, skeleton.joint_count, 3)).copy()
    moved[:, 0] = np.stack(
        [-radius * np.cos(heading), 0.9 + 0.02 * np.sin(9 * time), radius * np.sin(heading)], axis=-1
    )
    return Motion.create(skeleton, turned, moved, fps=60)


def test_walking_a_circle(biped: Skeleton) -> None:
    motion = circling(biped)
    positions, turned = motion.root_frame()
    heading = 0.5 * np.arange(240) / 60
    assert positions.dtype == turned.dtype == np.float32
    np.testing.assert_array_equal(positions[:, 1], 0)
    expected = np.stack([-2 * np.cos(heading), 0 * heading, 2 * np.sin(heading)], axis=-1)
    np.testing.assert_allclose(positions, expected, atol=5e-3)
    np.testing.assert_allclose(turned[:, [1, 3]], 0, atol=1e-7)  # about +Y only
    off = rotations.wrap(rotations.yaw(turned) - heading)
    assert np.abs(off).max() < 0.07
    raw = rotations.wrap(rotations.yaw(motion.root_frame(smooth=0)[1]) - heading)
    np.testing.assert_allclose(raw, 0.06 * np.sin(2 * np.pi * np.arange(240) / 60), atol=1e-3)
    # The walk goes where it faces.
    velocity = np.gradient(positions, 1 / 60, axis=0)[30:-30]
    forward = rotations.rotate(turned, np.float32([0, 0, 1]))[30:-30]
    assert (np.sum(velocity * forward, axis=-1) > 0.99 * np.linalg.norm(velocity, axis=-1)).all()


def test_smoothing_takes_jitter_away(biped: Skeleton, rng: np.random.Generator) -> None:
    motion = circling(biped)
    jitter = (0.01 * rng.normal(size=motion.local_translations.shape)).astype(np.float32)
    noisy = motion.replace(local_translations=motion.local_translations + jitter)
    clean, _ = motion.root_frame()

    def error(smooth: float) -> float:
        return float(np.abs(noisy.root_frame(smooth)[0] - clean)[20:-20].mean())

    assert error(0.25) < 0.6 * error(0.0)


@pytest.mark.parametrize("yaw", [0.0, 1.0, np.pi, -2.5])
def test_facing_follows_limbs_and_falls_back_to_the_hips(biped: Skeleton, yaw: float) -> None:
    expected = [np.sin(yaw), 0, np.cos(yaw)]
    plain = Skeleton.create([f"j{i}" for i in range(21)], biped.parents, biped.rest_translations, biped.rest_rotations)
    for skeleton in (biped, plain):
        local = skeleton.rest_rotations.copy()
        local[0] = rotations.from_yaw(np.float32(yaw)[None])[0]
        motion = Motion.create(skeleton, local[None])
        np.testing.assert_allclose(facing(motion[:]), [expected], atol=1e-6)


def test_rest_rotations_do_not_turn_the_facing_of_unnamed_rigs() -> None:
    up = [np.sqrt(0.5), -np.sqrt(0.5), 0, 0]  # a root that stands a Z-up rig on its feet
    skeleton = Skeleton.create(["a", "b"], [-1, 0], np.zeros((2, 3)), [up, [1, 0, 0, 0]])
    np.testing.assert_allclose(facing(skeleton.rest_pose), [0, 0, 1], atol=1e-6)


def test_a_character_that_looks_straight_up_has_a_heading(biped: Skeleton) -> None:
    lying = np.tile(np.float32([1, 0, 0, 0]), (8, 21, 1))
    lying[:, 0] = [np.sqrt(0.5), -np.sqrt(0.5), 0, 0]  # on the back
    sideways = np.tile(np.float32([1, 0, 0, 0]), (8, 21, 1))
    sideways[:, 0] = [np.sqrt(0.5), 0, 0, np.sqrt(0.5)]  # both lines vertical
    for local in (lying, sideways):
        positions, turned = Motion.create(biped, local).root_frame()
        assert np.isfinite(positions).all()
        np.testing.assert_allclose(np.linalg.norm(turned, axis=-1), 1, atol=1e-6)


@pytest.mark.parametrize("frames", [1, 2, 4, 5, 6, 7, 30])
@pytest.mark.parametrize("window", [0, 3, 6, 7, 100])
def test_smoothing_keeps_cubics_and_length(frames: int, window: int) -> None:
    t = np.linspace(-1, 1, frames)[:, None]
    values = np.concatenate([t**3 - t, 2 * t + 1], axis=-1).astype(np.float32)
    np.testing.assert_allclose(smooth_columns(values, window), values, atol=1e-5)


@pytest.mark.parametrize(("frames", "window"), [(5, 5), (7, 6), (30, 7), (30, 8), (31, 100), (200, 31)])
def test_smoothing_is_that_of_scipy(frames: int, window: int, rng: np.random.Generator) -> None:
    values = rng.normal(size=(frames, 3)).astype(np.float32)
    odd = min(window + 1 - window % 2, frames - 1 + frames % 2)
    expected = savgol_filter(values.astype(np.float64), odd, 3, axis=0, mode="interp")
    np.testing.assert_allclose(smooth_columns(values, window), expected, atol=1e-6)
