"""Handles on a character in the browser: what a page may send, and a drag with the mouse in a real one."""

from __future__ import annotations

import contextlib
import math
import threading
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

pytest.importorskip("viser", reason="viser is not installed: pip install 'kinema[view]'")

from websockets.sync.connection import Connection

from kinema import Skeleton
from kinema.session.clips import ClipSession
from kinema.viewer.browser import Browser
from kinema.viewer.handles import PREFIX, SCALE
from kinema.viewer.page import Viewer, open_viewer

from ..session.conftest import library_file, walk
from .test_browser import running, wait_for
from .test_gui_values import NASTY, page_of, send


@pytest.fixture
def viewer() -> Iterator[Viewer]:
    with open_viewer(port=0, mode="view") as opened:
        yield opened


@pytest.fixture
def session(biped: Skeleton) -> ClipSession:
    made = ClipSession([library_file("a", walk(biped))])
    made.wait()
    made.seek(20)
    return made


def ready(session: ClipSession) -> bool:
    """Wait for the handles; the solver may have to be compiled."""
    return wait_for(lambda: bool(session.posing.places), 300.0)


def move(page: Connection, name: object, position: object) -> None:
    turn = {"wxyz": [1.0, 0.0, 0.0, 0.0], "owner": ""}
    send(page, {"type": "TransformControlsUpdateMessage", "name": name, "position": position, **turn})


@pytest.mark.filterwarnings("ignore:.*does not match annotation:UserWarning")
def test_drags_of_a_page_are_checked_and_shown_and_a_sound_one_moves_the_body(viewer: Viewer, session: ClipSession):
    shown = Browser(session, viewer)
    said: list[str] = []
    viewer.channel.send = lambda message: said.append(message["say"]["text"]) if "say" in message else None
    shown.later(lambda: session.posing.switch(True))
    with running(shown), contextlib.ExitStack() as stack:
        assert ready(session)
        page = stack.enter_context(page_of(viewer))
        threading.Thread(target=lambda: [None for _ in page], daemon=True).start()
        assert wait_for(lambda: len(shown.handles._nodes) == 7)
        before = dict(session.posing.places)
        triples = [value for value in NASTY if isinstance(value, list | float)]
        for value in triples:
            move(page, f"{PREFIX}left_hand", value if isinstance(value, list) else [0.0, value, 0.0])
        for name in (value for value in NASTY if not isinstance(value, bytes)):
            move(page, name, [0.0, 1.0, 0.0])
            send(page, {"type": "TransformControlsDragEndMessage", "name": name, "owner": ""})
        assert wait_for(lambda: len(said) == len(triples) + len(NASTY) - 1)
        assert not session.posing.put and shown.session.failure is None
        assert any(text.startswith("a handle is put at three numbers up to 1000 m, not (0.0, nan") for text in said)
        assert sum("there is no handle" in text for text in said) == len(NASTY) - 1

        target = before["left_hand"] + [0.0, 0.0, 0.2]
        move(page, f"{PREFIX}left_hand", target.tolist())
        assert wait_for(lambda: np.linalg.norm(session.posing.places["left_hand"] - target) < 0.01)
        assert all(
            np.linalg.norm(session.posing.places[foot] - before[foot]) < 0.01 for foot in ("left_foot", "right_foot")
        )
        joint = session.shown.clip.skeleton.index("LeftHand")
        assert wait_for(
            lambda: np.linalg.norm(session.world.poses.of(session.figure).global_positions[joint] - target) < 0.01
        ), "the world's pose is written after the places"
        send(page, {"type": "TransformControlsDragEndMessage", "name": f"{PREFIX}left_hand", "owner": ""})
        assert wait_for(lambda: not shown.handles._held)
        move(page, f"{PREFIX}left_hand", [math.nan, 0.0, 0.0])
        assert wait_for(lambda: said[-1].endswith("not (nan, 0.0, 0.0)"))
        assert np.linalg.norm(session.posing.places["left_hand"] - target) < 0.01


