"""A virtual screen, a GUI without one, and a stand-in for the window around panels."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest

from kinema import Motion, Skeleton
from kinema.session.history import FigureHistory
from kinema.session.log import Log
from kinema.window.canvas import Canvas
from kinema.window.widgets import Widgets

from ..session.conftest import Gliding, blocks, walk


@pytest.fixture(scope="session")
def display() -> Iterator[str]:
    """A virtual screen of 800 by 600, as `DISPLAY`; tests are skipped where there is no Xvfb or no driver."""
    pytest.importorskip("glfw", reason="glfw is not installed: pip install 'kinema[window]'")
    pytest.importorskip("imgui_bundle", reason="imgui-bundle is not installed: pip install 'kinema[window]'")
    if shutil.which("Xvfb") is None:
        pytest.skip("no Xvfb on this machine; on Debian: apt-get install xvfb libgl1-mesa-dri")
    read, write = os.pipe()
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(write), "-screen", "0", "800x600x24", "-nolisten", "tcp", "-noreset"],
        pass_fds=[write],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    os.close(write)
    with os.fdopen(read) as pipe:
        number = pipe.readline().strip()
    if not number:
        server.wait()
        pytest.skip("Xvfb does not start on this machine")
    before = {name: os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "XDG_SESSION_TYPE")}
    os.environ["DISPLAY"], os.environ["XDG_SESSION_TYPE"] = f":{number}", "x11"
    os.environ.pop("WAYLAND_DISPLAY", None)
    yield f":{number}"
    for name, value in before.items():
        if value is None:
            os.environ.pop(name, None)
        else:
            os.environ[name] = value
    server.terminate()
    server.wait()


class Pressing:
    """imgui in which widgets are worked by name: `press` buttons, `put` values, see `labels` that were drawn."""

    def __init__(self, imgui: Any) -> None:
        self._imgui = imgui
        self.press: set[str] = set()
        self.put: dict[str, Any] = {}
        self.labels: list[str] = []
        self.texts: list[str] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self._imgui, name)

    def _seen(self, label: str) -> str | None:
        self.labels.append(label)
        return next((one for one in [*self.press, *self.put] if one == label or one in label.split("##")), None)

    def button(self, label: str, *rest: Any) -> bool:
        self._imgui.button(label, *rest)
        return self._seen(label) in self.press

    def selectable(self, label: str, chosen: bool, *rest: Any) -> tuple[bool, bool]:
        self._imgui.selectable(label, chosen, *rest)
        hit = any(one in label for one in self.press)
        self.labels.append(label)
        return hit, hit or chosen

    def _value(self, drawn: tuple[bool, Any], label: str) -> tuple[bool, Any]:
        found = self._seen(label)
        return (True, self.put[found]) if found in self.put else drawn

    def checkbox(self, label: str, value: bool) -> tuple[bool, bool]:
        return self._value(self._imgui.checkbox(label, value), label)

    def combo(self, label: str, *rest: Any) -> tuple[bool, int]:
        return self._value(self._imgui.combo(label, *rest), label)

    def slider_float(self, label: str, *rest: Any) -> tuple[bool, float]:
        return self._value(self._imgui.slider_float(label, *rest), label)

    def slider_int(self, label: str, *rest: Any) -> tuple[bool, int]:
        return self._value(self._imgui.slider_int(label, *rest), label)

    def input_text_with_hint(self, label: str, *rest: Any) -> tuple[bool, str]:
        return self._value(self._imgui.input_text_with_hint(label, *rest), label)

    def text_unformatted(self, text: str) -> None:
        self.texts.append(text)
        self._imgui.text_unformatted(text)


class Bench:
    """Panels on a ui without a screen."""

    def __init__(self) -> None:
        from kinema.window.gui import Gui

        self.gui = Gui(None)
        self.hands = self.gui.imgui = Pressing(self.gui.imgui)
        self.log = Log()
        context = SimpleNamespace(screen=SimpleNamespace(use=lambda: None))
        self.window = SimpleNamespace(
            keys=(("F1", "this help"),),
            rate=60.0,
            figures=FigureHistory(2.0, 30.0),
            shown=True,
            canvas=Canvas(context, lambda *_: None, self.log),
        )
        self.ui = Widgets(self.gui, self.log, self.window)  # type: ignore[arg-type]

    def draw(self, panel: Any, mode: Any, press: str = "", **put: Any) -> str:
        """One picture of a panel, in which buttons are pressed and values put; all text that was in it."""
        self.hands.press, self.hands.put = {press} - {""}, {name.replace("_", " "): v for name, v in put.items()}
        self.hands.labels, self.hands.texts = [], []
        self.gui.begin((900, 700), 1.0, 1 / 60)
        self.hands.set_next_window_size((860, 660))
        self.hands.begin("panel")
        panel.draw(self.ui, mode)
        self.hands.end()
        self.gui.end()
        return " | ".join([*self.hands.labels, *self.hands.texts])


@pytest.fixture
def bench() -> Iterator[Bench]:
    pytest.importorskip("imgui_bundle", reason="imgui-bundle is not installed: pip install 'kinema[window]'")
    made = Bench()
    yield made
    made.gui.close()


@pytest.fixture(autouse=True)
def _quick_bodies(monkeypatch: pytest.MonkeyPatch) -> None:
    """Mannequins take a second each; these tests are not about them."""
    for module in ("playable", "prepared", "rehearsal"):
        monkeypatch.setattr(f"kinema.session.{module}.build_mannequin", blocks)


@pytest.fixture
def walking(biped: Skeleton) -> Motion:
    return walk(biped)


@pytest.fixture
def gliding(biped: Skeleton) -> Gliding:
    return Gliding(biped)
