"""Paths on the floor."""

import numpy as np

from kinema.rendering.draw import Draw
from kinema.rendering.film.demo_marks import COMMANDED, TRAVELLED, path_marks


def test_both_paths_are_drawn_around_the_time_on_the_floor():
    went = np.stack([np.zeros(600), np.full(600, 0.9), np.arange(600) / 60], axis=-1)
    told = went + np.array([0.5, 0, 0])
    mark = path_marks(went, told, 60.0)
    for time, reach in ((0.0, (0.0, 3.0)), (5.0, (3.0, 8.0)), (99.0, (7.98, 9.98))):
        draw = Draw()
        mark(draw, time, 1.7, -0.2)
        bands = draw.rows("band")
        corners = bands["corners"].reshape(-1, 3)
        assert np.all((corners[:, 1] > -0.2) & (corners[:, 1] < -0.18)), "not on the floor"
        colors = bands["color"].reshape(-1, bands["color"].shape[-1])[:, :3].astype(float)
        green = colors[:, 1] > colors[:, 0] + 1e-3 * colors.max()
        assert green.any() == any(np.ptp(COMMANDED) > 0.1 for _ in TRAVELLED)
        told_z = bands["corners"][green].reshape(-1, 3)[:, 2]
        np.testing.assert_allclose([told_z.min(), told_z.max()], reach, atol=0.15)
