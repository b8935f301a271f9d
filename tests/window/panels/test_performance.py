"""Where the time goes."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from kinema.session.play import PlaySession
from kinema.window.canvas import SHARES
from kinema.window.panels.performance import PerformancePanel

from ..conftest import Bench


def test_pictures_passes_and_systems(bench: Bench, playing: PlaySession):
    for number in range(20):
        bench.window.figures.add(number / 30, {"picture": 16.0, "scene": 9.0, "panels": 2.0})
    renderer: Any = SimpleNamespace(timings={"shadow": 1.25})
    bench.window.canvas._renderer = renderer
    drawn = bench.draw(PerformancePanel(), playing, resolution=2, Measure_passes=True)
    assert "60 /s, 16.0 ms" in drawn and "9.0 ms" in drawn and "1.25 ms" in drawn and "step groups" in drawn
    canvas = bench.window.canvas
    assert not canvas.automatic and canvas.share == SHARES[1] and canvas.profile
