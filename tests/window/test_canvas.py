"""The picture of the scene and its resolution."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from kinema.errors import KinemaError
from kinema.rendering.camera import Camera
from kinema.rendering.view import View
from kinema.session.log import Log
from kinema.window.canvas import FAST, SHARES, TOO_SLOW, Canvas


class Texture:
    def __init__(self, size: tuple[int, int]) -> None:
        self.size, self.glo, self.swizzle = size, 7, ""

    def release(self) -> None:
        self.size = (0, 0)


class Context:
    """As much of moderngl as a canvas needs."""

    def __init__(self) -> None:
        self.screen = SimpleNamespace(use=lambda: None)

    def texture(self, size: tuple[int, int], _: int) -> Texture:
        return Texture(size)

    def framebuffer(self, _: list) -> Any:
        return SimpleNamespace(release=lambda: None, read=lambda components: b"pixels")


class Drawn:
    timings: dict[str, float]
    profile = False
    shader_error: str | None = None

    def __init__(self, *_: Any) -> None:
        self.sizes: list[tuple[int, int]] = []
        self.timings = {"shadow": 1.5}
        self.fails = False

    def resize(self, width: int, height: int) -> None:
        self.sizes.append((width, height))

    def draw(self, view: View, framebuffer: Any) -> None:
        if self.fails:
            raise KinemaError("no")

    def close(self) -> None:
        self.sizes.append((0, 0))


@pytest.fixture
def canvas() -> Canvas:
    return Canvas(Context(), Drawn, Log())


@pytest.fixture
def view() -> View:
    return View(Camera.look_at((0, 1, 3), (0, 1, 0)))


def test_the_picture_has_the_size_of_the_scene_times_its_share(canvas: Canvas, view: View):
    canvas.draw(view, 800, 600)
    assert canvas.size == (800, 600) and canvas.texture == 7 and canvas.timings == {"shadow": 1.5}
    canvas.level = SHARES.index(0.5)
    canvas.draw(view, 800, 600)
    assert canvas.size == (400, 300)
    canvas.draw(view, 3, 600)
    assert canvas.size == (400, 300), "too small to be drawn"


def test_nothing_is_made_before_it_is_needed(canvas: Canvas):
    assert canvas.texture is None and canvas.read() is None and canvas.timings == {} and canvas.size == (0, 0)
    canvas.close()


def test_resolution_falls_when_it_stays_slow_and_rises_with_patience(canvas: Canvas):
    canvas.paced(2 * TOO_SLOW)
    assert canvas.level == 0, "one slow picture is a hitch"
    for _ in range(30):
        canvas.paced(2 * TOO_SLOW)
    assert canvas.level == len(SHARES) - 1
    for _ in range(200):
        canvas.paced(0.9 * FAST)
    assert canvas.level == len(SHARES) - 1
    for _ in range(400):
        canvas.paced(0.9 * FAST)
    assert canvas.level == len(SHARES) - 2
    canvas.automatic = False
    for _ in range(100):
        canvas.paced(2 * TOO_SLOW)
    assert canvas.level == len(SHARES) - 2, "a chosen resolution stays"


def test_errors_are_said_and_another_context_begins_anew(canvas: Canvas, view: View):
    canvas.draw(view, 100, 100)
    renderer: Any = canvas._renderer
    renderer.fails = True
    canvas.draw(view, 100, 100)
    assert canvas._log.lines[-1].text == "no"
    canvas.forget(Context())
    assert canvas._renderer is None and canvas.texture is None
    canvas.draw(view, 100, 100)
    assert canvas._renderer is not renderer and canvas.texture == 7
