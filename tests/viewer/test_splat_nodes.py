"""Captured scenes in the browser."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

pytest.importorskip("viser", reason="viser is not installed: pip install 'kinema[view]'")

import viser

from kinema.viewer.guard import quiet
from kinema.viewer.splat_nodes import SplatNodes, thinned

from ..worlds.conftest import drawn


@pytest.fixture
def server() -> Iterator[Any]:
    with quiet():
        opened = viser.ViserServer(host="127.0.0.1", port=0, verbose=False)
    yield opened
    with quiet():
        opened.stop()


def test_a_scene_is_sent_once_and_goes(server: Any) -> None:
    nodes, scene = SplatNodes(server, "/s"), drawn(50, 4)
    nodes.show(scene)
    node = server.scene._handle_from_node_name["/s"]
    nodes.show(scene)
    assert server.scene._handle_from_node_name["/s"] is node
    nodes.show(drawn(20))
    assert server.scene._handle_from_node_name["/s"] is not node
    nodes.show(None)
    assert "/s" not in server.scene._handle_from_node_name


def test_of_large_scenes_what_is_seen_most_is_sent() -> None:
    scene = drawn(400)
    few = thinned(scene, 100)
    area = np.exp(np.sort(scene.log_scales, axis=-1)[:, 1:].sum(axis=-1)) * scene.opacities
    kept = np.exp(np.sort(few.log_scales, axis=-1)[:, 1:].sum(axis=-1)) * few.opacities
    assert len(few) == 100
    assert kept.min() >= np.sort(area)[-101]
    assert thinned(scene) is scene
