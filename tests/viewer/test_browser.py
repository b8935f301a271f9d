"""A session in the browser, without and with a real one."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

pytest.importorskip("viser", reason="viser is not installed: pip install 'kinema[view]'")

from kinema import Motion, Skeleton, rotations
from kinema.errors import ControlError, KinemaError
from kinema.mocap.styles import mix_of
from kinema.session.clips import ClipSession
from kinema.session.play import PlaySession
from kinema.session.playable import playable
from kinema.session.samples import Sampler, SampleRequest, SamplesSession
from kinema.session.session import Session
from kinema.session.settings import Pad
from kinema.viewer.browser import Browser
from kinema.viewer.page import Viewer, open_viewer

from ..session.conftest import CROWD, Gliding, blocks, crowd_and_stranger, library_file, until_ready, walk

SIZE = {"width": 640, "height": 400}

FIELD = "xpath=//*[normalize-space(text())='text']/following::input[1]"
"""The field beside the label `text`."""


@contextmanager
def running(shown: Browser) -> Iterator[None]:
    thread = threading.Thread(target=shown.run, args=(150.0,))
    thread.start()
    try:
        yield
    finally:
        shown.stop()
        thread.join(10.0)


def wait_for(condition: Callable[[], bool], seconds: float = 60.0) -> bool:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.05)
    return False


@pytest.fixture
def viewer(request: pytest.FixtureRequest) -> Iterator[Viewer]:
    with open_viewer(port=0, mode=getattr(request, "param", "play")) as opened:
        yield opened


@pytest.fixture
def session(gliding: Gliding) -> PlaySession:
    return until_ready(PlaySession(lambda say: playable(gliding)))


def test_runs_in_real_time_sleeps_and_ends_by_itself(viewer: Viewer, session: PlaySession):
    viewer.channel.receive("hand", '{"keys": ["KeyW"]}')
    shown = Browser(session, viewer)
    began = time.process_time()
    report = shown.run(1.0)
    assert 40 <= report.steps + 60 * report.dropped_seconds <= 90
    assert time.process_time() - began < 0.9, "a session must sleep between its steps"
    assert session.target.position[2] > 0.2


def test_a_key_starts_over(viewer: Viewer, session: PlaySession):
    shown = Browser(session, viewer)
    viewer.channel.receive("hand", '{"keys": ["KeyW"]}')
    shown.run(1.0)
    assert session.target.position[2] > 0.2
    viewer.channel.receive("hand", '{"keys": ["KeyR"]}')
    shown.poll()
    assert np.abs(session.target.position).max() < 0.01


def test_what_cannot_be_done_is_said_and_the_session_goes_on(viewer: Viewer, session: PlaySession):
    sent: list[Any] = []
    viewer.channel.send = sent.append  # type: ignore[method-assign]
    shown = Browser(session, viewer)

    def fail() -> None:
        raise ControlError("there is no such clip")

    shown.later(fail)
    shown.later(lambda: session.set_mark("Trail", False))
    assert shown.poll() and session.failure is None and not session.show["Trail"]
    assert sent == [{"say": {"text": "there is no such clip", "kind": "bad"}}]


def test_nothing_to_show_is_the_error(viewer: Viewer):
    def make(say: Any) -> Any:
        raise KinemaError("no motion")

    with pytest.raises(KinemaError, match="no motion"):
        Browser(PlaySession(make), viewer).run(5.0)


def test_a_picture_is_drawn_where_somebody_looks_and_something_changed(viewer: Viewer, monkeypatch):
    class Still(Session):
        still = True

    shown = Browser(Still(), viewer)
    shown.present(shown.session.world)
    assert shown.pictures == 0
    monkeypatch.setattr(viewer.server, "get_clients", lambda: {1: object()})
    monkeypatch.setattr(shown, "draw", lambda: setattr(shown, "pictures", shown.pictures + 1))
    for _ in range(3):
        shown._next = 0.0
        shown.present(shown.session.world)
    assert shown.pictures == 1, "a new browser gets one picture, and no more while nothing moves"


@pytest.mark.slow
@pytest.mark.browser
def test_keys_and_stick_steer_in_a_real_browser(viewer: Viewer, session: PlaySession, gliding: Gliding, browser: Any):
    errors: list[str] = []
    addresses: list[str] = []
    page = browser.new_page(viewport=SIZE)
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("request", lambda request: addresses.append(request.url))

    def position() -> np.ndarray:
        return np.array(session.target.position)

    with running(Browser(session, viewer)):
        page.goto(viewer.url)
        canvas = page.locator("canvas").first
        canvas.wait_for()
        assert wait_for(lambda: len(viewer.channel._connections) == 1)
        assert wait_for(lambda: page.evaluate("!!document.querySelector('[data-kinema-client]')"))
        page.wait_for_function("document.querySelectorAll('#kinema table tr').length >= 4")
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
        assert wait_for(lambda: not viewer.channel._connections)
    outside = [address for address in addresses if not address.startswith((viewer.url, "data:", "blob:"))]
    assert outside == [] and errors == []


@pytest.mark.browser
@pytest.mark.slow
def test_a_pad_is_dragged_in_a_real_browser(viewer: Viewer, gliding: Gliding, browser: Any):
    latents = np.random.default_rng(0).normal(size=(3, 4))
    gliding.family = SimpleNamespace(styles=("normal", "old", "proud"), latents=latents)
    session = until_ready(PlaySession(lambda say: playable(gliding, None, "gliding")))
    page = browser.new_page(viewport=SIZE)
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    pad = next(one for one in session.settings() if isinstance(one, Pad))
    with running(Browser(session, viewer)):
        page.goto(viewer.url)
        square = page.locator(".kinema-pad svg")
        square.wait_for()
        assert square.locator("text").all_text_contents() == ["normal", "old", "proud"]
        square.scroll_into_view_if_needed()
        box = square.bounding_box()
        page.mouse.move(box["x"] + 0.5 * box["width"], box["y"] + 0.5 * box["height"])
        page.mouse.down()
        assert wait_for(lambda: abs(pad.get()[0] - 0.5) < 0.02 and abs(pad.get()[1] - 0.5) < 0.02)
        x, y = pad.places()["old"]
        page.mouse.move(box["x"] + x * box["width"], box["y"] + (1 - y) * box["height"], steps=5)
        assert wait_for(lambda: session.input.style.startswith("old:") and mix_of(session.input.style)["old"] > 0.95)
        page.mouse.up()
        page.mouse.move(box["x"] + 5, box["y"] + 5)
        page.wait_for_timeout(300)
        assert mix_of(session.input.style)["old"] > 0.95, "it is let go"
        page.close()
    assert errors == []


@pytest.mark.slow
@pytest.mark.browser
def test_a_crowd_and_another_skeleton_appear_in_a_real_browser(viewer: Viewer, gliding: Gliding, browser: Any):
    session, stranger = crowd_and_stranger(gliding)
    shown = Browser(session, viewer)
    errors: list[str] = []
    page = browser.new_page(viewport=SIZE)
    page.on("pageerror", lambda error: errors.append(str(error)))
    with running(shown):
        page.goto(viewer.url)
        canvas = page.locator("canvas").first
        canvas.wait_for()
        assert wait_for(lambda: shown.pictures > 3)
        page.wait_for_timeout(3000)
        with_all = canvas.screenshot()
        before = shown.pictures
        assert wait_for(lambda: shown.pictures - before > 5, 60.0), "a crowd must stay usable"
        shown.later(lambda: session.world.despawn(stranger))
        page.wait_for_timeout(3000)
        without = canvas.screenshot()
        assert session.crowd == CROWD and differing(with_all, without, RED) > 100, "the red stranger is gone"
        shown.later(lambda: session.set_crowd(0))
        assert wait_for(lambda: session.crowd == 0)
        page.wait_for_timeout(3000)
        assert differing(without, canvas.screenshot()) > 5000, "the crowd is gone"
        assert errors == []
        page.close()


RED = (1, 0, 0)


def differing(one: bytes, other: bytes, color: tuple[int, int, int] | None = None) -> int:
    """Pixels that two screenshots do not share; of one colour in the first."""
    import io

    from PIL import Image

    first, second = (np.asarray(Image.open(io.BytesIO(data)).convert("RGB"), int) for data in (one, other))
    changed = np.abs(first - second).sum(axis=-1) > 60
    if color is not None:
        strong = first @ np.array(color) > 1.5 * (first @ (1 - np.array(color))) / 2
        changed &= strong
    return int(changed.sum())


def bowing(skeleton: Skeleton, frames: int = 60, sign: float = 1.0) -> Motion:
    """Bends sideways at the spine and travels along +X."""
    local = np.tile(skeleton.rest_rotations, (frames, 1, 1))
    angle = np.linspace(0, sign * 1.2, frames, dtype=np.float32)
    local[:, skeleton.index("Spine")] = rotations.from_axis_angle(np.float32([0, 0, 1]), angle)
    moved = np.tile(skeleton.rest_translations, (frames, 1, 1))
    moved[:, 0, 0] += np.linspace(0, 2, frames)
    labels = {"contact.left": np.arange(frames) < 30, "contact.right": np.arange(frames) >= 30}
    return Motion.create(skeleton, local, moved, fps=30.0, name="bow", labels=labels)


@pytest.mark.browser
@pytest.mark.parametrize("viewer", ["view"], indirect=True)
def test_scrubbing_in_a_real_browser(viewer: Viewer, biped: Skeleton, browser: Any):
    motion = bowing(biped)
    stick = Skeleton.create(["a", "b"], [-1, 0], [[0, 0, 0], [0, 1, 0]])
    other = Motion.create(stick, np.tile(stick.rest_rotations, (9, 1, 1)), fps=30.0, name="stick")
    session = ClipSession([library_file("a", motion, other)])
    session.wait()
    shown = Browser(session, viewer)
    errors: list[str] = []
    thread = threading.Thread(target=shown.run, args=(80.0,))
    thread.start()
    page = browser.new_page(viewport={"width": 640, "height": 400})
    page.on("pageerror", lambda error: errors.append(str(error)))
    try:
        page.goto(viewer.url)
        canvas = page.locator("canvas").first
        canvas.wait_for()
        page.wait_for_function("document.querySelectorAll('#kinema table tr').length >= 2")
        page.keyboard.press("Space")
        assert wait_for(lambda: not session.playhead.playing), "space pauses"
        page.keyboard.press("Home")
        assert wait_for(lambda: session.playhead.frame == 0)
        page.wait_for_timeout(1500)
        first = canvas.screenshot()
        page.keyboard.press("ArrowRight")
        assert wait_for(lambda: session.playhead.frame == 1)

        # The slider of the panel itself, far to the right.
        track = page.locator(".mantine-Slider-track").first.bounding_box()
        page.mouse.move(track["x"] + 2, track["y"] + track["height"] / 2)
        page.mouse.down()
        page.mouse.move(track["x"] + 0.8 * track["width"], track["y"] + track["height"] / 2, steps=4)
        page.mouse.up()
        assert wait_for(lambda: session.playhead.frame > 35), "dragging the slider scrubs"
        frame = session.playhead.frame
        expected = motion[frame].global_positions
        assert wait_for(lambda: bool(np.allclose(session.target.points, expected, atol=1e-4)))
        page.wait_for_timeout(1500)
        assert canvas.screenshot() != first

        # Another skeleton with fewer meshes takes the place of the first, and the page survives it.
        page.keyboard.press("n")
        assert wait_for(lambda: session.target.points.shape == (2, 3))
        page.wait_for_timeout(1500)
        assert errors == [] and page.locator("canvas").count() >= 1
    finally:
        page.close()
        shown.stop()
        thread.join(10.0)


@pytest.mark.slow
@pytest.mark.browser
def test_generated_motion_is_steered_and_told_in_a_real_browser(viewer: Viewer, browser: Any):
    pytest.importorskip("torch")
    from ..session.generated_motion import controller_of, session_of

    controller = controller_of("dog")
    session = session_of(controller)
    page = browser.new_page(viewport=SIZE)
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    with running(Browser(session, viewer)):
        page.goto(viewer.url)
        page.locator("canvas").first.wait_for()
        page.wait_for_function("document.querySelectorAll('#kinema table tr').length >= 4")
        page.mouse.click(330, 200)
        page.keyboard.down("w")
        assert wait_for(lambda: controller.wish.action == "walk")
        before = np.array(session.target.points)
        assert wait_for(lambda: bool(np.abs(session.target.points - before).max() > 0)), "it must move"
        page.keyboard.up("w")
        assert wait_for(lambda: controller.wish.action == "idle")
        field = page.locator(FIELD)
        field.scroll_into_view_if_needed()
        field.fill("waves")
        assert wait_for(lambda: controller.wish.text == "waves")
        field.fill("xyzzy")
        page.locator("#kinema .toast.bad.shown").wait_for()
        assert controller.wish.text == "waves"
        page.close()
    assert errors == []
    assert not controller._ahead._thread.is_alive()


@pytest.mark.browser
@pytest.mark.parametrize("viewer", ["samples"], indirect=True)
@pytest.mark.slow
def test_samples_are_changed_in_a_real_browser(viewer: Viewer, biped: Skeleton, browser: Any):
    walking = walk(biped)
    made: list[SampleRequest] = []

    def sample(request: SampleRequest, progress: Callable[[int, int], None]) -> list[Motion]:
        made.append(request)
        return [walking] * request.count

    sampler = Sampler("biped", blocks(walking.skeleton), ("idle", "walk"), 1.4, sample)
    session = SamplesSession(lambda say: sampler, SampleRequest(count=2))
    session.wait()
    page = browser.new_page(viewport={"width": 1100, "height": 800})
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    with running(Browser(session, viewer)):
        page.goto(viewer.url)
        page.locator("canvas").first.wait_for()
        page.locator(FIELD).fill("walks")
        assert wait_for(lambda: made[-1].text == "walks" and session.shown is session.request)
        page.get_by_text("Generate").click()
        assert wait_for(lambda: len(made) == 3)
        page.mouse.click(300, 600)
        page.keyboard.press("n")
        assert wait_for(lambda: made[-1].seed == 1)
        page.close()
    assert errors == []
