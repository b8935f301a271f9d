"""Lights as uniforms."""

import numpy as np
import pytest

from kinema import KinemaError
from kinema.rendering.camera import Camera
from kinema.rendering.passes.lighting import light_uniforms
from kinema.rendering.view import Floor, PointLight, Sky, Sun, View

CAMERA = Camera.look_at((0, 0, 4), (0, 0, 0))


def test_intensity_scales_colours_and_the_sun_is_a_direction():
    view = View(CAMERA, sun=Sun((0, 3, 4), (1, 0.5, 0.25), 2.0), points=(PointLight((1, 2, 3), (1, 0, 0), 5.0, 7.0),))
    found = light_uniforms(view, None, 512, 8)
    np.testing.assert_allclose(found["sun_toward"], (0, 0.6, 0.8))
    assert found["sun_color"] == (2.0, 1.0, 0.5) and found["point_count"] == 1
    np.testing.assert_allclose(found["point_places"][:4], (1, 2, 3, 7))
    np.testing.assert_allclose(found["point_colors"][:3], (5, 0, 0))
    assert found["shadow_taps"] == 0  # no map, no shadows


def test_too_many_points_are_said():
    with pytest.raises(KinemaError, match="at most 16 point lights, not 20"):
        light_uniforms(View(CAMERA, points=(PointLight((0, 0, 0)),) * 20), None, 512, 8)


def test_lambert(renderer, shapes):
    """A matte ball in the light of a sun alone is as bright as the cosine says."""
    from kinema.character import Material
    from kinema.rendering.view import Sky

    matte = Material(metallic=0.0, roughness=1.0, base_color=(0.5, 0.5, 0.5, 1))
    ball = shapes.rest(shapes.ball(0.5, material=matte, rings=96))
    view = View(
        CAMERA,
        (ball,),
        sun=Sun((0, 0, 1), (1, 1, 1), 3.0, shadows=False),
        sky=Sky(intensity=0, backdrop=(0, 0, 0, 1)),
        floor=None,
    )
    frame = renderer.render(view, ("color", "normals", "entities"))
    seen = (frame.entities == 1) & (frame.normals[..., 2] > 0.6)
    linear = ((frame.color[seen][:, 0] / 255 + 0.055) / 1.055) ** 2.4
    expected = 0.5 * 3.0 / np.pi * frame.normals[seen][:, 2]
    assert np.abs(linear - expected).max() < 0.05


def test_an_invisible_floor_keeps_its_grid_where_it_has_one(renderer):
    camera = Camera.look_at((0, 4, 0.01), (0, 0, 0), height=4.0)
    for cell, inked in ((0.0, False), (1.0, True)):
        floor = Floor(cell=cell, fade=500, catcher=True)
        alpha = renderer.render(View(camera, floor=floor, sky=Sky(backdrop=(0, 0, 0, 0)))).color[..., 3]
        assert bool(alpha.max() > 60) == inked and np.median(alpha) == 0
