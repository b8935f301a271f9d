"""Films and pictures: `kinema.render`, and what notebooks show of a motion."""

from __future__ import annotations

import base64
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kinema import unfinished
from kinema.character import Character
from kinema.errors import FormatError, KinemaError, UsageError
from kinema.face.files import Note, Progress, ignore
from kinema.formats import Asset
from kinema.motion import Motion
from kinema.session.library import LibraryFile, find_files, library_file

if TYPE_CHECKING:
    from kinema.face.staging import Staging
    from kinema.rendering.film.camera_work import CameraWork
    from kinema.rendering.film.film import FilmSettings
    from kinema.rendering.film.performance import Shot
    from kinema.rendering.film.shoot import RenderOptions, RenderReport
    from kinema.rendering.frame import Renders

PathLike = str | os.PathLike[str]
Showable = PathLike | Motion | Character | Asset | LibraryFile
"""Files, folders and archives, or what was loaded from them."""

_SHEET_TILE, _GIF_SIZE, _SIZE = (480, 360), (640, 360), (1280, 720)


def render(
    source: Showable | Sequence[Showable],
    output: PathLike,
    *,
    clip: str | None = None,
    character: Character | PathLike | None = None,
    size: tuple[int, int] | None = None,
    progress: Progress | None = None,
    renderer: Renders | None = None,
    note: Note = ignore,
    staging: Staging | None = None,
    **options: Any,
) -> RenderReport:
    """A film or a picture of a motion or a character: MP4, WebM, GIF, PNG. Several are shown side by side.

    Args:
        source: a file, or what was loaded from one.
        clip: name or number (from 0) of the clip; None takes the first.
        character: the body to show; its joints are those of the motion.
        size: width and height in pixels; None is 1280x720, 640x360 for a GIF.
        progress: called with the number of pictures done and of all pictures.
        renderer: draws; None opens one and closes it again.
        note: called with a line if there are other clips.
        staging: puts the bodies into a captured scene; bodies that walk along a way need no source.
        options: fields of `kinema.rendering.film.shoot.RenderOptions` and `kinema.rendering.film.film.FilmSettings`,
            such as `still=2.0`, `sheet=8` or `fps=25`; `seconds=3` for a length; `camera="orbit"`, `azimuth` and
            `elevation` (radians) for those of `kinema.rendering.film.camera_work.CameraWork`.

    Raises:
        MissingError: no renderer, or no encoder, on this machine.
        KinemaError: the options do not fit the file.
        UsageError: an option is unknown, or two exclude each other.
    """
    from kinema.formats import load_character
    from kinema.rendering.film.shoot import shoot

    settings, order = film_options(Path(output).suffix.lower(), size, **options)
    body = load_character(character) if isinstance(character, str | os.PathLike) else character
    alone = staging is not None and (staging.way is not None or staging.text is not None)
    unseen = alone and isinstance(source, Sequence) and not source
    shots = [] if unseen else [_shot(file, clip, body, note) for file in library(source)]
    if staging is not None:
        from kinema.face.staging import staged

        shots = staged(shots, staging, note)
    return shoot(shots, output, settings, order, progress, renderer)


def picture(thing: Motion | Character | Asset, count: int = 6, size: tuple[int, int] = (200, 150)) -> bytes:
    """PNG of some moments of a motion side by side, or of a character from several sides.

    Args:
        count: maximum number of pictures. size: width and height of each, pixels.

    Raises:
        KinemaError: there is nothing to see, or no renderer on this machine.
    """
    motions = thing.motions if isinstance(thing, Asset) else (thing,) if isinstance(thing, Motion) else ()
    frames = motions[0].frames if motions else count
    if not frames:
        raise UsageError("a motion without frames has no picture")
    with unfinished.temporary_folder() as folder:
        file = Path(folder) / "picture.png"
        render(thing, file, size=size, sheet=min(count, frames), quality="draft")
        return file.read_bytes()


def as_html(thing: Motion | Character | Asset) -> str:
    """The line of `repr` and a `picture`, as notebooks show it; the reason where nothing can be drawn."""
    line = f"<code>{escape(repr(thing))}</code><br>"
    try:
        encoded = base64.b64encode(picture(thing)).decode()
    except KinemaError as error:
        return f"{line}no picture: {escape(str(error))}"
    return f'{line}<img alt="picture" src="data:image/png;base64,{encoded}">'


