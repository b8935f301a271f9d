"""The deferred renderer: one code path off-screen and in a window, on a GPU and in software."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from kinema.arrays import Floats
from kinema.errors import KinemaError
from kinema.rendering import context as contexts
from kinema.rendering.extent import Extent, extent, whole
from kinema.rendering.frame import BUFFERS, Frame, covered, empty_frame
from kinema.rendering.passes.bloom import add_bloom
from kinema.rendering.passes.finish import map_tones, smooth_edges
from kinema.rendering.passes.forward import blend_transparent
from kinema.rendering.passes.geometry import fill_geometry
from kinema.rendering.passes.lighting import Lights, light_surfaces
from kinema.rendering.passes.occlusion import occlude
from kinema.rendering.passes.shadow import ShadowPass
from kinema.rendering.passes.splats import SplatPass
from kinema.rendering.readback import read_buffers
from kinema.rendering.scene import GpuScene
from kinema.rendering.shading import Shaders
from kinema.rendering.sunfit import SunFit, fit
from kinema.rendering.targets import Targets
from kinema.rendering.view import View

if TYPE_CHECKING:
    import moderngl

    from kinema.rendering.passes.debug import DebugPass

T = TypeVar("T")


@dataclass(frozen=True)
class Quality:
    """What a picture may cost.

    Attributes:
        samples: rendered pixels per output pixel, along an edge.
        shadow: texels of an edge of the shadow map.
        taps, search: samples of the shadow map for the shadow and for the distance of what casts it.
        occlusion: samples of the ambient occlusion; 0 leaves it out.
        bloom: whether bright things glow.
    """

    samples: int
    shadow: int
    taps: int
    search: int
    occlusion: int
    bloom: bool


QUALITIES = {
    "small": Quality(1, 320, 5, 4, 0, False),
    "draft": Quality(1, 768, 5, 4, 0, False),
    "standard": Quality(1, 1536, 10, 6, 10, True),
    "high": Quality(2, 4096, 24, 16, 20, True),
}


class Renderer:
    """Draws views. Use it in the thread that made it, and close it (or use it in `with`).

    Args:
        width, height: size of the pictures, pixels. If one of them is 0, nothing is drawn and pictures are empty.
        quality: one of `QUALITIES`. "high" averages four samples per pixel, "small" is for up to 128 pixels.
        context: a moderngl context to draw with, such as a window's; None makes one without a window.
        profile: measure the cost of each pass in milliseconds into `timings` (waits for the driver after each).
        live_shaders: compile shaders again when their files change; errors go to `shader_error`.
        threads: of the processor that draw captured scenes; None is one a core.

    Raises:
        MissingError: moderngl or a driver is missing; the message says what to install.
        KinemaError: there is no such quality, or the size is negative.
    """

    def __init__(
        self,
        width: int,
        height: int,
        quality: str = "standard",
        *,
        context: moderngl.Context | None = None,
        profile: bool = False,
        live_shaders: bool = False,
        threads: int | None = None,
    ) -> None:
        if quality not in QUALITIES:
            raise KinemaError(f"there is no quality {quality!r}; there are {', '.join(QUALITIES)}")
        self.quality, self._wanted = quality, QUALITIES[quality]
        self.profile, self.live_shaders = profile, live_shaders
        self.timings: dict[str, float] = {}
        self.shader_error: str | None = None
        self._thread = threading.get_ident()
        self._splat_threads = threads
        self._own = context is None
        self._targets: Targets | None = None
        self._closed = False
        self._opaque: bytes | None = None
        self._covered = False
        self.width = self.height = 0
        self.resize(width, height)
        if context is not None:
            self._setup(context)
        else:
            self._setup(contexts.create_context())
            with self.context:  # leaving it gives the thread back: else a window could not be opened beside it
                pass

    def _setup(self, context: moderngl.Context) -> None:
        self.context = context
        self.info = contexts.describe(context)
        self.shaders = Shaders(context, live=self.live_shaders)
        self.scene = GpuScene(context)
        self.shadow = ShadowPass(context, self.shaders, self._wanted.shadow)
        self.splats = SplatPass(self.shaders, self._splat_threads)
        self._debug_pass: DebugPass | None = None

    def __enter__(self) -> Renderer:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def resize(self, width: int, height: int) -> None:
        """Change the size of the pictures, pixels.

        Raises:
            KinemaError: a size is negative.
        """
        if width < 0 or height < 0:
            raise KinemaError(f"a picture cannot be {width} x {height} pixels")
        self.width, self.height = int(width), int(height)

    def render(self, view: View, buffers: Sequence[str] = ("color",)) -> Frame:
        """Draw a view and read buffers back.

        Args:
            buffers: some of `kinema.rendering.frame.BUFFERS`.

        Raises:
            KinemaError: no such buffer, poses that do not fit their character, the wrong thread, or a closed renderer.
        """
        unknown = [name for name in buffers if name not in BUFFERS]
        if unknown:
            raise KinemaError(f"there is no buffer {unknown[0]!r}; there are {', '.join(BUFFERS)}")
        self._ready()
        with self._current():
            targets = self._draw(view, frozenset(buffers), None)
            if targets is None:
                return empty_frame(self.width, self.height, buffers)
            frame = self._timed("read", read_buffers, targets, view.camera, buffers, self._opaque)
            return covered(frame, self.splats.layer) if self._covered and self.splats.layer else frame

    def draw(self, view: View, framebuffer: moderngl.Framebuffer) -> None:
        """Draw a view into a framebuffer of the renderer's size, such as a window's; nothing is read back."""
        self._ready()
        with self._current():
            self._draw(view, frozenset(), framebuffer)

    def close(self) -> None:
        """Free everything, and the context if it was made here. A second call does nothing."""
        if self._closed:
            return
        self._closed = True
        if contexts.is_lost(self.context):
            return
        with self._current():
            self._release()
        if self._own:
            self.context.release()

    def _release(self) -> None:
        if self._targets is not None:
            self._targets.release()
            self._targets = None
        if self._debug_pass is not None:
            self._debug_pass.release()
            self._debug_pass = None
        self.scene.release()
        self.shadow.release()
        self.splats.release()
        self.shaders.release()

    def _ready(self) -> None:
        if self._closed:
            raise KinemaError("this renderer is closed; make a new one")
        if threading.get_ident() != self._thread:
            raise KinemaError("a renderer belongs to the thread that made it; make one in this thread")
        if contexts.is_lost(self.context):
            if not self._own:
                raise KinemaError("the window's OpenGL context is gone; make a new renderer with the new one")
            # Its objects are gone with it: there is nothing to free. Buffers are made again from the characters.
            self._targets = None
            self._setup(contexts.create_context())

    def _current(self) -> AbstractContextManager[object]:
        """Make our own context the current one for a while; a window's is current already."""
        return self.context if self._own else nullcontext()

    def _refresh_shaders(self) -> None:
        if self.live_shaders:
            generation = self.shaders.generation
            self.shader_error = self.shaders.refresh()
            if self.shaders.generation != generation:
                self.scene.forget_programs()

    def _fitting_targets(self, view: View, buffers: frozenset[str]) -> Targets:
        """The textures for a picture; made again when the size or the wanted buffers change."""
        wanted = {
            "glow": self.scene.glows,
            "masks": bool(buffers & {"entities", "parts"}),
            "motion": "motion" in buffers,
        }
        extras = frozenset(name for name, needed in wanted.items() if needed)
        samples, output = self._wanted.samples, (self.width, self.height)
        clear = view.sky.backdrop is not None and view.sky.backdrop[3] < 1.0
        deep = samples > 1 or clear
        old = self._targets
        if old is None or (old.output, old.extras, old.deep) != (output, extras, deep):
            if old is not None:
                old.release()
            self._targets = None
            size = (output[0] * samples, output[1] * samples)
            self._targets = Targets(self.context, size, output, extras, deep)
        assert self._targets is not None
        return self._targets

    def _fit_sun(self, view: View, focus: Floats, size: float) -> SunFit | None:
        """The view of the shadow map; None without shadows in the picture."""
        if not view.sun.shadows or view.sun.intensity <= 0:
            return None
        reach = float(np.linalg.norm(focus - view.camera.position)) + 12.0 * size
        scene, aspect = self.scene, self.width / self.height
        return fit(view.sun.toward, scene.centers, scene.radii, view.camera, aspect, reach, self.shadow.resolution)

    def _draw(self, view: View, buffers: frozenset[str], into: moderngl.Framebuffer | None) -> Targets | None:
        if self.width == 0 or self.height == 0:
            return None
        self._refresh_shaders()
        self.timings = {}
        scene, shaders, wanted, timed = self.scene, self.shaders, self._wanted, self._timed
        timed("poses", scene.fill, view, "motion" in buffers)
        targets = self._fitting_targets(view, buffers)
        focus, size = subject(view, scene)
        around = scene.centers, scene.radii
        where = extent(view.camera, targets.size, *around) if view.floor is None else whole(targets.size)
        sun = self._fit_sun(view, focus, size)
        lights = Lights(view, self.shadow, sun, wanted.taps, wanted.search)
        if sun is not None:
            timed("shadow", self.shadow.render, scene, sun)
        timed("geometry", fill_geometry, shaders, view, scene, targets, focus)
        occluded = wanted.occlusion > 0
        if occluded:
            timed("occlusion", occlude, shaders, view, targets, 0.3 * size, wanted.occlusion, where)
        timed("lighting", light_surfaces, shaders, targets, lights, focus, occluded, where)
        self._opaque = None
        if scene.translucent:
            if buffers & {"depth", "normals"}:
                self._opaque = targets.depth.read(alignment=4)
            timed("forward", blend_transparent, shaders, scene, targets, lights)
        self._finish(view, targets, lights, where, targets.color_frame if into is None else into)
        return targets

    def _finish(self, view: View, targets: Targets, lights: Lights, where: Extent, last: moderngl.Framebuffer) -> None:
        """From light to the picture, with debug drawing on top."""
        bloom = self._wanted.bloom
        if bloom:
            self._timed("bloom", add_bloom, self.shaders, targets)
        self._timed("tone", map_tones, self.shaders, targets, bloom)
        self._covered = view.splats is not None
        if view.splats is not None:
            self._timed("splats", self.splats.cover, targets, lights, self.scene, view.splats)
        self._timed("finish", smooth_edges, self.shaders, targets, where, last)
        if view.draw is None:
            return
        if self._debug_pass is None:
            from kinema.rendering.passes.debug import DebugPass

            self._debug_pass = DebugPass(self.context)
        self._timed("debug", self._debug_pass.render, view.draw, view.camera, targets.output, targets.depth, last)

    def _timed(self, name: str, work: Callable[..., T], *arguments: Any) -> T:
        if not self.profile:
            return work(*arguments)
        began = time.perf_counter()
        result = work(*arguments)
        self.context.finish()
        self.timings[name] = (time.perf_counter() - began) * 1e3
        return result


def subject(view: View, scene: GpuScene) -> tuple[Floats, float]:
    """What a picture is about: a place `[3]`, world, and the size of a figure there, metres."""
    if view.floor is not None and view.floor.centre is not None:
        return np.asarray(view.floor.centre, np.float64), 1.8
    if scene.batches:
        sizes = []
        for batch in scene.batches:
            around, radii = batch.centers[0], batch.character.radii[:, None]
            sizes.append(float(((around + radii).max(0) - (around - radii).min(0)).max()))
        return np.asarray(scene.centers.mean(0), np.float64), float(np.clip(np.median(sizes), 0.05, 20.0))
    camera = view.camera
    level = 0.0 if view.floor is None else view.floor.y
    down = float(camera.ahead[1])
    away = (level - float(camera.position[1])) / down if abs(down) > 1e-3 else 5.0
    return camera.position + camera.ahead * float(np.clip(away, 1.0, 50.0)), 1.8
