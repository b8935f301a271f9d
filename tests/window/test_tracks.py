"""The rows of the timeline."""

import numpy as np

from kinema import Motion
from kinema.window import tracks
from kinema.window.footage import prepare
from kinema.window.tracks import Bar, stretches

from ..session.conftest import document


def test_stretches_are_runs():
    assert stretches(np.array([1, 1, 2, 1])) == [(0, 2, 1), (2, 3, 2), (3, 4, 1)]
    assert stretches(np.zeros(0)) == []


def test_contacts_come_first_then_labels(walking: Motion):
    footage = prepare(document("a", walking).read()[0], False, "", {})
    left, right, style = tracks.rows(footage, footage.contacts)
    assert (left.name, left.tone, left.kind) == ("left", "left", "contact") and left.bars == (Bar(0, 30),)
    assert right.bars == (Bar(30, 60),)
    assert style.bars == (Bar(0, 30, "calm"), Bar(30, 60, "proud")) and style.kind == "label"


def test_labels_that_flow_are_not_rows(walking: Motion):
    numbers = np.linspace(0, 1, walking.frames)
    flags = np.arange(walking.frames) % 20 < 5
    motion = walking.replace(labels={"phase": numbers, "jump": flags})
    (row,) = tracks.label_rows(motion)
    assert row.name == "jump" and row.bars == (Bar(0, 5), Bar(20, 25), Bar(40, 45))
