"""The editor's panel."""

from __future__ import annotations

import numpy as np
import pytest

from kinema import Motion, formats
from kinema.session.clips import ClipSession
from kinema.session.library import find_files
from kinema.window.panels.editor import EditorPanel
from kinema.window.panels.timeline import TimelinePanel

from ...session.test_clips import settled
from ..conftest import Bench


@pytest.fixture
def editing(walking: Motion, tmp_path) -> ClipSession:
    labels = {name: np.asarray(walking.labels[name]) for name in ("contact.left", "contact.right")}
    formats.save(walking.replace(labels=labels), tmp_path / "walk.npz")
    return settled(ClipSession(find_files([tmp_path / "walk.npz"])))


def test_it_is_switched_on_first_and_says_why_it_cannot_be(bench: Bench, editing: ClipSession, viewing: ClipSession):
    panel = EditorPanel()
    assert "whole clip" not in bench.draw(panel, editing)
    assert "the whole clip" in bench.draw(panel, editing, **{"Edit this clip": True}) and editing.editor.on
    bench.draw(panel, editing, **{"Edit this clip": False})
    assert not editing.editor.on
    assert "a database is built from clips" in bench.draw(panel, viewing)


def test_cut_label_undo_and_save(bench: Bench, editing: ClipSession, tmp_path):
    panel, editor = EditorPanel(), editing.editor
    editing.set_editing(True)
    editor.select((10, 30))
    bench.draw(panel, editing, press="Keep")
    assert [(piece.start, piece.stop) for piece in editor.edits.pieces] == [(10, 30)]
    editing.seek(20)
    bench.draw(panel, editing, press="Split here")
    assert len(editor.edits.pieces) == 2
    bench.draw(panel, editing, press="undo")
    assert len(editor.edits.pieces) == 1
    bench.draw(panel, editing, press="redo")
    panel.tag = "stride"
    editor.select((10, 30))
    bench.draw(panel, editing, press=f"{bench.gui.icon('tag')}  Label")
    assert editor.edits.tags == ("stride",)
    assert "stride  11 to 30" in bench.draw(panel, editing)
    bench.draw(panel, editing, press=f"{bench.gui.icon('close')}")
    assert editor.edits.tags == ()
    bench.draw(panel, editing, press="Leave out")
    bench.draw(panel, editing, May_be_mirrored=False)
    assert not editor.edits.mirror
    bench.draw(panel, editing, press=f"{bench.gui.icon('save')}  Save")
    assert (tmp_path / "walk.npz.edits.json").is_file()


def test_painting_and_the_mirror_check(bench: Bench, editing: ClipSession):
    panel, timeline = EditorPanel(), TimelinePanel()
    editing.set_editing(True)
    bench.draw(panel, editing, press="Lifted")
    assert bench.ui.timescale.painting is False
    timeline._from, timeline._painted = 0, timeline.rows(editing)[0]
    timeline._drag(bench.ui, editing, 5)
    timeline._drag(bench.ui, editing, 9)
    assert editing.contacts["left"] == ((10, 30),) and editing.editor.clip.history.undo_name == "erase contact"
    bench.draw(panel, editing, press="As found")
    assert editing.contacts["left"] == ((0, 30),)
    bench.draw(panel, editing, press="Scrub")
    assert bench.ui.timescale.painting is None
    timeline._drag(bench.ui, editing, 19)
    assert editing.editor.selection == (0, 20)
    editing.editor.show_ghost("over")
    assert "cm a joint" in bench.draw(panel, editing)
