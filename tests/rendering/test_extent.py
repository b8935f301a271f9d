"""The part of a picture that bodies are in."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from kinema.rendering import renderer as renderers
from kinema.rendering.camera import Camera
from kinema.rendering.extent import extent
from kinema.rendering.view import Sky, View

SIZE = (320, 200)
CAMERA = Camera.look_at((0, 1, 6), (0, 0.5, 0), fov=0.8)
FLAT = dataclasses.replace(CAMERA, height=4.0)


@pytest.mark.parametrize("camera", [CAMERA, FLAT], ids=["perspective", "orthographic"])
def test_all_of_a_sphere_is_in_it_and_little_else(camera: Camera) -> None:
    rng = np.random.default_rng(4)
    ways = rng.normal(size=(4000, 3))
    ways /= np.linalg.norm(ways, axis=1, keepdims=True)
    for _ in range(40):
        center, radius = rng.uniform((-3, -2, -4), (3, 3, 3)), rng.uniform(0.05, 0.8)
        left, bottom, width, height = extent(camera, SIZE, center[None], np.array([radius]))
        x, y, _ = np.moveaxis(camera.project(center + radius * ways, *SIZE), -1, 0)
        y = SIZE[1] - y
        inside = (x >= 0) & (x < SIZE[0]) & (y >= 0) & (y < SIZE[1])
        x, y = x[inside], y[inside]
        assert (x >= left).all() and (x < left + width).all() and (y >= bottom).all() and (y < bottom + height).all()
        if inside.all():
            assert width < np.ptp(x) * 1.4 + 34 and height < np.ptp(y) * 1.4 + 34


def test_nothing_behind_everything_around() -> None:
    one = np.array([0.4])
    assert extent(CAMERA, SIZE, np.zeros((0, 3)), np.zeros(0)) == (0, 0, 0, 0)
    assert extent(CAMERA, SIZE, np.array([[0.0, 1, 9]]), one)[2:] == (0, 0)
    assert extent(CAMERA, SIZE, np.array([[0.1, 1, 6]]), one) == (0, 0, *SIZE)
    assert extent(CAMERA, SIZE, np.array([[40.0, 1, 0]]), one)[2] == 0


@pytest.mark.parametrize("quality", ["draft", "standard", "high"])
def test_pictures_of_a_part_are_those_of_the_whole(
    driver: str, shapes, quality: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    bodies = (shapes.rest(shapes.ball(0.4, at=(-0.8, 0.2, 0))), shapes.rest(shapes.box(0.3)))
    view = View(CAMERA, bodies, sky=Sky(zenith=(0.1, 0.2, 0.4)), floor=None)
    found = []
    for whole in (False, True):
        if whole:
            monkeypatch.setattr(renderers, "extent", lambda camera, size, centers, radii: (0, 0, *size))
        with renderers.Renderer(*SIZE, quality) as renderer:
            renderer.render(view)
            found.append(renderer.render(view).color.astype(int))
    assert np.abs(found[0] - found[1]).max() <= 1
    assert np.ptp(found[0]) > 100
