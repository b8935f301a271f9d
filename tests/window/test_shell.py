"""A real window on a virtual screen: it draws, obeys, and survives what happens to windows."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("moderngl", reason="moderngl is not installed: pip install 'kinema[window]'")

from kinema import Motion
from kinema.engine import Surface
from kinema.errors import KinemaError, MissingError
from kinema.rendering.view import View
from kinema.session.clips import ClipSession
from kinema.session.crowd import wander
from kinema.session.library import LibraryFile
from kinema.session.play import PlaySession
from kinema.session.playable import playable
from kinema.session.samples import Sampler, SampleRequest, SamplesSession
from kinema.session.session import Session
from kinema.window.events import Key
from kinema.window.panels import Panel
from kinema.window.panels.timeline import TimelinePanel
from kinema.window.shell import Window

from ..session.conftest import CROWD, Gliding, blocks, crowd_and_stranger, library_file

SIZE = (760, 560)


def make_renderer(context: Any, width: int, height: int) -> Any:
    from kinema.rendering.renderer import Renderer

    return Renderer(width, height, quality="draft", context=context)


class Plain:
    """A renderer that fills the picture with one colour."""

    def __init__(self, context: Any, *_: int) -> None:
        self.context, self.timings, self.profile = context, {}, False
        self.shader_error: str | None = None
        self.color, self.fails = (0.2, 0.4, 0.6), ""

    def resize(self, width: int, height: int) -> None:
        self.size = width, height

    def draw(self, view: View, framebuffer: Any) -> None:
        if self.fails:
            raise KinemaError(self.fails)
        framebuffer.use()
        framebuffer.clear(*self.color)

    def close(self) -> None:
        pass


Opener = Callable[..., Window]


@pytest.fixture
def opened(display: str) -> Iterator[Opener]:
    windows: list[Window] = []

    def open_(session: Session, renderer: Any = Plain, size: tuple[int, int] = SIZE) -> Window:
        window = Window(session, renderer, size=size)
        window.canvas.automatic = False
        windows.append(window)
        return window

    yield open_
    for window in windows:
        window.close()


def turn(window: Window, until: Callable[[], object] = lambda: False, pictures: int = 400) -> None:
    """Run the window's loop until something is so, or for some pictures."""
    for _ in range(pictures):
        assert window.poll()
        window.session.world.advance(1, 1.0)
        window.session.world.run_present(1 / 60)
        window.present(window.session.world)
        if until():
            return
        time.sleep(0.002)


def scene(window: Window) -> np.ndarray:
    read = window.canvas.read()
    assert read is not None
    return read.astype(int)


def screen(window: Window) -> np.ndarray:
    width, height = window.surface.size
    pixels = window.surface.context.screen.read(viewport=(0, 0, width, height), components=3)
    return np.frombuffer(pixels, np.uint8).reshape(height, width, 3)[::-1].astype(int)


@pytest.fixture
def viewing(walking: Motion) -> ClipSession:
    return ClipSession([library_file("walk.bvh", walking)])


@pytest.fixture
def playing(gliding: Gliding) -> PlaySession:
    return PlaySession(lambda say: playable(gliding))


def typed(*words: str) -> None:
    subprocess.run(["xdotool", *words], check=True, capture_output=True)


needs_xdotool = pytest.mark.skipif(shutil.which("xdotool") is None, reason="no xdotool: apt-get install xdotool")


def test_a_character_is_drawn(opened: Opener, viewing: ClipSession):
    window = opened(viewing, make_renderer, (420, 320))
    surface: Surface = window  # what the engine runs a world on
    assert surface is window
    turn(window, lambda: viewing.shown is not None)
    viewing.seek(0)
    viewing.show.update(dict.fromkeys(viewing.show, False), Body=True)
    turn(window, pictures=3)
    with_body = scene(window)
    viewing.set_mark("Body", not viewing.show["Body"])
    turn(window, pictures=3)
    changed = np.abs(with_body - scene(window)).sum(axis=-1) > 30
    rows, columns = np.nonzero(changed)
    assert 0.005 < changed.mean() < 0.5, "the body takes up part of the picture"
    assert np.ptp(rows) > 0.5 * changed.shape[0], "from top to toe"
    assert abs(np.median(columns) / changed.shape[1] - 0.5) < 0.15, "in the middle"


