"""Runs a session in the browser."""

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
from kinema.session.deadline import Deadline
from kinema.session.log import Line
from kinema.session.rehearsal import RehearsalSession
from kinema.session.rehearser import Learner
from kinema.session.session import Session
from kinema.session.steering import InputState
from kinema.viewer.editor_page import EditorPage
from kinema.viewer.form import Form
from kinema.viewer.guard import LOOPBACK
from kinema.viewer.handles import Handles
from kinema.viewer.loss_plot import LossPlot
from kinema.viewer.page import Viewer, open_viewer, style
from kinema.viewer.screen import CAMERA, ViewScreen
from kinema.viewer.wire import Put

_log = logging.getLogger(__name__)

LONGEST = 0.5
"""Maximum time, in seconds, by which one frame advances clips."""

SHARE = 3.0
"""Least time between the starts of two frames, in multiples of the drawing time: large scenes are drawn less often, so
that they do not slow the motion."""

FIGURE_SECONDS = 0.1


class Browser:
    """Shows a session in any number of browsers and passes their input to it.

    Callbacks of widgets run on threads of viser; they queue tasks that run between two frames. Errors of tasks are
    logged, and the session continues.

    Args:
        viewer: an open viewer.
    """

    def __init__(self, session: Session, viewer: Viewer, clock: Callable[[], float] = time.perf_counter) -> None:
        self.session, self.viewer, self._clock = session, viewer, clock
        self._tasks: queue.SimpleQueue[Callable[[], object]] = queue.SimpleQueue()
        self._stop = threading.Event()
        self.deadline = Deadline(session)
        self._last = self._sent = self._next = clock()
        self._clients = 0
        self.pictures = 0
        style(viewer.server)
        self.screen = ViewScreen(viewer.server, behind=session.steers)
        self.losses = LossPlot(viewer.server) if isinstance(session, RehearsalSession) else None
        self.form = Form(viewer.server, self.later)
        self.follow = viewer.server.gui.add_checkbox("Follow", True, order=-1.0)
        self.editor = EditorPage(session, viewer.channel) if isinstance(session, ClipSession) else None
        self.handles = Handles(viewer.server, session, self.later) if isinstance(session, ClipSession) else None
        session.log.on_say = self._say

    def later(self, task: Callable[[], object]) -> None:
        """Run a task on the session's thread; call it from any thread."""
        self._tasks.put(task)

    def stop(self) -> None:
        """End `run`; call it from any thread."""
        self._stop.set()

    # ---- the loop: methods of the engine's Surface -------------------------------------------------------------------

    def run(self, seconds: float | None = None) -> RunReport:
        """Run until `stop` is called, or for some seconds after everything is loaded.

        Raises:
            KinemaError: nothing could be loaded.
        """
        self.deadline.seconds = seconds
        try:
            report = run_standalone(self.session.world, self, clock=self._clock)
        finally:
            self.session.close()
        if self.session.failure is not None:
            raise self.session.failure
        return report

    def poll(self) -> bool:
        """Process the input since the last call; False if the loop should end."""
        now = self._clock()
        for code in self.viewer.channel.take_presses():
            self.later(lambda code=code: self.session.key(code))
        for order in self.viewer.channel.take_orders():
            if isinstance(order, Put):
                self.later(lambda put=order: self.form.put(put.group, put.label, put.value))
            elif self.editor is not None:
                self.later(lambda order=order, editor=self.editor: editor.obey(order))
        while not self._tasks.empty():
            self._guarded(self._tasks.get())
        state = self.viewer.channel.state()
        self._guarded(lambda: self.session.steer(state, self._heading(state)))
        return not (self._stop.is_set() or self.deadline.over(now))

    def present(self, world: World) -> None:
        """Update the session; draw it if a browser is connected; send figures at intervals."""
        session, now = self.session, self._clock()
        self._guarded(lambda: session.update(min(now - self._last, LONGEST)))
        self._last = now
        clients = len(self.viewer.server.get_clients())
        came, self._clients, session.watched = clients > self._clients, clients, clients > 0
        if clients and now >= self._next and (came or not session.still or self.screen.unfinished):
            self._guarded(self.draw)
            self._next = now + SHARE * (self._clock() - now)
        if now - self._sent >= FIGURE_SECONDS:
            self._sent = now
            self._guarded(self._send_figures)

    def wait(self, seconds: float) -> None:
        """Wait until the next step is due or `stop` is called."""
        self._stop.wait(max(seconds, 1e-3))

    def draw(self) -> None:
        """Send the view of the session to the browsers."""
        session = self.session
        share = session.follow if self.follow.value else 0.0
        self.screen.show(session.view(CAMERA), session.target, share, session.anchor)
        if self.handles is not None:
            self.handles.show()
        self.pictures += 1

    # ---- input and figures -------------------------------------------------------------------------------------------

    def _guarded(self, act: Callable[[], object]) -> None:
        """Call a function and log its errors."""
        try:
            act()
        except KinemaError as error:
            self.session.log.say(str(error), "error")
        except Exception as error:
            _log.debug("a command of a browser failed", exc_info=True)
            self.session.log.say(f"failed: {type(error).__name__}: {error}", "error")

    def _heading(self, state: InputState) -> float:
        """Heading of the camera of the browser that steers, radians from +Z toward +X."""
        clients = self.viewer.server.get_clients()
        # The page may not know its number yet. If only one browser is connected, it is that one.
        client = clients.get(state.client or -1) or (next(iter(clients.values())) if len(clients) == 1 else None)
        ahead = np.array([0.0, 0.0, 1.0 if self.session.steers else -1.0])
        if client is not None:
            seen = np.subtract(client.camera.look_at, client.camera.position)
            ahead = seen if np.isfinite(seen).all() and np.hypot(seen[0], seen[2]) > 1e-6 else ahead
        return float(np.arctan2(ahead[0], ahead[2]))

    def _send_figures(self) -> None:
        if self.deadline.ready is None:
            self.viewer.channel.send({"figures": [("", self.session.waiting)]})
            return
        handles = () if self.handles is None else self.handles.settings()
        self.form.refresh([*self.session.settings(), *handles])
        self.viewer.channel.send({"figures": self.session.figures()})
        if self.editor is not None:
            self.editor.send()
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
    """Show a session in the browser until it ends, or for some seconds after everything is loaded.

    Args:
        port: port of the page; 0 uses any free port. opened: called with the address of the page.

    Raises:
        ControlError: the port is in use.
        KinemaError: nothing could be loaded.
    """
    with open_viewer(host, port, session.name, f"Kinema {session.name}") as viewer:
        browser = Browser(session, viewer)
        opened(viewer.url)
        return browser.run(seconds)


def serve_page(learner: Learner, connection: Connection, host: str = LOOPBACK, port: int = 8080) -> None:
    """Show a training in the browser until the connection is closed; for `session.training.open_watch`."""
    session = RehearsalSession(learner, connection=connection)
    show(session, host, port, opened=lambda url: connection.send((True, url)))
