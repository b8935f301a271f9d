"""What a hostile browser may send for the elements of the panel."""

from __future__ import annotations

import json
import math
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest

pytest.importorskip("viser", reason="viser is not installed: pip install 'kinema[view]'")

import msgspec.msgpack
import viser
from websockets.sync.client import connect
from websockets.sync.connection import Connection

from kinema import Motion, rotations
from kinema.session.clips import ClipSession
from kinema.session.library import LibraryClip, LibraryFile
from kinema.session.play import PlaySession
from kinema.session.playable import playable
from kinema.session.rehearsal import RehearsalSession
from kinema.viewer.browser import Browser
from kinema.viewer.editor_page import ORDERS
from kinema.viewer.gui_values import MAX_TEXT, checked
from kinema.viewer.page import Viewer, open_viewer

from ..session.conftest import until_ready

CAMERA = {
    "type": "ViewerCameraMessage",
    "wxyz": [1.0, 0.0, 0.0, 0.0],
    "position": [0.0, 1.0, 3.0],
    "fov": 0.8,
    "near": 0.01,
    "far": 1000.0,
    "image_height": 400,
    "image_width": 600,
    "look_at": [0.0, 1.0, 0.0],
    "up_direction": [0.0, 1.0, 0.0],
}

NASTY = [
    math.nan,
    math.inf,
    -math.inf,
    1e308,
    -1e30,
    0,
    -1,
    2**63 - 1,
    True,
    None,
    "",
    "nonexistent",
    "x" * 5000,
    "\x00\u202e\ud83d\ude00".encode("utf-16", "surrogatepass").decode("utf-16"),
    [],
    [1.0, 2.0],
    {"a": 1},
    b"bytes",
]


@contextmanager
def page_of(viewer: Viewer) -> Iterator[Connection]:
    """A browser of viser's protocol that has sent its camera."""
    with connect(
        viewer.url.replace("http", "ws"),
        subprotocols=[f"viser-v{viser.__version__}"],  # pyright: ignore[reportArgumentType]
        max_size=None,
    ) as page:
        send(page, CAMERA)
        yield page


def send(page: Connection, message: dict[str, Any]) -> None:
    page.send(msgspec.msgpack.encode(message))


def wait_for(condition: Callable[[], bool], seconds: float = 60.0) -> bool:
    done = threading.Event()
    for _ in range(int(seconds / 0.02)):
        if condition():
            return True
        done.wait(0.02)
    return condition()


def inputs(viewer: Viewer) -> dict[str, Any]:
    return dict(viewer.server.gui._gui_input_handle_from_uuid)


def sound(handle: Any) -> bool:
    """Whether the value of an element is one that a person could have chosen."""
    value = handle.value
    if isinstance(handle, viser.GuiSliderHandle):
        return type(value) in (int, float) and handle.min <= value <= handle.max
    if isinstance(handle, viser.GuiDropdownHandle):
        return value in handle.options
    if isinstance(handle, viser.GuiTextHandle):
        return isinstance(value, str) and len(value) <= MAX_TEXT
    return isinstance(value, bool)


def attack(viewer: Viewer, seed: int, count: int = 300) -> None:
    """Random values for every element, other attributes of it, and every other message that a client may send."""
    random = np.random.default_rng(seed)
    handles = list(inputs(viewer))

    def nasty() -> Any:
        return NASTY[random.integers(len(NASTY))]

    with page_of(viewer) as page:
        assert wait_for(lambda: bool(viewer.server.get_clients()))
        reader = threading.Thread(target=lambda: [None for _ in page], daemon=True)
        reader.start()
        for _ in range(count):
            uuid = handles[random.integers(len(handles))]
            field = ["value", "value", "value", "removed", "update_cb", "min", "options"][random.integers(7)]
            send(page, {"type": "GuiUpdateMessage", "uuid": uuid, "updates": {field: nasty()}})
        for uuid in handles:
            send(page, {"type": "GuiUpdateMessage", "uuid": uuid, "updates": {"value": float(random.normal(0, 5))}})
            send(page, {"type": "GuiButtonHoldMessage", "uuid": uuid, "frequency": 1.0})
            start = {"source_component_uuid": uuid, "transfer_uuid": "t", "filename": "f", "mime_type": "m"}
            send(page, {"type": "FileTransferStartUpload", **start, "part_count": 0, "size_bytes": 0})
        for key, value in CAMERA.items():
            if isinstance(value, float | list):
                bad = [math.nan] * len(value) if isinstance(value, list) else math.inf
                send(page, {**CAMERA, key: bad})
        send(page, {"type": "ShareUrlRequest"})
        send(page, CAMERA)
        clients, marker = viewer.server.get_clients().values(), 2.5

        def answered() -> bool:  # sent again each time: messages of a camera are not taken in strict order
            send(page, {**CAMERA, "position": [marker, 1.0, 3.0]})
            return any(client.camera.position[0] == marker for client in clients)

        assert wait_for(answered)
    assert wait_for(lambda: not viewer.server.get_clients())


