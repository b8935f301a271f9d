"""Points in space: nearer to the truth than flat ones, with limbs that keep their lengths."""

from __future__ import annotations

import numpy as np
import pytest

from kinema.keypoints.lifting import lift
from kinema.keypoints.proportions import index, limb_ends, limb_parts, measure
from kinema.motion import Motion

from .conftest import film


def error(found: np.ndarray, truth: np.ndarray) -> float:
    """Centimetres over body joints, after one scale for the whole clip."""
    found, truth = found[:, :14], truth[:, :14]
    scale = (found * truth).sum() / (found * found).sum()
    return float(100 * np.linalg.norm(scale * found - truth, axis=-1).mean())


@pytest.mark.parametrize("azimuth", [0.0, 0.8, np.pi / 2, np.pi])
def test_depth_is_found_from_all_sides(stroll: Motion, azimuth: float) -> None:
    seen = film(stroll, azimuth)
    hips = seen.exact[:, [index("left_hip"), index("right_hip")]].mean(axis=1, keepdims=True)
    points = np.concatenate([seen.exact, hips], axis=1)
    known = np.ones(points.shape[:2])
    body = measure(points, known, 30.0)
    found = lift(points, known, body, 30.0)
    flat = (points - hips) * [1, -1] / body.scale[:, None, None]
    flat = np.concatenate([flat, 0 * flat[..., :1]], axis=-1)
    assert error(found, seen.truth) < 0.65 * error(flat, seen.truth) and error(found, seen.truth) < 9.0
    ends, own = limb_ends(), body.lengths[limb_parts()]
    long = np.linalg.norm(found[:, ends[:, 1]] - found[:, ends[:, 0]], axis=-1)
    assert np.median(np.abs(long / own - 1)) < 0.02
    assert np.abs(found[..., :2] - flat[..., :2]).mean() < 0.015


def test_windows_of_a_long_clip_meet(monkeypatch: pytest.MonkeyPatch, stroll: Motion) -> None:
    from kinema.keypoints import lifting

    seen = film(stroll, 0.4)
    hips = seen.exact[:, [index("left_hip"), index("right_hip")]].mean(axis=1, keepdims=True)
    points = np.concatenate([seen.exact, hips], axis=1)
    body = measure(points, np.ones(points.shape[:2]), 30.0)
    whole = lift(points, np.ones(points.shape[:2]), body, 30.0)
    monkeypatch.setattr(lifting, "_WINDOW", 40)
    assert np.abs(lift(points, np.ones(points.shape[:2]), body, 30.0) - whole).max() < 0.02
