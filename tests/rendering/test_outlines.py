"""Ribbons, dashes and wires as points."""

import numpy as np
import pytest

from kinema.rendering import outlines


def test_dashes_follow_the_line_around_corners():
    corner = np.array([[0, 0, 0], [1, 0, 0], [1, 0, 1]], np.float32)
    pieces = outlines.dashes(corner, 0.5, 0.25)
    lengths = [np.linalg.norm(np.diff(piece, axis=0), axis=-1).sum() for piece in pieces]
    assert lengths == pytest.approx([0.5, 0.5, 0.5], abs=1e-5)
    assert len(pieces[1]) == 3, "a dash over the corner keeps it"
    np.testing.assert_allclose(pieces[1][1], [1, 0, 0], atol=1e-6)


def test_a_pattern_that_is_none_leaves_the_line_whole():
    line = np.array([[0, 0, 0], [1, 0, 0]], np.float32)
    for pattern in ((0.0, 1.0), (0.1, 0.0), (1e-9, 1e-9)):
        assert [len(piece) for piece in outlines.dashes(line, *pattern)] == [2]


def test_a_ribbon_keeps_its_width_around_a_gentle_turn_and_has_no_spikes_at_a_sharp_one():
    angles = np.linspace(0, np.pi / 2, 20)
    bend = np.stack([np.sin(angles), 0 * angles, np.cos(angles)], axis=-1).astype(np.float32)
    corners = outlines.ribbon(bend, 0.2)
    np.testing.assert_allclose(corners[1:, :2], corners[:-1, 2:])
    radii = np.linalg.norm(corners, axis=-1)
    np.testing.assert_allclose(np.sort(radii, axis=-1)[:, [0, 3]], [[0.9, 1.1]] * 19, atol=2e-3)
    back = np.array([[0, 0, 0], [0, 0, 1], [0.01, 0, 0]], np.float32)
    assert np.abs(outlines.ribbon(back, 0.2) - back[1]).max() < 1.3


def test_a_ribbon_straight_up_has_no_area_but_is_defined():
    up = np.array([[0, 0, 0], [0, 1, 0]], np.float32)
    assert outlines.ribbon(up, 0.2).shape == (0, 4, 3)
    stairs = np.array([[0, 0, 0], [0, 1, 0], [0, 1, 1]], np.float32)
    assert np.isfinite(outlines.ribbon(stairs, 0.2)).all()


def test_a_box_has_twelve_edges_of_its_sizes():
    edges = outlines.boxes(np.zeros((1, 3), np.float32), np.array([[1, 0, 0, 0]], np.float32), np.array([[1, 2, 3.0]]))
    lengths = np.linalg.norm(edges[0, :, 1] - edges[0, :, 0], axis=-1)
    assert sorted(lengths.round(5).tolist()) == [1.0] * 4 + [2.0] * 4 + [3.0] * 4
    assert len(np.unique(edges[0].reshape(-1, 3), axis=0)) == 8


def test_lines_of_a_capsule_lie_on_its_surface():
    start, end = np.array([[1, 0, 0]], np.float32), np.array([[1, 1, 2]], np.float32)
    lines = outlines.capsules(start, end, np.array([0.3], np.float32))
    points = np.concatenate([each.reshape(-1, 3) for each in lines])
    way = (end - start)[0]
    share = np.clip((points - start) @ way / (way @ way), 0, 1)
    np.testing.assert_allclose(np.linalg.norm(points - start - share[:, None] * way, axis=-1), 0.3, atol=1e-5)
    assert share.min() == 0 and share.max() == 1
    np.testing.assert_allclose(lines[2][0, :, 1] - lines[2][0, :, 0], np.tile(way, (4, 1)), atol=1e-6)
    balls = outlines.capsules(start, start, np.array([0.3], np.float32))
    for points in balls:
        np.testing.assert_allclose(np.linalg.norm(points - start, axis=-1), 0.3, atol=1e-5)
