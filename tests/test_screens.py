"""Both screens on one session: a world made by a script, and the editor."""

from __future__ import annotations

import io
import os
import runpy
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("viser", reason="viser is not installed: pip install 'kinema[view]'")
pytest.importorskip("moderngl", reason="moderngl is not installed: pip install 'kinema[window]'")

from PIL import Image

from kinema.control.presets import motion_matching_controller
from kinema.engine import Controlled, Playing, World
from kinema.mocap.database import MotionDatabase
from kinema.mocap.edits import Piece
from kinema.mocap.procedural import locomotion_set
from kinema.session.clips import ClipSession
from kinema.session.library import find_files
from kinema.session.play import PlaySession
from kinema.session.playable import playable
from kinema.session.session import Session
from kinema.viewer.browser import Browser
from kinema.viewer.channel import Channel
from kinema.viewer.editor_page import EditorPage, state
from kinema.viewer.page import Viewer, open_viewer
from kinema.window.panels.editor import EditorPanel
from kinema.window.panels.timeline import TimelinePanel
from kinema.window.shell import Window

from .session.conftest import clip_path  # noqa: F401
from .viewer.test_browser import differing, running, wait_for
from .window.conftest import Bench, bench, display  # noqa: F401
from .window.test_shell import make_renderer, scene, screen, turn

CROWD, JOINTS, DOG = 50, 22, 18
SIZE = {"width": 960, "height": 600}


@pytest.fixture(scope="module")
def database() -> MotionDatabase:
    return MotionDatabase.from_motions(locomotion_set(minutes=1, seed=3))


@pytest.fixture(scope="module")
def populate(database: MotionDatabase) -> Any:
    """The function of the example that spawns a crowd of 50 and a dog, called with a world."""
    made = runpy.run_path(str(Path(__file__).parents[1] / "examples" / "12_a_crowd_and_a_dog.py"))
    return lambda world: made["populate"](world, database)


@pytest.fixture
def world(populate: Any) -> World:
    made = World(seed=5)
    populate(made)
    made.step()
    return made


@pytest.fixture
def viewer() -> Iterator[Viewer]:
    with open_viewer(port=0, mode="world") as opened:
        yield opened


def browser_positions(shown: Browser) -> dict[int, np.ndarray]:
    """Where the nodes of viser show the root of each body: `[n, 3]` by number of joints."""
    bodies, found = shown.screen._bodies, {}
    for body in bodies._smooth.values():
        bone = body._parts[0].handle.bones[0].position
        found.setdefault(body.character.skeleton.joint_count, []).append(np.array(bone))
    for character, crowd in bodies._crowds.values():
        places = crowd._handles[0].batched_positions
        found.setdefault(character.skeleton.joint_count, []).extend(places[places[:, 1] > -100])
    return {joints: np.array(places) for joints, places in found.items()}


def test_the_browser_has_nodes_of_all_and_moves_them(viewer: Viewer, world: World):
    shown = Browser(Session(world), viewer)
    shown.draw()
    before = browser_positions(shown)
    assert {joints: len(places) for joints, places in before.items()} == {JOINTS: CROWD, DOG: 1}
    for _ in range(60):
        world.step()
    shown.draw()
    for joints, places in browser_positions(shown).items():
        moved = np.linalg.norm(places - before[joints], axis=-1)
        assert (moved > 0.3).all(), f"all with {joints} joints move: {moved.min():.2f} m"


@pytest.mark.slow
def test_the_window_draws_all(display: str, world: World):  # noqa: F811
    session = Session(world)
    window = Window(session, make_renderer, size=(790, 590))
    try:
        window.canvas.automatic = False
        turn(window, pictures=3)
        view = session.view(window.cameras.camera)
        assert {one.character.skeleton.joint_count: len(one.pose) for one in view.instances} == {JOINTS: CROWD, DOG: 1}
        before, dog = scene(window), next(entity for entity, _ in world.query(Playing))
        turn(window, pictures=30)
        moved = scene(window)
        assert (np.abs(moved - before).sum(axis=-1) > 60).mean() > 0.005, "the crowd moves"
        keep_picture("window", screen(window))
        still(world)
        turn(window, pictures=2)
        with_dog = scene(window)
        world.despawn(dog)
        turn(window, pictures=2)
        gone = np.abs(with_dog - scene(window)).sum(axis=-1) > 40
        assert 30 < gone.sum() < 0.2 * gone.size, "the dog is gone"
        for entity, _ in list(world.query(Controlled)):
            world.despawn(entity)
        turn(window, pictures=2)
        assert (np.abs(with_dog - scene(window)).sum(axis=-1) > 40).sum() > 20 * gone.sum(), "the crowd is gone"
    finally:
        window.close()


def still(world: World) -> None:
    """Let nothing move any more, for comparing pictures."""
    for entry in list(world.systems):
        world.systems.remove(entry)


