"""The window: polls events, advances time, draws the scene and the GUI over it, and recovers from lost contexts."""

from __future__ import annotations

import time
from collections.abc import Callable
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from kinema.engine import RunReport, World, run_standalone
from kinema.errors import MissingError
from kinema.formats.atomic import atomic_write
from kinema.rendering.film.stills import png
from kinema.session.deadline import Deadline
from kinema.session.history import FigureHistory
from kinema.session.rehearsal import RehearsalSession
from kinema.session.rehearser import Learner
from kinema.session.session import Session
from kinema.window import panes, theme
from kinema.window.cameras import Cameras
from kinema.window.canvas import Canvas, DrawsScenes, read_pixels
from kinema.window.events import Drop, Event, Key
from kinema.window.gamepad import input_state, read_pad
from kinema.window.gui import Gui
from kinema.window.keys import held
from kinema.window.layout import Layout, Rect, arrange
from kinema.window.panels import PANELS, Panel
from kinema.window.panels.help import HelpPanel
from kinema.window.recording import SceneRecording, unused
from kinema.window.surface import GlfwSurface
from kinema.window.widgets import Widgets

IDLE, AWAKE = 0.1, 1.0
"""Seconds between two frames of an idle window, and since the last input before it counts as idle."""

MOST_STEPS = 24
"""Maximum number of fixed steps per frame: at 60 steps per second, real time is kept down to 3 frames per second."""

LONGEST = 0.5
"""Maximum time, in seconds, by which one frame advances cameras and clips."""


