"""Clips made ready to be looked at."""

from __future__ import annotations

import numpy as np
import pytest

from kinema import Motion, Skeleton
from kinema.session.library import LibraryClip
from kinema.session.prepared import MANNEQUIN, bodies, prepare

from .conftest import blocks, library_file


def test_a_clip_has_what_its_pictures_need(walking: Motion):
    clip = library_file("a", walking).read()[0]
    shown = prepare(clip)
    assert (shown.frames, shown.fps, shown.body) == (60, 30.0, MANNEQUIN)
    assert shown.feet is not None and shown.feet.points == ("left", "right")
    assert shown.contacts == {"left": ((0, 30),), "right": ((30, 60),)}
    np.testing.assert_allclose(shown.roots[:, 2], np.arange(60) / 30, atol=0.02)
    np.testing.assert_allclose(shown.velocities[:, 0, 2], 1.0, atol=1e-3)
    np.testing.assert_allclose(shown.centres[30, [0, 2]], walking[:].global_positions[30, 0, [0, 2]], atol=0.02)


def test_mirrored_clips_and_the_mirror_image(walking: Motion):
    clip = library_file("a", walking).read()[0]
    plain, mirrored = prepare(clip), prepare(clip, True)
    assert mirrored.contacts["right"] == ((0, 30),)
    left = walking.skeleton.roles.leg("left").foot
    right = walking.skeleton.roles.leg("right").foot
    image = plain.mirror_image
    assert image is not None
    own = walking[:].global_positions
    np.testing.assert_allclose(image[:].global_positions[15, right, 2], own[15, left, 2], atol=0.02)


def test_what_stands_still_is_shown_too(biped: Skeleton):
    shown = prepare(LibraryClip("rest pose", biped, None, lambda: None))
    assert shown.frames == 1 and shown.motion is None and shown.mirror_image is None and shown.contacts == {}
    assert shown.size == pytest.approx(1.7, rel=0.2)


def test_bodies_of_other_files_fit_if_their_joints_do(walking: Motion, biped: Skeleton):
    clip = library_file("a", walking).read()[0]
    stranger = blocks(Skeleton.create(["a"], [-1], [[0, 0, 0]]))
    assert list(bodies(clip, {"b.glb": blocks(biped), "c.glb": stranger})) == [MANNEQUIN, "b.glb"]
    own = LibraryClip("x", biped, blocks(biped), lambda: walking)
    assert next(iter(bodies(own, {}))) == "Own mesh"
    assert prepare(own, False, "gone", {}).body == "Own mesh"
    assert prepare(own, False, MANNEQUIN, {}).body == MANNEQUIN
