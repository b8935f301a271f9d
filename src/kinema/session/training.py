"""Shows a training from a separate process of low priority.

The training never waits for the display. It publishes a copy of its weights on request, at most twice per second; the
other process runs the model on held-out clips and plays them.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from pathlib import Path
from typing import Any

import torch

from kinema.errors import ControlError, KinemaError
from kinema.learn.link import WeightsLink
from kinema.learn.options import make_options
from kinema.learn.setting import Setting
from kinema.learn.tasks import find_task
from kinema.learn.training import Training
from kinema.mocap import MotionDatabase
from kinema.motion import Motion
from kinema.rendering.sheet.curves import read_losses
from kinema.session.rehearser import Losses
from kinema.workers import end_with_parent, signals_held_back

NICE = 19
"""Niceness of the watching process."""

_PATIENCE = 2.0
"""Seconds that publishing the last weights waits for a watcher that is reading."""


@dataclass(frozen=True)
class Watched:
    """Description of a run that is sent to the watching process."""

    folder: Path
    database: Path
    task: str
    options: Mapping[str, Any]
    setting: Mapping[str, Any]
    clips: tuple[int, ...]


class Watch:
    """The training's side of a watch; see `open_watch`.

    Attributes:
        url: address of the page; empty if there is none.
    """

    def __init__(self, url: str, link: WeightsLink, process: SpawnProcess) -> None:
        self.url, self._link, self._process = url, link, process

    def after_step(self, training: Training) -> None:
        """Publish the weights if requested; pass it to `Training.go`."""
        self._link.after_step(training)

    def finish(self, training: Training) -> None:
        """Publish the last weights."""
        self._link.publish(training, _PATIENCE)

    def wait(self, seconds: float | None) -> None:
        """Wait until the watching process ends, or for `seconds`."""
        self._process.join(seconds)


@contextmanager
def open_watch(training: Training, serve: Callable[..., None], **how: Any) -> Iterator[Watch]:
    """Show the model of a training from another process, until the block ends.

    Args:
        serve: runs in the process, such as `kinema.viewer.browser.serve_page` or `kinema.window.shell.serve_window`:
            a module-level function, called with a `LiveModel`, a connection and `how`. It sends `(True, address)`
            when it is ready, and ends when the connection becomes readable.

    Raises:
        ControlError: the port is in use, the database is in memory only, or the task has nothing to watch.
    """
    database = training.run.source
    if not isinstance(database, MotionDatabase) or database.path is None:
        raise ControlError("a training can be watched when its database is on disk: database.save(path)")
    if not training.data.clips:
        raise ControlError(f"the task {training.run.name!r} has no clips to watch")
    watched = Watched(
        training.run.folder,
        database.path,
        training.run.name,
        asdict(training.run.task.options),
        training.data.setting.to_dict(),
        tuple(training.data.clips),
    )
    context = multiprocessing.get_context("spawn")
    link = WeightsLink(training.model)
    link.publish(training)
    ours, theirs = context.Pipe()
    process = context.Process(target=_serve, args=(serve, watched, link, theirs, how), daemon=True)
    with signals_held_back():
        process.start()
    theirs.close()
    try:
        yield Watch(_answer(ours), link, process)
    finally:
        ours.close()  # the other side waits for this
        process.join(10.0)
        if process.is_alive():
            process.terminate()
            process.join()


def _answer(connection: Connection) -> str:
    """The address of the page; ControlError if there is none."""
    try:
        works, text = connection.recv()
    except EOFError:
        raise ControlError("the process that shows the training ended before its page opened") from None
    if not works:
        raise ControlError(text)
    return text


def _serve(
    serve: Callable[..., None], watched: Watched, link: WeightsLink, connection: Connection, how: Mapping[str, Any]
) -> None:
    """Run the other process."""
    end_with_parent()
    if hasattr(os, "nice"):
        os.nice(NICE)
    torch.set_num_threads(1)
    try:
        serve(LiveModel(watched, link), connection, **how)
    except KinemaError as error:
        with contextlib.suppress(OSError):  # the training has ended
            connection.send((False, str(error)))


class LiveModel:
    """The current model and its held-out clips; a `Learner`."""

    def __init__(self, watched: Watched, link: WeightsLink) -> None:
        self._watched, self._link = watched, link
        self._database = MotionDatabase.open(watched.database)
        kind = find_task(watched.task)
        self._task = kind(make_options(kind.Options, watched.options))
        self._model = self._task.model(Setting.from_dict(watched.setting)).eval()
        self.skeleton = self._database.skeleton
        clips = [self._database.clips[index] for index in watched.clips]
        names = [clip.name + (" (mirrored)" if clip.mirrored else "") for clip in clips]
        self.titles: Sequence[str] = [
            name if names.count(name) == 1 else f"{name} #{at}" for at, name in enumerate(names, 1)
        ]
        self._seen = -1

    def truth(self, clip: int) -> Motion:
        """See `kinema.session.rehearser.Learner`."""
        return self._database.clip_motion(self._watched.clips[clip])

    def fresh(self) -> bool:
        """See `kinema.session.rehearser.Learner`."""
        self._link.ask()
        return self._link.step != self._seen

    def model(self, clip: int) -> tuple[Motion, int]:
        """See `kinema.session.rehearser.Learner`."""
        self._seen = self._link.take(self._model)
        return self._task.show(self._model, self._database, self._watched.clips[clip]), self._seen

    def losses(self) -> Losses:
        """See `kinema.session.rehearser.Learner`."""
        return read_losses(self._watched.folder)
