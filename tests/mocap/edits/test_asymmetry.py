"""How a clip differs from its mirror image."""

from __future__ import annotations

import numpy as np
import pytest

from kinema import Motion
from kinema.mocap.edits.asymmetry import asymmetry, ghost


def test_a_raised_arm_is_told_and_swinging_legs_are_not(stroll, biped):
    found = asymmetry(stroll)
    assert biped.names[found.worst(1)[0]] == "LeftHand"
    assert found.place[biped.index("LeftHand")] == pytest.approx(found.place[biped.index("RightHand")], abs=1e-5)
    assert found.place[biped.index("LeftHand")] > 0.3
    assert found.place[[biped.index("LeftFoot"), biped.index("Head")]].max() < 0.02
    assert found.bones.max() < 1e-6
    assert found.figure == pytest.approx(float(found.place.mean()))


def test_the_mirror_image_is_as_asymmetric_and_a_rest_pose_is_not(stroll, biped):
    assert asymmetry(stroll.mirror()).place == pytest.approx(asymmetry(stroll).place[biped.mirror_map], abs=2e-3)
    still = Motion.create(biped, np.tile(biped.rest_rotations, (30, 1, 1)), fps=30.0)
    assert asymmetry(still).figure < 1e-4


def test_a_wrong_mirror_map_shows(stroll, biped):
    found = asymmetry(stroll, np.arange(biped.joint_count, dtype=np.int32))
    assert found.place[biped.index("LeftUpLeg")] == pytest.approx(0.18, abs=0.02), "twice its distance from the middle"


def test_the_ghost_stands_and_faces_as_the_motion_does(stroll, biped):
    image = ghost(stroll)
    own, other = stroll.root_frame(), image.root_frame()
    assert other[0] == pytest.approx(own[0], abs=0.02)
    placed, mirrored = stroll[:].global_positions, image[:].global_positions
    left, right = biped.index("LeftHand"), biped.index("RightHand")
    # The character walks along +Z at x = 0, so its own mirror plane is that of the world.
    assert mirrored[:, right, 1] == pytest.approx(placed[:, left, 1], abs=1e-4)
    assert mirrored[:, right, 0] == pytest.approx(-placed[:, left, 0], abs=0.03)
    assert mirrored[:, biped.index("Head"), 2] == pytest.approx(placed[:, biped.index("Head"), 2], abs=0.02)


def test_the_ghost_of_a_walk_away_from_the_origin_stays_with_it(stroll):
    moved = stroll.local_translations + np.float32([5, 0, 3])
    away = stroll.replace(local_translations=moved)
    middle = ghost(away)[:].global_positions.mean(axis=(0, 1))
    assert middle == pytest.approx(away[:].global_positions.mean(axis=(0, 1)), abs=0.15)
