"""Colour borders cut into triangles."""

import numpy as np
import pytest

from kinema.character import Mesh
from kinema.viewer.cuts import cut

PALETTE = np.array([[0.0, 0, 0], [1.0, 1, 1]])


def strip() -> tuple[Mesh, np.ndarray]:
    """Four by two vertices in the plane z = 0, dark at x = 0, white at x = 3, its border where x = 1.5."""
    x, y = np.meshgrid(np.arange(4.0), np.arange(2.0), indexing="ij")
    places = np.stack([x, y, np.zeros_like(x)], axis=-1).reshape(-1, 3).astype(np.float32)
    faces = [[2 * k, 2 * k + 2, 2 * k + 1] for k in range(3)] + [[2 * k + 1, 2 * k + 2, 2 * k + 3] for k in range(3)]
    shade = (places[:, :1] / 3) * np.ones(3, np.float32)
    weights = np.stack([1 - shade[:, 0], shade[:, 0]], axis=1)
    mesh = Mesh(
        "strip",
        places,
        np.tile(np.float32([0, 0, 1]), (8, 1)),
        np.array(faces, np.uint32),
        colors=np.column_stack([shade, np.ones(8)]).astype(np.float32),
        joints=np.tile(np.int32([0, 1]), (8, 1)),
        weights=weights.astype(np.float32),
    )
    return mesh, (places[:, 0] > 1.5).astype(np.int64)


def test_the_border_runs_where_the_colour_is_halfway():
    mesh, labels = strip()
    new, group = cut(mesh, labels, PALETTE)
    corners = new.positions[new.indices.astype(int)]
    assert corners[group == 0][..., 0].max() == pytest.approx(1.5)
    assert corners[group == 1][..., 0].min() == pytest.approx(1.5)
    areas = 0.5 * np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])[:, 2]
    assert areas.min() > 0 and areas.sum() == pytest.approx(3)  # still all of it, the same way round


def test_added_vertices_carry_the_skin_of_their_edge():
    mesh, labels = strip()
    new, _ = cut(mesh, labels, PALETTE)
    assert new.weights is not None and new.joints is not None
    assert new.weights.sum(axis=1) == pytest.approx(1)
    held = np.zeros((len(new.positions), 2))
    np.add.at(held, (np.arange(len(held))[:, None], new.joints), new.weights)
    assert held[:, 1] == pytest.approx(new.positions[:, 0] / 3, abs=1e-6)


def test_a_mesh_of_one_colour_stays_as_it_is():
    mesh, labels = strip()
    new, group = cut(mesh, np.zeros_like(labels), PALETTE)
    assert new is mesh and not group.any()
