"""Glow around what is brighter than white, and around nothing else."""

import numpy as np
import pytest

from kinema.character import Material
from kinema.rendering.camera import Camera
from kinema.rendering.renderer import Renderer
from kinema.rendering.view import Sky, Sun, View


@pytest.mark.parametrize(("shining", "glows"), [(6.0, True), (0.8, False)])
def test_glow(driver, shapes, shining, glows):
    lamp = Material(base_color=(0, 0, 0, 1), emissive=(shining, shining, shining))
    view = View(
        Camera.look_at((0, 0, 4), (0, 0, 0)),
        (shapes.rest(shapes.ball(0.3, material=lamp)),),
        sun=Sun(intensity=0),
        sky=Sky(intensity=0, backdrop=(0, 0, 0, 1)),
        floor=None,
    )
    with Renderer(160, 120) as renderer:
        frame = renderer.render(view, ("color", "entities"))
    around = frame.color[60, 80 + 28, 0]  # outside the ball, whose radius is 15 pixels
    assert (around > 10) == glows
    assert frame.color[2, 2, 0] <= around
    left, right = frame.color[:, :80, 0].astype(int), frame.color[:, :79:-1, 0].astype(int)
    assert np.abs(left - right).mean() < 1.5  # it spreads evenly
