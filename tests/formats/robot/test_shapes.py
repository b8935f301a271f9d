"""Closed surfaces that face outward, of the volume they should have."""

from __future__ import annotations

import math

import numpy as np
import pytest

from kinema import rotations
from kinema.formats.robot.frame import RobotFrame
from kinema.formats.robot.shapes import Geom, PlacedGeom, build_meshes


def volume(corners: np.ndarray) -> float:
    return float(np.einsum("ki,ki->k", corners[:, 0], np.cross(corners[:, 1], corners[:, 2])).sum() / 6)


@pytest.mark.parametrize(
    ("shape", "want", "reach"),
    [
        (Geom("box", (0.1, 0.2, 0.3)), 0.048, (0.2, 0.3, 0.1)),
        (Geom("ellipsoid", (0.1, 0.2, 0.3)), 4 / 3 * math.pi * 0.006, (0.2, 0.3, 0.1)),
        (Geom("cylinder", (0.1, 0.3)), math.pi * 0.01 * 0.6, (0.1, 0.3, 0.1)),
        (Geom("capsule", (0.1, 0.3)), math.pi * 0.01 * 0.6 + 4 / 3 * math.pi * 0.001, (0.1, 0.4, 0.1)),
    ],
)
def test_volume_size_and_normals(shape: Geom, want: float, reach: tuple[float, ...]):
    part = PlacedGeom(0, RobotFrame(), shape)
    points, facing, faces = part.surface()
    corners, normals = points[faces], facing[faces]
    assert want * 0.95 < volume(corners) <= want * 1.0001
    assert np.allclose(np.abs(corners.reshape(-1, 3)).max(axis=0), reach, atol=1e-6)
    assert np.allclose(np.abs(part.corners()).max(axis=0), reach, atol=1e-6)
    sides = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    assert (np.einsum("kci,ki->kc", normals, sides) > 0).all()
    assert np.allclose(np.linalg.norm(normals, axis=-1), 1)


def test_parts_are_carried_and_merged_by_joint_and_color():
    turn = rotations.from_axis_angle(np.array([0.0, 0.0, 1.0]), np.array(math.pi / 2))
    box = Geom("box", (0.3, 0.1, 0.1), frame=RobotFrame(np.array([0.5, 0.0, 0.0])))
    red = Geom("box", (0.1, 0.1, 0.1), color=(1.0, 0.0, 0.0, 0.5))
    meshes, materials = build_meshes(
        [
            PlacedGeom(0, RobotFrame(np.array([0.0, 0.0, 1.0]), turn), box),
            PlacedGeom(1, RobotFrame(), red),
            PlacedGeom(1, RobotFrame(np.ones(3)), red),
        ]
    )
    assert [mesh.joint for mesh in meshes] == [0, 1] and [len(mesh.indices) for mesh in meshes] == [12, 24]
    assert np.allclose(meshes[0].positions.mean(axis=0), [0.5, 1.0, 0.0])  # the robot's y is our x, its z our y
    assert np.allclose(np.ptp(meshes[0].positions, axis=0), [0.6, 0.2, 0.2])
    assert materials[1].base_color == (1, 0, 0, 0.5) and materials[1].alpha_mode == "BLEND"
    assert materials[0].base_color[0] == pytest.approx(((0.6 + 0.055) / 1.055) ** 2.4)  # from sRGB


def test_triangles_of_a_file():
    corners = np.array([[[0, 0, 0], [1, 0, 0], [0, 1, 0]]], np.float32)
    meshes, _ = build_meshes([PlacedGeom(0, RobotFrame(), Geom("mesh", triangles=corners))])
    assert np.allclose(meshes[0].normals, [0, 1, 0]) and len(meshes[0].positions) == 3
    empty = Geom("mesh", triangles=np.zeros((0, 3, 3), np.float32))
    assert build_meshes([PlacedGeom(0, RobotFrame(), empty)])[0] == ()
