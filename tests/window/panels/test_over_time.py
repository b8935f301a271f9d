"""Graphs of the last seconds."""

from __future__ import annotations

import numpy as np

from kinema.session.play import PlaySession
from kinema.window.panels.over_time import OverTimePanel, transitions

from ..conftest import Bench


def test_graphs_have_the_last_values(bench: Bench, playing: PlaySession):
    drawn = bench.draw(OverTimePanel(), playing)
    assert "speed" in drawn and f"{playing.history.last('speed'):.2f} m/s" in drawn
    assert "1.5 cm" in drawn and "cost of the match" in drawn
    playing.history.clear()
    assert "first steps" in bench.draw(OverTimePanel(), playing)


def test_transitions_are_where_the_count_goes_up():
    assert transitions(np.array([0, 0, 1, 1, 3, 0, 1.0])).tolist() == [2, 4, 6]
    assert len(transitions(np.array([np.nan, np.nan]))) == 0 and len(transitions(np.zeros(1))) == 0
