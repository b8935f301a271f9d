"""OpenGL 3.3 contexts: one without a window, or the one of an existing window."""

from __future__ import annotations

import ctypes
import ctypes.util
import sys
from dataclasses import dataclass
from types import ModuleType
from typing import TYPE_CHECKING, Any

from kinema.errors import MissingError

if TYPE_CHECKING:
    import moderngl

VERSION = 330
"""Required of a driver: OpenGL 3.3 core, which every machine of the last decade has."""
SYSTEM_PARTS = "sudo apt-get install libegl1 libgl1-mesa-dri"
_SOFTWARE = ("llvmpipe", "softpipe", "swrast", "software rasterizer", "swiftshader", "microsoft basic render")


@dataclass(frozen=True)
class GraphicsInfo:
    """The graphics driver.

    Attributes:
        renderer, vendor, version: the driver's own names.
        software: the CPU draws; there is no GPU.
    """

    renderer: str
    vendor: str
    version: str
    software: bool

    def __str__(self) -> str:
        kind = "software" if self.software else "GPU"
        return f"{self.renderer}, OpenGL {self.version} ({kind})"


def create_context() -> moderngl.Context:
    """An OpenGL context of its own, without window and display.

    Raises:
        MissingError: moderngl is not installed, or the machine has no driver; says what to install.
    """
    gl = _moderngl()
    kind: dict[str, Any] = {"backend": "egl"} if sys.platform.startswith("linux") else {}
    try:
        return gl.create_context(standalone=True, require=VERSION, **kind)
    except Exception as error:  # glcontext and moderngl raise bare exceptions: there is no narrower class
        raise MissingError(f"no OpenGL 3.3 driver works without a display ({_first(error)}): {SYSTEM_PARTS}") from error


def adopt_context() -> moderngl.Context:
    """The OpenGL context that is current in this thread, such as a window's.

    Raises:
        MissingError: moderngl is not installed, or no context of version 3.3 is current.
    """
    gl = _moderngl()
    try:
        return gl.create_context(require=VERSION)
    except Exception as error:  # as above
        raise MissingError(f"no OpenGL 3.3 context is current in this thread: {_first(error)}") from error


def step_aside() -> None:
    """Release an off-screen context that is current in this thread.

    X terminates a program that makes the context of a window current over it. An off-screen renderer makes its own
    context current again when it draws.
    """
    name = ctypes.util.find_library("EGL") if sys.platform.startswith("linux") else None
    if name is None:
        return
    egl = ctypes.CDLL(name)
    egl.eglGetCurrentDisplay.restype = ctypes.c_void_p
    egl.eglMakeCurrent.argtypes = [ctypes.c_void_p] * 4
    display = egl.eglGetCurrentDisplay()
    if display:
        egl.eglMakeCurrent(display, None, None, None)


def describe(context: moderngl.Context) -> GraphicsInfo:
    """The driver of a context."""
    info = context.info
    renderer = str(info.get("GL_RENDERER", "unknown"))
    software = any(name in renderer.lower() for name in _SOFTWARE)
    return GraphicsInfo(renderer, str(info.get("GL_VENDOR", "unknown")), str(info.get("GL_VERSION", "")), software)


def is_lost(context: moderngl.Context) -> bool:
    """Whether a context cannot draw any more: it was released, or its driver was reset."""
    return type(context.mglo).__name__ == "InvalidObject" or context.error == "GL_CONTEXT_LOST"


def probe() -> GraphicsInfo:
    """The driver for off-screen pictures on this machine.

    Raises:
        MissingError: there is none; says what to install.
    """
    context = create_context()
    try:
        return describe(context)
    finally:
        context.release()


def _moderngl() -> ModuleType:
    try:
        import moderngl
    except ModuleNotFoundError as error:
        raise MissingError("drawing needs moderngl: pip install 'kinema[render]'") from error
    return moderngl


def _first(error: BaseException) -> str:
    lines = str(error).strip().splitlines()
    return lines[0] if lines else type(error).__name__