def test_a_crowd_and_another_skeleton_appear(opened: Opener, gliding: Gliding):
    session, stranger = crowd_and_stranger(gliding)
    window = opened(session, make_renderer, (420, 320))
    session.show.update(dict.fromkeys(session.show, False), Body=True)
    session.world.systems.remove(wander)  # pictures are compared
    turn(window, pictures=5)
    with_all = scene(window)
    session.world.despawn(stranger)
    turn(window, pictures=3)
    without = scene(window)
    changed = np.abs(with_all - without).sum(axis=-1) > 60
    red = with_all[..., 0] > 1.5 * with_all[..., 1:].mean(axis=-1)
    assert session.crowd == CROWD and (changed & red).sum() > 100, "the red stranger is gone"
    session.set_crowd(0)
    turn(window, pictures=3)
    assert (np.abs(without - scene(window)).sum(axis=-1) > 60).sum() > 1500, "the crowd is gone"


@needs_xdotool
def test_w_walks_away_from_the_camera(opened: Opener, playing: PlaySession):
    window = opened(playing)
    turn(window, lambda: playing.playable is not None)
    typed("search", "--sync", "--name", "Kinema", "windowfocus")
    turn(window, lambda: False, 3)
    start, heading = playing.target.position.copy(), window.cameras.heading
    typed("keydown", "w")
    turn(window, lambda: np.linalg.norm(playing.target.position - start) > 0.5, 300)
    typed("keyup", "w")
    way = playing.target.position - start
    assert np.linalg.norm(way) > 0.5
    assert np.dot(way, [np.sin(heading), 0, np.cos(heading)]) > 0.95 * np.linalg.norm(way)
    turn(window, lambda: not window.surface.keys, 100)
    assert not window.surface.keys, "a key that was let go is let go"


@needs_xdotool
def test_a_click_on_the_timeline_changes_the_pose(opened: Opener, viewing: ClipSession):
    window = opened(viewing)
    turn(window, lambda: viewing.shown is not None)
    turn(window, pictures=3)
    track = next(panel for panel in window.panels if isinstance(panel, TimelinePanel)).track
    viewing.seek(0)
    viewing.update(0.0)
    before = viewing.view(window.cameras.camera).instances[0].pose.global_positions.copy()
    x, y = (int(value) for value in (track.x + 0.5 * track.width, track.y + 0.5 * track.height))
    left, top = window.surface.glfw.get_window_pos(window.surface._handle)
    typed("mousemove", str(left + x), str(top + y))
    turn(window, pictures=4)
    typed("mousedown", "1")
    turn(window, pictures=6)
    typed("mouseup", "1")
    turn(window, pictures=4)
    assert abs(viewing.playhead.frame - 30) <= 1 and not viewing.playhead.playing
    after = viewing.view(window.cameras.camera).instances[0].pose.global_positions
    assert np.abs(after - before).max() > 0.3


@needs_xdotool
def test_a_drag_on_the_scene_turns_the_camera(opened: Opener, viewing: ClipSession):
    window = opened(viewing)
    turn(window, lambda: viewing.shown is not None)
    turn(window, pictures=3)
    viewing.seek(0)
    middle, before = window.layout.scene, window.cameras.orbit.azimuth
    left, top = window.surface.glfw.get_window_pos(window.surface._handle)
    x, y = int(left + middle.x + middle.width / 2), int(top + middle.y + middle.height / 2)
    typed("mousemove", str(x), str(y))
    turn(window, pictures=3)
    typed("mousedown", "1")
    turn(window, pictures=3)
    typed("mousemove", str(x + 60), str(y))
    turn(window, pictures=3)
    typed("mouseup", "1")
    turn(window, pictures=3)
    assert window.cameras.orbit.azimuth == pytest.approx(before - 60 * 0.007, abs=0.05)


