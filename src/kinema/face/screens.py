"""Live screens: `kinema.play` and `kinema.view`, in the browser or in a window."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kinema.errors import KinemaError, UsageError, reason
from kinema.face.bodies import open_creature
from kinema.face.films import Showable, library
from kinema.face.grounds import open_terrain
from kinema.session.library import LibraryFile
from kinema.session.log import Log
from kinema.session.session import Session

if TYPE_CHECKING:
    from kinema.control.controller import Controller
    from kinema.control.presets import ControllerMaker, FamilyMaker, SpecMaker
    from kinema.engine import RunReport, World
    from kinema.mocap import MotionDatabase
    from kinema.mocap.creatures import Creature
    from kinema.session.playable import Playable, Say
    from kinema.terrain import Ground
    from kinema.worlds.gaussians import GaussianScene

PathLike = str | os.PathLike[str]

READ_FIRST = 12
"""Up to this many files are read before the screen opens, so that a bad one is named; others when they are shown."""


@dataclass(frozen=True, kw_only=True)
class Screen:
    """Where and how something is shown.

    Attributes:
        window: open a window on this machine instead of a page for the browser.
        seconds: end by itself after this time; None waits for Ctrl+C, or until the window is closed.
        host: address to listen on; 0.0.0.0 lets other machines in.
        port: port of the page; 0 takes any free one.
        open: open the page in this machine's browser.
        screenshot: file for the last picture of the window.
        size: size of the window, pixels.
        light: the light theme of the window.
        text: size of its text, 1 is usual.
        quality: quality of its picture: "draft", "standard" or "high".
        live_shaders: compile shaders again when their files change.
        note: called with the address of the page and with problems.
    """

    window: bool = False
    seconds: float | None = None
    host: str = "127.0.0.1"
    port: int = 8080
    open: bool = False
    screenshot: PathLike | None = None
    size: tuple[int, int] = (1280, 800)
    light: bool = False
    text: float = 1.0
    quality: str = "standard"
    live_shaders: bool = False
    note: Callable[[str], None] = print


@dataclass(frozen=True)
class Shown:
    """What was shown.

    Attributes:
        seconds: how long it was shown. steps: steps of the world. pictures: number of pictures drawn.
        dropped_seconds: real time that was dropped because the world could not keep up.
        problems: errors, and files that were left out.
        outputs: files written.
        url: address of the page; None for a window.
        ms_per_step: mean time of a step of the world.
        interrupted: whether Ctrl+C ended it; figures are then zero.
        files: files that were shown. left_out: files that could not be read.
    """

    seconds: float = 0.0
    steps: int = 0
    pictures: int = 0
    dropped_seconds: float = 0.0
    problems: tuple[str, ...] = ()
    outputs: tuple[str, ...] = ()
    url: str | None = None
    ms_per_step: float = 0.0
    interrupted: bool = False
    files: int = 0
    left_out: int = 0


def play(
    data: PathLike | Sequence[PathLike] | MotionDatabase | Controller = (),
    character: PathLike | None = None,
    *,
    family: str | FamilyMaker | Sequence[str | FamilyMaker] = "motion-matching",
    features: str | SpecMaker | None = None,
    style: str | None = None,
    reading: Mapping[str, Any] | None = None,
    setup: Callable[[World], None] | None = None,
    terrain: Ground | PathLike | None = None,
    scene: GaussianScene | PathLike | None = None,
    creature: str | Creature | None = None,
    say: str = "",
    **screen: Any,
) -> Shown:
    """Steer a character in the browser, or in a window, until it is closed or Ctrl+C is pressed.

    Args:
        data: a database, motion files, or a controller; nothing generates motion.
        character: a file with the body to see; None shows a mannequin.
        family, features, style: as in `kinema.control.presets.controller_maker`. Several families get the same
            commands, side by side.
        reading: options for the readers of motion files, such as `{"up": "z"}`; each format takes those it knows.
        setup: called with the world before it begins, to spawn other entities and add systems.
        terrain: what characters walk on: a ground, a name or a file; see `kinema.terrain.open_ground`.
        scene: a captured scene, its file or the name of a made world, in place of a terrain; see `kinema.scene`. It
            begins in the roomiest place near its middle.
        creature: one for which motion is generated, in place of data and a character; see `kinema.mocap.creatures`.
        say: what it does first in a scene, such as "walk to the tree, then wave"; more can be typed there.
        screen: attributes of `Screen`, such as `window=True` or `seconds=10`.

    Raises:
        MissingError: the viewer or the window is not installed.
        UsageError: there is no such creature, or it is given besides data or a character; there are words without a
            scene.
    """
    from kinema.control.presets import controller_maker
    from kinema.session.play import PlaySession
    from kinema.session.playable import side_by_side

    if creature is not None and character is not None:
        raise UsageError("a creature has its own body; give a creature or a character")
    if scene is not None and terrain is not None:
        raise UsageError("a scene has its own ground; give a scene or a terrain")
    if say and scene is None:
        raise UsageError("words say what is done in a scene; give a scene too")
    ground, animal = open_terrain(terrain), open_creature(creature, data)
    families = [family] if isinstance(family, str) or callable(family) else list(family)
    shown = None if character is None else os.fspath(character)
    kind = animal.name if animal else None
    makes = [_player(data, shown, controller_maker(one, features, style, kind), reading, animal) for one in families]
    make = side_by_side([Path(str(one)).name for one in families], makes) if len(makes) > 1 else makes[0]
    shown_by = Screen(**screen)
    if scene is None:
        return show_session(lambda log: PlaySession(make, log, setup=setup, ground=ground), "Kinema play", shown_by)
    from kinema.face.staging import around_origin
    from kinema.session.told import ToldSession

    around, found = around_origin(scene)
    begin = _with_scene(around, setup)
    return show_session(lambda log: ToldSession(make, found, around.things, log, begin, say), "Kinema play", shown_by)


def _with_scene(scene: GaussianScene, setup: Callable[[World], None] | None) -> Callable[[World], None]:
    """A setup that adds a scene to the world."""

    def added(world: World) -> None:
        world.resources.add(scene)
        if setup is not None:
            setup(world)

    return added


def _player(
    data: PathLike | Sequence[PathLike] | MotionDatabase | Controller,
    character: str | None,
    control: ControllerMaker,
    reading: Mapping[str, Any] | None,
    creature: Creature | None,
) -> Callable[[Say], Playable]:
    from kinema.control.controller import Controller
    from kinema.control.retargeted import read_character, retarget_controller
    from kinema.mocap import MotionDatabase
    from kinema.session.playable import from_files, playable

    if not isinstance(data, MotionDatabase | Controller):
        files = [data] if isinstance(data, str | os.PathLike) else data
        return from_files([os.fspath(file) for file in files], character, control, reading, creature)

    def from_memory(say: Say) -> Playable:
        controller = control(data) if isinstance(data, MotionDatabase) else data
        if character is None or not isinstance(data, MotionDatabase):
            return playable(controller, None, "motion", None, say)
        file = read_character(character)
        return playable(retarget_controller(controller, data, file), file.character, "motion", None, say)

    return from_memory


def view(
    *things: Showable | World,
    edits_folder: PathLike | None = None,
    reading: Mapping[str, Any] | None = None,
    **screen: Any,
) -> Shown:
    """Look at motions, characters and files in the browser, or in a window; or watch a world.

    Args:
        things: files, folders and archives, or what was loaded from them; or one world, which is stepped.
        edits_folder: where edits are kept; None keeps them beside the files.
        reading: options for the readers; each format takes those it knows.
        screen: attributes of `Screen`, such as `window=True` or `seconds=10`.

    Raises:
        FormatError: no file can be read.
        KinemaError: a world among other things.
        MissingError: the viewer or the window is not installed.
    """
    from kinema.engine import World
    from kinema.session.clips import ClipSession

    shown = Screen(**screen)
    worlds = [thing for thing in things if isinstance(thing, World)]
    if worlds and len(things) > 1:
        raise KinemaError("a world is shown alone; spawn the other things in it")
    if worlds:
        return show_session(lambda log: Session(worlds[0], log), "Kinema view", shown)
    others = [thing for thing in things if not isinstance(thing, World)]
    found, problems = readable(library(others, reading), shown.note)
    folder = None if edits_folder is None else os.fspath(edits_folder)
    report = show_session(lambda log: ClipSession(found, log, folder), "Kinema view", shown)
    return replace(report, problems=(*problems, *report.problems), files=len(found), left_out=len(problems))


def readable(found: list[LibraryFile], note: Callable[[str], None]) -> tuple[list[LibraryFile], list[str]]:
    """The files that can be read, and why the others cannot; all of them where there are many.

    Raises:
        KinemaError: none can be read.
    """
    if len(found) > READ_FIRST:
        return found, []
    checked: list[LibraryFile] = []
    problems: list[str] = []
    for file in found:
        try:
            clips = file.read()
            checked.append(replace(file, read=lambda clips=clips: clips))
        except Exception as error:  # no error of one file may end the view of the others
            problems.append(reason(error, file.path))
    if not checked:
        raise KinemaError(problems[0])
    for problem in problems:
        note(f"left out: {problem}")
    return checked, problems


def show_session(make: Callable[[Log], Session], title: str, screen: Screen) -> Shown:
    """Show a session until its screen ends.

    Args:
        make: makes the session. title: of the window.
    """
    log = Log(screen.note)
    try:
        return (_show_in_window if screen.window else _show_in_browser)(make, log, title, screen)
    except KeyboardInterrupt:
        return Shown(problems=_errors(log), interrupted=True)


def _show_in_browser(make: Callable[[Log], Session], log: Log, title: str, screen: Screen) -> Shown:
    from kinema.viewer.browser import show

    urls: list[str] = []

    def opened(url: str) -> None:
        urls.append(url)
        announce(url, screen)

    session = make(log)
    report = show(session, screen.host, screen.port, screen.seconds, opened)
    spent = sum(row.mean_ms for row in session.world.profiler.rows())
    return replace(_report(report, log), url=urls[0], ms_per_step=spent)


def announce(url: str, screen: Screen) -> None:
    """Say where the page is, and open it if asked."""
    screen.note(f"{url}  (Ctrl+C ends)")
    if screen.open:
        import webbrowser

        webbrowser.open(url)


def _show_in_window(make: Callable[[Log], Session], log: Log, title: str, screen: Screen) -> Shown:
    from kinema.rendering.renderer import Renderer
    from kinema.window import theme
    from kinema.window.shell import Window

    def renderer(context: Any, width: int, height: int) -> Renderer:
        return Renderer(width, height, quality=screen.quality, context=context, live_shaders=screen.live_shaders)

    look = theme.LIGHT if screen.light else theme.DARK
    shot = None if screen.screenshot is None else Path(screen.screenshot)
    report = Window(make(log), renderer, title, screen.size, look, screen.text).run(screen.seconds, shot)
    return replace(_report(report, log), outputs=() if shot is None else (str(shot),))


def _report(report: RunReport, log: Log) -> Shown:
    return Shown(report.wall_seconds, report.steps, report.frames, report.dropped_seconds, _errors(log))


def _errors(log: Log) -> tuple[str, ...]:
    return tuple(line.text for line in log.lines if line.level == "error")