def test_handles_follow_the_body_except_the_one_that_a_page_holds(viewer: Viewer, session: ClipSession, monkeypatch):
    shown = Browser(session, viewer)
    handles, posing = shown.handles, session.posing
    monkeypatch.setattr(viewer.server, "get_clients", lambda: {1: SimpleNamespace(camera=SimpleNamespace())})
    posing.switch(True)

    def draw() -> dict[str, np.ndarray]:
        session.update(0.0)
        shown.draw()
        return {name: np.array(node.position) for name, node in handles._nodes.items()}

    assert wait_for(lambda: bool(draw()), 300.0)
    before = draw()
    far = tuple(before["hips"] + [0.0, -0.1, 3.0])
    handles._drag(1, f"{PREFIX}hips", far)
    after = draw()
    assert np.allclose(after["hips"], before["hips"]), "the page moves it itself"
    assert np.linalg.norm(after["head"] - before["head"]) > 0.05, "the others move with the body"
    handles._end(f"{PREFIX}hips")
    after = draw()
    np.testing.assert_allclose(after["hips"], posing.places["hips"], atol=1e-5)
    assert np.linalg.norm(after["hips"] - far) > 1.0
    handles._drag(1, f"{PREFIX}head", tuple(after["head"] - [0.0, 0.1, 0.0]))
    monkeypatch.setattr(viewer.server, "get_clients", dict)
    draw()
    assert not handles._held, "a page that is gone holds nothing"
    posing.switch(False)
    assert draw() == {}


def pixel(viewer: Viewer, shown: Browser, point: np.ndarray, width: int, height: int) -> tuple[float, float]:
    """Where a point `[3]` of the world is in the picture of the only page."""
    (client,) = viewer.server.get_clients().values()
    camera = client.camera
    eye, ahead = np.array(camera.position), np.array(camera.look_at) - camera.position
    ahead /= np.linalg.norm(ahead)
    right = np.cross(ahead, [0.0, 1.0, 0.0])
    right /= np.linalg.norm(right)
    way = point + viewer.server.scene._handle_from_node_name["/world"].position - eye
    scale = 0.5 * height / math.tan(0.5 * camera.fov) / (way @ ahead)
    return width / 2 + scale * (way @ right), height / 2 - scale * (way @ np.cross(right, ahead))


@pytest.mark.browser
@pytest.mark.slow
def test_a_handle_is_dragged_with_the_mouse_in_a_real_browser(viewer: Viewer, session: ClipSession, browser: Any):
    shown = Browser(session, viewer)
    errors: list[str] = []
    page = browser.new_page(viewport={"width": 960, "height": 720})
    page.on("pageerror", lambda error: errors.append(str(error)))
    with running(shown):
        page.goto(viewer.url)
        canvas = page.locator("canvas").first
        canvas.wait_for()
        page.get_by_text("Handles", exact=True).wait_for()
        page.wait_for_timeout(1500)
        without = canvas.screenshot()
        page.get_by_label("Handles", exact=True).click()
        assert wait_for(lambda: session.posing.on)
        assert ready(session) and wait_for(lambda: len(shown.handles._nodes) == 7)
        page.wait_for_timeout(1500)
        assert canvas.screenshot() != without, "the page shows the handles"

        # By its arrow along X, towards the body.
        box, before = canvas.bounding_box(), dict(session.posing.places)
        hand, step = before["left_hand"], np.array([1.0, 0.0, 0.0])
        grip = hand + 0.7 * SCALE * session.target.size * step
        where = [
            pixel(viewer, shown, at, box["width"], box["height"])
            for at in (grip, grip - 0.15 * step, grip - 0.3 * step)
        ]
        page.mouse.move(*where[0])
        page.wait_for_timeout(500)
        page.mouse.down()
        for at in where[1:]:
            page.mouse.move(*at, steps=5)
        assert wait_for(lambda: np.linalg.norm(session.posing.places["left_hand"] - (hand - 0.3 * step)) < 0.03)
        page.mouse.up()
        assert wait_for(lambda: not shown.handles._held)
        for foot in ("left_foot", "right_foot"):
            assert np.linalg.norm(session.posing.places[foot] - before[foot]) < 0.01

        page.get_by_role("button", name="Reset", exact=True).click()
        assert wait_for(lambda: bool(np.allclose(session.posing.places["left_hand"], hand, atol=1e-5)))
        page.get_by_label("Handles", exact=True).click()
        assert wait_for(lambda: not session.posing.on and not shown.handles._nodes)
        page.wait_for_timeout(1500)
        assert errors == []
        page.close()
