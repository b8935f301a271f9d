"""The timeline's transport. The hand on its tracks is tested in a real window."""

from __future__ import annotations

from kinema.session.clips import ClipSession
from kinema.window.panels.timeline import TimelinePanel

from ..conftest import Bench


def test_transport(bench: Bench, viewing: ClipSession):
    panel, head = TimelinePanel(), viewing.playhead
    bench.draw(panel, viewing, press="last")
    assert head.frame == 59 and not head.playing
    bench.draw(panel, viewing, press="back")
    assert head.frame == 58
    bench.draw(panel, viewing, press="on")
    assert head.frame == 59
    bench.draw(panel, viewing, press="first")
    bench.draw(panel, viewing, press="play")
    assert head.frame == 0 and head.playing
    bench.draw(panel, viewing, press="loop", speed=0)
    assert not head.loop and head.speed == 0.1


def test_it_says_where_we_are(bench: Bench, viewing: ClipSession):
    viewing.seek(30)
    viewing.editor.select((10, 20))
    drawn = bench.draw(TimelinePanel(), viewing)
    assert "31 / 60" in drawn and "1.00 s" in drawn and "range 11 to 20" in drawn


def test_it_is_drawn_at_any_zoom_and_without_a_clip(bench: Bench, viewing: ClipSession):
    panel = TimelinePanel()
    bench.draw(panel, viewing)
    bench.ui.timescale.zoom(30, 20)
    bench.draw(panel, viewing)
    assert panel.track.width > 100
    viewing.shown = None
    bench.draw(panel, viewing)