def test_any_size_is_survived(opened: Opener, viewing: ClipSession):
    window = opened(viewing)
    turn(window, lambda: viewing.shown is not None)
    for size in ((60, 40), (1, 1), (200, 600), (700, 130), SIZE):
        window.surface.glfw.set_window_size(window.surface._handle, *size)
        turn(window, pictures=4)
    pictures = window.pictures
    turn(window, lambda: window.surface.size == SIZE)
    turn(window, pictures=2)
    assert window.pictures > pictures and scene(window).any()
    assert not [line.text for line in viewing.log.lines if line.level == "error"]


def test_nothing_is_drawn_while_it_is_minimised(opened: Opener, viewing: ClipSession, monkeypatch: pytest.MonkeyPatch):
    window = opened(viewing)
    turn(window, lambda: viewing.shown is not None)
    pictures, steps = window.pictures, viewing.world.steps
    monkeypatch.setattr(type(window.surface), "size", property(lambda self: (0, 0)))
    turn(window, pictures=3)
    assert window.pictures == pictures and viewing.world.steps > steps


def test_a_window_can_be_closed_while_it_reads(opened: Opener):
    read, ended = threading.Event(), threading.Event()

    def slow() -> list:
        read.wait(120)
        ended.set()
        return []

    window = opened(ClipSession([LibraryFile("slow.bvh", "slow.bvh", slow)]))
    turn(window, pictures=3)
    assert "slow.bvh" in window.session.waiting
    window.surface.glfw.set_window_should_close(window.surface._handle, True)
    report = window.run()
    assert report.ended_by == "closed" and not ended.is_set()
    read.set()
    assert not window.surface.alive


def test_what_cannot_be_read_at_all_ends_the_window(opened: Opener):
    def bad() -> list:
        raise KinemaError("a.bvh: broken")

    window = opened(ClipSession([LibraryFile("a.bvh", "a.bvh", bad)]))
    with pytest.raises(KinemaError, match="broken"):
        window.run()


def test_a_lost_context_is_made_anew(opened: Opener, viewing: ClipSession):
    window = opened(viewing, make_renderer, (420, 320))
    turn(window, lambda: viewing.shown is not None)
    turn(window, pictures=2)
    old, before = window.surface.context, scene(window)
    window.surface._reset_status = lambda: 0x8253  # GL_GUILTY_CONTEXT_RESET
    turn(window, pictures=3)
    assert window.surface.context is not old and not window.surface.lost
    assert np.abs(scene(window).mean() - before.mean()) < 20, "it draws as before"
    assert "set up again" in viewing.log.lines[-1].text


def test_a_driver_that_stays_lost_ends_the_window_in_one_line(
    opened: Opener, viewing: ClipSession, monkeypatch: pytest.MonkeyPatch
):
    window = opened(viewing)
    turn(window, lambda: viewing.shown is not None)
    window.surface._reset_status = lambda: 0x8253
    monkeypatch.setattr(window.surface.glfw, "create_window", lambda *_: None)
    with pytest.raises(MissingError, match="OpenGL"):
        window.run(5.0)
    assert not window.surface.alive


def test_what_the_renderer_cannot_do_is_said_once_and_the_last_picture_stays(opened: Opener, viewing: ClipSession):
    window = opened(viewing)
    turn(window, lambda: viewing.shown is not None)
    renderer: Any = window.canvas._renderer
    before = scene(window)
    renderer.fails = "tone.glsl, line 3: syntax error"
    turn(window, pictures=5)
    errors = [line for line in viewing.log.lines if line.level == "error"]
    assert len(errors) == 1 and "line 3" in errors[0].text and errors[0].count >= 5
    np.testing.assert_array_equal(scene(window), before)
    renderer.fails, renderer.shader_error = "", "sky.glsl, line 9: undeclared"
    turn(window, pictures=2)
    assert "line 9" in viewing.log.lines[-1].text