@contextmanager
def running(session: Any, *arguments: Any) -> Iterator[threading.Thread]:
    failures: list[BaseException] = []

    def run() -> None:
        try:
            session.run(*arguments)
        except BaseException as error:
            failures.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    try:
        yield thread
        assert thread.is_alive() and failures == []
    finally:
        session.stop()
        thread.join(10.0)
    assert failures == []


@pytest.fixture
def viewer(request: pytest.FixtureRequest) -> Iterator[Viewer]:
    with open_viewer(port=0, mode=request.param) as opened:
        yield opened


def library_file(skeleton: Any, title: str, clips: int) -> LibraryFile:
    motions = [Motion.create(skeleton, np.tile(skeleton.rest_rotations, (40, 1, 1)), fps=30.0) for _ in range(clips)]
    return LibraryFile(
        title, title, lambda: [LibraryClip(f"c{i}", skeleton, None, lambda m=m: m) for i, m in enumerate(motions)]
    )


def shown_clips(viewer: Viewer, skeleton: Any, files: int = 10) -> tuple[ClipSession, Browser]:
    session = ClipSession([library_file(skeleton, f"d{k}", 2) for k in range(files)])
    session.wait()
    shown = Browser(session, viewer)
    shown.form.refresh(session.settings())
    return session, shown


@pytest.mark.parametrize("viewer", ["view"], indirect=True)
@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in (1, 2))])
def test_no_value_ends_a_session_that_shows_clips(viewer, biped, seed):
    session, shown = shown_clips(viewer, biped)
    with running(shown):
        attack(viewer, seed)
        assert all(sound(handle) for handle in inputs(viewer).values())
        assert wait_for(lambda: shown._tasks.empty())
        assert math.isfinite(session.playhead.time) and 0.1 <= session.playhead.speed <= 4.0


@pytest.mark.parametrize("viewer", ["play"], indirect=True)
@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in (1, 2))])
def test_no_value_poisons_a_session_that_is_steered(viewer, gliding, seed):
    session = until_ready(PlaySession(lambda say: playable(gliding)))
    shown = Browser(session, viewer)
    shown.form.refresh(session.settings())
    with running(shown):
        attack(viewer, seed)
        assert all(sound(handle) for handle in inputs(viewer).values())
        viewer.channel.receive("hand", '{"keys": ["KeyW", "ShiftLeft"]}')
        before = session.world.steps
        assert wait_for(lambda: session.world.steps > before + 10)
        assert np.isfinite(session.target.position).all()
        assert session.control is not None and np.abs(session.control.velocity).max() <= 6.0
        steering = session.input.steering
        assert 0.3 <= steering.walk <= 2.5 and 1.0 <= steering.run <= 6.0 and 0.2 <= steering.slow <= 1.5


class Learner:
    """Two clips and a model that has learned them."""

    def __init__(self, skeleton: Any) -> None:
        self.skeleton = skeleton
        self.titles: Sequence[str] = ("one", "two")

    def truth(self, clip: int) -> Motion:
        swing = np.zeros((40 + 10 * clip, self.skeleton.joint_count, 3), np.float32)
        return Motion.create(self.skeleton, rotations.exp(swing), fps=30, name=self.titles[clip])

    def fresh(self) -> bool:
        return False

    def model(self, clip: int) -> tuple[Motion, int]:
        return self.truth(clip), 1

    def losses(self) -> Any:
        steps = np.array([50.0, 100.0])
        return (steps, 1.0 / steps), (steps, 2.0 / steps)


@pytest.mark.parametrize("viewer", ["train"], indirect=True)
def test_no_value_ends_a_session_that_shows_a_model(viewer, biped):
    session = RehearsalSession(Learner(biped))
    shown = Browser(session, viewer)
    shown.form.refresh(session.settings())
    with running(shown):
        attack(viewer, 1)
        assert all(sound(handle) for handle in inputs(viewer).values())
        assert wait_for(lambda: shown._tasks.empty())
        assert math.isfinite(session.playhead.time) and 0.0 <= session.apart <= 4.0


