from __future__ import annotations

import itertools

import numpy as np
import pytest

from kinema import kinematics, rotations
from kinema.features import kernels
from kinema.features.frames import pack_roots

LOW = np.repeat([0, 12, 13], [12, 1, 17])
HIGH = np.repeat([11, 12, 29], [12, 1, 17])


@pytest.fixture
def roots(rng: np.random.Generator) -> np.ndarray:
    yaw = rotations.from_yaw(rng.uniform(-np.pi, np.pi, 30))
    return pack_roots(rng.normal(size=(30, 3)).astype(np.float32), yaw.astype(np.float32))


def test_packed_roots_hold_the_facing_direction():
    angle = np.array([0.0, 0.5, 3.0, -2.0])
    packed = pack_roots(np.zeros((4, 3), np.float32), rotations.from_yaw(angle).astype(np.float32))
    np.testing.assert_allclose(packed[:, 3:], np.stack([np.sin(angle), np.cos(angle)], 1), atol=1e-6)


CASES = [
    *itertools.product([kernels.COPY, kernels.VECTOR, kernels.POINT], [kernels.ROOT, kernels.OWN, kernels.WORLD], [6]),
    *itertools.product([kernels.PLANAR_VECTOR], [kernels.ROOT, kernels.OWN, kernels.WORLD], [2]),
    *itertools.product([kernels.PLANAR_POINT], [kernels.ROOT, kernels.WORLD], [0]),
    (kernels.STEP, kernels.ROOT, 0),
    *itertools.product([kernels.HEIGHT], [kernels.ROOT, kernels.OWN, kernels.WORLD], [3]),
]


@pytest.mark.parametrize(("carry", "frame", "width"), CASES)
def test_gather_equals_its_reference(carry, frame, width, roots, rng):
    if carry in (kernels.COPY, kernels.POINT, kernels.VECTOR) and frame == kernels.OWN:
        carry = kernels.COPY  # the caller asks for a copy: rows are in their own frame
    rows = rng.normal(size=(30, width + 5)).astype(np.float32)
    frames, offsets = np.array([0, 5, 11, 12, 13, 29, 20]), np.array([-3, 0, 2, 9])
    expected = kernels.gather_reference(rows[:, 3 : 3 + width], roots, frames, LOW, HIGH, offsets, carry, frame)
    out = np.full((7, expected.shape[1] + 4), np.nan, np.float32)
    kernels.gather(rows, 3, width, roots, frames, LOW, HIGH, offsets, carry, frame, out, 2)
    np.testing.assert_allclose(out[:, 2:-2], expected, atol=2e-5)
    assert np.isnan(out[:, :2]).all() and np.isnan(out[:, -2:]).all()


def test_root_velocities_are_world_velocities_seen_from_the_root(roots, rng):
    local = rng.normal(size=(30, 4, 3)).astype(np.float32)
    turn = rotations.from_yaw(np.arctan2(roots[:, 3], roots[:, 4]).astype(np.float64))[:, None]
    world = rotations.rotate(turn, local.astype(np.float64)) + roots[:, None, :3]
    expected = np.concatenate([kinematics.velocities(world[a:b], 0.1) for a, b in ((0, 12), (12, 13), (13, 30))])
    expected = rotations.inverse_rotate(turn, expected)
    np.testing.assert_allclose(kernels.root_velocities(local, roots, LOW, HIGH, 0.1), expected, atol=1e-4)


def test_planar_velocities_respect_clips(roots):
    clips = [roots[a:b, [0, 2]] for a, b in ((0, 12), (12, 13), (13, 30))]
    expected = np.concatenate([kinematics.velocities(clip, 0.1) for clip in clips])
    np.testing.assert_allclose(kernels.planar_velocities(roots, LOW, HIGH, 0.1), expected, atol=1e-4)


@pytest.mark.parametrize("columns", [(0, 1), (2, 1), (1, 2)])
def test_axes_are_matrix_columns(columns, rng):
    q = rotations.normalize(rng.normal(size=(9, 5, 4)).astype(np.float32))
    joints = np.array([4, 0, 2], np.int32)
    matrix = rotations.to_matrix(q)[:, joints]
    expected = np.concatenate([matrix[..., columns[0]], matrix[..., columns[1]]], axis=-1)
    np.testing.assert_allclose(kernels.axes(q, joints, *columns), expected, atol=1e-6)


@pytest.mark.parametrize(("first", "last"), [(0, 0), (0, 4), (-3, 2), (2, 5), (-9, -4), (0, 40)])
def test_window_mean_is_a_mean_over_frames_of_the_clip(first, last, rng):
    x = rng.normal(size=(30, 2, 3)).astype(np.float32)
    found = kernels.window_mean(x, LOW, HIGH, first, last)
    for f in range(30):
        a, b = (int(np.clip(f + o, LOW[f], HIGH[f])) for o in (first, last))
        np.testing.assert_allclose(found[f], x[a : b + 1].mean(axis=0), atol=1e-5)
