"""Pieces before they are a surface."""

import numpy as np
import pytest

from kinema.rendering.mannequin import field
from kinema.rendering.mannequin.pieces import Clay, Visor


def test_mirrored_pieces_are_mirror_images():
    clay = Clay()
    for side in (1, -1):
        clay.add(0, np.array([0.3 * side, 0, 0.1]), np.array([0.8 * side, 0.4, 0.3]), (0.2, 0.1), (0.1, 0.05))
    places = np.random.default_rng(1).normal(size=(50, 3))
    left = [field.piece_distance(np.array(clay.rows[0]), *place) for place in places]
    right = [field.piece_distance(np.array(clay.rows[1]), *place) for place in places * [-1, 1, 1]]
    assert left == pytest.approx(right, abs=1e-12)


def test_limbs_are_strangers_but_not_to_what_they_melt_into():
    clay = Clay()
    for parent, limb in ((-1, False), (0, True), (0, True), (1, False)):
        clay.add(0, np.zeros(3), np.ones(3), 0.1, parent=parent, limb=limb)
    strangers = clay.body()[3]
    assert strangers[1, 2] and strangers[2, 3] and strangers[0, 3]
    assert not strangers[0, 1] and not strangers[1, 3] and not strangers.diagonal().any()
    clay.melt(1, 2, 0.05)
    assert not clay.body()[3][1, 2]


def test_a_straight_chain_needs_no_melting():
    clay = Clay()
    clay.add(0, np.zeros(3), np.array([0, 1.0, 0]), 0.1)
    clay.add(1, np.array([0, 1.0, 0]), np.array([0, 2.0, 0]), 0.1, parent=0)
    clay.add(2, np.array([0, 2.0, 0]), np.array([1.0, 2.0, 0]), 0.1, parent=1)
    assert clay.blends[0] == pytest.approx(0) and clay.blends[1] == pytest.approx(0.05)


def test_a_visor_is_in_front():
    visor = Visor(0, np.zeros(3), np.array([0, 1.0, 0]), np.array([0, 0, 1.0]), 0.02)
    inside = visor.inside(np.array([[0, 0, 0.1], [0, 0.05, 0.1], [0, 0, -0.1], [0.1, 0, 0.0]]))
    assert inside[0] == pytest.approx(0.02) and (inside[1:] < 0).all()
