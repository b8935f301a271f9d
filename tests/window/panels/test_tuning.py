"""Settings that are turned while the controller runs."""

from __future__ import annotations

from kinema.control.adjust import Adjustment
from kinema.window.panels.tuning import TuningPanel
from kinema.session.play import PlayMode

from ..conftest import Bench


def test_a_stage_is_left_out_and_put_back(bench: Bench, playing: PlayMode):
    controller = playing.cast.controller
    controller.adjustment = stage = Adjustment()
    panel = TuningPanel()
    assert "halflife" in bench.draw(panel, playing)
    assert "halflife" not in bench.draw(panel, playing, Adjustment=False) and controller.adjustment is None
    bench.draw(panel, playing, Adjustment=True)
    assert controller.adjustment is stage


def test_sliders_set_what_they_show(bench: Bench, playing: PlayMode):
    controller = playing.cast.controller
    controller.adjustment = Adjustment()
    bench.draw(TuningPanel(), playing, smooth=0.1)
    assert controller.adjustment.smooth == 0.1
