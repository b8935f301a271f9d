"""Shots into files: films, single pictures, contact sheets, and buffers for training.

Usage:

    from kinema.rendering.film.film import FilmSettings
    from kinema.rendering.film.performance import Shot
    from kinema.rendering.film.shoot import shoot

    motion = kinema.load_motion("walk.bvh")
    shoot([Shot("walk", motion.skeleton, motion)], "walk.mp4", FilmSettings(640, 360))
"""

from __future__ import annotations

import os
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from kinema.errors import KinemaError
from kinema.rendering.film.buffers import BufferWriter
from kinema.rendering.film.camera_work import CameraWork
from kinema.rendering.film.contact_sheet import contact_sheet
from kinema.rendering.film.film import Film, FilmSettings
from kinema.rendering.film.performance import Shot
from kinema.rendering.film.writers import check_name, is_moving, open_writer
from kinema.rendering.view import View

Progress = Callable[[int, int], None]


class Renders(Protocol):
    """What `kinema.rendering.renderer.Renderer` is to this module."""

    def render(self, view: View, buffers: Sequence[str] = ("color",)) -> Any: ...


@dataclass(frozen=True)
class RenderOptions:
    """What to make of shots.

    Attributes:
        quality: of the renderer: "draft", "standard" or "high".
        still: one picture at this second, instead of a film.
        sheet: a contact sheet of so many pictures, instead of a film.
        buffers: what else to write, of `kinema.rendering.film.buffers.BUFFERS`, into the folder that
            `buffer_folder` names.
        buffers_as: "npz" or "png".
        crf: see `kinema.rendering.film.writers.Encoding`.
        profile: measure the passes of the renderer.
    """

    quality: str = "standard"
    still: float | None = None
    sheet: int | None = None
    buffers: tuple[str, ...] = ()
    buffers_as: Literal["npz", "png"] = "npz"
    crf: int | None = None
    profile: bool = False


