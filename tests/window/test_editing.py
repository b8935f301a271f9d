"""Edits of clips that are looked at."""

from __future__ import annotations

import numpy as np
import pytest

from kinema import Motion, formats
from kinema.session.library import documents
from kinema.session.log import Log
from kinema.window.editing import Editing

from ..session.conftest import document


@pytest.fixture
def editing(walking: Motion, tmp_path) -> Editing:
    labels = {name: np.asarray(walking.labels[name]) for name in ("contact.left", "contact.right")}
    formats.save(walking.replace(labels=labels), tmp_path / "walk.npz")
    (found,) = documents([tmp_path / "walk.npz"])
    clips = found.read()
    made = Editing(Log())
    made.open(found, clips, clips[0])
    return made


def test_edits_come_back_from_their_file(editing: Editing, tmp_path):
    editing.label((5, 15), "stride")
    editing.keep((0, 30))
    assert editing.unsaved
    editing.save()
    again = Editing(Log())
    (found,) = documents([tmp_path / "walk.npz"])
    clips = found.read()
    again.open(found, clips, clips[0])
    assert again.edits == editing.edits and not editing.unsaved


def test_edits_are_kept_while_another_file_is_looked_at(editing: Editing, walking: Motion, tmp_path):
    editing.drop((10, 20))
    kept, found = editing.edits, documents([tmp_path / "walk.npz"])[0]
    other = document("memory", walking)
    editing.open(other, other.read(), other.read()[0])
    assert editing.edits is None and "database" in editing.why_not and editing.unsaved
    clips = found.read()
    editing.open(found, clips, clips[0])
    assert editing.edits == kept


def test_rows_show_pieces_and_labels(editing: Editing):
    assert editing.rows() == []
    editing.split(30)
    editing.label((5, 15), "stride", "a long one")
    piece, label = editing.rows()
    assert [(bar.start, bar.stop, bar.text) for bar in piece.bars] == [(0, 30, "clip 1"), (30, 60, "clip 2")]
    assert label.name == "stride" and label.bars[0].text == "a long one"
    editing.rename(editing.edits.pieces[0], "first")
    assert editing.rows()[0].bars[0].text == "first"
    editing.unlabel(editing.edits.labels[0])
    assert len(editing.rows()) == 1


def test_what_cannot_be_is_said(editing: Editing):
    before, version = editing.edits, editing.version
    editing.label((5, 15), "two words")
    assert editing.edits == before and editing.version == version
    assert editing._log.lines[-1].level == "warning" and "one word" in editing._log.lines[-1].text
    editing.undo()
    assert "nothing to undo" in editing._log.lines[-1].text
    nobody = Editing(Log())
    nobody.keep((0, 5))
    nobody.paint("left", 0, 5, True)
    nobody.save()
    assert nobody._log.lines[-1].text == "nothing is shown"
