from __future__ import annotations

import numpy as np

from kinema.rendering.camera import Camera
from kinema.rendering.splats.light import light_of
from kinema.rendering.view import View
from kinema.worlds import made
from kinema.worlds.made import make_world
from kinema.worlds.surfels import surfels


def test_a_made_world_lights_bodies_as_it_is_lit(renderer, shapes) -> None:
    """A grey box, rendered in the light that was found, looks as the same box as a part of the scene does."""
    from kinema.character import Material
    from kinema.worlds.shapes import box

    world = make_world("park", 2)
    sun, sky = light_of(world.scene(0.12))
    assert np.degrees(np.arccos(np.dot(sun.toward, made._SUN))) < 5.0
    grey = 0.5
    mesh = shapes.box(
        (1, 1, 1), at=(0, 0, 0), material=Material(metallic=0.0, roughness=1.0, base_color=(grey**2.2,) * 3 + (1,))
    )
    camera = Camera.look_at((2.5, 2.5, 3.0), (0, 0, 0), fov=0.5)
    drawn = renderer.render(View(camera, (shapes.rest(mesh),), sun, sky=sky, floor=None), ("color", "entities"))
    splats = surfels(made.lit(box((0, 0, 0), (1, 1, 1), (grey,) * 3)), 0.02)
    truth = renderer.render(View(camera, floor=None, splats=splats))
    inside = drawn.entities == 1
    off = drawn.color[inside][:, :3].astype(float).mean(axis=0) / truth.color[inside][:, :3].astype(float).mean(axis=0)
    assert (np.abs(off - 1.0) < 0.25).all(), off


def test_it_is_worked_out_once() -> None:
    scene = make_world("park", 2).scene(0.3)
    assert light_of(scene) is light_of(scene)
