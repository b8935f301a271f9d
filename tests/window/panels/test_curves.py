"""The list of curves and their graph."""

from __future__ import annotations

import time

import numpy as np
import pytest

from kinema.session.clips import ClipSession
from kinema.window.panels.curves import CurveGraph, CurvesPanel, analysis_of, limits, number, sampled

from ..conftest import Bench


def test_curves_are_found_and_drawn(bench: Bench, viewing: ClipSession):
    panel, graph = CurvesPanel(), CurveGraph()
    while analysis_of(viewing).waiting:
        time.sleep(0.01)
    drawn = bench.draw(panel, viewing)
    assert "speed m/s" in drawn and graph.wanted(viewing)
    panel.search = "left height"
    drawn = bench.draw(panel, viewing, **{"left height m": True})
    assert "turn" not in drawn and "feet/left height m" in viewing.curves
    viewing.seek(30)
    assert "1.00" in bench.draw(graph, viewing)
    bench.draw(panel, viewing, **{"left height m": False})
    viewing.curves.remove("root/speed m/s")
    bench.draw(panel, viewing)
    assert not graph.wanted(viewing), "what was switched off stays off"


def test_long_stretches_are_thinned_and_ends_are_within():
    frames = sampled(0.0, 99_999.0, 100_000)
    assert len(frames) < 8001 and frames[0] == 0 and frames[-1] <= 99_999
    assert sampled(10.3, 12.9, 14).tolist() == [10, 11, 12, 13]
    assert sampled(0.0, 1.0, 1).tolist() == [0]


def test_limits_are_never_the_same():
    low, high = limits([np.array([1.0, 3.0, np.nan])])
    assert low < 1 and high > 3
    assert limits([]) == (0.0, 1.0) and limits([np.array([np.nan])]) == (0.0, 1.0)
    low, high = limits([np.array([2.0, 2.0])])
    assert low < 2 < high


@pytest.mark.parametrize(("value", "text"), [(3.5e-8, "0.00"), (-1.234, "-1.23"), (1234.5, "1234")])
def test_numbers_are_short(value: float, text: str):
    assert number(value) == text
