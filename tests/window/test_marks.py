"""Marks of clips."""

from __future__ import annotations

import numpy as np
import pytest

from kinema import Motion
from kinema.window.footage import prepare
from kinema.window.marks import CLIP_MARKS, LEFT, RIGHT, cell, clip_marks, sides

from ..session.conftest import document

NOTHING = dict.fromkeys(CLIP_MARKS, False)


def test_the_ground_has_the_scale_of_its_subject():
    assert cell(1.7) == 0.5 and cell(17.0) == 4.0 and cell(0.17) == 0.0625 and cell(0.0) > 0


def test_sides_go_by_name_and_else_take_turns():
    assert sides(("left", "RightToe")).tolist() == [list(LEFT), list(RIGHT)]
    assert sides(("a", "b", "c")).tolist() == [list(LEFT), list(RIGHT), list(LEFT)]


@pytest.fixture
def footage(walking: Motion):
    return prepare(document("a", walking).read()[0], False, "", {})


def test_contacts_are_under_the_feet_and_full_while_they_touch(footage):
    placed = footage.pose(0.5)[1]
    rows = clip_marks(footage, {**NOTHING, "Contacts": True}, 0.5, placed, footage.contacts).rows("disc")
    np.testing.assert_allclose(rows["center"][:, [0, 2]], placed[list(footage.feet_joints)][:, [0, 2]], atol=1e-5)
    assert rows["hole"][0] == 0 and rows["hole"][1] > 0
    np.testing.assert_allclose(rows["color"][0, :3] / 255, LEFT, atol=0.01)
    lifted = clip_marks(footage, {**NOTHING, "Contacts": True}, 0.5, placed, {}).rows("disc")
    assert (lifted["hole"] > 0).all()


def test_the_trajectory_passes_through_the_present(footage):
    placed = footage.pose(1.0)[1]
    draw = clip_marks(footage, {**NOTHING, "Trajectory": True}, 1.0, placed, footage.contacts)
    points = draw.rows("sphere")["center"]
    np.testing.assert_allclose(points[:, 2], 1.0 + np.linspace(-0.5, 0.5, 13), atol=0.05)
    np.testing.assert_allclose(points[6, [0, 2]], footage.roots[30][[0, 2]], atol=1e-4)


def test_velocities_are_the_way_of_a_moment(footage):
    placed = footage.pose(1.0)[1]
    tips = clip_marks(footage, {**NOTHING, "Velocities": True}, 1.0, placed, {}).rows("cone", on_top=True)["tip"]
    np.testing.assert_allclose(tips[0] - placed[0], [0, 0, 0.15], atol=0.01)
