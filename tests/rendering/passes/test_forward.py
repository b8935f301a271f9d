"""What is seen through: the order in which it is drawn."""

import numpy as np

from kinema.rendering.camera import Camera
from kinema.rendering.view import Sky, View

CAMERA = Camera.look_at((0, 0, 4), (0, 0, 0))


def test_nearer_ghosts_cover_farther_ones_whatever_their_order(renderer, shapes):
    def picture(order):
        instances = shapes.rest(shapes.box(), 2, tints=np.float32([[1, 0.1, 0.1, 0.6], [0.1, 0.1, 1, 0.6]])[order])
        instances.pose.global_positions[:, 0, 2] = np.array([0.0, -2.0])[order]
        return renderer.render(View(CAMERA, (instances,), sky=Sky(backdrop=(0, 0, 0, 1)), floor=None)).color

    first, second = picture([0, 1]), picture([1, 0])
    np.testing.assert_array_equal(first, second)
    middle = first[60, 80].astype(int)
    assert middle[0] > middle[2] > 20  # red is in front, and blue shines through


def test_a_ghost_shows_its_outside_only(renderer, shapes):
    """Far faces of the same body do not shine through its near ones."""

    def picture(double):
        from kinema.character import Material

        material = Material(metallic=0.0, roughness=1.0, double_sided=double)
        instances = shapes.rest(shapes.ball(0.5, material=material), tints=np.float32([[1, 1, 1, 0.5]]))
        return renderer.render(View(CAMERA, (instances,), sky=Sky(backdrop=(0, 0, 0, 1)), floor=None)).color

    np.testing.assert_array_equal(picture(False)[40:80, 60:100], picture(True)[40:80, 60:100])


def test_ghosts_hide_behind_what_is_solid(renderer, shapes):
    ghost = shapes.rest(shapes.box(), tints=np.float32([[1, 0, 0, 0.5]]))
    wall = shapes.rest(shapes.box((3, 3, 0.1), at=(0, 0, 1)))
    alone = renderer.render(View(CAMERA, (wall,), floor=None)).color
    both = renderer.render(View(CAMERA, (wall, ghost), floor=None)).color
    assert np.abs(alone[40:80, 50:110].astype(int) - both[40:80, 50:110]).max() <= 1
