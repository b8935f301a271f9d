"""Heights on a grid around characters."""

import numpy as np

from kinema.terrain import GRID, Extrusion, Plane, heights_around
from kinema.terrain.around import CELL


def test_rows_go_forward_and_columns_to_the_left():
    """A ramp along +Z, seen by somebody who faces it, turns his back to it, and has it at his left."""
    ramp = Extrusion(np.array([-50.0, 50.0]), np.array([-25.0, 25.0]), 100.0)
    positions = np.array([[3.0, 1.0, 2.0]] * 3, np.float32)
    ahead, back, left = heights_around(
        ramp, positions, np.array([0.0, np.pi, -np.pi / 2])
    )  # who faces -X has +Z at the left hand
    away = (np.arange(GRID[0]) - 7.5) * CELL
    np.testing.assert_allclose(ahead, np.tile(0.5 * away[:, None], (1, GRID[1])), atol=1e-5)
    np.testing.assert_allclose(back, -ahead, atol=1e-5)
    np.testing.assert_allclose(left, ahead.T, atol=1e-5)


def test_level_ground_is_zero_at_its_height():
    found = heights_around(Plane(2.0), np.array([[0.0, 2.0, 0.0]], np.float32), np.array([0.4]))
    assert found.shape == (1, *GRID) and not found.any()
