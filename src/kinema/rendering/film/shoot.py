"""Shots into files: films, single pictures, contact sheets, and buffers for training.

```python
from kinema.rendering.film.film import FilmSettings
from kinema.rendering.film.performance import Shot
from kinema.rendering.film.shoot import shoot

motion = kinema.load_motion("walk.bvh")
shoot([Shot("walk", motion.skeleton, motion)], "walk.mp4", FilmSettings(640, 360))
```
"""

from __future__ import annotations

import os
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

import numpy as np

from kinema.errors import KinemaError
from kinema.rendering.film.buffers import BufferWriter
from kinema.rendering.film.camera_work import CameraWork
from kinema.rendering.film.contact_sheet import contact_sheet
from kinema.rendering.film.film import Film, FilmSettings
from kinema.rendering.film.output import Pixels
from kinema.rendering.film.performance import Shot
from kinema.rendering.film.writers import check_name, is_moving, open_writer
from kinema.rendering.frame import Renders
from kinema.rendering.renderer import Renderer
from kinema.rendering.view import View

Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class RenderOptions:
    """What to make of shots.

    Attributes:
        quality: quality of the renderer: "draft", "standard" or "high".
        still: one picture at this second, instead of a film.
        sheet: a contact sheet of this many pictures, instead of a film.
        buffers: what else to write, of `kinema.rendering.film.buffers.BUFFERS`, into the folder that `buffer_folder`
            names.
        buffers_as: "npz" or "png".
        crf: see `kinema.rendering.film.output.Encoding`.
        profile: measure the passes of the renderer.
    """

    quality: str = "standard"
    still: float | None = None
    sheet: int | None = None
    buffers: tuple[str, ...] = ()
    buffers_as: Literal["npz", "png"] = "npz"
    crf: int | None = None
    profile: bool = False

    @property
    def single(self) -> bool:
        """Whether a single picture is requested."""
        return self.still is not None or self.sheet is not None


@dataclass(frozen=True)
class RenderReport:
    """What was made.

    Attributes:
        frames: pictures rendered.
        wall_seconds: time from the first to the last of them, with encoding.
        renderer: the driver that drew them.
        passes: median milliseconds per picture by name, where they were measured.
        outputs: files written; a sequence counts once, as its folder or pattern.
    """

    frames: int
    wall_seconds: float
    renderer: str
    passes: dict[str, float] = field(default_factory=dict)
    outputs: tuple[str, ...] = ()

    @property
    def frames_per_second(self) -> float:
        return self.frames / self.wall_seconds if self.wall_seconds > 0 else 0.0


def shoot(
    shots: Sequence[Shot],
    path: str | os.PathLike[str],
    settings: FilmSettings | None = None,
    options: RenderOptions | None = None,
    progress: Progress | None = None,
    renderer: Renders | None = None,
) -> RenderReport:
    """Film shots into a file; several stand side by side in one picture, each with its title.

    Args:
        path: `.mp4`, `.webm`, `.gif`, `.png` (one picture, or `walk_%04d.png`) or a folder of pictures. A
            single `.png` without `still` or `sheet` shows the middle of the clip.
        progress: called with the number of pictures done and of all pictures.
        renderer: draws; None opens one and closes it again.

    Raises:
        KinemaError: the options do not fit the file or the shots.
        MissingError: no renderer, or no encoder, on this machine.
        WriteError: the file cannot be written.
    """
    settings, options = settings or FilmSettings(), options or RenderOptions()
    check_name(path, settings.transparent)
    _check(shots, path, options)
    films = _films(shots, settings)
    with ExitStack() as stack:
        size = films[0].settings.width, films[0].settings.height
        if renderer is None:
            renderer = stack.enter_context(Renderer(*size, options.quality, profile=options.profile))
        studio = _Studio(renderer, progress)
        if options.sheet is not None:
            outputs = _sheet(studio, films, path, options.sheet)
        elif options.still is not None or not is_moving(path):
            outputs = _still(studio, films, path, options.still)
        else:
            outputs = _film(studio, films, path, options)
        return studio.report(outputs)


def buffer_folder(path: str | os.PathLike[str]) -> Path:
    """The folder for the buffers of a film: `walk_buffers` for `walk.mp4`."""
    file = Path(path)
    return file.with_name(f"{file.stem.partition('%')[0].rstrip('_-.') or 'film'}_buffers")


def _check(shots: Sequence[Shot], path: str | os.PathLike[str], options: RenderOptions) -> None:
    name = Path(path).name
    if not shots:
        raise KinemaError("there is nothing to film")
    if options.single and Path(path).suffix.lower() != ".png":
        raise KinemaError(f"{path}: a single picture is a .png")
    if options.single and "%" in name:
        raise KinemaError(f"{path}: is a name for many pictures; leave the number out for a single one")
    if options.buffers and len(shots) > 1:
        raise KinemaError("buffers are of one shot: they cannot stand side by side")
    if options.buffers and (options.single or not is_moving(path)):
        raise KinemaError(f"{path}: buffers are written with films and numbered pictures (walk_%04d.png)")