@pytest.mark.slow
def test_a_shader_broken_while_the_window_is_open_is_one_line(
    opened: Opener, viewing: ClipSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    from kinema.rendering import renderer, shading

    folder = Path(shutil.copytree(shading.FOLDER, tmp_path / "shaders"))
    monkeypatch.setattr(renderer, "Shaders", lambda context, live: shading.Shaders(context, folder, live))
    window = opened(
        viewing, lambda gl, w, h: renderer.Renderer(w, h, "draft", context=gl, live_shaders=True), (420, 320)
    )
    turn(window, lambda: viewing.shown is not None)
    viewing.seek(0)
    turn(window, pictures=2)
    before, tone = scene(window), folder / "tone.frag.glsl"
    whole, now = tone.read_text(), time.time()
    for text, later in ((whole.replace("void main", "nonsense main"), 5), (whole, 10)):
        tone.write_text(text)
        os.utime(tone, (now + later, now + later))
        turn(window, pictures=3)
        assert np.abs(scene(window) - before).mean() < 3, "the last good one draws on"
    errors = [line for line in viewing.log.lines if line.level == "error"]
    assert len(errors) == 1 and "tone.frag.glsl" in errors[0].text and "\n" not in errors[0].text


def test_a_panel_with_a_mistake_is_named_and_the_others_are_drawn(opened: Opener, viewing: ClipSession):
    class Broken(Panel):
        title = "Broken"

        def draw(self, ui: Any, session: Session) -> None:
            ui.imgui.begin_child("##inside")
            ui.imgui.push_id("never popped")
            ui.imgui.text(str(1 // 0))

    window = opened(viewing)
    window.panels.insert(0, Broken())
    turn(window, lambda: viewing.shown is not None)
    turn(window, pictures=5)
    said = [line for line in viewing.log.lines if line.level == "error"]
    assert len(said) == 1 and said[0].text == "panel Broken: ZeroDivisionError: integer division or modulo by zero"
    assert screen(window)[:, -200:].std() > 3, "the column is still drawn"


def test_keys_of_the_window(opened: Opener, viewing: ClipSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    window = opened(viewing)
    turn(window, lambda: viewing.shown is not None)

    def press(code: str) -> None:
        window._obey([Key(code, True), Key(code, False)])

    press("F1")
    assert window.help.open
    press("Escape")
    press("Tab")
    assert not window.help.open and not window.shown
    turn(window, pictures=2)
    assert window.layout.left is None and window.layout.scene.width == SIZE[0]
    press("Tab")
    press("KeyV")
    assert window.cameras.name == "Behind"
    press("F12")
    turn(window, pictures=2)
    assert (tmp_path / "kinema-1.png").stat().st_size > 1000
    look = window.gui.look
    window.toggle_look()
    turn(window, pictures=2)
    assert window.gui.look is not look and screen(window).mean() > 120


def test_a_screenshot_is_the_window(opened: Opener, viewing: ClipSession, tmp_path: Path):
    from PIL import Image

    window = opened(viewing)
    report = window.run(0.3, tmp_path / "shot.png")
    assert report.frames >= 1 and report.wall_seconds >= 0.3
    picture = np.asarray(Image.open(tmp_path / "shot.png"))
    assert picture.shape == (SIZE[1], SIZE[0], 3)
    assert picture[-10:, :50].std() > 0 or picture[:40].std() > 0
    assert (picture[250, 380] == [51, 102, 153]).all(), "the scene is in the middle"


def test_slow_drawing_slows_no_motion(opened: Opener, playing: PlaySession):
    class Slow(Plain):
        def draw(self, view: View, framebuffer: Any) -> None:
            super().draw(view, framebuffer)
            time.sleep(0.15)

    window = opened(playing, Slow)
    turn(window, lambda: playing.playable is not None)
    report = window.run(1.2)
    assert report.steps >= 8 * (report.frames - 1) > 0, "nine steps pass while a picture is drawn"


def test_no_display_is_one_line(display: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.delenv("DISPLAY")
    with pytest.raises(MissingError, match="xvfb-run") as caught:
        Window(Session(), Plain)
    assert "\n" not in str(caught.value) and "browser" in str(caught.value)


def test_no_imgui_is_one_line(display: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "imgui_bundle", None)
    with pytest.raises(MissingError, match=r"pip install 'kinema\[window\]'"):
        Window(Session(), Plain)


@pytest.mark.slow
@pytest.mark.usefixtures("display")
def test_a_window_of_its_own_process_goes_with_the_training(tmp_path: Path):
    pytest.importorskip("torch", reason="torch is not installed: pip install 'kinema[learn]'")
    from kinema.learn.recipe import Recipe
    from kinema.learn.run import start_run
    from kinema.learn.training import Training
    from kinema.mocap import MotionDatabase
    from kinema.mocap.procedural import generate
    from kinema.mocap.procedural.script import Segment
    from kinema.session.training import open_watch
    from kinema.window.shell import serve_window

    motions = [generate(script=(Segment("walk", 3.0),), fps=30.0, seed=seed, name=f"take{seed}") for seed in range(3)]
    MotionDatabase.from_motions(motions).save(tmp_path / "walk.db")
    database = MotionDatabase.open(tmp_path / "walk.db")
    recipe = Recipe(steps=60, batch=32, validate_every=30)
    trained = Training(start_run(tmp_path / "run", "autoencoder", database, {"latent": 4, "hidden": 16}, recipe))
    with open_watch(trained, serve_window) as watch:
        assert watch.url == ""
        assert trained.go(watch.after_step).finished
        watch.finish(trained)
        watch.wait(1.0)
        process = watch._process
        assert process.is_alive()
    assert process.exitcode == 0


@needs_xdotool
def test_generated_motion_is_steered_in_a_real_window(opened: Opener):
    pytest.importorskip("torch")
    from ..session.generated_motion import controller_of, session_of

    controller = controller_of("dog")
    session = session_of(controller)
    window = opened(session, make_renderer, (420, 320))
    try:
        turn(window, pictures=5)
        still = scene(window)
        typed("keydown", "w")
        turn(window, lambda: controller.wish.action == "walk")
        assert controller.wish.action == "walk"
        before = np.array(session.target.points)
        turn(window, lambda: np.abs(session.target.points - before).max() > 0)
        assert np.abs(scene(window) - still).max() > 30
        typed("keyup", "w")
        turn(window, lambda: controller.wish.action == "idle")
        assert controller.wish.action == "idle"
    finally:
        session.close()


def test_samples_are_shown_in_a_real_window(opened: Opener, walking: Motion):
    sampler = Sampler("biped", blocks(walking.skeleton), ("walk",), 1.4, lambda request, say: [walking] * request.count)
    session = SamplesSession(lambda say: sampler, SampleRequest(count=3))
    window = opened(session, make_renderer, (900, 600))
    turn(window, lambda: session.shown is not None)
    assert len(session.motions) == 3
    titles = [panel.title for panel in window.panels if panel.wanted(session)]
    assert {"Samples", "Time", "Show"} & set(titles) >= {"Samples", "Time"}
    session.seek(0)
    turn(window, pictures=3)
    with_bodies = scene(window)
    session.ask(count=1)
    turn(window, lambda: len(session.motions) == 1, pictures=800)
    turn(window, pictures=3)
    assert np.abs(with_bodies - scene(window)).max() > 30
