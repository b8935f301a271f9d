"""The functions of `import kinema`, named as the commands are. Each is a short way into the room that does the work.

They are loaded when they are first used, so that `import kinema` stays fast.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kinema.character import Character
from kinema.errors import KinemaError
from kinema.formats import Asset, load, load_motion
from kinema.motion import Motion
from kinema.skeleton import Skeleton

if TYPE_CHECKING:
    from kinema.control.controller import Controller
    from kinema.engine import World
    from kinema.mocap.database import MotionDatabase
    from kinema.rendering.film.shoot import RenderReport
    from kinema.retargeting import Retargeted
    from kinema.session.library import LibraryFile
    from kinema.session.session import Session

PathLike = str | os.PathLike[str]
Showable = PathLike | Motion | Character | Asset


def build(
    data: PathLike | Motion | Iterable[PathLike | Motion], output: PathLike | None = None, **options: Any
) -> MotionDatabase:
    """A motion database of files, folders, archives or motions.

    Args:
        output: the folder to write it to; None keeps a database of motions in memory and puts one of files into a
            temporary folder.
        options: those of `kinema.mocap.build.build` for files, of `MotionDatabase.from_motions` for motions.

    Raises:
        DatabaseError: nothing of the data can be used.
    """
    from kinema.mocap import MotionDatabase
    from kinema.mocap import build as build_files

    listed = [data] if isinstance(data, str | os.PathLike | Motion) else list(data)
    motions = [one for one in listed if isinstance(one, Motion)]
    if motions and len(motions) == len(listed):
        database = MotionDatabase.from_motions(motions, **options)
        if output is not None:
            database.save(output)
        return database
    if motions:
        raise KinemaError("a database is built of files or of motions, not of both; load the files first")
    folder = Path(output) if output is not None else Path(tempfile.mkdtemp(prefix="kinema-")) / "data.db"
    build_files([os.fspath(one) for one in listed if not isinstance(one, Motion)], folder, **options)
    return MotionDatabase.open(folder)


def retarget(source: PathLike | Motion, to: PathLike | Skeleton | Character | Asset, **options: Any) -> Retargeted:
    """A motion on another skeleton: `.motion`, and the `.report` of how well it fits.

    Args:
        source: a motion, or a file with one.
        to: a skeleton, a character, or a file with one.
        options: those of `kinema.retargeting.retarget`.

    Raises:
        SkeletonError: nothing of the two bodies matches.
    """
    from kinema.retargeting import retarget as onto
    from kinema.retargeting.files import load_target

    motion = source if isinstance(source, Motion) else load_motion(source)
    return onto(motion, load_target(os.fspath(to)) if isinstance(to, str | os.PathLike) else to, **options)


def generate(*args: Any, **options: Any) -> Motion:
    """A person who acts out a script, without any data; see `kinema.mocap.procedural.generate.generate`."""
    from kinema.mocap.procedural import generate as act

    return act(*args, **options)


def play(
    data: PathLike | Sequence[PathLike] | MotionDatabase | Controller = (),
    character: PathLike | None = None,
    *,
    window: bool = False,
    port: int = 8080,
    seconds: float | None = None,
    setup: Callable[[World], None] | None = None,
) -> None:
    """Steer a character in the browser, or in a window, until it is closed or Ctrl+C is pressed.

    Args:
        data: a database, motion files, or a controller; nothing generates motion.
        character: a file with the body to see; None shows a mannequin.
        seconds: end by itself after this time.
        setup: called with the world before it begins, to spawn other entities and add systems.

    Raises:
        MissingError: the viewer or the window is not installed.
    """
    from kinema.control.controller import Controller
    from kinema.control.presets import motion_matching_controller
    from kinema.control.worn import actor, wear
    from kinema.mocap import MotionDatabase
    from kinema.session.log import Log
    from kinema.session.play import PlaySession
    from kinema.session.playable import Playable, Say, from_files, playable

    if isinstance(data, MotionDatabase | Controller):

        def from_memory(say: Say) -> Playable:
            controller = motion_matching_controller(data) if isinstance(data, MotionDatabase) else data
            if character is None or not isinstance(data, MotionDatabase):
                return playable(controller, None, "motion", None, say)
            file = actor(character)
            return playable(wear(controller, data, file), file.character, "motion", None, say)

        make = from_memory
    else:
        files = [data] if isinstance(data, str | os.PathLike) else list(data)
        make = from_files([os.fspath(file) for file in files], None if character is None else os.fspath(character))
    log = Log(print)
    _show(PlaySession(make, log, setup=setup), window, port, seconds, "Kinema play")


def view(*things: Showable, window: bool = False, port: int = 8080, seconds: float | None = None) -> None:
    """Look at motions, characters and files in the browser, or in a window.

    Args:
        things: files, folders and archives, or what was loaded from them.
        seconds: end by itself after this time.

    Raises:
        FormatError: a file cannot be read.
        MissingError: the viewer or the window is not installed.
    """
    from kinema.session.clips import ClipSession
    from kinema.session.library import find_files
    from kinema.session.log import Log

    found: list[LibraryFile] = []
    for thing in things:
        found += find_files([thing]) if isinstance(thing, str | os.PathLike) else [_library_file(thing)]
    _show(ClipSession(found, Log(print)), window, port, seconds, "Kinema view")


def render(source: Showable, output: PathLike, *, size: tuple[int, int] = (640, 360), **options: Any) -> RenderReport:
    """A film or a picture of a motion or a character: MP4, WebM, GIF, PNG.

    Args:
        source: a file, or what was loaded from one.
        size: width and height in pixels.
        options: those of `kinema.rendering.film.shoot.RenderOptions`, such as `still=2.0` or `sheet=8`.

    Raises:
        MissingError: no renderer, or no encoder, on this machine.
        KinemaError: the options do not fit the file.
    """
    from kinema.rendering.film.film import FilmSettings
    from kinema.rendering.film.performance import Shot
    from kinema.rendering.film.shoot import RenderOptions, shoot

    clip = _library_file(load(source) if isinstance(source, str | os.PathLike) else source).read()[0]
    shot = Shot(clip.title, clip.skeleton, clip.load(), clip.character)
    return shoot([shot], output, FilmSettings(*size), RenderOptions(**options))


def picture(motion: Motion, count: int = 6, size: tuple[int, int] = (200, 150)) -> bytes:
    """PNG of some moments of a motion side by side, as notebooks show it.

    Raises:
        MissingError: no renderer on this machine.
    """
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "motion.png"
        render(motion, file, size=size, sheet=min(count, motion.frames), quality="draft")
        return file.read_bytes()


def train(task: str, data: PathLike | MotionDatabase, output: PathLike, **options: Any) -> Any:
    """Fit a model to a database with the default recipe; the run is a folder that can be resumed and evaluated.

    Args:
        task: a name of `kinema.learn.tasks.TASKS`, such as `"autoencoder"`.
        options: fields of `kinema.learn.recipe.Recipe`, such as `steps=2000`.

    Raises:
        MissingError: torch is not installed.
    """
    from kinema.learn.recipe import Recipe
    from kinema.learn.run import start_run
    from kinema.learn.training import Training
    from kinema.mocap import MotionDatabase

    database = data if isinstance(data, MotionDatabase) else MotionDatabase.open(data)
    return Training(start_run(os.fspath(output), task, database, {}, Recipe(**options))).go()


def _library_file(thing: Motion | Character | Asset) -> LibraryFile:
    from kinema.session.library import LibraryClip, LibraryFile

    if isinstance(thing, Motion):
        clips = [LibraryClip(thing.name or "motion", thing.skeleton, None, lambda: thing)]
    elif isinstance(thing, Character):
        clips = [LibraryClip(thing.name or "character", thing.skeleton, thing, lambda: None)]
    elif thing.skeleton is None:
        raise KinemaError(f"{thing.path} holds no skeleton to show")
    else:
        own = thing.motions or (None,)
        skeleton, body = thing.skeleton, thing.character
        clips = [
            LibraryClip("rest pose" if one is None else one.name or "motion", skeleton, body, lambda one=one: one)
            for one in own
        ]
    return LibraryFile(clips[0].title, clips[0].title, lambda: clips)


def _show(session: Session, window: bool, port: int, seconds: float | None, title: str) -> None:
    try:
        if window:
            from kinema.rendering.renderer import Renderer
            from kinema.window.shell import Window

            Window(session, lambda context, width, height: Renderer(width, height, context=context), title).run(seconds)
        else:
            from kinema.viewer.browser import show

            show(session, port=port, seconds=seconds, opened=lambda url: print(f"Kinema: {url}"))
    except KeyboardInterrupt:
        return
