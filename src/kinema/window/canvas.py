"""The rendered scene: drawn at a resolution that the machine can keep up with, shown at the size of the window."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from kinema.errors import KinemaError
from kinema.rendering.view import View
from kinema.session.log import Log

SHARES = (1.0, 0.75, 0.5, 0.35)
"""Resolutions, as fractions of the window's."""

TOO_SLOW, FAST = 1 / 22, 1 / 50
"""Seconds per frame above which the resolution falls, and below which it rises again."""

LEAST = 16
"""Smallest width and height in pixels that is drawn."""


def read_pixels(framebuffer: Any, size: tuple[int, int]) -> NDArray[np.uint8]:
    """The picture `[H, W, 3]` in a framebuffer of moderngl's, top row first."""
    data = framebuffer.read(viewport=(0, 0, *size), components=3)
    return np.frombuffer(data, np.uint8).reshape(size[1], size[0], 3)[::-1].copy()


class DrawsScenes(Protocol):
    """A renderer: `kinema.rendering.renderer.Renderer`, or a stand-in in tests."""

    timings: dict[str, float]
    profile: bool
    shader_error: str | None

    def resize(self, width: int, height: int) -> None: ...

    def draw(self, view: View, framebuffer: Any) -> None: ...

    def close(self) -> None: ...


class Canvas:
    """A texture that the renderer draws into and the GUI shows.

    Args:
        context: moderngl's. make: makes a renderer for a size in pixels on that context.
    """

    def __init__(self, context: Any, make: Callable[[Any, int, int], DrawsScenes], log: Log) -> None:
        self._context, self._make, self._log = context, make, log
        self._renderer: DrawsScenes | None = None
        self._texture: Any = None
        self._framebuffer: Any = None
        self.automatic = True
        """Whether the resolution adapts to the frame rate."""
        self.level = 0
        """Index into `SHARES`."""
        self.profile = False
        """Whether render passes are timed, which slows them down."""
        self._slow = self._quick = 0.0

    @property
    def share(self) -> float:
        """Resolution, as a fraction of the window's."""
        return SHARES[self.level]

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels; `(0, 0)` before the first frame."""
        return (0, 0) if self._texture is None else tuple(self._texture.size)

    @property
    def texture(self) -> int | None:
        """OpenGL name of the texture; None before the first frame."""
        return None if self._texture is None else int(self._texture.glo)

    @property
    def timings(self) -> dict[str, float]:
        """Milliseconds of each render pass of the last frame."""
        return dict(self._renderer.timings) if self._renderer is not None else {}

    def draw(self, view: View, width: float, height: float) -> None:
        """Draw a view that is shown on `width` by `height` pixels. Errors go to the log.

        If drawing fails, the previous frame stays.
        """
        size = max(int(width * self.share), 1), max(int(height * self.share), 1)
        if min(size) < LEAST:
            return
        try:
            if self._renderer is None:
                self._renderer = self._make(self._context, *size)
            if size != self.size:
                self._resize(*size)
            self._renderer.profile = self.profile
            self._renderer.draw(view, self._framebuffer)
            if self._renderer.shader_error:  # the renderer goes on with the shader before
                self._log.say(self._renderer.shader_error, "error")
        except KinemaError as error:
            self._log.say(str(error), "error")
        finally:
            self._context.screen.use()

    def paced(self, seconds: float) -> None:
        """Report how long a frame took. The resolution changes when frames stay slow, or fast, for a while."""
        if not self.automatic:
            return
        self._slow = self._slow + seconds if seconds > TOO_SLOW else 0.0
        self._quick = self._quick + seconds if seconds < FAST else 0.0
        if self._slow > 0.8 and self.level < len(SHARES) - 1:
            self.level += 1
            self._slow = 0.0
        # Rising takes much longer: a resolution that keeps changing is worse than a low one.
        elif self._quick > 10.0 and self.level > 0:
            self.level -= 1
            self._quick = 0.0

    def read(self) -> NDArray[np.uint8] | None:
        """The frame `[H, W, 3]`, top row first; None before the first one."""
        return None if self._framebuffer is None else read_pixels(self._framebuffer, self.size)

    def forget(self, context: Any) -> None:
        """Continue with a new context; everything in the old one is lost."""
        self._context = context
        self._renderer = self._texture = self._framebuffer = None

    def close(self) -> None:
        """Release everything."""
        if self._renderer is not None:
            self._renderer.close()
        self._release()
        self._renderer = None

    def _resize(self, width: int, height: int) -> None:
        assert self._renderer is not None
        self._release()
        self._renderer.resize(width, height)
        self._texture = self._context.texture((width, height), 4)
        self._texture.swizzle = "RGB1"  # nothing shines through the scene
        self._framebuffer = self._context.framebuffer([self._texture])

    def _release(self) -> None:
        if self._framebuffer is not None:
            self._framebuffer.release()
            self._texture.release()
        self._framebuffer = self._texture = None
