"""Series without gaps, outliers and jitter, and without lag."""

from __future__ import annotations

import numpy as np

from kinema.keypoints.smoothing import CUTOFF, cleaned, interpolated, smooth


def wave(hertz: float, frames: int = 240, fps: float = 30.0) -> np.ndarray:
    return np.sin(2 * np.pi * hertz * np.arange(frames) / fps)[:, None, None]


def test_slow_movement_stays_and_does_not_lag_while_jitter_goes() -> None:
    ones = np.ones((240, 1))
    slow = smooth(wave(1.0), ones, 30.0)
    assert np.abs(slow - wave(1.0))[10:-10].max() < 0.01
    shifts = [float((slow[10 + by : 230 + by] * wave(1.0)[10:230]).sum()) for by in range(-3, 4)]
    assert np.argmax(shifts) == 3  # no shift fits better than none
    assert np.abs(smooth(wave(13.0), ones, 30.0))[10:-10].max() < 0.15
    half = np.abs(smooth(wave(CUTOFF), ones, 30.0))[60:-60].max()
    assert 0.45 < half < 0.55


def test_gaps_are_bridged_and_series_do_not_touch() -> None:
    values = np.concatenate([wave(0.5), 5.0 + 0 * wave(0.5)], axis=1)
    weights = np.ones((240, 2))
    weights[100:110, 0], values[100:110, 0] = 0.0, 99.0
    found = smooth(values, weights, 30.0)
    assert np.abs(found[:, 0] - wave(0.5)[:, 0]).max() < 0.1 and np.allclose(found[:, 1], 5.0, atol=1e-3)


def test_outliers_have_no_say_and_what_is_never_seen_is_zero(rng: np.random.Generator) -> None:
    truth = 100 + 50 * np.concatenate([wave(0.7), wave(1.0)], axis=-1)
    points = np.concatenate([truth + rng.normal(0, 1, truth.shape), np.full((240, 1, 1), 0.9)], axis=-1)
    points[::20, 0, :2] += 60.0
    points = np.concatenate([points, np.zeros_like(points)], axis=1)
    found, known = cleaned(points, 200.0, 30.0)
    assert np.abs(found[:, 0] - truth[:, 0]).max() < 4.0
    assert (known[::20, 0] < 0.1).all() and (found[:, 1] == 0).all() and (known[:, 1] == 0).all()


def test_rows_between_frames() -> None:
    assert interpolated(np.array([[0.0], [2.0]]), np.array([-1.0, 0.25, 1.0, 5.0])).ravel().tolist() == [0, 0.5, 2, 2]
    assert interpolated(np.array([[3.0]]), np.array([0.0, 1.0])).ravel().tolist() == [3, 3]


def test_a_clip_of_one_picture() -> None:
    assert smooth(np.full((1, 2, 2), 7.0), np.ones((1, 2)), 30.0).round(3).tolist() == [[[7, 7], [7, 7]]]
