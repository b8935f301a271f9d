"""The clip browser."""

from __future__ import annotations

from kinema.session.clips import ClipSession
from kinema.window.panels.clips import ClipsPanel

from ...session.test_clips import settled, until
from ..conftest import Bench


def test_rows_are_documents_and_the_clips_of_the_open_one(viewing: ClipSession):
    panel = ClipsPanel()
    assert panel.rows(viewing) == [(0, None, "a.bvh"), (1, None, "b.glb")]
    viewing.open(1)
    settled(viewing)
    until(viewing, lambda: viewing.file_index == 1)
    assert panel.rows(viewing) == [(0, None, "a.bvh"), (1, None, "b.glb  (2)"), (1, 0, "run"), (1, 1, "jump")]


def test_the_search_finds_clips_and_documents(viewing: ClipSession):
    viewing.open(1)
    until(viewing, lambda: viewing.file_index == 1)
    panel = ClipsPanel()
    panel.search = "JUM"
    assert panel.rows(viewing) == [(1, None, "b.glb  (2)"), (1, 1, "jump")]
    panel.search = "bvh a"
    assert panel.rows(viewing) == [(0, None, "a.bvh")]


def test_a_click_opens(bench: Bench, viewing: ClipSession):
    panel = ClipsPanel()
    bench.draw(panel, viewing, press="b.glb")
    until(viewing, lambda: viewing.file_index == 1)
    bench.draw(panel, viewing, press="jump")
    until(viewing, lambda: viewing.shown is not None and viewing.shown.clip.title == "jump")
    panel.search = "nothing has this"
    assert "no file or clip" in bench.draw(panel, viewing)
