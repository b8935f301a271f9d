"""Settings as widgets."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from kinema.session.clips import ClipSession
from kinema.session.play import PlaySession
from kinema.session.settings import Pad, WordsSetting
from kinema.window.panels.settings import SettingsPanel

from ..conftest import Bench


def test_every_kind_has_its_widget(bench: Bench, playing: PlaySession):
    panel = SettingsPanel("Drive", "left")
    drawn = bench.draw(panel, playing, walk=2.0, characters=8.0)
    assert playing.input.steering.walk == 2.0 and playing.crowd == 7 and "gamepad | none" in drawn
    hero = playing.hero
    bench.draw(panel, playing, press="Start over")
    assert playing.hero != hero and playing.crowd == 7


def test_marks_are_switches(bench: Bench, viewing: ClipSession):
    panel = SettingsPanel("Show", "left", columns=2)
    drawn = bench.draw(panel, viewing)
    assert all(name in drawn for name in viewing.show) and not viewing.show["Skeleton"]
    bench.draw(panel, viewing, Skeleton=True)
    assert viewing.show["Skeleton"]


def test_a_panel_is_there_where_its_settings_are(playing: PlaySession, viewing: ClipSession):
    assert SettingsPanel("Drive").wanted(playing) and not SettingsPanel("Drive").wanted(viewing)


def test_a_pad_is_drawn_and_dragged(bench: Bench, playing: PlaySession):
    """The knob goes to where the mouse is pressed in the square; elsewhere it stays."""
    places, point = {"old": (0.0, 0.0), "proud": (1.0, 1.0)}, [(0.5, 0.5)]
    corner: list[Any] = []
    button = bench.hands._imgui.invisible_button

    def seen(label: str, size: Any) -> bool:
        corner[:] = [bench.hands._imgui.get_cursor_screen_pos(), size.x]
        return bool(button(label, size))

    bench.hands.invisible_button = seen
    pad = Pad("Drive", "mix", "drag", lambda: point[0], lambda value: point.__setitem__(0, value), lambda: places)
    session = SimpleNamespace(settings=lambda: [pad])
    panel = SettingsPanel("Drive", "left")
    io = bench.gui.imgui.get_io()
    drawn = bench.draw(panel, session)
    assert "mix" in drawn and point == [(0.5, 0.5)]

    def mouse(x: float, y: float, down: bool) -> None:
        io.add_mouse_pos_event(corner[0].x + x * corner[1], corner[0].y + (1 - y) * corner[1])
        io.add_mouse_button_event(0, down)
        bench.draw(panel, session)
        bench.draw(panel, session)

    mouse(0.25, 0.75, False)
    assert point == [(0.5, 0.5)]
    mouse(0.25, 0.75, True)
    assert point[0] == pytest.approx((0.25, 0.75), abs=0.02)
    mouse(2.0, 0.5, True)
    assert point[0] == pytest.approx((1.0, 0.5), abs=0.02), "a drag goes on beyond the edge"
    mouse(0.1, 0.1, False)
    mouse(0.1, 0.1, False)
    assert point[0] == pytest.approx((1.0, 0.5), abs=0.02)


def test_words_are_put_with_enter(bench: Bench):
    said: list[str] = ["walks"]
    text = WordsSetting("Drive", "text", "", lambda: said[0], lambda words: said.__setitem__(0, words), "jumps")
    session = SimpleNamespace(settings=lambda: [text])
    assert "text" in bench.draw(SettingsPanel("Drive", "left"), session) and said == ["walks"]
    bench.draw(SettingsPanel("Drive", "left"), session, text="runs")
    assert said == ["runs"]
