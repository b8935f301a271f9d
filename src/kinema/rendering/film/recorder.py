"""Films of what is going on: of a window, or of a world that runs without one.

A film has a fixed rate, whatever the display's. Pictures are taken at regular times of a clock of the caller (the
world's clock, not wall time), so that a slow machine makes the same film as a fast one, only later.
"""

from __future__ import annotations

import os
from typing import Any

import numpy as np
from PIL import Image, ImageOps

from kinema.arrays import Bytes
from kinema.engine.components import Eye, Recorder
from kinema.engine.world import World
from kinema.errors import KinemaError
from kinema.rendering.film.output import Output, PictureWriter, check_rate
from kinema.rendering.film.writers import check_name, open_writer
from kinema.rendering.frame import Renders
from kinema.rendering.present import present
from kinema.rendering.view import View

_TOLERANCE = 1e-6  # seconds by which a clock may be early


class FilmRecorder(Output):
    """Takes pictures as they come and writes a film of fixed rate. It starts at once and ends with `finish`.

    The film has the size of the first picture, made even. Later pictures of another size (the window was resized) are
    scaled to fit, with borders.

    Args:
        path: path of the film; see `kinema.rendering.film.writers.open_writer`.
        fps: frames per second of the film.

    Raises:
        KinemaError: the name does not stand for a film, or the rate is not above 0.
    """

    def __init__(self, path: str | os.PathLike[str], fps: float = 30.0) -> None:
        check_name(path)
        check_rate(path, fps)
        self.path, self.fps = os.fspath(path), float(fps)
        self._writer: PictureWriter | None = None
        self._last: Bytes | None = None
        self._origin: float | None = None
        self._latest = -np.inf
        self._ended = False

    @property
    def frames(self) -> int:
        """Pictures in the film so far."""
        return 0 if self._writer is None else self._writer.frames

    @property
    def seconds(self) -> float:
        """Length of the film so far."""
        return self.frames / self.fps

    @property
    def next_time(self) -> float:
        """When to take the next picture, on the clock of the caller."""
        return (self._origin or 0.0) + self.frames / self.fps

    def due(self, time: float) -> bool:
        """Whether a picture taken at `time` would be part of the film: ask before reading pixels back."""
        return self._origin is None or time < self._latest - _TOLERANCE or time >= self.next_time - _TOLERANCE

    def capture(self, picture: Any, time: float | None = None) -> int:
        """Add what is visible at `time` (seconds of any clock); returns the number of pictures added to the film.

        The film shows a picture until the next one is captured. When the clock is set back (the clip starts again), the
        film goes on. Without a `time` every call adds one picture.

        Args:
            picture: a renderer's frame, or uint8 `[H, W, 3 or 4]`.

        Raises:
            KinemaError: the recording has ended, or the argument is not a picture.
            WriteError: the disk is full; nothing of the film remains.
        """
        if self._ended:
            raise KinemaError(f"{self.path}: this recording has ended")
        pixels = self._fitted(np.asarray(getattr(picture, "color", picture)))
        before = self.frames
        try:
            if time is None:
                self._write(pixels)
            else:
                self._advance(pixels, time)
        except BaseException:
            self.abandon()
            raise
        return self.frames - before

    def _advance(self, pixels: Bytes, time: float) -> None:
        """Repeat the last picture up to `time`, then add this one if it is due."""
        if self._origin is None:
            self._origin = time
        elif time < self._latest - _TOLERANCE:
            self._origin += time - self._latest
        self._latest = time
        while self._last is not None and self.next_time < time - _TOLERANCE:
            self._write(self._last)
        if self.next_time <= time + _TOLERANCE:
            self._write(pixels)
        self._last = pixels.copy()

    def finish(self) -> list[str]:
        """Complete the film; returns the files written, none if there was no picture. May be called twice."""
        self._ended = True
        return [] if self._writer is None else self._writer.finish()

    def abandon(self) -> None:
        """End without a film."""
        self._ended = True
        if self._writer is not None:
            self._writer.abandon()

    def _write(self, pixels: Bytes) -> None:
        if self._writer is None:
            self._writer = open_writer(self.path, pixels.shape[1], pixels.shape[0], self.fps, fast=True)
        self._writer.write(pixels)

    def _fitted(self, pixels: Bytes) -> Bytes:
        """The picture at the film's size."""
        if pixels.ndim != 3 or pixels.dtype != np.uint8 or min(pixels.shape[:2]) < 2:
            shape = list(pixels.shape)
            raise KinemaError(f"{self.path}: a picture is uint8 [H, W, 3 or 4], not {pixels.dtype} {shape}")
        even = pixels.shape[0] // 2 * 2, pixels.shape[1] // 2 * 2
        height, width = even if self._writer is None else (self._writer.height, self._writer.width)
        if even == (height, width):
            return pixels[:height, :width]
        return np.asarray(ImageOps.pad(Image.fromarray(pixels), (width, height), Image.Resampling.BILINEAR))


class WorldRecorder(Output):
    """Films what the entities with a `kinema.engine.components.Recorder` and an `Eye` see.

    Call it after each frame, as `on_frame` of `kinema.engine.modes.run_headless`, and `finish` it at the end; it is a
    context manager that does so. Pictures may be taken between two fixed steps, so the rate of the film need not match
    that of the world. A film begins when its component is first seen and ends when it is gone.

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
            while recorder.due(world.time):
                self._shoot(world, entity, recorder, recorder.next_time)

    def _shoot(self, world: World, entity: int, recorder: FilmRecorder, time: float) -> None:
        share = float(np.clip(1.0 - (world.time - time) / world.step_seconds, 0.0, 1.0))
        view = present(world, entity, share, self._views.get(entity))
        self._views[entity] = view
        recorder.capture(self._renderer.render(view, ("color",)), time)

    def _end(self, entity: int) -> None:
        self.outputs += self._recorders.pop(entity).finish()
        self._views.pop(entity, None)

    def finish(self) -> list[str]:
        """Complete all films; returns the files written."""
        for entity in list(self._recorders):
            self._end(entity)
        return self.outputs

    def abandon(self) -> None:
        """End all films without writing them."""
        for recorder in self._recorders.values():
            recorder.abandon()
