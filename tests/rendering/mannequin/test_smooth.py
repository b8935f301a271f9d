"""Even triangles on the surface."""

from itertools import pairwise

import numpy as np
import pytest

from kinema.rendering.mannequin import field, smooth, surface
from kinema.rendering.mannequin.pieces import Clay


def rough():
    clay = Clay()
    clay.add(0, np.zeros(3), np.array([0, 0.6, 0]), 0.3)
    body = clay.body()
    vertices, faces = surface.extract(body, np.array([0.08]), 0.08)
    return body, vertices, faces, smooth.neighbours(len(vertices), faces)


def test_vertices_come_to_lie_on_the_surface_with_even_triangles():
    body, vertices, faces, (starts, others) = rough()

    def spread(places: np.ndarray) -> float:
        lengths = np.linalg.norm(places[faces] - places[np.roll(faces, 1, axis=1)], axis=2)
        return float(lengths.std() / lengths.mean())

    before = spread(vertices)
    for _ in range(3):
        facing = smooth.normals(vertices, faces)
        vertices = smooth.relax(vertices, facing, starts, others, body, 0.02, 1.0)
    assert np.abs(field.distances(body, vertices)[0]).max() < 2e-3
    assert spread(vertices) < 0.8 * before


def test_normals_point_outward_and_smoothing_keeps_the_volume():
    _, vertices, faces, (starts, others) = rough()
    facing = smooth.normals(vertices, faces)
    away = vertices - np.clip(vertices, [0, 0, 0], [0, 0.6, 0])
    assert ((facing * away).sum(-1) / np.linalg.norm(away, axis=1)).min() > 0.9

    def volume(places: np.ndarray) -> float:
        corners = places[faces]
        return float(np.einsum("kc,kc->k", corners[:, 0], np.cross(corners[:, 1], corners[:, 2])).sum() / 6)

    smoothed = smooth.smooth(vertices, starts, others, 4)
    assert volume(smoothed) == pytest.approx(volume(vertices), rel=0.02)


def test_neighbours_of_a_tetrahedron():
    starts, others = smooth.neighbours(4, np.array([[0, 1, 2], [0, 3, 1], [0, 2, 3], [1, 3, 2]]))
    assert starts.tolist() == [0, 3, 6, 9, 12]
    assert [sorted(others[a:b].tolist()) for a, b in pairwise(starts)] == [[1, 2, 3], [0, 2, 3], [0, 1, 3], [0, 1, 2]]