class Window:
    """A window that shows a session.

    Args:
        session: what it shows. title: title of the window. size: size in points.
        make_renderer: makes a renderer for an OpenGL context and a size in pixels.
        look: the theme. zoom: factor on the size of text. visible: False keeps the window off the screen.

    Raises:
        MissingError: a library, the display or OpenGL is missing.
    """

    keys = (
        ("drag", "turn the camera (right button or Shift: move it)"),
        ("wheel", "nearer, farther"),
        ("V", "next camera"),
        ("Tab", "panels on and off"),
        ("F9", "record"),
        ("F11", "full screen"),
        ("F12", "picture of the window"),
        ("F1 or ?", "this help"),
    )

    def __init__(
        self,
        session: Session,
        make_renderer: Callable[[Any, int, int], DrawsScenes],
        title: str = "Kinema",
        size: tuple[int, int] = (1280, 800),
        look: theme.Theme = theme.DARK,
        zoom: float = 1.0,
        visible: bool = True,
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        self.session, self.log, self._clock = session, session.log, clock
        self.surface = GlfwSurface(title, size, visible)
        try:
            self.gui = Gui(self.surface, look)
        except MissingError:
            self.surface.close()
            raise
        self.gui.zoom = zoom
        self.canvas = Canvas(self.surface.context, make_renderer, self.log)
        self.recording = SceneRecording(self.log)
        self.cameras = Cameras(behind=session.steers)
        self.ui = Widgets(self.gui, self.log, self)
        self.help = HelpPanel()
        self.panels: list[Panel] = [*(panel() for panel in PANELS), self.help]
        self.shown = True
        """Whether panes are shown."""
        self.layout: Layout = arrange(self.surface.points)
        self.figures = FigureHistory(12.0, 30.0)
        """Milliseconds of frames and of their parts."""
        self.pictures = 0
        self._began = self._last = self._touched = clock()
        self._passed = 0.0
        self.deadline = Deadline(session)
        self._idle = False
        self._picture_asked: list[Path] = []

    # ---- the loop: the engine's Surface ----------------------------------------------------------------------------

    def run(self, seconds: float | None = None, screenshot: Path | None = None) -> RunReport:
        """Run until the window is closed, or for `seconds` from when everything is read; then close it.

        Args:
            screenshot: a PNG file for the last frame.

        Raises:
            KinemaError: there is nothing to show and never will be.
        """
        self.deadline.seconds = seconds
        try:
            report = run_standalone(self.session.world, self, clock=self._clock, most_steps=MOST_STEPS)
            if self.session.failure is not None:
                raise self.session.failure
            if screenshot is not None and not self.surface.closed:
                self.canvas.level = 0
                self._picture_asked.append(screenshot)
                self.present(self.session.world)
            return report
        finally:
            self.close()

    def poll(self) -> bool:
        """Handle events; False when the window was closed. Waits a little if nothing moves."""
        self._idle = self.session.still and self._clock() - self._touched > AWAKE and not self.cameras.moving
        events = self.surface.poll(IDLE if self._idle or not self.surface.drawable else 0.0)
        now = self._clock()
        self._passed, self._last = now - self._last, now
        self.log.now = now - self._began
        self._obey(events)
        holding = frozenset() if self.gui.wants_text else frozenset(self.surface.keys)
        self.session.steer(input_state(holding, read_pad(self.surface.glfw)), self.cameras.heading)
        return not (self.surface.closed or self.deadline.over(now))

    def present(self, world: World) -> None:
        """Draw the session between two fixed steps, with the GUI over it."""
        passed = min(self._passed, LONGEST)
        self.session.update(passed)
        scene = self.layout.scene
        keys = frozenset() if self.gui.wants_text or self.session.steers else frozenset(self.surface.keys)
        self.cameras.update(passed, self.session.target, scene.width / scene.height, keys)
        if self.surface.lost:
            self._recover()
        if self.surface.drawable:
            self.draw(passed)
            if not self._idle and not self.session.waiting:  # reading takes the processor from drawing
                self.canvas.paced(self._clock() - self._last)

    def wait(self, seconds: float) -> None:
        """Wait until the display can show another frame, `seconds` at most."""
        rest = 1.0 / self.surface.refresh_rate - (self._clock() - self._last)
        if min(seconds, rest) > 0:
            time.sleep(min(seconds, rest))

    def draw(self, passed: float = 1 / 60) -> None:
        """Draw one frame: scene and GUI."""
        points, pixels = self.surface.points, self.surface.size
        density = pixels[0] / max(points[0], 1)
        began = self._clock()
        self.gui.begin(points, density, passed)
        scale = self.gui.scale
        panels = [panel for panel in self.panels if panel.wanted(self.session)]
        bottom, places = sum(panel.height for panel in panels), {panel.place for panel in panels}
        self.layout = arrange(points, scale, bottom, self.shown, "left" in places, "right" in places)
        scene = self.layout.scene
        self.canvas.draw(self.session.view(self.cameras.camera), scene.width * density, scene.height * density)
        self.recording.capture(self.canvas, self.session.time)
        drawn = self._clock()
        self._show(scene)
        panes.draw_parts(self.ui, self.session, self.layout, panels)
        panes.draw_bars(self.ui, self.session, self.layout)
        self.surface.context.screen.use()
        self.surface.context.viewport = (0, 0, *pixels)
        self.surface.context.clear(*self.gui.look.canvas[:3])
        self.gui.end()
        self.pictures += 1
        finished = self._clock()
        self.figures.add(
            self.log.now,
            {"picture": 1e3 * passed, "scene": 1e3 * (drawn - began), "panels": 1e3 * (finished - drawn)},
        )
        while self._picture_asked:
            self._write(self._picture_asked.pop(), pixels)
        self.surface.swap()

    def _show(self, scene: Rect) -> None:
        texture = self.canvas.texture
        if texture is None:
            return
        imgui = self.gui.imgui
        imgui.get_background_draw_list().add_image(
            imgui.ImTextureRef(texture),
            (scene.x, scene.y),
            (scene.x + scene.width, scene.y + scene.height),
            (0, 1),
            (1, 0),
        )

    # ---- events ---------------------------------------------------------------------------------------------------

    def _obey(self, events: list[Event]) -> None:
        if events:
            self._touched = self._clock()
        self.gui.feed(events, self.surface.keys)
        for event in events:
            if isinstance(event, Key):
                if not self.gui.wants_text or event.code in {"F1", "F9", "F11", "F12"}:
                    self._key(event)
            elif isinstance(event, Drop):
                self.session.add_files(event.paths)
            else:
                self.cameras.pointed(event, self.layout.scene, self.gui.wants_mouse, held(self.surface.keys, "Shift"))

    def _key(self, event: Key) -> None:
        if not event.down or self.session.key(event.code, frozenset(self.surface.keys), event.repeat) or event.repeat:
            return
        acts: dict[str, Callable[[], object]] = {
            "F1": self.toggle_help,
            "Escape": lambda: setattr(self.help, "open", False),
            "Tab": lambda: setattr(self, "shown", not self.shown),
            "KeyV": self.cameras.next,
            "F9": lambda: self.recording.toggle(self.canvas),
            "F11": self.surface.toggle_fullscreen,
            "F12": self.take_picture,
        }
        question = event.code == "Slash" and held(self.surface.keys, "Shift")
        acts.get("F1" if question else event.code, lambda: None)()

    @property
    def rate(self) -> float:
        """Frames per second, over about the last second."""
        recent = self.figures.values("picture")[-20:]
        return 1e3 * len(recent) / float(recent.sum()) if len(recent) and recent.sum() > 0 else 0.0

    def toggle_help(self) -> None:
        """Show or hide the keys."""
        self.help.open = not self.help.open

    def toggle_look(self) -> None:
        """Switch between the dark and the light theme."""
        self.gui.look = theme.LIGHT if self.gui.look is theme.DARK else theme.DARK

    def take_picture(self, path: Path | None = None) -> None:
        """Write the next frame of the window to a PNG file, `kinema-N.png` by default."""
        self._picture_asked.append(path or unused("png"))

    def _write(self, path: Path, size: tuple[int, int]) -> None:
        try:
            atomic_write(path, png(read_pixels(self.surface.context.screen, size)))
        except OSError as error:
            self.log.say(f"{path}: cannot be written ({error.strerror})", "error")
        else:
            self.log.say(f"{path}: written")

    def _recover(self) -> None:
        """Recreate everything after the driver has lost the context."""
        look, zoom = self.gui.look, self.gui.zoom
        self.gui.close()
        self.surface.recreate()
        self.gui = Gui(self.surface, look)
        self.gui.zoom = zoom
        self.ui.gui = self.gui
        self.canvas.forget(self.surface.context)
        self.log.say("the graphics driver was reset; the window has been set up again", "warning")

    def close(self) -> None:
        """Close the window and its session; a second call does nothing."""
        if self.surface.alive:
            self.recording.stop(self.canvas)
            self.canvas.close()
            self.gui.close()
            self.surface.close()
        self.session.close()


def serve_window(learner: Learner, connection: Connection) -> None:
    """Show a training in a window until that is closed or the training ends; for `session.training.open_watch`."""
    from kinema.rendering.renderer import Renderer

    session = RehearsalSession(learner, connection=connection)
    window = Window(session, lambda context, width, height: Renderer(width, height, context=context), "Kinema train")
    connection.send((True, ""))
    window.run()
