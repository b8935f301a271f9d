"""Skin weights by heat."""

import numpy as np
import pytest

from kinema.rendering.mannequin import surface
from kinema.rendering.mannequin.pieces import Clay
from kinema.rendering.mannequin.weights import heat_weights


def tube(joints: int):
    clay = Clay()
    for joint in range(joints):
        clay.add(joint, np.array([joint, 0.0, 0]), np.array([joint + 1.0, 0, 0]), 0.2, parent=joint - 1)
    return surface.extract(clay.body(), np.full(joints, 0.1), 0.1)


def test_weights_pass_smoothly_from_joint_to_joint():
    vertices, faces = tube(2)
    owners = (vertices[:, 0] > 1).astype(np.int64) * 7
    joints, weights = heat_weights(vertices, faces, owners, np.full(len(vertices), 0.2))
    assert joints.shape == weights.shape == (len(vertices), 4)
    assert weights.sum(axis=1) == pytest.approx(1, abs=1e-6) and (np.diff(weights, axis=1) <= 0).all()
    second = np.where(joints == 7, weights, 0).sum(axis=1)
    at = vertices[:, 0]
    assert second[np.abs(at - 1) < 0.03] == pytest.approx(0.5, abs=0.12)
    assert second[at < 0.2].max() < 0.03 and second[at > 1.8].min() > 0.97
    order = np.argsort(at)
    assert np.diff(np.convolve(second[order], np.ones(9) / 9, "valid")).min() > -0.05  # rises along the tube


def test_a_wider_hold_blends_over_a_longer_way():
    vertices, faces = tube(2)
    owners = (vertices[:, 0] > 1).astype(np.int64)
    near = vertices[:, 0] < 0.75

    def carried(width: float) -> float:
        joints, weights = heat_weights(vertices, faces, owners, np.full(len(vertices), width))
        return float(np.where(joints == 1, weights, 0).sum(axis=1)[near].mean())

    assert carried(0.4) > 2 * carried(0.1)


def test_no_more_than_four_joints_hold_a_vertex():
    vertices, faces = tube(6)
    owners = np.clip(vertices[:, 0].astype(np.int64), 0, 5)
    _, weights = heat_weights(vertices, faces, owners, np.full(len(vertices), 2.0))
    assert weights.shape[1] == 4 and weights.sum(axis=1) == pytest.approx(1, abs=1e-6)


def test_where_very_many_joints_hold_alike_one_of_them_does():
    vertices, faces = tube(6)
    _, weights = heat_weights(vertices, faces, np.arange(len(vertices)) % 300, np.full(len(vertices), 100.0))
    assert np.isfinite(weights).all() and weights.sum(axis=1) == pytest.approx(1, abs=1e-6)