@pytest.mark.parametrize("viewer", ["view"], indirect=True)
def test_what_was_sent_and_not_taken_goes_back_to_the_page(viewer):
    slider = viewer.server.gui.add_slider("Speed", 0.1, 2.0, 0.1, 1.0)
    heard: list[float] = []
    slider.on_update(lambda event: heard.append(event.target.value))
    queued: list[Any] = []
    slider._queue_update = lambda name, value: queued.append((name, value))  # pyright: ignore
    with page_of(viewer) as page:
        assert wait_for(lambda: bool(viewer.server.get_clients()))
        for value, expected in ((math.nan, []), (1e30, [2.0]), (1.5, [2.0, 1.5])):
            send(page, {"type": "GuiUpdateMessage", "uuid": slider._impl.uuid, "updates": {"value": value}})
            assert wait_for(lambda expected=expected: heard == expected)
    assert queued == [("value", 1.0), ("value", 2.0)]


@pytest.mark.parametrize("viewer", ["view"], indirect=True)
def test_values_are_taken_as_their_element_says(viewer):
    gui = viewer.server.gui
    frame = gui.add_slider("Frame", 0, 10, 1, 0)
    speed = gui.add_slider("Speed", 0.1, 2.0, 0.1, 1.0)
    names = gui.add_dropdown("Clip", ("a", "b"))
    box, text, vector = gui.add_checkbox("Box", True), gui.add_text("Text", ""), gui.add_vector2("Two", (0.0, 0.0))
    assert [checked(frame, value) for value in (3, 3.6, -5, 99, 1e300)] == [3, 4, 0, 10, 10]
    assert type(checked(frame, 3.6)) is int and type(checked(speed, 1)) is float
    assert [checked(speed, value) for value in (1.5, 1e30, -1e30)] == [1.5, 2.0, 0.1]
    assert [checked(speed, value) for value in (math.nan, math.inf, True, "1", None, [1.0])] == 6 * [None]
    assert [checked(names, value) for value in ("b", "c", 0, None)] == ["b", None, None, None]
    assert [checked(box, value) for value in (True, False, 1, "yes")] == [True, False, None, None]
    assert checked(text, "walk") == "walk" and len(checked(text, "x" * 999)) == MAX_TEXT and checked(text, 5) is None
    assert checked(vector, (1.0, 2.0)) is None


@pytest.mark.parametrize("viewer", ["view"], indirect=True)
def test_an_error_of_a_command_is_shown_and_the_session_goes_on(viewer, biped):
    session, shown = shown_clips(viewer, biped, 2)
    said: list[str] = []
    send_all = viewer.channel.send
    viewer.channel.send = lambda message: (said.append(message.get("say", {}).get("text", "")), send_all(message))

    def fail() -> None:
        raise RuntimeError("a mistake\nof ours")

    def choose(label: str, value: str) -> None:
        next(one for one in session.settings() if one.label == label).put(value)

    with running(shown):
        for task in (fail, lambda: choose("Clip", "nonexistent"), lambda: choose("File", "nope")):
            shown.later(task)
        assert wait_for(lambda: len([text for text in said if text]) == 3)
        shown.later(lambda: choose("Clip", "c1"))
        assert wait_for(lambda: session.shown.clip.title == "c1")
    assert [text for text in said if text] == [
        "failed: RuntimeError: a mistake of ours",
        "Clip has no option 'nonexistent'",
        "File has no option 'nope'",
    ]


@pytest.mark.parametrize("viewer", ["view"], indirect=True)
def test_random_messages_of_the_page_itself_change_nothing(viewer, biped):
    """The page's own WebSocket: sticks, keys and orders with any JSON value in any field."""
    random = np.random.default_rng(7)
    session, shown = shown_clips(viewer, biped, 2)
    values = [value for value in NASTY if not isinstance(value, bytes)]
    fields = [
        "do",
        "frame",
        "start",
        "stop",
        "on",
        "name",
        "tag",
        "text",
        "old",
        "group",
        "point",
        "mode",
        "end",
        "joint",
    ]
    orders = [*ORDERS, "nonsense", "__init__"]

    def pick(choices: Any) -> Any:
        return choices[random.integers(len(choices))]

    with running(shown):
        for _ in range(400):
            order = {field: pick(values) for field in fields if random.random() < 0.6}
            order["do"] = pick(orders)
            for text in (
                json.dumps({"edit": order}),
                json.dumps({"edit": pick(values)}),
                json.dumps(
                    {"keys": pick([["KeyN"], ["End"], pick(values)]), "move": pick(values), "client": pick(values)}
                ),
            ):
                try:
                    viewer.channel.receive("hand", text)
                except Exception as error:
                    assert type(error).__name__ == "ControlError"
        assert wait_for(lambda: not viewer.channel._orders and shown._tasks.empty())
        assert math.isfinite(session.playhead.time)
