"""The small parts that panels share."""

from __future__ import annotations

from typing import Any

from kinema.session.session import Session

from .conftest import Bench


class Parts:
    """A panel that uses all of them."""

    def draw(self, ui: Any, mode: Any) -> None:
        self.slid = ui.slider("speed##a", 1.25, 0.0, 2.0, "%.1f m/s")
        self.chosen = ui.choice("which", ["a", "b", "c"], 7)
        self.segment = ui.segments("row", ["one", "two"], "one")
        self.on = ui.switch("flag", False)
        self.pressed = ui.button("do it", enabled=True, on=True)
        ui.fact("name", "value")
        ui.wrapped("a text")
        ui.heading("title")


def test_parts_give_back_what_the_hand_did(bench: Bench):
    parts, mode = Parts(), Session(log=bench.log)
    drawn = bench.draw(parts, mode)
    assert (parts.slid, parts.chosen, parts.segment, parts.on, parts.pressed) == (1.25, 2, "one", False, False)
    assert "1.2 m/s" in drawn or "1.3 m/s" in drawn
    assert "speed" in drawn.split(" | ") and "value" in drawn and "title" in drawn
    bench.draw(parts, mode, press="two", flag=True, which=1, **{"speed": 0.5})
    assert (parts.slid, parts.chosen, parts.segment, parts.on) == (0.5, 1, "two", True)
    bench.draw(parts, mode, press="do it")
    assert parts.pressed


def test_colours_are_packed_with_their_opacity(bench: Bench):
    assert bench.ui.color((1.0, 0.0, 0.0, 1.0)) == 0xFF0000FF
    assert bench.ui.color((0.0, 0.0, 1.0, 1.0), 0.5) >> 24 in (127, 128)
