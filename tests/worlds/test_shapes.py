"""Bodies are closed, their faces look outward, and their sizes are those that were asked for."""

from __future__ import annotations

import numpy as np
import pytest

from kinema.worlds.shapes import ball, box, column, relief
from kinema.worlds.surfels import ColouredSurface

WHITE = (1.0, 1.0, 1.0)


def volume(surface: ColouredSurface) -> float:
    """Of what the triangles enclose; negative if they look inward."""
    a, b, c = surface.corners.astype(float).transpose(1, 0, 2)
    return float(np.einsum("ti,ti->t", a, np.cross(b, c)).sum() / 6)


@pytest.mark.parametrize(
    ("surface", "right"),
    [
        (box((3, 1, -2), (1, 2, 3), WHITE, 0.7), 6.0),
        (column((1, 0, 1), 2.0, (0.5, 0.5), WHITE, 64), np.pi * 0.5),
        (column((1, 0, 1), 3.0, (1.0, 0.0), WHITE, 64), np.pi),
        (ball((0, 2, 0), (1, 2, 3), WHITE, 40), 4 / 3 * np.pi * 6),
    ],
)
def test_bodies_are_closed_and_look_outward(surface: ColouredSurface, right: float) -> None:
    assert volume(surface) == pytest.approx(right, rel=0.01)
    edges = np.round(surface.corners[:, [[0, 1], [1, 2], [2, 0]]].sum(axis=2) * 0.5, 4).reshape(-1, 3)
    alive = np.repeat(surface.areas > 1e-9, 3)
    _, counts = np.unique(edges[alive], axis=0, return_counts=True)
    assert (counts % 2 == 0).all()


def test_a_turned_box_faces_where_it_should() -> None:
    corners = box((0, 0, 0), (0.1, 0.1, 4.0), WHITE, np.pi / 2).corners.reshape(-1, 3)
    assert corners[:, 0].max() == pytest.approx(2.0, abs=1e-6)


def test_the_ground_looks_up_and_has_its_heights_and_colours() -> None:
    surface = relief(
        lambda x, z: 0.1 * x, lambda x, z: np.stack([x > 0, z > 0, 0 * x], axis=-1), (-2, -1), (2, 1), 0.25
    )
    assert surface.normals[:, 1].min() > 0.9
    np.testing.assert_allclose(surface.corners[..., 1], 0.1 * surface.corners[..., 0], atol=1e-6)
    assert len(surface.corners) == 2 * 16 * 8
    np.testing.assert_array_equal(surface.colours[..., 0], surface.corners[..., 0] > 0)