def _films(shots: Sequence[Shot], settings: FilmSettings) -> list[Film]:
    if len(shots) == 1:
        return [Film(shots[0], settings)]
    wide = settings.width // len(shots) // 2 * 2
    if wide < 16:
        raise KinemaError(f"{len(shots)} shots side by side are {wide} pixels wide each; make the picture wider")
    return [Film(shot, replace(settings, width=wide, caption=settings.caption or shot.title)) for shot in shots]


class _Studio:
    """A renderer, and what its pictures cost."""

    def __init__(self, renderer: Renders, progress: Progress | None) -> None:
        self._renderer, self._progress = renderer, progress
        self._costs = defaultdict[str, list[float]](list)
        self._began, self._frames = time.perf_counter(), 0

    def draw(
        self, rows: Iterable[Sequence[View]], count: int, buffers: tuple[str, ...] = ()
    ) -> Iterator[tuple[Pixels, Any]]:
        """The views of each row as one picture, side by side, and the frame of the first."""
        for views in rows:
            frames = [self._render(view, ("color", *buffers)) for view in views]
            yield np.concatenate([frame.color for frame in frames], axis=1), frames[0]
            self._frames += 1
            if self._progress is not None:
                self._progress(self._frames, count)

    def _render(self, view: View, buffers: tuple[str, ...]) -> Any:
        frame = self._renderer.render(view, buffers)
        for name, cost in getattr(self._renderer, "timings", {}).items():
            self._costs[name].append(cost)
        return frame

    def report(self, outputs: tuple[str, ...]) -> RenderReport:
        """What was made; a median, since shaders are compiled in the first picture."""
        passes = {name: float(np.median(costs)) for name, costs in self._costs.items()}
        wall, driver = time.perf_counter() - self._began, str(getattr(self._renderer, "info", ""))
        return RenderReport(self._frames, wall, driver, passes, outputs)


def _film(studio: _Studio, films: list[Film], path: str | os.PathLike[str], options: RenderOptions) -> tuple[str, ...]:
    """All pictures of the longest film; shorter ones wait at their end."""
    settings, count = films[0].settings, max(len(film) for film in films)
    width, draft, folder = settings.width * len(films), options.quality == "draft", buffer_folder(path)
    rows = ([film.view(min(number, len(film) - 1)) for film in films] for number in range(count))
    with ExitStack() as stack:
        writer = stack.enter_context(
            open_writer(path, width, settings.height, settings.fps, options.crf, draft, settings.transparent)
        )
        extra = BufferWriter(folder, options.buffers, options.buffers_as) if options.buffers else None
        if extra is not None:
            stack.enter_context(extra)
        encoder = stack.enter_context(ThreadPoolExecutor(1, "encode"))
        written: Future[None] | None = None
        for number, (picture, frame) in enumerate(studio.draw(rows, count, options.buffers)):
            if written is not None:
                written.result()
            written = encoder.submit(writer.write, picture)  # while the next one is drawn
            if extra is not None:
                extra.add(frame, films[0].camera(float(films[0].times[number])), width / settings.height)
        if written is not None:
            written.result()
        outputs = writer.finish()
    named = outputs if len(outputs) == 1 else [os.fspath(path)]
    return (*named, str(folder)) if options.buffers else tuple(named)


def _still(studio: _Studio, films: list[Film], path: str | os.PathLike[str], second: float | None) -> tuple[str, ...]:
    """One picture, seen from the front of the body at that moment; by default the middle of the clip."""
    longest = max(film.performance.seconds for film in films)
    if second is not None and not 0 <= second <= longest:
        length = f"lasts {longest:.2f} s" if longest > 0 else "does not move"
        raise KinemaError(f"second {second:g} lies outside of {films[0].performance.shot.title!r}, which {length}")
    views: list[View] = []
    for film in films:
        middle = film.times[len(film) // 2 if film.performance.seconds > 0 else 0]
        moment = float(middle if second is None else second)
        views.append(film.seen_by(replace(film.settings.camera or CameraWork(), moment=moment)).at(moment))
    for picture, _ in studio.draw([views], 1):
        _write(picture, path, films[0].settings.transparent)
    return (os.fspath(path),)


def _sheet(studio: _Studio, films: list[Film], path: str | os.PathLike[str], count: int) -> tuple[str, ...]:
    """Pictures at even times in a grid."""
    settings = films[0].settings
    times = np.linspace(settings.start, max(film.times[-1] for film in films), count).tolist()
    rows = ([film.at(time) for film in films] for time in times)
    pictures = [picture for picture, _ in studio.draw(rows, count)]
    sheet = contact_sheet(pictures, [f"{time:.2f} s" for time in times], transparent=settings.transparent)
    _write(sheet, path, settings.transparent)
    return (os.fspath(path),)


def _write(picture: Pixels, path: str | os.PathLike[str], alpha: bool) -> None:
    with open_writer(path, picture.shape[1], picture.shape[0], alpha=alpha) as writer:
        writer.write(picture)