def keep_picture(name: str, pixels: np.ndarray) -> None:
    """Save a picture into the folder `KINEMA_PICTURES`, if there is one, to be looked at."""
    if "KINEMA_PICTURES" in os.environ:
        Image.fromarray(pixels.astype(np.uint8)).save(Path(os.environ["KINEMA_PICTURES"]) / f"crowd_{name}.png")


@pytest.mark.slow
@pytest.mark.browser
def test_a_real_browser_draws_all(viewer: Viewer, world: World, browser: Any):
    shown = Browser(Session(world), viewer)
    dog = next(entity for entity, _ in world.query(Playing))
    errors: list[str] = []
    page = browser.new_page(viewport=SIZE)
    page.on("pageerror", lambda error: errors.append(str(error)))
    with running(shown):
        page.goto(viewer.url)
        canvas = page.locator("canvas").first
        canvas.wait_for()
        assert wait_for(lambda: shown.pictures > 3)
        page.wait_for_timeout(4000)
        begun = world.time
        with_all = canvas.screenshot()
        page.wait_for_timeout(3000)
        later = canvas.screenshot()
        assert world.time > begun and differing(with_all, later) > 1000, "the crowd moves"
        keep_picture("browser", np.asarray(Image.open(io.BytesIO(later)).convert("RGB")))
        shown.later(lambda: still(world))
        page.wait_for_timeout(2000)
        with_dog = canvas.screenshot()
        shown.later(lambda: world.despawn(dog))
        page.wait_for_timeout(2000)
        without = canvas.screenshot()
        assert 30 < differing(with_dog, without) < 20_000, "the dog is gone"
        assert errors == []
        page.close()


def test_both_screens_steer_one_world(
    display: str,  # noqa: F811
    viewer: Viewer,
    populate: Any,
    database: MotionDatabase,
):
    worlds: list[World] = []

    def setup(world: World) -> None:
        worlds.append(world)
        populate(world)

    session = PlaySession(lambda say: playable(motion_matching_controller(database)), setup=setup)
    session.wait()
    window = Window(session, make_renderer, size=(420, 320))
    shown = Browser(session, viewer)
    try:
        for code in ("KeyW", "KeyS"):
            start = session.target.position.copy()
            for _ in range(120):
                if code == "KeyW":
                    window.surface.keys.add(code)
                    assert window.poll()
                else:
                    window.surface.keys.clear()
                    viewer.channel.receive("page", f'{{"keys": ["{code}"]}}')
                    assert shown.poll()
                session.world.advance(1, 1.0)
            window.present(session.world)
            shown.draw()
            assert np.linalg.norm(session.target.position - start) > 0.5, f"{code} steers"
            found = browser_positions(shown)
            assert {joints: len(places) for joints, places in found.items()} == {JOINTS: CROWD + 1, DOG: 1}
            assert sum(len(one.pose) for one in session.view(window.cameras.camera).instances) == CROWD + 2
        assert worlds == [session.world] and session.world.steps == 240
    finally:
        window.close()


def test_both_screens_edit_one_clip(bench: Bench, clip_path: Path):  # noqa: F811
    session = ClipSession(find_files([clip_path]))
    session.wait()
    sent: list[Any] = []
    channel = Channel()
    channel.publish = lambda topic, message: sent.append(message)  # type: ignore[method-assign]
    page, panel, timeline, editor = EditorPage(session, channel), EditorPanel(), TimelinePanel(), session.editor

    page.obey({"do": "edit", "on": True})
    assert "the whole clip" in bench.draw(panel, session), "the page switches the editor of the window on"
    page.obey({"do": "keep", "start": 10, "stop": 60})
    kept = [row.bars for row in timeline.rows(session) if row.name == "kept"]
    assert editor.edits.pieces == (Piece(10, 60),) and kept[0][0].start == 10
    session.seek(30)
    bench.draw(panel, session, press="Split here")
    assert state(session)["pieces"] == [[10, 30, ""], [30, 60, ""]], "the page shows the split of the window"
    page.obey({"do": "paint", "point": "left", "start": 70, "stop": 80, "on": True})
    assert session.contacts["left"] == ((0, 50), (70, 80))
    bench.draw(panel, session, press="Lifted")
    timeline._from, timeline._painted = 75, timeline.rows(session)[0]
    timeline._drag(bench.ui, session, 79)
    assert state(session)["contacts"][0] == ["left", [0, 50, 70, 75]], "the page shows what the window erased"
    page.obey({"do": "label", "start": 0, "stop": 9, "tag": "stroll"})
    assert "stroll" in bench.draw(panel, session)
    for _ in range(2):
        page.obey({"do": "undo"})
    assert session.contacts["left"] == ((0, 50), (70, 80)), "undo of the page undoes what the window did"
    for _ in range(3):
        bench.draw(panel, session, press="undo")
    assert editor.edits.empty and "the whole clip" in bench.draw(panel, session)
    page.obey({"do": "redo"})
    bench.draw(panel, session, press=f"{bench.gui.icon('save')}  Save")
    assert clip_path.with_name("stroll.npz.edits.json").is_file()
