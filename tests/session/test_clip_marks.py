"""Marks of clips."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

from kinema import Motion
from kinema.rendering.draw import Draw
from kinema.session.clip_marks import MARKS, SHOWN, ClipMoment, mark_clip
from kinema.session.marks import LEFT, RIGHT, side_colors
from kinema.session.prepared import PreparedClip, prepare

from .conftest import library_file


def drawn(shown: PreparedClip, name: str, time: float, contacts: Mapping[str, Any] | None = None) -> Draw:
    """One mark at a time in seconds."""
    draw = Draw()
    contacts = shown.contacts if contacts is None else contacts
    moment = ClipMoment(shown, time, shown.motion.sample([time])[0].global_positions, contacts)
    mark_clip(moment, {name: True}, draw)
    return draw


def test_every_mark_can_be_shown():
    assert set(SHOWN) == {"Body", *MARKS}


def test_sides_go_by_name_and_else_take_turns():
    assert side_colors(("left", "RightToe")).tolist() == [list(LEFT), list(RIGHT)]
    assert side_colors(("a", "b", "c")).tolist() == [list(LEFT), list(RIGHT), list(LEFT)]


@pytest.fixture
def shown(walking: Motion) -> PreparedClip:
    return prepare(library_file("a", walking).read()[0])


def test_contacts_are_under_the_feet_and_full_while_they_touch(shown: PreparedClip, walking: Motion):
    rows = drawn(shown, "Contacts", 0.5).rows("disc")
    feet = walking[:].global_positions[15][shown.feet.joints]
    np.testing.assert_allclose(rows["center"][:, [0, 2]], feet[:, [0, 2]], atol=1e-4)
    assert rows["hole"][0] == 0 and rows["hole"][1] > 0
    np.testing.assert_allclose(rows["color"][0, :3] / 255, LEFT, atol=0.01)
    assert (drawn(shown, "Contacts", 0.5, {}).rows("disc")["hole"] > 0).all()


def test_the_trajectory_passes_through_the_present(shown: PreparedClip):
    points = drawn(shown, "Trajectory", 1.0).rows("sphere")["center"]
    np.testing.assert_allclose(points[:, 2], 1.0 + np.linspace(-0.5, 0.5, 13), atol=0.05)
    np.testing.assert_allclose(points[6, [0, 2]], shown.roots[30][[0, 2]], atol=1e-4)


def test_velocities_are_the_way_of_a_moment(shown: PreparedClip, walking: Motion):
    tips = drawn(shown, "Velocities", 1.0).rows("cone", on_top=True)["tip"]
    np.testing.assert_allclose(tips[0] - walking[:].global_positions[30, 0], [0, 0, 0.2], atol=0.01)


def test_the_path_is_the_whole_way(shown: PreparedClip):
    rows = drawn(shown, "Path", 0.0).rows("stroke")
    assert rows["start"][0, 2] == pytest.approx(0.0, abs=0.02)
    assert rows["end"][-1, 2] == pytest.approx(59 / 30, abs=0.02)
