"""The live session, without and with a real browser."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest

pytest.importorskip("viser", reason="viser is not installed: pip install '.[view]'")

from kinema import Skeleton
from kinema.character import Character
from kinema.errors import ControlError
from kinema.viewer.page import Viewer, open_viewer
from kinema.viewer.player import LiveSession

SIZE = {"width": 640, "height": 400}


@contextmanager
def running(session: LiveSession) -> Iterator[None]:
    thread = threading.Thread(target=session.run, args=(90.0,))
    thread.start()
    try:
        yield
    finally:
        session.stop()
        thread.join(10.0)


def wait_for(condition: Callable[[], bool], seconds: float = 20.0) -> bool:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.05)
    return False


@pytest.fixture
def viewer() -> Iterator[Viewer]:
    with open_viewer(port=0, mode="play") as opened:
        yield opened


def test_runs_in_real_time_and_ends_by_itself(viewer, gliding):
    session = LiveSession(gliding, viewer)
    viewer.channel.receive("hand", '{"keys": ["KeyW"]}')
    began = time.process_time()
    summary = session.run(1.0)
    assert summary["seconds"] == pytest.approx(1.0, abs=0.3)
    assert 40 <= summary["steps"] + summary["dropped_seconds"] * 60 <= 75
    assert time.process_time() - began < 0.9, "a session must sleep between its steps"
    assert session.pose.root_positions[0, 2] > 0.2


def test_reset_puts_the_character_back(viewer, gliding):
    session = LiveSession(gliding, viewer)
    viewer.channel.receive("hand", '{"keys": ["KeyW"]}')
    for _ in range(60):
        session.step(1 / 60)
    assert session.pose.root_positions[0, 2] > 0.5
    viewer.channel.receive("hand", '{"keys": ["KeyR"]}')
    session.step(1 / 60)
    assert np.abs(session.pose.root_positions).max() < 0.01


def test_a_character_with_other_joints_is_refused(viewer, gliding):
    other = Skeleton.create(["only"], [-1], [[0, 0, 0]])
    with pytest.raises(ControlError, match="has 1 joints that are not the 21 joints"):
        LiveSession(gliding, viewer, Character("stranger", other))


@pytest.mark.browser
@pytest.mark.timeout(90)
def test_keys_and_stick_steer_in_a_real_browser(viewer, gliding, browser: Any):
    session = LiveSession(gliding, viewer)
    errors: list[str] = []
    addresses: list[str] = []
    page = browser.new_page(viewport=SIZE)
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("request", lambda request: addresses.append(request.url))

    def position() -> np.ndarray:
        return session.pose.root_positions[0].copy()

    with running(session):
        page.goto(viewer.url)
        canvas = page.locator("canvas").first
        canvas.wait_for(timeout=30_000)
        assert wait_for(lambda: viewer.channel.connected == 1)
        assert wait_for(lambda: page.evaluate("!!document.querySelector('[data-kinema-client]')"))
        page.wait_for_function("document.querySelectorAll('#kinema table tr').length >= 4", timeout=20_000)
        page.wait_for_timeout(1500)
        still = canvas.screenshot()

        # Keys, also after a click into the scene, which must not take them away.
        page.mouse.click(330, 60)
        page.keyboard.down("w")
        assert wait_for(lambda: position()[2] > 1.0), "W must move the character away from the camera"
        assert abs(position()[0]) < 0.2
        assert canvas.screenshot() != still
        page.keyboard.up("w")
        assert wait_for(lambda: viewer.channel.state().idle)
        assert wait_for(lambda: bool(np.linalg.norm(gliding.trajectory.velocity) < 0.05)), "it must stop on release"

        # The stick: dragged to the right, seen from a camera that looks along +Z, is -X.
        before = position()
        box = page.locator("#kinema .stick.left").bounding_box()
        middle = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        page.mouse.move(*middle)
        page.mouse.down()
        page.mouse.move(middle[0] + 60, middle[1], steps=3)
        assert wait_for(lambda: before[0] - position()[0] > 0.8)
        assert abs(position()[2] - before[2]) < 0.3
        page.mouse.up()
        assert wait_for(lambda: viewer.channel.state().idle)
        assert wait_for(lambda: bool(np.linalg.norm(gliding.trajectory.velocity) < 0.05))

        # A window that loses the focus lets go of its keys.
        page.keyboard.down("w")
        assert wait_for(lambda: not viewer.channel.state().idle)
        page.evaluate("window.dispatchEvent(new Event('blur'))")
        assert wait_for(lambda: viewer.channel.state().idle)
        page.close()
        assert wait_for(lambda: viewer.channel.connected == 0)
    outside = [address for address in addresses if not address.startswith((viewer.url, "data:", "blob:"))]
    assert outside == [] and errors == []
