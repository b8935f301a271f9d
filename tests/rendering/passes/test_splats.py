"""A captured scene around bodies: what hides what, and shadows."""

from __future__ import annotations

import numpy as np
import pytest

from kinema.rendering.camera import Camera
from kinema.rendering.splats.rasterise import rasterise
from kinema.rendering.view import Sky, Sun, View
from kinema.worlds.made import make_world
from kinema.worlds.shapes import box, relief
from kinema.worlds.surfels import surfels

from ...worlds.conftest import drawn

CAMERA = Camera.look_at((0, 0.8, 5), (0, 0.3, 0), fov=0.6)
BACK = Sky(backdrop=(0.0, 0.0, 0.0, 1.0))


def wall(z: float):
    """Covers the left half of the picture, at a depth."""
    return surfels(box((-1.0, 0.3, z), (2.0, 3.0, 0.05), (0.2, 0.7, 0.2)), 0.03)


def test_a_scene_hides_what_is_behind_it_and_no_more(renderer, shapes):
    ball = (shapes.rest(shapes.ball(0.5)),)
    height, width = renderer.height, renderer.width
    alone = renderer.render(View(CAMERA, ball, floor=None, sky=BACK), ("entities", "depth"))
    for z in (1.0, -1.0):
        scene = wall(z)
        frame = renderer.render(View(CAMERA, ball, floor=None, sky=BACK, splats=scene), ("color", "entities", "depth"))
        picture = rasterise(scene, CAMERA, width, height)
        hidden = (picture.alpha > 0.5) & (picture.depth < np.where(np.isfinite(alone.depth), alone.depth, np.inf))
        np.testing.assert_array_equal(frame.entities, np.where(hidden, 0, alone.entities))
        both = hidden & (alone.entities == 1)
        assert both.any() == (z > 0)
        nearest = np.where(picture.alpha > 0.5, picture.depth, np.inf)
        np.testing.assert_allclose(frame.depth, np.minimum(nearest, alone.depth), rtol=1e-3)
        seen = frame.color[(picture.alpha > 0.98) & hidden][:, :3].astype(int)
        assert (seen[:, 1] > 2 * seen[:, 0]).mean() > 0.95, "the wall is green"


@pytest.mark.parametrize("kind", ["street", "park"])
def test_the_card_draws_what_the_processor_draws(renderer, shapes, kind):
    scene = make_world(kind, 1).scene(0.15)
    scene = scene.joined(drawn(3000, 9).moved(scale=0.4))
    camera = Camera.look_at((0.5, 1.6, -4.5), (0, 1.0, 0), fov=0.8)
    view = View(camera, (shapes.rest(shapes.ball(0.5, at=(0, 1.0, 0))),), floor=None, splats=scene)
    found = []
    for by_card in (False, True):
        renderer.splats.by_card = by_card
        frame = renderer.render(view, ("color", "depth", "entities"))
        found.append(frame)
    renderer.splats.by_card = False
    one, two = (frame.color[..., :3].astype(float) for frame in found)
    assert 10 * np.log10(255.0**2 / np.mean((one - two) ** 2)) > 45.0
    assert (found[0].entities != found[1].entities).mean() < 2e-3
    far = [np.where(np.isfinite(frame.depth), frame.depth, 0.0) for frame in found]
    assert (np.abs(far[0] - far[1]) < 0.02 * far[0].clip(1.0)).mean() > 0.99
    assert one.std() > 20


def test_bodies_cast_their_shadows_on_a_scene(renderer, shapes):
    floor = surfels(
        relief(lambda x, z: np.zeros_like(x), lambda x, z: np.full((*x.shape, 3), 0.5), (-3, -3), (3, 3), 0.5), 0.04
    )
    camera = Camera.look_at((0, 6, 0.01), (0, 0, 0), fov=0.6)
    sun = Sun((1.0, 1.0, 0.0), intensity=3.0)
    ball = (shapes.rest(shapes.ball(0.4, at=(0, 1.0, 0))),)
    bare, shaded = (
        renderer.render(View(camera, bodies, sun, floor=None, splats=floor)).color[..., :3].mean(axis=-1)
        for bodies in ((), ball)
    )
    x, y, _ = camera.project([-1.0, 0.0, 0.0], renderer.width, renderer.height)
    row, column = int(y), int(x)
    assert shaded[row, column] < 0.85 * bare[row, column], "where the sun is hidden"
    opposite = camera.project([1.0, 0.0, 0.0], renderer.width, renderer.height)[:2].astype(int)
    assert abs(shaded[opposite[1], opposite[0]] - bare[opposite[1], opposite[0]]) < 3
    assert shaded[row, column] / bare[row, column] > 0.2, "the light of the sky stays"


def test_a_scene_is_seen_without_any_body(renderer):
    scene = wall(0.0)
    frame = renderer.render(View(CAMERA, floor=None, sky=BACK, splats=scene))
    picture = rasterise(scene, CAMERA, renderer.width, renderer.height)
    inside = picture.alpha > 0.98
    assert inside.mean() > 0.2
    off = np.abs(frame.color[inside][:, :3] / 255.0 - picture.colour[inside]).max(axis=-1)
    assert (off < 0.01).mean() > 0.95, "but for edges, which are smoothed"
