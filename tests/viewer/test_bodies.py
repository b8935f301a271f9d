"""Bodies as nodes: a few skinned, crowds in pieces."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

pytest.importorskip("viser", reason="viser is not installed: pip install 'kinema[view]'")

from kinema import Skeleton
from kinema.character import Character, Mesh
from kinema.rendering.view import Instances
from kinema.viewer.bodies import SMOOTH, TRIANGLES, Bodies
from kinema.viewer.page import Viewer, open_viewer

from ..session.conftest import blocks


@pytest.fixture
def viewer() -> Iterator[Viewer]:
    with open_viewer(port=0, mode="play") as opened:
        yield opened


def soft(skeleton: Skeleton) -> Character:
    """A tube from the hips to the head that bends at the spine."""
    character = blocks(skeleton)
    spine = [skeleton.index(name) for name in ("Hips", "Spine", "Chest", "Neck")]
    rest = skeleton.rest_pose.global_positions
    ring = np.array([[np.cos(a), 0, np.sin(a)] for a in np.arange(12) * np.pi / 6], np.float32)
    positions = np.concatenate([rest[joint] + 0.1 * ring for joint in spine]).astype(np.float32)
    joints = np.repeat(np.array([[a, b] for a, b in zip(spine, [*spine[1:], spine[-1]], strict=True)]), 12, axis=0)
    inverse_bind = np.tile(np.eye(4, dtype=np.float32), (len(rest), 1, 1))
    inverse_bind[:, :3, 3] = -rest
    step = np.arange(12)
    first = np.concatenate([12 * row + step for row in range(3)])
    after = np.concatenate([12 * row + (step + 1) % 12 for row in range(3)])
    faces = np.concatenate([np.stack([first, after, first + 12], 1), np.stack([after, after + 12, first + 12], 1)])
    mesh = Mesh(
        "tube",
        positions,
        np.tile(ring, (4, 1)),
        faces.astype(np.uint32),
        joints=joints.astype(np.int32),
        weights=np.full((48, 2), 0.5, np.float32),
        inverse_bind=np.stack(
            [np.block([[np.eye(3), -p[:, None]], [np.zeros((1, 3)), np.ones((1, 1))]]) for p in rest]
        ),
        material=0,
    )
    return dataclasses.replace(character, meshes=(mesh,))


def instances(character: Character, ids: list[int], tints: Any = None) -> Instances:
    places = np.array([[number, 0, 0] for number in ids], np.float32)
    pose = character.skeleton.rest_pose[None][np.zeros(len(ids), np.int64)].replace(root_positions=places)
    return Instances(character, pose, np.array(ids, np.int32), tints)


def nodes(viewer: Viewer, kind: str) -> dict[str, Any]:
    found = viewer.server.scene._handle_from_node_name
    return {name: handle for name, handle in found.items() if name.startswith(f"/world/body/{kind}")}


def visible(viewer: Viewer) -> int:
    return sum(handle.visible for handle in nodes(viewer, "smooth").values())


def test_bones_stand_where_the_joints_are(viewer: Viewer, biped: Skeleton):
    bodies, character = Bodies(viewer.server, "/world/body"), soft(biped)
    bodies.show([instances(character, [2])], 0.0)
    (handle,) = nodes(viewer, "smooth").values()
    (body,) = bodies._smooth.values()
    rest = biped.rest_pose.global_positions
    for bone, joint in body._parts[0].moving:
        assert handle.bones[bone].position == pytest.approx(rest[joint] + [2, 0, 0], abs=1e-3)
    assert nodes(viewer, "crowd") == {}


def test_a_crowd_has_one_skinned_body_and_the_rest_in_pieces(viewer: Viewer, biped: Skeleton):
    bodies, character = Bodies(viewer.server, "/world/body"), soft(biped)
    bodies.show([instances(character, list(range(1, SMOOTH + 1)))], 0.0)
    assert len(nodes(viewer, "smooth")) == SMOOTH == visible(viewer)
    bodies.show([instances(character, list(range(1, 51)))], 1.0)
    assert visible(viewer) == 1 and list(bodies._smooth) == [1]
    for handle in nodes(viewer, "crowd").values():
        places = np.asarray(handle.batched_positions)
        assert len(places) == 49 and places[:, 1].min() > -1.0
    bodies.show([instances(character, list(range(1, 21)))], 2.0)
    for handle in nodes(viewer, "crowd").values():
        assert (np.asarray(handle.batched_positions)[:, 1] < -100).sum() == 49 - 19, "the others wait out of sight"
    bodies.show([], 3.0)
    assert nodes(viewer, "crowd") == {} and visible(viewer) == 0
    bodies.show([instances(character, [7])], 4.0)
    assert visible(viewer) == 1 and len(nodes(viewer, "smooth")) == SMOOTH, "a hidden body is used again"


def test_pieces_together_are_the_body(viewer: Viewer, biped: Skeleton):
    bodies, character = Bodies(viewer.server, "/world/body"), blocks(biped)
    bodies.show([instances(character, [3, 9])], 0.0)
    crowd = nodes(viewer, "crowd")
    assert len(crowd) == biped.joint_count and nodes(viewer, "smooth") == {}
    corners = np.concatenate(
        [np.asarray(one.vertices) + np.asarray(one.batched_positions)[1] for one in crowd.values()]
    )
    whole = np.concatenate(character.skin(biped.rest_pose)) + np.float32([9, 0, 0])
    assert corners.min(axis=0) == pytest.approx(whole.min(axis=0), abs=1e-4)
    assert corners.max(axis=0) == pytest.approx(whole.max(axis=0), abs=1e-4)


def test_tints_colour_and_fade(viewer: Viewer, biped: Skeleton):
    bodies = Bodies(viewer.server, "/world/body")
    red = np.array([[1.0, 0.0, 0.0, 0.5]], np.float32)
    bodies.show([instances(soft(biped), [1], red), instances(blocks(biped), [2], red)], 0.0)
    (smooth,) = nodes(viewer, "smooth").values()
    assert smooth.color[0] > 100 and smooth.color[1:] == (0, 0) and smooth.opacity == pytest.approx(0.5)
    piece = next(iter(nodes(viewer, "crowd").values()))
    assert piece.batched_opacities[0] == pytest.approx(0.5) and piece.batched_colors[0, 1:].tolist() == [0, 0]


def test_bodies_with_other_joints_share_the_scene(viewer: Viewer, biped: Skeleton):
    bodies = Bodies(viewer.server, "/world/body")
    stick = blocks(Skeleton.create(["a", "b"], [-1, 0], [[0, 0, 0], [0, 1, 0]]))
    bodies.show([instances(soft(biped), [1]), instances(stick, [2]), instances(soft(biped), [4])], 0.0)
    assert visible(viewer) == 2 and len(nodes(viewer, "crowd")) == 2


def test_large_crowds_are_coarser():
    from kinema.viewer.skins import coarser, skin_parts

    skeleton = Skeleton.create(["a"], [-1], [[0, 0, 0]])
    grid = np.stack(np.meshgrid(np.linspace(0, 1, 60), np.linspace(0, 1, 60)), -1).reshape(-1, 2)
    positions = np.concatenate([grid, np.zeros((3600, 1))], axis=1).astype(np.float32)
    start = (60 * np.arange(59)[:, None] + np.arange(59)).reshape(-1)
    faces = np.concatenate(
        [np.stack([start, start + 1, start + 60], 1), np.stack([start + 1, start + 61, start + 60], 1)]
    )
    mesh = Mesh("sheet", positions, np.tile(np.float32([0, 0, 1]), (3600, 1)), faces.astype(np.uint32), joint=0)
    (part,) = skin_parts(Character("sheet", skeleton, (mesh,)))
    thin = coarser(part, 1500)
    assert 200 < len(thin.faces) <= 1500 < len(part.faces) < TRIANGLES
    assert np.ptp(thin.vertices, axis=0) == pytest.approx([1, 1, 0]), "its rim stays"
