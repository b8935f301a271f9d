"""Ambient occlusion: corners are dark, open floors are not."""

import numpy as np
import pytest

from kinema.rendering.camera import Camera
from kinema.rendering.renderer import Renderer
from kinema.rendering.view import Floor, Sky, Sun, View

SKY = Sky((1, 1, 1), (1, 1, 1), (1, 1, 1), 0.6, (0, 0, 0, 1))


@pytest.fixture(scope="module")
def fine(driver):
    with Renderer(160, 120, "standard") as made:
        yield made


def test_feet_of_a_box_are_grounded_and_the_open_floor_is_not(fine, shapes):
    camera = Camera.look_at((0, 1.5, 4), (0, 0.4, 0))
    box = shapes.rest(shapes.box((0.8, 0.8, 0.8), at=(0, 0.4, 0)))
    view = View(camera, (box,), sun=Sun(intensity=0), sky=SKY, floor=Floor(cell=0, fade=500))
    frame = fine.render(view, ("color", "entities"))
    shade = frame.color[..., 0].astype(int)
    foot = np.flatnonzero(frame.entities[:, 80])[-1]
    front, away = shade[foot + 2, 80], shade[115, 5]
    assert front < away - 15
    assert np.ptp(shade[100:118, 2:20]) <= 4  # nothing near: even


def test_nothing_is_hidden_on_a_lone_ball(fine, shapes):
    """A convex body hides no sky from itself."""
    frame = fine.render(
        View(
            Camera.look_at((0, 0, 4), (0, 0, 0)),
            (shapes.rest(shapes.ball(0.5, rings=96)),),
            sun=Sun(intensity=0),
            sky=SKY,
            floor=None,
        ),
        ("color", "entities"),
    )
    assert np.ptp(frame.color[50:70, 70:90, 0].astype(int)) <= 6
