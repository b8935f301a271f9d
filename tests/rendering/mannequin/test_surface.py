"""From a field to triangles."""

import numpy as np
import pytest

from kinema.rendering.mannequin import surface
from kinema.rendering.mannequin.pieces import Clay


def ball(radius: float = 0.5) -> Clay:
    clay = Clay()
    clay.add(0, np.zeros(3), np.array([0, 1e-6, 0]), radius)
    return clay


def is_closed(faces: np.ndarray) -> bool:
    directed = np.concatenate([faces[:, [0, 1]], faces[:, [1, 2]], faces[:, [2, 0]]])
    keys = {tuple(edge) for edge in directed.tolist()}
    return len(keys) == len(directed) and all((b, a) in keys for a, b in keys)


def volume(vertices: np.ndarray, faces: np.ndarray) -> float:
    corners = vertices[faces]
    return float(np.einsum("kc,kc->k", corners[:, 0], np.cross(corners[:, 1], corners[:, 2])).sum() / 6)


def test_a_ball_becomes_a_ball():
    vertices, faces = surface.extract(ball().body(), np.array([0.06]), 0.06)
    assert is_closed(faces)
    assert np.linalg.norm(vertices, axis=1) == pytest.approx(0.5, abs=0.01)
    assert volume(vertices, faces) == pytest.approx(4 / 3 * np.pi * 0.125, rel=0.03)


def test_cells_of_different_sizes_leave_no_cracks():
    clay = ball()
    clay.add(1, np.zeros(3), np.array([1.5, 0.4, 0.2]), 0.05, parent=0)
    vertices, faces = surface.extract(clay.body(), np.array([0.2, 0.02]), 0.02)
    assert is_closed(faces) and vertices[:, 0].max() == pytest.approx(1.55, abs=0.03)


def test_sheets_that_touch_in_an_edge_are_parted():
    """Two cubes that share one edge: its four triangles become two pairs."""
    cube = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)], float)
    sides = np.array([[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]])
    faces = np.concatenate([sides[:, [0, 1, 2]], sides[:, [0, 2, 3]]])
    vertices, number = np.unique(np.concatenate([cube, cube + np.array([1.0, 1, 0])]), axis=0, return_inverse=True)
    both = number.reshape(-1)[np.concatenate([faces, faces + 8])]
    assert not is_closed(both) and len(vertices) == 14
    parted, closed = surface._split_sheets(vertices, both)
    assert is_closed(closed) and len(parted) == 16
    assert abs(volume(parted, closed)) == pytest.approx(2)


def test_only_the_largest_pieces_stay():
    vertices, faces = surface.extract(ball().body(), np.array([0.1]), 0.1)
    twice = np.concatenate([vertices, 0.1 * vertices + 3])
    kept, triangles, lost = surface.largest(twice, np.concatenate([faces, faces + len(vertices)]), 1)
    assert len(kept) == len(vertices) and is_closed(triangles)
    assert lost == pytest.approx(1e-3, rel=0.01)
    hollow = surface.largest(twice, np.concatenate([faces, faces[:, ::-1] + len(vertices)]), 2)
    assert len(hollow[0]) == len(vertices)  # a void is no piece
