"""The editor's panel."""

from __future__ import annotations

import numpy as np
import pytest

from kinema import Motion, formats
from kinema.session.library import documents
from kinema.session.log import Log
from kinema.window.panels.editor import EditorPanel
from kinema.window.viewing import ViewMode

from ..conftest import Bench
from ..test_viewing import settled


@pytest.fixture
def editing(walking: Motion, tmp_path) -> ViewMode:
    labels = {name: np.asarray(walking.labels[name]) for name in ("contact.left", "contact.right")}
    formats.save(walking.replace(labels=labels), tmp_path / "walk.npz")
    return settled(ViewMode(documents([tmp_path / "walk.npz"]), Log()))


def test_cut_label_undo_and_save(bench: Bench, editing: ViewMode, tmp_path):
    panel = EditorPanel()
    assert "the whole clip" in bench.draw(panel, editing)
    editing.range.mark(10, 29)
    bench.draw(panel, editing, press="Keep")
    assert [(piece.start, piece.stop) for piece in editing.editing.edits.pieces] == [(10, 30)]
    editing.seek(20)
    bench.draw(panel, editing, press="Split here")
    assert len(editing.editing.edits.pieces) == 2
    bench.draw(panel, editing, press="undo")
    assert len(editing.editing.edits.pieces) == 1
    bench.draw(panel, editing, press="redo")
    panel.tag = "stride"
    bench.draw(panel, editing, press=f"{bench.gui.icon('tag')}  Label")
    assert editing.editing.edits.tags == ("stride",)
    assert "stride  11 to 30" in bench.draw(panel, editing)
    bench.draw(panel, editing, press=f"{bench.gui.icon('close')}")
    assert editing.editing.edits.tags == ()
    bench.draw(panel, editing, press="Leave out")
    bench.draw(panel, editing, May_be_mirrored=False)
    assert not editing.editing.edits.mirror
    bench.draw(panel, editing, press=f"{bench.gui.icon('save')}  Save")
    assert (tmp_path / "walk.npz.edits.json").is_file()


def test_painting_and_the_mirror_check(bench: Bench, editing: ViewMode):
    panel = EditorPanel()
    bench.draw(panel, editing, press="Lifted")
    assert editing.painting is False
    editing.stroke_begins(0, editing.rows()[0])
    editing.stroke(0, 9)
    assert editing.contacts["left"] == ((10, 30),)
    bench.draw(panel, editing, press="As detected")
    assert editing.contacts["left"] == ((0, 30),)
    bench.draw(panel, editing, press="Scrub", Show_the_mirror_image=True)
    assert editing.painting is None and "cm a joint" in bench.draw(panel, editing)


def test_what_cannot_be_edited_says_why(bench: Bench, viewing: ViewMode):
    assert "a database is built from clips" in bench.draw(EditorPanel(), viewing)
