"""Terrain in the browser."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

pytest.importorskip("viser", reason="viser is not installed: pip install 'kinema[view]'")

import viser

from kinema import rotations
from kinema.rendering.view import Floor
from kinema.terrain import Placed, Union, block, relief, slope, stairs
from kinema.viewer.guard import quiet
from kinema.viewer.terrain_nodes import TerrainNodes, squares


@pytest.fixture
def server() -> Iterator[Any]:
    with quiet():
        opened = viser.ViserServer(host="127.0.0.1", port=0, verbose=False)
    yield opened
    with quiet():
        opened.stop()


def floor(*grounds) -> Floor:
    return Floor().over(Union(grounds), np.zeros(3))


def names(server: Any) -> set[str]:
    return {name for name in server.scene._handle_from_node_name if name.startswith("/t/")}


def test_surfaces_come_stay_move_and_go(server: Any):
    nodes, lift, steps = TerrainNodes(server, "/t"), block(1, 1, 0.2), stairs()
    nodes.show(floor(steps, Placed(lift, (1.0, 2.0, 3.0), 0.5)))
    first = names(server)
    frames = [server.scene._handle_from_node_name[name] for name in first if name.count("/") == 2]
    assert len(frames) == 2
    placed = next(frame for frame in frames if frame.position.tolist() == [1, 2, 3])
    np.testing.assert_allclose(placed.wxyz, rotations.from_yaw(np.float64(0.5)), atol=1e-6)
    nodes.show(floor(steps, Placed(lift, (1.0, 2.5, 3.0), 0.5)))
    assert names(server) == first and placed.position.tolist() == [1, 2.5, 3], "only the place was sent"
    nodes.show(floor(steps))
    assert names(server) < first and names(server)
    nodes.show(None)
    assert not names(server)


def test_meshes_hold_all_triangles(server: Any):
    ground = stairs()
    TerrainNodes(server, "/t").show(floor(ground))
    meshes = [server.scene._handle_from_node_name[name] for name in names(server) if name.count("/") == 3]
    corners = np.concatenate([mesh.vertices[mesh.faces] for mesh in meshes])
    surface = relief(ground, np.zeros(3), 1.0).surfaces[0].surface
    wanted = surface.vertices[surface.triangles]
    assert sorted(corners.reshape(-1, 9).tolist()) == sorted(wanted.reshape(-1, 9).tolist())


def test_squares_alternate_and_steep_faces_are_apart():
    surface = relief(slope(rise=0.5, width=4.0), np.zeros(3), 1.0).surfaces[0].surface
    light, dark, steep = squares(surface, 0.5)
    assert (light.astype(int) + dark + steep == 1).all()
    assert light.sum() == pytest.approx(dark.sum(), rel=0.2)
    assert (np.abs(surface.normals[surface.triangles][steep, 0, 1]) < 0.7).all()
    assert not squares(surface, 0.0)[1].any()
