"""Recording the scene of the window as a film."""

from __future__ import annotations

import itertools
from pathlib import Path

from kinema.errors import KinemaError
from kinema.rendering.film.recorder import FilmRecorder
from kinema.session.log import Log
from kinema.window.canvas import Canvas

FPS = 30.0


class SceneRecording:
    """Records the scene without the panels.

    The film follows the clock of the session: a slow machine makes the same film, only later.
    """

    def __init__(self, log: Log) -> None:
        self._log = log
        self.recorder: FilmRecorder | None = None
        self._sharp = 0, True

    @property
    def on(self) -> bool:
        """Whether it is recording."""
        return self.recorder is not None

    def toggle(self, canvas: Canvas, path: Path | None = None) -> None:
        """Start a film, `kinema-N.mp4` by default, or finish the current one."""
        if self.recorder is not None:
            self.stop(canvas)
            return
        path = path or unused("mp4")
        try:
            self.recorder = FilmRecorder(path, FPS)
        except KinemaError as error:
            self._log.say(str(error), "error")
            return
        # Films have full resolution, however slow the machine is.
        self._sharp = canvas.level, canvas.automatic
        canvas.level, canvas.automatic = 0, False
        self._log.say(f"recording to {path}")

    def capture(self, canvas: Canvas, time: float) -> None:
        """Record the last frame, if the film needs one at this time in seconds."""
        if self.recorder is None or not self.recorder.due(time):
            return
        picture = canvas.read()
        if picture is None:
            return
        try:
            self.recorder.capture(picture, time)
        except KinemaError as error:
            self._log.say(str(error), "error")
            self._end(canvas)

    def stop(self, canvas: Canvas) -> None:
        """Finish the film, if there is one."""
        if self.recorder is None:
            return
        try:
            for path in self.recorder.finish():
                self._log.say(f"{path}: written, {self.recorder.seconds:.1f} s")
        except KinemaError as error:
            self._log.say(str(error), "error")
        self._end(canvas)

    def _end(self, canvas: Canvas) -> None:
        self.recorder = None
        canvas.level, canvas.automatic = self._sharp


def unused(suffix: str) -> Path:
    """`kinema-N.suffix` in the current folder, with the first free N."""
    numbered = (Path(f"kinema-{number}.{suffix}") for number in itertools.count(1))
    return next(path for path in numbered if not path.exists())
