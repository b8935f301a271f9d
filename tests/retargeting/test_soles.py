"""Soles of meshes."""

from __future__ import annotations

import numpy as np
import pytest

from kinema import Skeleton
from kinema.character import Character, Mesh
from kinema.retargeting.soles import sole_height
from kinema.retargeting.stance import find_stance


def test_the_lowest_vertex_of_the_feet_counts(biped: Skeleton) -> None:
    foot, head = biped.index("LeftFoot"), biped.index("Head")
    points = np.array([[0, -0.09, 0], [0, -0.05, 0.1], [0, 0, 0]], np.float32)
    flat = np.tile(np.array([0, 1, 0], np.float32), (3, 1))

    def mesh(joint: int, below: float) -> Mesh:
        moved = points + np.array([0, below, 0], np.float32)
        return Mesh("m", moved, flat, np.array([[0, 1, 2]], np.uint32), joint=joint)

    character = Character("c", biped, (mesh(foot, 0.0), mesh(head, -5.0)))
    height = sole_height(character, find_stance(biped), [foot])
    assert height == pytest.approx(float(biped.rest_pose.global_positions[foot, 1]) - 0.09, abs=1e-5)
    assert sole_height(Character("c", biped, (mesh(head, 0.0),)), find_stance(biped), [foot]) is None
