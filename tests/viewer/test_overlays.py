"""Shapes and paths behind the overlays."""

import numpy as np
import pytest

from kinema import Skeleton
from kinema.viewer.overlays import disc, foot_joints, smoothed


def test_a_disc_faces_up():
    vertices, faces = disc(0.5)
    corners = vertices[faces]
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    assert (normals[:, 1] > 0).all()
    assert 0.5 * normals[:, 1].sum() == pytest.approx(np.pi * 0.25, rel=0.02)


def test_feet_are_found_or_there_are_none(biped):
    assert [biped.names[joint] for joint in foot_joints(biped)] == ["LeftToeBase", "RightToeBase"]
    assert foot_joints(Skeleton.create(["a"], [-1], [[0, 0, 0]])) == []


def test_smoothing_keeps_straight_lines_and_length():
    line = np.linspace(0, 3, 40, dtype=np.float32)[:, None] * np.array([1, 0, 2], np.float32)
    assert smoothed(line, 5)[6:-6] == pytest.approx(line[6:-6], abs=1e-5)
    assert smoothed(line[:1], 8) == pytest.approx(line[:1])
    shaken = line + np.random.default_rng(0).normal(0, 0.05, line.shape).astype(np.float32)
    assert (smoothed(shaken, 5) - line)[6:-6].std() < 0.5 * (shaken - line)[6:-6].std()
