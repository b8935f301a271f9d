"""Films of what is going on: of a window, or of a world that runs without one.

A film has a fixed rate, whatever the display's: pictures are taken at even times of the clock that is handed in (the
world's, not the wall's), so that a slow machine makes the same film as a fast one, only later.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from types import TracebackType
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from kinema.engine.components import Eye, Recorder
from kinema.engine.world import World
from kinema.errors import KinemaError
from kinema.rendering.film.writers import PictureWriter, check_name, open_writer
from kinema.rendering.present import present
from kinema.rendering.view import View

_TOLERANCE = 1e-6  # seconds by which a clock may be early


class FilmRecorder:
    """Takes pictures as they come and writes a film of fixed rate. Start it by making one, end it with `stop`.

    Args:
        path: of the film; see `kinema.rendering.film.writers.open_writer`.
        fps: pictures a second in the film.
        size: width and height; None takes those of the first picture, made even. Later pictures of another size (the
            window was resized) are fitted in, with borders.
        crf: quality of the encoder.

    Raises:
        KinemaError: the name stands for no film.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        fps: float = 30.0,
        size: tuple[int, int] | None = None,
        crf: int | None = None,
        alpha: bool = False,
    ) -> None:
        check_name(path, alpha)
        if not (np.isfinite(fps) and fps > 0):
            raise KinemaError(f"{path}: {fps:g} pictures a second; the rate must be positive")
        self.path, self.fps, self._size, self._crf, self._alpha = os.fspath(path), float(fps), size, crf, alpha
        self._writer: PictureWriter | None = None
        self._last: NDArray[np.uint8] | None = None
        self._origin: float | None = None
        self._latest = -np.inf
        self._stopped = False

    @property
    def frames(self) -> int:
        """Pictures in the film so far."""
        return 0 if self._writer is None else self._writer.frames

    @property
    def seconds(self) -> float:
        """Length of the film so far."""
        return self.frames / self.fps

    def due(self, time: float) -> bool:
        """Whether a picture taken at `time` would be part of the film: ask before reading pixels back."""
        return self._origin is None or time < self._latest - _TOLERANCE or time >= self.next_time - _TOLERANCE

    @property
    def next_time(self) -> float:
        """When the next picture is to be taken, on the clock that is handed in."""
        return (self._origin or 0.0) + self.frames / self.fps

    def capture(self, picture: Any, time: float | None = None) -> int:
        """Take what is shown at `time` (seconds of any clock); returns how many pictures the film grew by.

        The film shows a picture until the next one is captured. A clock that is set back (the clip starts anew) is
        taken as going on. Without a `time` every call is one picture.

        Args:
            picture: a renderer's frame, or uint8 `[H, W, 3 or 4]`.

        Raises:
            KinemaError: the recorder was stopped, or the picture is none.
            WriteError: the disk is full; nothing stays of the film.
        """
        if self._stopped:
            raise KinemaError(f"{self.path}: this recording has ended")
        pixels = self._fitted(np.asarray(getattr(picture, "color", picture)))
        try:
            if time is None:
                self._writer_for(pixels).write(pixels)
                return 1
            if self._origin is None:
                self._origin = time
            elif time < self._latest - _TOLERANCE:
                self._origin += time - self._latest
            self._latest = time
            before = self.frames
            while self._last is not None and self.next_time < time - _TOLERANCE:
                self._writer_for(pixels).write(self._last)
            if self.next_time <= time + _TOLERANCE:
                self._writer_for(pixels).write(pixels)
            self._last = pixels.copy()
            return self.frames - before
        except BaseException:
            self.discard()
            raise

    def stop(self) -> list[str]:
        """Complete the film; returns the files written, none if there was no picture. May be called twice."""
        if self._stopped or self._writer is None:
            self._stopped = True
            return [] if self._writer is None else self._writer.outputs
        self._stopped = True
        self._writer.finish()
        return self._writer.outputs

    def discard(self) -> None:
        """End without a film."""
        self._stopped = True
        if self._writer is not None:
            self._writer.abandon()

    def __enter__(self) -> FilmRecorder:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is None:
            self.stop()
        else:
            self.discard()

    def _writer_for(self, pixels: NDArray[np.uint8]) -> PictureWriter:
        if self._writer is None:
            height, width = pixels.shape[:2]
            self._writer = open_writer(self.path, width, height, self.fps, self._crf, fast=True, alpha=self._alpha)
        return self._writer

    def _fitted(self, pixels: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """The picture at the film's size."""
        if pixels.ndim != 3 or pixels.dtype != np.uint8 or min(pixels.shape[:2]) < 2:
            shape = list(pixels.shape)
            raise KinemaError(f"{self.path}: a picture is uint8 [H, W, 3 or 4], not {pixels.dtype} {shape}")
        if self._size is None:
            self._size = pixels.shape[1] // 2 * 2, pixels.shape[0] // 2 * 2
        width, height = self._size
        if pixels.shape[:2] == (height, width):
            return pixels
        if 0 <= pixels.shape[0] - height < 2 and 0 <= pixels.shape[1] - width < 2:
            return pixels[:height, :width]
        share = min(width / pixels.shape[1], height / pixels.shape[0])
        within = max(round(pixels.shape[1] * share), 1), max(round(pixels.shape[0] * share), 1)
        image = Image.fromarray(pixels).resize(within, Image.Resampling.BILINEAR)
        page = Image.new(image.mode, (width, height))
        page.paste(image, ((width - within[0]) // 2, (height - within[1]) // 2))
        return np.asarray(page)


class Renders(Protocol):
    """What `kinema.rendering.renderer.Renderer` is to this module."""

    def render(self, view: View, buffers: Sequence[str] = ("color",)) -> Any: ...


class WorldRecorder:
    """Films what the entities with a `kinema.engine.components.Recorder` and an `Eye` see.

    Call it after each frame, as `on_frame` of `kinema.engine.modes.run_headless`, and `stop` it at the
    end; it is a context manager that does so. Pictures lie where their times are between two fixed steps, so the rate
    of the film need not fit that of the world. Films begin when their component is met and end when it is gone.

    Args:
        renderer: draws all of them; its size is that of the films.
    """

    def __init__(self, renderer: Renders) -> None:
        self._renderer = renderer
        self._recorders: dict[int, FilmRecorder] = {}
        self._views: dict[int, View] = {}
        self.outputs: list[str] = []

    def __call__(self, world: World) -> None:
        """Take the pictures that were due since the last call."""
        wanted = {entity: mark for entity, (mark, _) in world.query(Recorder, Eye)}
        for entity in [entity for entity in self._recorders if entity not in wanted]:
            self._end(entity)
        for entity, mark in wanted.items():
            recorder = self._recorders.get(entity)
            if recorder is None:
                recorder = self._recorders[entity] = FilmRecorder(mark.path, mark.fps)
                self._shoot(world, entity, recorder, world.time)
                continue
            while recorder.due(world.time):
                self._shoot(world, entity, recorder, recorder.next_time)

    def _shoot(self, world: World, entity: int, recorder: FilmRecorder, time: float) -> None:
        share = float(np.clip(1.0 - (world.time - time) / world.step_seconds, 0.0, 1.0))
        view = present(world, entity, share, self._views.get(entity))
        self._views[entity] = view
        recorder.capture(self._renderer.render(view, ("color",)), time)

    def _end(self, entity: int) -> None:
        self.outputs += self._recorders.pop(entity).stop()
        self._views.pop(entity, None)

    def stop(self) -> list[str]:
        """Complete all films; returns the files written."""
        for entity in list(self._recorders):
            self._end(entity)
        return self.outputs

    def __enter__(self) -> WorldRecorder:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is None:
            self.stop()
        for recorder in self._recorders.values():
            recorder.discard()