@dataclass(frozen=True)
class RenderReport:
    """What was made.

    Attributes:
        frames: pictures rendered. wall_seconds: from the first to the last of them, with encoding.
        renderer: the driver that drew them. passes: median milliseconds a picture by name, where they were measured.
        outputs: files written; a sequence is named once, by its folder or pattern.
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
    order: RenderOptions | None = None,
    progress: Progress | None = None,
    renderer: Renders | None = None,
) -> RenderReport:
    """Film shots into a file; several stand side by side in one picture, each with its title.

    Args:
        path: `.mp4`, `.webm`, `.gif`, `.png` (one picture, or `walk_%04d.png`) or a folder of pictures. A
            single `.png` without `still` or `sheet` shows the middle of the clip.
        progress: called with pictures done and in all.
        renderer: draws; None opens one and closes it again.

    Raises:
        KinemaError: the order does not fit the file or the shots.
        MissingError: no renderer, or no encoder, on this machine.
        WriteError: the file cannot be written.
    """
    settings, order = settings or FilmSettings(), order or RenderOptions()
    check_name(path, settings.transparent)
    _check(shots, path, order)
    films = _films(shots, settings)
    tile = films[0].settings
    if order.sheet is None and (order.still is not None or not is_moving(path)):
        return _still(films, path, settings, order, progress, renderer)
    if order.sheet is not None:
        return _sheet(films, path, settings, order.sheet, order, progress, renderer)
    count = max(len(film) for film in films)
    with ExitStack() as stack:
        drawing = _Timed(renderer or stack.enter_context(open_renderer(tile.width, tile.height, order)))
        width, height = tile.width * len(films), tile.height
        writer = stack.enter_context(
            open_writer(path, width, height, settings.fps, order.crf, order.quality == "draft", settings.transparent)
        )
        extra = None
        if order.buffers:
            extra = stack.enter_context(BufferWriter(buffer_folder(path), order.buffers, order.buffers_as))
        began = time.perf_counter()
        for number in range(count):
            views = [film.view(min(number, len(film) - 1)) for film in films]
            frames = [drawing.render(view, ("color", *order.buffers)) for view in views]
            writer.write(frames[0].color if len(frames) == 1 else np.concatenate([f.color for f in frames], axis=1))
            if extra is not None:
                extra.add(frames[0], views[0].camera, width / height)
            if progress is not None:
                progress(number + 1, count)
        writer.finish()
        wall = time.perf_counter() - began
        named = writer.outputs if len(writer.outputs) == 1 else [os.fspath(path)]
        outputs = (*named, *([str(buffer_folder(path))] if order.buffers else []))
        return RenderReport(count, wall, *drawing.about(), outputs)


def buffer_folder(path: str | os.PathLike[str]) -> Path:
    """Where the buffers of a film go: `walk.mp4` has them in `walk_buffers`."""
    file = Path(path)
    return file.with_name(f"{file.stem.partition('%')[0].rstrip('_-.') or 'film'}_buffers")


def _check(shots: Sequence[Shot], path: str | os.PathLike[str], order: RenderOptions) -> None:
    if not shots:
        raise KinemaError("there is nothing to film")
    single = order.still is not None or order.sheet is not None
    if single and Path(path).suffix.lower() != ".png":
        raise KinemaError(f"{path}: a single picture is a .png")
    if single and "%" in Path(path).name:
        raise KinemaError(f"{path}: is a name for many pictures; leave the number out for a single one")
    if order.buffers and len(shots) > 1:
        raise KinemaError("buffers are of one shot: they cannot stand side by side")
    if order.buffers and (single or not is_moving(path)):
        raise KinemaError(f"{path}: buffers are written with films and numbered pictures (walk_%04d.png)")


def _films(shots: Sequence[Shot], settings: FilmSettings) -> list[Film]:
    if len(shots) == 1:
        return [Film(shots[0], settings)]
    wide = settings.width // len(shots) // 2 * 2
    if wide < 16:
        raise KinemaError(f"{len(shots)} shots side by side are {wide} pixels wide each; make the picture wider")
    return [Film(shot, replace(settings, width=wide, caption=settings.caption or shot.title)) for shot in shots]


def _still(
    films: list[Film],
    path: str | os.PathLike[str],
    settings: FilmSettings,
    order: RenderOptions,
    progress: Progress | None,
    renderer: Renders | None,
) -> RenderReport:
    """One picture, from where the body's front is at that moment."""
    longest = max(film.performance.seconds for film in films)
    if order.still is not None and not 0 <= order.still <= longest:
        length = f"lasts {longest:.2f} s" if longest > 0 else "does not move"
        raise KinemaError(f"second {order.still:g} lies outside of {films[0].performance.shot.title!r}, which {length}")
    views: list[View] = []
    for film in films:
        moves = film.performance.seconds > 0
        moment = film.times[len(film) // 2 if moves else 0] if order.still is None else order.still
        work = replace(settings.camera or CameraWork(), moment=float(moment))
        views.append(film.seen_by(work).at(float(moment)))
    pictures, report = _drawn([views], films[0], order, progress, renderer)
    _write(pictures[0], path, settings.transparent)
    return replace(report, outputs=(os.fspath(path),))


def _sheet(
    films: list[Film],
    path: str | os.PathLike[str],
    settings: FilmSettings,
    count: int,
    order: RenderOptions,
    progress: Progress | None,
    renderer: Renders | None,
) -> RenderReport:
    """Pictures of even times in a grid."""
    times = np.linspace(settings.start, max(film.times[-1] for film in films), count).tolist()
    pictures, report = _drawn(
        [[film.at(when) for film in films] for when in times], films[0], order, progress, renderer
    )
    sheet = contact_sheet(pictures, [f"{when:.2f} s" for when in times], transparent=settings.transparent)
    _write(sheet, path, settings.transparent)
    return replace(report, outputs=(os.fspath(path),))


def _drawn(
    rows: Sequence[Sequence[View]],
    film: Film,
    order: RenderOptions,
    progress: Progress | None,
    renderer: Renders | None,
) -> tuple[list[NDArray[np.uint8]], RenderReport]:
    """Each row of views as one picture, side by side."""
    pictures: list[NDArray[np.uint8]] = []
    with ExitStack() as stack:
        size = film.settings.width, film.settings.height
        drawing = _Timed(renderer or stack.enter_context(open_renderer(*size, order)))
        began = time.perf_counter()
        for number, views in enumerate(rows, 1):
            pictures.append(np.concatenate([drawing.render(view, ("color",)).color for view in views], axis=1))
            if progress is not None:
                progress(number, len(rows))
        return pictures, RenderReport(len(rows), time.perf_counter() - began, *drawing.about())


def _write(picture: NDArray[np.uint8], path: str | os.PathLike[str], alpha: bool) -> None:
    height, width = picture.shape[:2]
    with open_writer(path, width, height, alpha=alpha) as writer:
        writer.write(picture)


@contextmanager
def open_renderer(width: int, height: int, order: RenderOptions) -> Iterator[Renders]:
    """The renderer for pictures of a size, closed at the end. MissingError says what to install."""
    from kinema.rendering.renderer import Renderer

    with Renderer(width, height, quality=order.quality, profile=order.profile) as renderer:
        yield renderer


class _Timed:
    """A renderer, and what its passes cost over all pictures."""

    def __init__(self, renderer: Renders) -> None:
        self._renderer, self._costs = renderer, defaultdict[str, list[float]](list)

    def render(self, view: View, buffers: Sequence[str] = ("color",)) -> Any:
        frame = self._renderer.render(view, buffers)
        for name, cost in getattr(self._renderer, "timings", {}).items():
            self._costs[name].append(cost)
        return frame

    def about(self) -> tuple[str, dict[str, float]]:
        """Name of the driver, and the median milliseconds by pass (shaders are compiled in the first picture)."""
        passes = {name: float(np.median(costs)) for name, costs in self._costs.items()}
        return str(getattr(self._renderer, "info", "")), passes
