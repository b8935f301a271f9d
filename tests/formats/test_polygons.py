"""Triangulation: areas are kept, windings too, and triangles of concave polygons stay inside."""

from __future__ import annotations

import numpy as np
import pytest

from kinema.formats.polygons import triangulate

STAR = np.array(
    [[np.cos(a) * r, np.sin(a) * r, 0.0] for a, r in zip(np.arange(10) * np.pi / 5, [1.0, 0.3] * 5, strict=True)]
)
ARROW = np.array([[0.0, 0, 0], [1, 1, 0], [0, 0.3, 0], [-1, 1, 0]])


def _area(points: np.ndarray) -> np.ndarray:
    """Vector area of one polygon."""
    return 0.5 * np.cross(points, np.roll(points, -1, axis=0)).sum(axis=0)


def _areas(positions: np.ndarray, triangles: np.ndarray) -> np.ndarray:
    a, b, c = (positions[triangles[:, k]] for k in range(3))
    return 0.5 * np.cross(b - a, c - a)


def test_mixed_polygons_come_out_in_order_with_their_faces():
    counts = np.array([4, 3, 2, 5])
    positions = np.concatenate([[[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]], np.eye(3), np.zeros((2, 3)), STAR[::2]])
    triangles, faces = triangulate(counts, positions)
    assert faces.tolist() == [0, 0, 1, 3, 3, 3]
    assert triangles[:3].tolist() == [[0, 1, 2], [0, 2, 3], [4, 5, 6]]
    assert triangles[3:].min() == 9 and triangles[3:].max() == 13


@pytest.mark.parametrize("shape", [STAR, ARROW, np.roll(ARROW, 1, axis=0), STAR[::-1], ARROW[::-1]])
@pytest.mark.parametrize("seed", range(3))
def test_concave_polygons_are_covered_without_overlap(shape, seed):
    rng = np.random.default_rng(seed)
    turn = np.linalg.qr(rng.standard_normal((3, 3)))[0]
    positions = shape @ turn.T + rng.standard_normal(3)
    triangles, _ = triangulate([len(shape)], positions)
    pieces, whole = _areas(positions, triangles), _area(positions)
    assert (pieces @ whole > 0).all()
    assert np.linalg.norm(pieces, axis=1).sum() == pytest.approx(np.linalg.norm(whole))


def test_hostile_polygons_end_and_use_every_corner_count():
    rng = np.random.default_rng(0)
    counts = [7, 400, 5]
    positions = rng.standard_normal((412, 3))
    positions[3] = np.nan
    triangles, faces = triangulate(counts, positions)
    assert np.bincount(faces).tolist() == [5, 398, 3]
    assert triangles.min() == 0 and triangles.max() == 411
    flat, _ = triangulate([6], np.zeros((6, 3)))
    assert flat.shape == (4, 3)


def test_counts_must_fit():
    with pytest.raises(ValueError, match="4 corners do not fit 3"):
        triangulate([4], np.zeros((3, 3)))
    with pytest.raises(ValueError):
        triangulate([-1, 4], np.zeros((3, 3)))
    assert triangulate([], np.zeros((0, 3)))[0].shape == (0, 3)
