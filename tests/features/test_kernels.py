from __future__ import annotations

import itertools

import numpy as np
import pytest

from kinema import kinematics, rotations
from kinema.features import kernels
from kinema.features.kernels import (
    COPY,
    HEIGHT,
    OWN,
    PLANAR_POINT,
    PLANAR_VECTOR,
    POINT,
    ROOT,
    STEP,
    VECTOR,
    WORLD,
    Rows,
)

LOW = np.repeat([0, 12, 13], [12, 1, 17])
HIGH = np.repeat([11, 12, 29], [12, 1, 17])


@pytest.fixture
def roots(rng: np.random.Generator) -> np.ndarray:
    yaw = rng.uniform(-np.pi, np.pi, 30)
    return np.column_stack([rng.normal(size=(30, 3)), np.sin(yaw), np.cos(yaw)]).astype(np.float32)


CASES = [
    *itertools.product([COPY, VECTOR, POINT], [ROOT, OWN, WORLD], [6]),
    *itertools.product([PLANAR_VECTOR], [ROOT, OWN, WORLD], [2]),
    *itertools.product([PLANAR_POINT], [ROOT, WORLD], [0]),
    (STEP, ROOT, 0),
    *itertools.product([HEIGHT], [ROOT, OWN, WORLD], [3]),
]


def gather_reference(data: Rows, frames: np.ndarray, offsets: np.ndarray, carry: int, frame: int) -> np.ndarray:
    """The same as `kernels.gather` in plain NumPy: windows `[N, T * width]` of all columns of the rows."""
    block, roots, low, high = data
    index = np.clip(frames[:, None] + offsets, low[frames, None], high[frames, None])  # [N, T]
    if carry == STEP:
        return _steps(roots.astype(np.float64)[np.concatenate([frames[:, None], index], axis=1)])
    own, there = roots[frames, None].astype(np.float64), roots[index].astype(np.float64)
    values = block[index].astype(np.float64)
    if carry == PLANAR_POINT:
        values = there[..., [0, 2]]
        values = _turn(values - own[..., [0, 2]], -_yaw(own)) if frame == ROOT else values
    elif carry == PLANAR_VECTOR:
        values = values if frame == WORLD else _turn(values, -_yaw(own if frame == ROOT else there))
    elif carry == HEIGHT:
        values = values - {WORLD: 0.0, ROOT: own[..., 1:2], OWN: there[..., 1:2]}[frame]
    elif carry in (POINT, VECTOR) and frame != OWN:
        values = _joints_reference(values.reshape(*index.shape, -1, 3), own, there, carry, frame)
    return values.reshape(len(frames), -1).astype(np.float32)


def _joints_reference(values: np.ndarray, own: np.ndarray, there: np.ndarray, carry: int, frame: int) -> np.ndarray:
    """Points or vectors `[N, T, K, 3]` from root frames `there` `[N, T, 5]` to `own` `[N, 1, 5]`, or to the world."""
    planar, rise = _turn(values[..., [0, 2]], _yaw(there)[..., None]), values[..., 1]
    if carry == POINT:
        origin = own if frame == ROOT else np.zeros_like(own)
        planar = planar + (there - origin)[..., None, [0, 2]]
        rise = rise + (there - origin)[..., None, 1]
    if frame == ROOT:
        planar = _turn(planar, -_yaw(own)[..., None])
    return np.stack([planar[..., 0], rise, planar[..., 1]], axis=-1)


def _yaw(roots: np.ndarray) -> np.ndarray:
    return np.arctan2(roots[..., 3], roots[..., 4])


def _turn(planar: np.ndarray, angle: np.ndarray) -> np.ndarray:
    """Turn (x, z) by angles about +Y."""
    s, c = np.sin(angle), np.cos(angle)
    return np.stack([c * planar[..., 0] + s * planar[..., 1], c * planar[..., 1] - s * planar[..., 0]], axis=-1)


def _steps(chain: np.ndarray) -> np.ndarray:
    planar = _turn(np.diff(chain[..., [0, 2]], axis=1), -_yaw(chain[:, :-1]))
    turn = np.diff(_yaw(chain), axis=1)
    turn = np.arctan2(np.sin(turn), np.cos(turn))
    return np.stack([planar[..., 0], turn, planar[..., 1]], axis=-1).reshape(len(chain), -1).astype(np.float32)


@pytest.mark.parametrize(("carry", "frame", "width"), CASES)
def test_gather_equals_its_reference(carry, frame, width, roots, rng):
    if carry in (COPY, POINT, VECTOR) and frame == OWN:
        carry = COPY  # the caller asks for a copy: rows are in their own frame
    rows = rng.normal(size=(30, width + 5)).astype(np.float32)
    frames, offsets = np.array([0, 5, 11, 12, 13, 29, 20]), np.array([-3, 0, 2, 9])
    expected = gather_reference(Rows(rows[:, 3 : 3 + width], roots, LOW, HIGH), frames, offsets, carry, frame)
    out = np.full((7, expected.shape[1] + 4), np.nan, np.float32)
    kernels.gather(Rows(rows, roots, LOW, HIGH), 3, width, frames, offsets, carry, frame, out, 2)
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


def test_running_statistics_are_those_of_all_rows(rng: np.random.Generator) -> None:
    """In parts, one of them longer than a block and one a single row, of columns far from zero."""
    x = (rng.normal(size=(1300, 3)) * [1.0, 5.0, 0.1] + [100.0, -3.0, 0.0]).astype(np.float32)
    mean, squares, count = np.zeros(3), np.zeros(3), 0
    for part in (x[:700], x[700:701], x[701:]):
        count = kernels.accumulate(part, count, mean, squares)
    exact = x.astype(np.float64)
    assert count == 1300
    np.testing.assert_allclose(mean, exact.mean(axis=0), rtol=1e-12)
    np.testing.assert_allclose(squares, ((exact - exact.mean(axis=0)) ** 2).sum(axis=0), rtol=1e-9)
