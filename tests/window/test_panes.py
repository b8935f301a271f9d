"""The bars and columns around the scene, without a screen."""

from __future__ import annotations

from typing import Any

from kinema.session.play import PlaySession
from kinema.session.session import Session
from kinema.window import panes
from kinema.window.layout import arrange
from kinema.window.panels import Panel
from kinema.window.recording import SceneRecording

from .conftest import Bench


class Empty(Session):
    name = "view"


class Fine(Panel):
    title = "Fine"

    def __init__(self) -> None:
        self.drawn = 0

    def draw(self, ui: Any, session: Session) -> None:
        self.drawn += 1
        ui.muted("all is well")


class Wrong(Panel):
    title = "Wrong"

    def draw(self, ui: Any, session: Session) -> None:
        ui.imgui.begin_table("##open", 2)
        raise KeyError("gone")


def picture(bench: Bench, panels: list[Panel], session: Session) -> str:
    bench.hands.labels, bench.hands.texts = [], []
    bench.gui.begin((1000, 700), 1.0, 1 / 60)
    layout = arrange((1000, 700), 1.0, left=False)
    panes.draw_parts(bench.ui, session, layout, panels)
    panes.draw_bars(bench.ui, session, layout)
    bench.gui.end()
    return " | ".join([*bench.hands.labels, *bench.hands.texts])


def test_a_panel_that_fails_is_named_and_the_next_one_is_drawn(bench: Bench):
    bench.window.recording = SceneRecording(bench.log)
    for name in ("take_picture", "toggle_look", "toggle_help"):
        setattr(bench.window, name, lambda: None)
    fine, mode = Fine(), Empty(log=bench.log)
    for _ in range(3):
        drawn = picture(bench, [Wrong(), fine], mode)
    assert fine.drawn == 3 and "all is well" in drawn
    assert [(line.text, line.count) for line in bench.log.lines] == [("panel Wrong: KeyError: 'gone'", 3)]
    assert "panel Wrong: KeyError: 'gone'  (3\u00d7)" in drawn, "the status bar says it"
    assert "60 pictures/s" in drawn


def test_a_panel_of_another_session_is_not_wanted():
    class Other(Fine):
        kind = PlaySession

    assert Fine().wanted(Empty()) and not Other().wanted(Empty())
