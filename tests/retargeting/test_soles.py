"""Soles of meshes."""

from __future__ import annotations

import numpy as np
import pytest

from kinema import Skeleton, rotations
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


def skinned(biped: Skeleton, points: np.ndarray, joints: np.ndarray, weights: np.ndarray) -> Character:
    """A character whose mesh is where it is while the body is at rest."""
    world = np.tile(np.eye(4, dtype=np.float32), (biped.joint_count, 1, 1))
    world[:, :3, :3] = rotations.to_matrix(biped.rest_pose.global_rotations)
    world[:, :3, 3] = biped.rest_pose.global_positions
    flat, face = np.tile(np.float32([0, 1, 0]), (len(points), 1)), np.array([[0, 1, 2]], np.uint32)
    bind = np.linalg.inv(world).astype(np.float32)
    skin = {"joints": joints.astype(np.int32), "weights": weights.astype(np.float32), "inverse_bind": bind}
    return Character("c", biped, (Mesh("m", points.astype(np.float32), flat, face, **skin),))


def test_vertices_belong_to_what_moves_them_most(biped: Skeleton) -> None:
    """A vertex is part of the foot if foot and toe have more than half of its weight together."""
    shin, foot, toe = (biped.index(f"Left{name}") for name in ("Leg", "Foot", "ToeBase"))
    points = np.array([[0.1, 0.05 * i, 0.02 * i] for i in range(5)])
    joints = np.array([[shin, foot, toe]] * 4 + [[toe, shin, foot]])
    weights = np.array([[0.2, 0.5, 0.3], [0.45, 0.25, 0.3], [0.55, 0.45, 0.0], [0.0, 0.3, 0.7], [0.3, 0.4, 0.3]])
    found = FootVertices.of(skinned(biped, points, joints, weights), find_stance(biped), [foot])
    assert found is not None
    np.testing.assert_allclose(found.points, points[[0, 1, 3, 4]], atol=1e-5)
    assert found.joints.tolist() == [foot, shin, toe, shin]
    toes = FootVertices.of(skinned(biped, points, joints, weights), find_stance(biped), [toe])
    assert toes is not None
    np.testing.assert_allclose(toes.points, points[[3]], atol=1e-5)


def test_meshes_on_several_joints_are_one_set_of_vertices(biped: Skeleton) -> None:
    left, right = biped.index("LeftFoot"), biped.index("RightFoot")
    flat, face = np.tile(np.float32([0, 1, 0]), (3, 1)), np.array([[0, 1, 2]], np.uint32)
    points = np.float32([[0, -0.08, 0], [0, -0.08, 0.1], [0.05, -0.08, 0]])
    meshes = tuple(Mesh("m", points, flat, face, joint=joint) for joint in (right, left))
    standing = find_stance(biped)
    found = FootVertices.of(Character("c", biped, meshes), standing, [left, right])
    assert found is not None and found.joints.tolist() == [right] * 3 + [left] * 3
    np.testing.assert_allclose(found.points[3:], points + biped.rest_pose.global_positions[left], atol=1e-5)
    assert {corner.joint for corner in found.corners(standing, left)} == {left}


def test_a_round_sole_has_a_corner_every_45_degrees(biped: Skeleton) -> None:
    foot = biped.index("LeftFoot")
    angles = 2 * np.pi * np.arange(16) / 16
    ring = np.stack([0.1 * np.sin(angles), np.full(16, -0.08), 0.1 * np.cos(angles)], axis=-1).astype(np.float32)
    found = FootVertices(ring + biped.rest_pose.global_positions[foot], np.full(16, foot))
    corners = found.corners(find_stance(biped), foot)
    np.testing.assert_allclose(np.array([corner.offset for corner in corners]), ring[::2], atol=1e-5)


@pytest.mark.parametrize(("wider", "outer"), [(0.025, True), (0.015, False)])
def test_corners_are_lowest_when_the_foot_tilts_by_45_degrees(biped: Skeleton, wider: float, outer: bool) -> None:
    """A rim that is 2 cm higher counts if it stands out by more than that."""
    foot, angles = biped.index("LeftFoot"), 2 * np.pi * np.arange(8) / 8
    ring = np.stack([np.sin(angles), 0 * angles, np.cos(angles)], axis=-1)
    points = np.concatenate([0.09 * ring, (0.09 + wider) * ring + [0, 0.02, 0]]).astype(np.float32)
    found = FootVertices(points + biped.rest_pose.global_positions[foot], np.full(16, foot))
    heights = [corner.offset[1] for corner in found.corners(find_stance(biped), foot)]
    np.testing.assert_allclose(heights, [0.02 if outer else 0.0] * 8, atol=1e-5)
