"""Looking into the controller."""

from __future__ import annotations

from kinema.session.play import PlaySession
from kinema.window.panels.inspector import InspectorPanel

from ..conftest import Bench


def test_whatever_a_family_shows_is_drawn(bench: Bench, playing: PlaySession):
    drawn = bench.draw(InspectorPanel(), playing)
    assert "match cost" in drawn and "0.25" in drawn and "1.5 cm" in drawn
    assert "gate" in drawn and "phase" in drawn and "note" not in drawn
    assert "left foot" in drawn and ("touches" in drawn or "lifted" in drawn)


def test_before_anybody_is_there(bench: Bench, playing: PlaySession):
    playing.playable = None
    assert "nothing is steered yet" in bench.draw(InspectorPanel(), playing)
