"""Soles of meshes."""

from __future__ import annotations

import numpy as np
import pytest

from kinema import Skeleton
from kinema.character import Character, Mesh
from kinema.retargeting.soles import FootVertices
from kinema.retargeting.stance import find_stance


def test_the_lowest_vertex_of_the_feet_counts(biped: Skeleton) -> None:
    foot, head = biped.index("LeftFoot"), biped.index("Head")
    points = np.array([[0, -0.09, 0], [0, -0.05, 0.1], [0, 0, 0]], np.float32)
    flat = np.tile(np.array([0, 1, 0], np.float32), (3, 1))

    def mesh(joint: int, below: float) -> Mesh:
        moved = points + np.array([0, below, 0], np.float32)
        return Mesh("m", moved, flat, np.array([[0, 1, 2]], np.uint32), joint=joint)

    character = Character("c", biped, (mesh(foot, 0.0), mesh(head, -5.0)))
    feet = FootVertices.of(character, find_stance(biped), [foot])
    assert feet is not None
    assert feet.height(find_stance(biped)) == pytest.approx(
        float(biped.rest_pose.global_positions[foot, 1]) - 0.09, abs=1e-5
    )
    assert FootVertices.of(Character("c", biped, (mesh(head, 0.0),)), find_stance(biped), [foot]) is None


def test_the_corners_of_a_box_are_those_of_its_lower_side(biped: Skeleton) -> None:
    foot, standing = biped.index("LeftFoot"), find_stance(biped)
    box = np.stack(np.meshgrid([-0.04, 0.04], [-0.09, -0.03], [-0.05, 0.2]), axis=-1).reshape(-1, 3)
    points = np.concatenate([box, [[0.0, -0.06, 0.0]]]).astype(np.float32)
    flat = np.tile(np.array([0, 1, 0], np.float32), (len(points), 1))
    mesh = Mesh("m", points, flat, np.array([[0, 1, 2]], np.uint32), joint=foot)
    feet = FootVertices.of(Character("c", biped, (mesh,)), standing, [foot])
    assert feet is not None
    corners = feet.corners(standing, foot)
    assert {corner.joint for corner in corners} == {foot}
    found = np.array(sorted(corner.offset.round(4).tolist() for corner in corners))
    np.testing.assert_allclose(found, sorted(box[box[:, 1] < -0.05].tolist()), atol=1e-4)
    np.testing.assert_allclose(
        corners[0].points(standing.pose), standing.positions[foot] + corners[0].offset, atol=1e-5
    )
    assert not feet.corners(standing, biped.index("RightFoot"))
