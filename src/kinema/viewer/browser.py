"""A session in the browser: what pages send goes in, pictures, figures and messages come out."""

from __future__ import annotations

import logging
import queue
import threading
import time
from collections.abc import Callable
from multiprocessing.connection import Connection

import numpy as np

from kinema.engine import RunReport, World, run_standalone
from kinema.errors import KinemaError
from kinema.session.clips import ClipSession
from kinema.session.log import Line
from kinema.session.rehearsal import RehearsalSession
from kinema.session.rehearser import Learner
from kinema.session.session import Session
from kinema.session.steering import InputState
from kinema.viewer.editor_page import EditorPage
from kinema.viewer.form import Form
from kinema.viewer.guard import LOOPBACK
from kinema.viewer.loss_plot import LossPlot
from kinema.viewer.page import Viewer, open_viewer, style
from kinema.viewer.screen import CAMERA, ViewScreen

_log = logging.getLogger(__name__)

LONGEST = 0.5
"""Seconds that one picture moves clips on at most."""

SHARE = 3.0
"""Drawing takes a third of the time at most: a large scene is drawn less often, and never slows the motion."""

TELL_SECONDS = 0.1


class Browser:
    """Shows a session to any number of browsers, and steers it with what they send.

    Widgets call back on threads of viser; what they ask for is queued and carried out between two pictures. What
    cannot be done is said in the session's log, and the session goes on.

    Args:
        viewer: an open viewer.
    """

    def __init__(self, session: Session, viewer: Viewer, clock: Callable[[], float] = time.perf_counter) -> None:
        self.session, self.viewer, self._clock = session, viewer, clock
        self._tasks: queue.SimpleQueue[Callable[[], object]] = queue.SimpleQueue()
        self._stop = threading.Event()
        self._seconds: float | None = None
        self._ready: float | None = None
        self._last = self._told = self._next = clock()
        self._clients = 0
        self.pictures = 0
        self.busy = 0.0
        """Seconds of work so far, without waiting."""
        style(viewer.server)
        self.screen = ViewScreen(viewer.server, behind=session.steers)
        self.losses = LossPlot(viewer.server) if isinstance(session, RehearsalSession) else None
        self.form = Form(viewer.server, self.later)
        self.follow = viewer.server.gui.add_checkbox("Follow", True, order=-1.0)
        self.editor = EditorPage(session, viewer.channel) if isinstance(session, ClipSession) else None
        session.log.on_say = self._say

    def later(self, task: Callable[[], object]) -> None:
        """Carry out a task on the thread of the session; from any thread."""
        self._tasks.put(task)

    def stop(self) -> None:
        """End `run`; from any thread."""
        self._stop.set()

    # ---- the loop: the engine's Surface ----------------------------------------------------------------------------

    def run(self, seconds: float | None = None) -> RunReport:
        """Go on until `stop` is called, or for some seconds from when everything is read.

        Raises:
            KinemaError: there is nothing to show and never will be.
        """
        self._seconds = seconds
        try:
            report = run_standalone(self.session.world, self, clock=self._clock)
        finally:
            self.session.close()
        if self.session.failure is not None:
            raise self.session.failure
        return report

    def poll(self) -> bool:
        """Take in what the pages sent since the last call; False when it is to end."""
        self._began = now = self._clock()
        for code in self.viewer.channel.take_presses():
            self.later(lambda code=code: self.session.key(code))
        for order in self.viewer.channel.take_orders():
            if self.editor is not None:
                self.later(lambda order=order, editor=self.editor: editor.obey(order))
        while not self._tasks.empty():
            self._guarded(self._tasks.get())
        state = self.viewer.channel.state()
        self._guarded(lambda: self.session.steer(state, self._heading(state)))
        if self._ready is None and not self.session.waiting:
            self._ready = now
        over = self._seconds is not None and self._ready is not None and now - self._ready >= self._seconds
        return not (self._stop.is_set() or over or self.session.failure is not None)

    def present(self, world: World) -> None:
        """Show the world where somebody looks, and tell the pages the figures now and then."""
        session, now = self.session, self._clock()
        self._guarded(lambda: session.update(min(now - self._last, LONGEST)))
        self._last = now
        clients = len(self.viewer.server.get_clients())
        came, self._clients, session.watched = clients > self._clients, clients, clients > 0
        if clients and now >= self._next and (came or not session.still or self.screen.unfinished):
            self._guarded(self.draw)
            self._next = now + SHARE * (self._clock() - now)
        if now - self._told >= TELL_SECONDS:
            self._told = now
            self._guarded(self._tell)

    def wait(self, seconds: float) -> None:
        """Until the next step is due, or `stop` is called."""
        self.busy += self._clock() - self._began
        self._stop.wait(max(seconds, 1e-3))

    def draw(self) -> None:
        """Bring what the session shows into the browsers."""
        session = self.session
        share = session.follow if self.follow.value else 0.0
        self.screen.show(session.view(CAMERA), session.target, share, session.anchor)
        self.pictures += 1

    # ---- what pages ask for and are told ---------------------------------------------------------------------------

    def _guarded(self, act: Callable[[], object]) -> None:
        """Do something; what goes wrong is shown, and the session goes on."""
        try:
            act()
        except KinemaError as error:
            self.session.log.say(str(error), "error")
        except Exception as error:
            _log.debug("a command of a browser failed", exc_info=True)
            self.session.log.say(f"this failed: {type(error).__name__}: {error}", "error")

    def _heading(self, state: InputState) -> float:
        """Where the camera of the browser that steers looks, radians from +Z toward +X."""
        clients = self.viewer.server.get_clients()
        # The page may not know its number yet: with one browser open there is no doubt.
        client = clients.get(state.client or -1) or (next(iter(clients.values())) if len(clients) == 1 else None)
        way = np.array([0.0, 0.0, 1.0 if self.session.steers else -1.0])
        if client is not None:
            seen = np.subtract(client.camera.look_at, client.camera.position)
            way = seen if np.isfinite(seen).all() and np.hypot(seen[0], seen[2]) > 1e-6 else way
        return float(np.arctan2(way[0], way[2]))

    def _tell(self) -> None:
        if self._ready is None:
            self.viewer.channel.send({"figures": [("", self.session.waiting)]})
            return
        self.form.refresh(self.session.settings())
        self.viewer.channel.send({"figures": self.session.figures()})
        if self.editor is not None:
            self.editor.tell()
        if self.losses is not None and isinstance(self.session, RehearsalSession):
            self.losses.refresh(self.session.curve)

    def _say(self, line: Line) -> None:
        kind = "good" if line.level == "note" else "bad"
        self.viewer.channel.send({"say": {"text": line.text, "kind": kind}})


def show(
    session: Session,
    host: str = LOOPBACK,
    port: int = 8080,
    seconds: float | None = None,
    opened: Callable[[str], object] = lambda url: None,
) -> RunReport:
    """Show a session in the browser until it ends, or for some seconds from when everything is read.

    Args:
        port: of the page; 0 takes any free one. opened: called with the address of the page.

    Raises:
        ControlError: the port is in use.
        KinemaError: there is nothing to show and never will be.
    """
    with open_viewer(host, port, session.name, f"Kinema {session.name}") as viewer:
        browser = Browser(session, viewer)
        opened(viewer.url)
        return browser.run(seconds)


def serve_page(learner: Learner, connection: Connection, host: str = LOOPBACK, port: int = 8080) -> None:
    """Show a training in the browser until the connection's other end is closed; for `session.training.open_watch`."""
    session = RehearsalSession(learner, connection=connection)
    show(session, host, port, opened=lambda url: connection.send((True, url)))
