from __future__ import annotations

import numpy as np

from kinema.rendering.camera import Camera
from kinema.rendering.reconstruction.numbers import Numbers
from kinema.rendering.reconstruction.photos import Lens
from kinema.rendering.reconstruction.picture import draw
from kinema.worlds.shapes import box
from kinema.worlds.surfels import surfels


def test_inverse_depths_of_a_plane_are_linear_and_do_not_vary() -> None:
    wall = surfels(box((0, 0, 0), (6, 6, 0.001), (0.5, 0.5, 0.5)), 0.1)
    lens = Lens.of(Camera.look_at((1.0, 0.5, 2.0), (0, 0, 0), 0.6), 24, 24)
    drawn = draw(Numbers.of(wall), lens, 0.05)
    alpha = 1.0 - drawn.clear
    inverse = drawn.sums[..., 3] / alpha
    row, column = np.indices((24, 24)) + 0.5
    rays = lens.rays(np.stack([column, row], axis=-1))
    assert np.abs(inverse + rays[..., 2] / lens.position[2]).max() < 0.01
    assert np.abs(drawn.sums[..., 4] / alpha - inverse**2).max() < 2e-4
