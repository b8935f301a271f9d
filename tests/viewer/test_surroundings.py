"""Ground, lights and first camera."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

pytest.importorskip("viser", reason="viser is not installed: pip install 'kinema[view]'")

import viser

from kinema.rendering.view import Floor, PointLight, Sun, View
from kinema.viewer.guard import quiet
from kinema.viewer.screen import CAMERA
from kinema.viewer.surroundings import Surroundings


@pytest.fixture
def server() -> Iterator[Any]:
    with quiet():
        opened = viser.ViserServer(host="127.0.0.1", port=0, verbose=False)
    yield opened
    with quiet():
        opened.stop()


def test_the_world_moves_instead_of_the_camera(server: Any):
    around = Surroundings(server, 1.7)
    around.follow(np.array([10.3, 0.5, -7.9]))
    assert around._world.position == pytest.approx([-10.3, -0.5, 7.9])
    assert np.abs(around._ground.position).max() < 2.0 + 1e-6
    lines = (np.asarray(around._ground.position) - np.asarray(around._world.position))[[0, 2]] / 2.0
    assert lines == pytest.approx(np.round(lines), abs=1e-6)  # the lines of the grid stay where they are in the world
    around.follow(np.array([12.3, 0.0, -7.9]), share=0.5)
    assert around._world.position[0] == pytest.approx(-11.3) and around._centre[0] == pytest.approx(11.3)


def test_the_grid_is_at_the_height_of_the_plane(server: Any):
    around = Surroundings(server, 1.7)
    around.light(View(CAMERA, floor=Floor(y=0.3)))
    around.follow(np.array([0.0, 1.0, 0.0]))
    assert around._ground.position[1] == pytest.approx(0.3 - 1.0, abs=0.01) and around._ground.visible
    around.light(View(CAMERA, floor=Floor(plane=False)))
    assert not around._ground.visible


def test_lights_are_those_of_the_view_and_sent_once(server: Any, monkeypatch: pytest.MonkeyPatch):
    around = Surroundings(server, 1.7)
    suns: list[Any] = []
    add = server.scene.add_light_directional
    monkeypatch.setattr(server.scene, "add_light_directional", lambda *a, **k: (suns.append(k), add(*a, **k))[1])
    view = View(CAMERA, sun=Sun(toward=(0, 2, 0), shadows=False), points=(PointLight((1, 2, 3)),), floor=None)
    around.light(view)
    around.light(view)
    assert len(suns) == 1 and suns[0]["position"] == pytest.approx((0, 3.6 * 1.7, 0)) and not suns[0]["cast_shadow"]
    assert len(around._lamps) == 1 and not around._ground.visible
    around.light(View(CAMERA))
    assert len(suns) == 2 and around._lamps == [] and around._ground.visible