def library(source: Showable | Sequence[Showable], reading: Any = None) -> list[LibraryFile]:
    """Files to show, of files, folders, archives and databases, or of what was loaded from them.

    Args:
        reading: options for the readers; each format takes those it knows.

    Raises:
        FormatError: there is none.
    """
    things = source if isinstance(source, Sequence) and not isinstance(source, str) else [source]
    paths = [thing for thing in things if isinstance(thing, str | os.PathLike)]
    if len(paths) == len(things):
        return find_files(paths, reading)
    each = [find_files([one], reading) if isinstance(one, str | os.PathLike) else [library_file(one)] for one in things]
    return [file for files in each for file in files]


def film_options(
    suffix: str,
    size: tuple[int, int] | None = None,
    *,
    fps: float | None = None,
    seconds: float | None = None,
    camera: str | None = None,
    azimuth: float | None = None,
    elevation: float | None = None,
    **options: Any,
) -> tuple[FilmSettings, RenderOptions]:
    """How to film into a file with this suffix; see `render`."""
    from kinema.rendering.film.film import FilmSettings
    from kinema.rendering.film.shoot import RenderOptions

    _check_options(options, seconds)
    if seconds is not None:
        options["stop"] = options.get("start", 0.0) + seconds
    filming, rendering = (
        {one.name: options[one.name] for one in fields(kind) if one.name in options}
        for kind in (FilmSettings, RenderOptions)
    )
    width, height = size or _usual_size(suffix, bool(options.get("sheet")))
    fps = fps or (25.0 if suffix == ".gif" else 30.0)
    settings = FilmSettings(width, height, fps, camera=_camera(camera, azimuth, elevation), **filming)
    return settings, RenderOptions(**rendering)


def option_names() -> set[str]:
    """What `film_options` takes."""
    from kinema.rendering.film.film import FilmSettings
    from kinema.rendering.film.shoot import RenderOptions

    own = {"size", "seconds", "azimuth", "elevation"}
    return own.union(one.name for kind in (FilmSettings, RenderOptions) for one in fields(kind)) - {"width", "height"}


def _check_options(options: Mapping[str, Any], seconds: float | None) -> None:
    for name in options:
        if name not in option_names():
            raise UsageError(f"there is no option {name!r}; there are {', '.join(sorted(option_names()))}")
    if options.get("still") is not None and options.get("sheet") is not None:
        raise UsageError("--still is one picture and --sheet many; choose one")
    if seconds is not None and options.get("stop") is not None:
        raise UsageError("--seconds and --stop both say where to end; choose one")


def _camera(kind: Any, azimuth: float | None, elevation: float | None) -> CameraWork | None:
    from kinema.rendering.film.camera_work import CameraWork

    if kind is None and azimuth is None and elevation is None:
        return None
    return CameraWork(kind or "follow", azimuth, elevation)


def _usual_size(suffix: str, sheet: bool) -> tuple[int, int]:
    if sheet:
        return _SHEET_TILE
    return _GIF_SIZE if suffix == ".gif" else _SIZE


def _shot(file: LibraryFile, clip: str | None, character: Character | None, note: Callable[[str], None]) -> Shot:
    from kinema.rendering.film.performance import Shot

    clips = file.read()
    names = [one.title for one in clips]
    if clip is None and len(clips) > 1:
        note(f"{file.title}: showing {names[0]!r}, the first of {len(clips)} clips; --clip chooses another")
    chosen = clips[0 if clip is None else _number(clip, names, file.path)]
    return Shot(file.title, chosen.skeleton, chosen.load(), character or chosen.character)


def _number(clip: str, names: Sequence[str], path: str) -> int:
    """The number of a clip by its name or number."""
    number = names.index(clip) if clip in names else int(clip) if clip.isdigit() else -1
    if not 0 <= number < len(names):
        listed = ", ".join(names[:20]) + (f" and {len(names) - 20} more" if len(names) > 20 else "")
        raise FormatError(f"has no clip {clip!r}; there are {listed}", path=path)
    return number
