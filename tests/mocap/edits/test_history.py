"""Undo and redo."""

from __future__ import annotations

import pytest

from kinema.mocap.edits import Edits, History, change
from kinema.mocap.edits import history as module

from .conftest import random_edits

NONE = Edits.none(100, 30.0)


@pytest.mark.parametrize("seed", range(15))
def test_undo_after_do_is_nothing_and_redo_does_it_again(seed):
    chain = random_edits(seed)
    history = History(chain[0])
    states = [chain[0]]
    for edits in chain[1:]:
        if history.do(edits, "step"):
            states.append(edits)
    for expected in reversed(states[:-1]):
        assert history.undo() == "step"
        assert history.now == expected
    assert history.undo() is None and history.undo_name is None
    for expected in states[1:]:
        assert history.redo() == "step"
        assert history.now == expected
    assert history.redo() is None


def test_a_drag_is_one_step_and_back_at_its_start_none():
    history = History(NONE)
    history.do(change.keep(NONE, 0, 50), "keep")
    before = history.now
    for stop in (60, 70, 80):
        history.do(change.keep(NONE, 0, stop), "drag", "drag-1")
    history.do(change.keep(NONE, 0, 90), "drag", "drag-2")
    assert history.undo() == "drag" and history.now.pieces[0].stop == 80
    assert history.undo() == "drag" and history.now == before
    history.redo()
    history.do(before, "drag", "drag-3")
    history.do(change.keep(NONE, 0, 99), "drag", "drag-4")
    history.do(before, "drag", "drag-4")
    assert history.undo_name == "drag" and history.undo() and history.now.pieces[0].stop == 80


def test_a_new_step_forgets_what_was_undone_and_dirt_is_measured_by_content():
    history = History(NONE)
    history.do(change.set_mirror(NONE, False), "mirror")
    history.mark_saved()
    assert not history.dirty
    history.undo()
    assert history.dirty and history.redo_name == "mirror"
    history.do(change.keep(NONE, 1, 9), "keep")
    assert history.redo_name is None
    history.do(change.set_mirror(NONE, False), "back")
    assert not history.dirty
    assert not history.do(history.now)


def test_old_steps_are_forgotten(monkeypatch):
    monkeypatch.setattr(module, "MOST_STEPS", 3)
    history = History(NONE)
    for stop in range(1, 8):
        history.do(change.keep(NONE, 0, stop))
    while history.undo():
        pass
    assert history.now.pieces[0].stop == 4
