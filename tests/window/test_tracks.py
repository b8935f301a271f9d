"""The rows of the timeline."""

import numpy as np

from kinema import Motion
from kinema.mocap.edits import Edits, change
from kinema.session.clips import ClipSession
from kinema.window import tracks
from kinema.window.tracks import Bar, stretches

from ..session.conftest import library_file


def test_stretches_are_runs():
    assert stretches(np.array([1, 1, 2, 1])) == [(0, 2, 1), (2, 3, 2), (3, 4, 1)]
    assert stretches(np.zeros(0)) == []


def test_contacts_come_first_then_labels(walking: Motion):
    session = ClipSession([library_file("a", walking)])
    session.wait()
    left, right, style = tracks.rows(session)
    assert (left.name, left.tone, left.kind) == ("left", "left", "contact") and left.bars == (Bar(0, 30),)
    assert right.bars == (Bar(30, 60),)
    assert style.bars == (Bar(0, 30, "calm"), Bar(30, 60, "proud")) and style.kind == "label"


def test_labels_that_flow_are_not_rows(walking: Motion):
    numbers = np.linspace(0, 1, walking.frames)
    flags = np.arange(walking.frames) % 20 < 5
    motion = walking.replace(labels={"phase": numbers, "jump": flags})
    (row,) = tracks.label_rows(motion)
    assert row.name == "jump" and row.bars == (Bar(0, 5), Bar(20, 25), Bar(40, 45))


def test_edits_are_rows_too():
    edits = change.label(change.keep(Edits.none(60, 30.0), 10, 30, "up"), 12, 20, "walk")
    kept, walk = tracks.edit_rows(edits)
    assert (kept.name, kept.kind, kept.bars) == ("kept", "piece", (Bar(10, 30, "up"),))
    assert (walk.name, walk.bars) == ("walk", (Bar(12, 20, "walk"),)) and tracks.edit_rows(Edits.none(9, 30.0)) == []
