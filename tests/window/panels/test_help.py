"""The keys."""

from __future__ import annotations

from kinema.session.clips import ClipSession
from kinema.window.panels.help import HelpPanel

from ..conftest import Bench


def test_keys_of_mode_and_window_are_told(bench: Bench, viewing: ClipSession):
    drawn = bench.draw(HelpPanel(), viewing)
    assert "play, pause" in drawn and "this help" in drawn
