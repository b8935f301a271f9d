"""The distance field of pieces."""

import numpy as np
import pytest

from kinema.rendering.mannequin import field
from kinema.rendering.mannequin.pieces import Clay


def capsule() -> Clay:
    clay = Clay()
    clay.add(0, np.zeros(3), np.array([0, 1.0, 0]), 0.2)
    return clay


def test_the_distance_to_a_capsule_is_exact():
    row = capsule().body()[0][0]
    for place, wanted in (((0.5, 0.5, 0), 0.3), ((0, 1.5, 0), 0.3), ((0, -0.2, 0), 0.0), ((0, 0.3, 0.1), -0.1)):
        assert field.piece_distance(row, *place) == pytest.approx(wanted, abs=1e-6)


def test_neighbours_melt_and_strangers_keep_a_gap():
    clay = Clay()
    trunk = clay.add(0, np.zeros(3), np.array([0, 1.0, 0]), 0.3)
    for side in (-1, 1):
        clay.add(1, np.array([0.1 * side, 0, 0]), np.array([0.1 * side, -1.5, 0]), 0.12, parent=trunk, limb=True)
    body = clay.body()
    assert body[3][1, 2] and not body[3][0, 1]
    between, nearest = field.distances(body, np.array([[0.0, -1.0, 0.0], [0.1, -1.0, 0], [0, 0.5, 0]]))
    assert between[0] > 0 > between[1]  # the legs overlap here, and yet there is air
    assert between[2] == pytest.approx(-0.3) and nearest.tolist()[1:] == [2, 0]


def test_cells_are_small_where_pieces_are_thin():
    clay = Clay()
    clay.add(0, np.array([-1.0, 0, 0]), np.array([-1.0, 0.5, 0]), 0.4)
    clay.add(1, np.array([-0.8, 0, 0]), np.array([1.0, 0, 0]), 0.03, parent=0)
    pieces = clay.body()[0]
    children, cells = field.divide(pieces, np.array([0.2, 0.02]), np.full(3, -2.0), 4.0, 9, 3)
    leaves = cells[children[:, 0] < 0]
    middle = -2 + (leaves[:, :3] + 0.5 * leaves[:, 3:]) * 4 / 512
    on = np.array([abs(field.piece_distance(pieces[1], *p)) < 0.01 and p[0] > -0.4 for p in middle])
    far = np.array([abs(field.piece_distance(pieces[0], *p)) < 0.02 and p[0] < -1.2 for p in middle])
    assert (leaves[on, 3] * 4 / 512).max() <= 0.02 < (leaves[far, 3] * 4 / 512).min()
    assert (leaves[:, 3].astype(float) ** 3).sum() == 512.0**3  # the leaves fill the cube
