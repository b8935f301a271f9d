"""Contacts while a clip is edited."""

from __future__ import annotations

import numpy as np
import pytest

from kinema import Motion, Skeleton
from kinema.mocap.contacts import Thresholds
from kinema.mocap.edits.feet import Feet
from kinema.mocap.edits.spans import to_mask


@pytest.fixture
def hopping() -> Motion:
    """Two points of a spider-like skeleton: one stands still, the other is lifted in frames 20 to 40."""
    skeleton = Skeleton.create(["body", "a", "b"], [-1, 0, 0], [[0, 1, 0], [0.3, -1, 0], [-0.3, -1, 0]])
    moved = np.tile(skeleton.rest_translations, (60, 1, 1))
    moved[20:40, 2, 1] += 0.5
    return Motion.create(skeleton, np.tile(skeleton.rest_rotations, (60, 1, 1)), moved, fps=30.0)


def test_points_without_legs_are_named_by_joint_and_found(hopping):
    feet = Feet.of(hopping)
    assert feet.points == ("a", "b")
    found = feet.current()
    assert found["a"] == ((0, 60),)
    assert to_mask(found["b"], 60)[:20].all() and not to_mask(found["b"], 60)[21:39].any()
    assert feet.heights[:, 0] == pytest.approx(np.zeros(60), abs=1e-5)
    assert feet.heights[30, 1] == pytest.approx(0.5 / feet.scale, rel=1e-4)


def test_contacts_of_the_file_come_first_and_thresholds_count(hopping):
    given = {"contact.a": np.arange(60) < 9, "contact.b": np.arange(60) < 5}
    feet = Feet.of(hopping.replace(labels=given))
    assert feet.current() == {"a": ((0, 9),), "b": ((0, 5),)}
    half = Feet.of(hopping.replace(labels={"contact.a": given["contact.a"]}))
    assert half.current()["a"] == ((0, 60),), "contacts of one point alone are not taken"
    generous = feet.detect(Thresholds(height_on=2.0, height_off=3.0, speed_on=90.0, speed_off=99.0))
    assert generous == {"a": ((0, 60),), "b": ((0, 60),)}
