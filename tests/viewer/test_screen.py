"""Views in the browser."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

pytest.importorskip("viser", reason="viser is not installed: pip install 'kinema[view]'")

from kinema import Skeleton
from kinema.rendering.draw import Draw
from kinema.rendering.view import Instances, View
from kinema.session.target import CameraTarget
from kinema.viewer.page import Viewer, open_viewer
from kinema.viewer.screen import CAMERA, ViewScreen

from ..session.conftest import blocks


@pytest.fixture
def viewer() -> Iterator[Viewer]:
    with open_viewer(port=0, mode="play") as opened:
        yield opened


def target(x: float = 0.0, size: float = 1.7) -> CameraTarget:
    return CameraTarget(np.array([x, 0.0, 0.0]), 0.0, size, np.zeros((1, 3)))


def test_bodies_marks_and_ground_come_with_the_view(viewer: Viewer, biped: Skeleton):
    screen, draw = ViewScreen(viewer.server), Draw()
    draw.spheres(np.array([[5.0, 1.0, 0.0]]))
    view = View(CAMERA, (Instances(blocks(biped), biped.rest_pose, np.ones(1, np.int32)),), draw=draw)
    screen.show(view, target(), anchor=np.array([4.0, 0.0, 0.0]))
    nodes = set(viewer.server.scene._handle_from_node_name)
    assert any(name.startswith("/world/body/crowd-") for name in nodes) and "/world/marks/balls" in nodes
    marks = viewer.server.scene._handle_from_node_name["/world/marks"]
    balls = viewer.server.scene._handle_from_node_name["/world/marks/balls"]
    assert marks.position.tolist() == [4, 0, 0] and balls.batched_positions[0].tolist() == [1, 1, 0]
    screen.show(View(CAMERA), target())
    nodes = set(viewer.server.scene._handle_from_node_name)
    assert not any(name.startswith("/world/body/crowd-") for name in nodes) and not balls.visible


def test_the_first_view_jumps_to_its_target_and_later_ones_follow(viewer: Viewer):
    screen = ViewScreen(viewer.server, behind=True)
    screen.show(View(CAMERA), target(10.0), follow=0.2)
    around = screen._around
    assert around is not None and around._centre[0] == 10.0 and viewer.server.initial_camera.position[2] < 0
    screen.show(View(CAMERA), target(20.0), follow=0.2)
    assert around._centre[0] == pytest.approx(12.0)
    screen.show(View(CAMERA), target(20.0, size=1.8), follow=0.0)
    assert screen._around is around and around._centre[0] == pytest.approx(12.0)
    screen.show(View(CAMERA), target(20.0, size=5.0), follow=0.2)
    assert screen._around is not around, "another size has another ground and camera"
