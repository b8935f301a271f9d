"""Faces that change while they are looked at."""

from __future__ import annotations

import dataclasses
from types import SimpleNamespace

import numpy as np
import pytest

pytest.importorskip("viser", reason="viser is not installed: pip install 'kinema[view]'")

from kinema import Skeleton
from kinema.character import Character, Mesh, Morph
from kinema.pose import Pose
from kinema.viewer.parts import MORPH_SECONDS, READY_SECONDS, SETTLE_SECONDS, PartView
from kinema.viewer.skins import skin_parts

REST = np.zeros((1, 3), np.float32)


@pytest.fixture
def head() -> Character:
    """A square of two triangles on one joint, whose seam a target opens, and another mesh without targets."""
    skeleton = Skeleton.create(["head"], [-1], [[0, 0, 0]])
    corners = np.float32([[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]])
    normals = np.tile(np.float32([0, 0, 1]), (6, 1))
    mesh = Mesh("face", corners, normals, np.uint32([[0, 1, 2], [3, 4, 5]]), joint=0)
    opened = np.zeros_like(corners)
    opened[3:, 0] = 1.0
    targets = Morph("open", opened), Morph("puff", 0.5 * corners, weight=0.2)
    return Character("head", skeleton, (mesh, dataclasses.replace(mesh, morphs=targets)))


class Node(SimpleNamespace):
    """What a part needs of a node of viser's."""

    def __init__(self, suffix: str) -> None:
        super().__init__(suffix=suffix, visible=True, vertices=None, bones=[SimpleNamespace(wxyz=None, position=None)])


def test_vertices_are_those_of_our_own_skinning(head: Character) -> None:
    plain, part = skin_parts(head)
    assert plain.face is None and part.face is not None
    assert len(plain.vertices) == 4, "welded"
    assert len(part.vertices) == 6, "what a target tears apart is not welded"
    weights = np.float32([0.7, 0.4])
    expected = head.meshes[1].morphed(weights)[part.face.chosen]
    np.testing.assert_allclose(part.face.vertices(weights), expected, atol=1e-6)
    np.testing.assert_allclose(part.vertices, head.meshes[1].morphed()[part.face.chosen], atol=1e-6)


def test_a_new_face_is_made_out_of_sight_and_then_changes_places(head: Character) -> None:
    nodes: list[Node] = []

    def make(suffix: str) -> Node:
        nodes.append(Node(suffix))
        return nodes[-1]

    part = skin_parts(head)[1]
    view = PartView(part, make)  # type: ignore[arg-type]

    def posed(weights: np.ndarray, aside: float = 0.0) -> Pose:
        positions = REST + np.float32(aside)
        return Pose.from_model(head.skeleton, np.float32([[1, 0, 0, 0]]), positions, morph_weights=weights)

    view.update(posed(np.float32([0, 0.2])), 10.0)
    assert len(nodes) == 1 and not view.unfinished, "the face at rest needs no second node"
    view.update(posed(np.float32([1, 0.2])), 10.1)
    first, second = nodes
    assert first.visible and not second.visible and view.unfinished
    assert second.vertices is not None and part.face is not None
    np.testing.assert_allclose(second.vertices, part.face.vertices(np.float32([1, 0.2])))
    view.update(posed(np.float32([0.5, 0.2]), 1.0), 10.1 + 0.5 * READY_SECONDS)
    assert second.bones[0].position == pytest.approx([1, 1, 1], abs=1e-3), "it takes the pose while it waits"
    assert first.visible and not second.visible
    view.update(posed(np.float32([0.5, 0.2])), 10.1 + 1.1 * READY_SECONDS)
    assert second.visible and not first.visible and view.handle is second
    sent = second.vertices.copy()
    view.update(posed(np.float32([0.5, 0.2])), 10.1 + 0.99 * MORPH_SECONDS)
    assert first.vertices is None and view.unfinished, "not so soon again, but not forgotten"
    view.update(posed(np.float32([0.5, 0.2])), 10.1 + 1.1 * MORPH_SECONDS)
    assert first.vertices is not None
    np.testing.assert_array_equal(second.vertices, sent)
    view.update(posed(np.float32([0.5, 0.2])), 11.0)
    view.update(posed(np.float32([0.505, 0.2])), 11.0 + 2 * SETTLE_SECONDS)
    assert not view.unfinished, "a change that nobody sees is not sent"
