"""The window itself, on a virtual screen."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing

import pytest

pytest.importorskip("moderngl", reason="moderngl is not installed: pip install 'kinema[window]'")

from kinema.window.events import OUTSIDE, Button, Focus, Key, Pointer, Text
from kinema.window.surface import GlfwSurface


@pytest.fixture
def surface(display: str) -> Iterator[GlfwSurface]:
    with closing(GlfwSurface("test", (320, 240))) as made:
        yield made


def test_it_has_a_context_and_a_size(surface: GlfwSurface):
    assert surface.context.version_code >= 330 and surface.size == (320, 240) == surface.points
    assert surface.drawable and not surface.lost and not surface.closed and surface.scale > 0
    assert surface.refresh_rate > 0


def test_keys_are_known_by_place_and_forgotten_with_the_focus(surface: GlfwSurface):
    glfw = surface.glfw
    surface.poll()
    surface._on_key(None, glfw.KEY_W, 0, glfw.PRESS, 0)
    surface._on_key(None, glfw.KEY_W, 0, glfw.REPEAT, 0)
    surface._on_key(None, 999, 0, glfw.PRESS, 0)
    assert surface.keys == {"KeyW"}
    surface._on_focus(None, 0)
    assert surface.keys == set()
    assert [event for event in surface.poll() if isinstance(event, Key | Focus)][-4:] == [
        Key("KeyW", True),
        Key("KeyW", True, True),
        Key("KeyW", False),
        Focus(False),
    ]


def test_events_are_plain_values():
    assert Pointer(1, 2) == Pointer(1, 2) and OUTSIDE.x < -1000 and Button(0, True) != Button(0, False)
    assert Text("a").character == "a"


def test_another_context_takes_the_place_of_a_lost_one(surface: GlfwSurface):
    old = surface.context
    surface.recreate()
    assert surface.context is not old and surface.size == (320, 240)
    surface.context.screen.clear(1.0, 0.0, 0.0)
    assert surface.context.screen.read(viewport=(0, 0, 1, 1))[:3] == b"\xff\x00\x00"


def test_it_closes_once_and_answers_afterwards(display: str):
    surface = GlfwSurface("test", (320, 240), visible=False)
    surface.glfw.set_window_should_close(surface._handle, True)
    assert surface.closed and surface.alive
    surface.close()
    surface.close()
    assert surface.closed and not surface.alive and surface.size == (0, 0) and not surface.drawable
    surface.swap()


def test_two_windows_live_side_by_side(display: str):
    first, second = GlfwSurface("one", (200, 150)), GlfwSurface("two", (200, 150))
    first.close()
    assert not second.closed and second.size == (200, 150)
    second.poll()
    second.close()


def test_the_clipboard_keeps_text(surface: GlfwSurface):
    surface.clipboard = "grüß"
    assert surface.clipboard == "grüß"


@pytest.mark.parametrize("released", [False, True])
def test_a_context_without_a_window_may_have_been_current(display: str, released: bool):
    """In a process of its own: where the two collide, X ends the program."""
    script = f"""
from kinema.rendering.context import create_context
from kinema.window.surface import GlfwSurface
context = create_context()
if {released}:
    context.release()
surface = GlfwSurface("test", (64, 48), visible=False)
surface.context.screen.clear(0.0, 1.0, 0.0)
print(surface.context.screen.read(viewport=(0, 0, 1, 1)).hex())
surface.close()
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0 and done.stdout.strip()[:6] == "00ff00", done.stderr
