"""Clips made ready to be looked at."""

from __future__ import annotations

import numpy as np
import pytest

from kinema import Motion, Skeleton
from kinema.session.library import Clip
from kinema.window.footage import MANNEQUIN, prepare, wardrobe

from ..session.conftest import blocks, document


def test_a_clip_has_what_its_pictures_need(walking: Motion):
    clip = document("a", walking).read()[0]
    footage = prepare(clip, False, "", {})
    assert (footage.frames, footage.fps, footage.dress) == (60, 30.0, MANNEQUIN)
    assert footage.feet == ("left", "right") and footage.contacts == {"left": ((0, 30),), "right": ((30, 60),)}
    np.testing.assert_allclose(footage.roots[:, 2], np.arange(60) / 30, atol=0.02)
    np.testing.assert_allclose(footage.velocities[:, 0, 2], 1.0, atol=1e-3)
    turned, placed = footage.pose(1.0)
    np.testing.assert_allclose(placed, walking[:].global_positions[30], atol=1e-4)
    assert turned.shape == (walking.skeleton.joint_count, 4)
    np.testing.assert_array_equal(footage.touching(29, footage.contacts), [1, 0])
    np.testing.assert_array_equal(footage.touching(30, footage.contacts), [0, 1])


def test_mirrored_clips_and_the_mirror_image(walking: Motion):
    clip = document("a", walking).read()[0]
    plain, mirrored = prepare(clip, False, "", {}), prepare(clip, True, "", {})
    assert mirrored.contacts["right"] == ((0, 30),)
    left = walking.skeleton.roles.leg("left").foot
    right = walking.skeleton.roles.leg("right").foot
    image = plain.ghost_pose(0.5)
    assert image is not None
    np.testing.assert_allclose(image[1][right, 2], plain.pose(0.5)[1][left, 2], atol=0.02)


def test_what_stands_still_is_shown_too(biped: Skeleton):
    footage = prepare(Clip("rest pose", biped, None, lambda: None), False, "", {})
    assert footage.frames == 1 and footage.motion is None and footage.ghost_pose(0) is None
    np.testing.assert_allclose(footage.pose(3.0)[1], biped.rest_pose.global_positions)
    assert footage.size == pytest.approx(1.7, rel=0.2)


def test_bodies_of_other_files_fit_if_their_joints_do(walking: Motion, biped: Skeleton):
    clip = document("a", walking).read()[0]
    stranger = blocks(Skeleton.create(["a"], [-1], [[0, 0, 0]]))
    assert list(wardrobe(clip, {"b.glb": blocks(biped), "c.glb": stranger})) == [MANNEQUIN, "b.glb"]
    own = Clip("x", biped, blocks(biped), lambda: walking)
    assert next(iter(wardrobe(own, {}))) == "Own mesh"
    assert prepare(own, False, "gone", {}).dress == "Own mesh"
    assert prepare(own, False, MANNEQUIN, {}).dress == MANNEQUIN
