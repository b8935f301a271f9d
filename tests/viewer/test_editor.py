"""The motion editor: orders of the page, and the page in a real browser."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("viser", reason="viser is not installed: pip install '.[view]'")

from kinema import Motion, Skeleton, load, rotations, save
from kinema.formats import open_source
from kinema.mocap.edits import EditSession, Label, Piece
from kinema.session.library import documents
from kinema.viewer.channel import Channel
from kinema.viewer.editor import ClipEditor
from kinema.viewer.page import open_viewer
from kinema.viewer.timeline import ClipViewer

FRAMES = 100


@pytest.fixture
def clip_path(biped: Skeleton, tmp_path: Path) -> Path:
    local = np.tile(biped.rest_rotations, (FRAMES, 1, 1))
    swing = np.sin(np.linspace(0, 4 * np.pi, FRAMES)).astype(np.float32)
    for name, sign in (("LeftUpLeg", 1.0), ("RightUpLeg", -1.0)):
        local[:, biped.index(name)] = rotations.from_axis_angle(np.float32([1, 0, 0]), 0.4 * sign * swing)
    moved = np.tile(biped.rest_translations, (FRAMES, 1, 1))
    moved[:, 0, 2] += np.linspace(0, 2, FRAMES)
    labels = {"contact.left": np.arange(FRAMES) < 50, "contact.right": np.arange(FRAMES) >= 50}
    save(Motion.create(biped, local, moved, fps=50.0, name="stroll", labels=labels), tmp_path / "stroll.npz")
    return tmp_path / "stroll.npz"


class Stage:
    """Stands for the viewer, and notes what it is told."""

    def __init__(self) -> None:
        self.frame = 0.0
        self.span: tuple[int, int] | None = None
        self.contacts: np.ndarray | None = None
        self.ghost = "off"

    def scrub(self, frame: float) -> None:
        self.frame = frame

    def toggle_play(self) -> None:
        self.frame = -1.0

    def loop_within(self, span: tuple[int, int] | None) -> None:
        self.span = span

    def unmirror(self) -> None: ...

    def show_contacts(self, contacts: np.ndarray | None) -> None:
        self.contacts = contacts

    def show_ghost(self, motion: Motion | None, mode: str) -> None:
        self.ghost = mode


class Desk:
    """An editor at a file, without a browser."""

    def __init__(self, path: Path) -> None:
        self.said: list[str] = []
        self.channel, self.stage = Channel(), Stage()
        self.channel.send = lambda message: self.said.append(message.get("say", {}).get("text", ""))  # type: ignore
        self.editor = ClipEditor(self.channel, self.stage)
        (self.document,) = documents([path])
        self.clips = self.document.read()
        self.open()

    def open(self) -> None:
        self.editor.open(self.document, self.clips, self.clips[0], self.clips[0].load())

    def do(self, what: str, **more: Any) -> dict[str, Any]:
        self.said.clear()
        self.editor.obey({"do": what, **more})
        return self.state

    @property
    def state(self) -> dict[str, Any]:
        return json.loads(self.channel._standing["state"])["state"]

    @property
    def problem(self) -> str:
        return next((text for text in self.said if text), "")


@pytest.fixture
def desk(clip_path: Path) -> Desk:
    made = Desk(clip_path)
    made.do("edit", on=True)
    return made


def test_nothing_is_opened_until_it_is_asked_for(clip_path):
    desk = Desk(clip_path)
    assert desk.state == {"on": False, "title": "stroll", "reason": "", "clip": False}
    desk.do("keep", start=0, stop=9)
    assert desk.problem == "switch the editor on first"
    state = desk.do("edit", on=True)
    assert (
        state["frames"] == FRAMES and state["whole"] and state["contacts"] == [["left", [0, 50]], ["right", [50, 100]]]
    )
    assert desk.stage.contacts is not None and desk.stage.contacts[:, 0].sum() == 50
    assert "curves" in desk.channel._standing


def test_orders_change_undo_and_save(desk, clip_path):
    assert desk.do("keep", start=10, stop=60)["pieces"] == [[10, 60, ""]]
    assert desk.do("split", frame=30)["pieces"] == [[10, 30, ""], [30, 60, ""]]
    assert desk.do("reshape", old=[30, 60, ""], start=35, stop=70, name="end")["pieces"][1] == [35, 70, "end"]
    assert desk.do("drop", start=40, stop=50)["pieces"] == [[10, 30, ""], [35, 40, "end"], [50, 70, "end"]]
    assert desk.do("label", start=5, stop=25, tag="Walk", text=" slowly ")["labels"] == [[5, 25, "walk", "slowly"]]
    desk.do("relabel", old=[5, 25, "walk", "slowly"], start=6, stop=26, tag="run", text="")
    assert desk.state["labels"] == [[6, 26, "run", ""]] and desk.state["undo"] == "change label"
    assert desk.do("undo")["labels"] == [[5, 25, "walk", "slowly"]]
    assert desk.do("redo")["labels"] == [[6, 26, "run", ""]]
    assert desk.do("mirror", on=False)["mirror"] is False
    assert desk.editor.unsaved == ["stroll.npz"]
    state = desk.do("save")
    assert not state["dirty"] and desk.problem == f"Saved in {clip_path}.edits.json"
    source = open_source(clip_path)
    edits = EditSession.open(source, load(source).motions).clips["stroll"].edits
    assert edits.pieces == (Piece(10, 30), Piece(35, 40, "end"), Piece(50, 70, "end"))
    assert edits.labels == (Label(6, 26, "run"),) and not edits.mirror and edits.contacts is None
    assert desk.do("unlabel", old=[6, 26, "run", ""])["labels"] == [] and desk.do("keep_all")["whole"]


def test_every_order_of_a_drag_is_from_where_it_began(desk):
    for stop in (20, 45, 12):
        desk.do("paint", point="right", start=10, stop=stop, on=True, group="a")
    assert desk.state["contacts"][1] == ["right", [10, 12, 50, 100]]
    assert desk.stage.contacts[:, 1].sum() == 52
    desk.do("paint", point="right", start=11, stop=55, on=False, group="b")
    desk.do("paint", point="right", start=11, stop=11, on=False, group="b")
    assert desk.state["contacts"][1] == ["right", [10, 12, 50, 100]], "dragged back to where it began"
    assert desk.do("undo")["painted"] is False
    desk.do("label", start=10, stop=20, tag="walk")
    for by in (5, 30, 3):
        desk.do("relabel", old=[10, 20, "walk", ""], start=10 + by, stop=20 + by, tag="walk", text="", group="c")
    assert desk.state["labels"] == [[13, 23, "walk", ""]]
    assert desk.do("undo")["labels"] == [[10, 20, "walk", ""]]


def test_contacts_are_found_again_and_given_back(desk):
    found = desk.do("detect", speed=5.0, height=1.0, shortest=0.0)
    assert found["painted"] and found["contacts"] == [["left", [0, 100]], ["right", [0, 100]]]
    back = desk.do("auto")
    assert not back["painted"] and back["contacts"] == [["left", [0, 50]], ["right", [50, 100]]]


def test_the_mirror_check_shows_a_ghost_and_takes_an_override(desk):
    desk.editor.cycle_ghost()
    assert desk.stage.ghost == "over" == desk.state["ghost"]
    told = json.loads(desk.channel._standing["mirror"])["mirror"]
    assert 0 <= told["figure"] < 0.2 and {"joint", "partner", "place", "reach", "bones"} == set(told["rows"][0])
    state = desk.do("partner", joint="LeftHand", partner="LeftHand")
    assert state["partners"] == [["LeftHand", "LeftHand"]]
    assert desk.do("partner", joint="LeftHand", partner="")["partners"] == []
    desk.do("partner", joint="LeftHand", partner="Tail")
    assert "no joint is named 'Tail'" in desk.problem
    desk.do("edit", on=False)
    assert desk.stage.ghost == "off"


def test_the_range_is_looped_and_goes_with_its_use(desk):
    assert desk.do("select", start=40, stop=20)["selection"] == [20, 40] and desk.stage.span == (20, 40)
    assert desk.do("mark", frame=30, end=0)["selection"] == [30, 40]
    assert desk.do("mark", frame=34, end=1)["selection"] == [30, 35]
    assert desk.do("mark", frame=9, end=1)["selection"] == [0, 10]
    assert desk.do("mark", frame=50, end=0)["selection"] == [50, FRAMES]
    state = desk.do("keep")
    assert state["pieces"] == [[50, 100, ""]] and state["selection"] is None and desk.stage.span is None
    desk.do("drop")
    assert desk.problem.startswith("set a range first") and desk.state["pieces"] == [[50, 100, ""]]
    desk.do("select", start=1, stop=9)
    assert desk.do("select")["selection"] is None
    desk.do("seek", frame=7)
    assert desk.stage.frame == 7
    desk.do("play")
    assert desk.stage.frame == -1


@pytest.mark.parametrize(
    ("order", "said"),
    [
        ({"do": "fly"}, "there is no order 'fly'"),
        ({"do": "keep", "start": None, "stop": 3}, "start must be a frame, not None"),
        ({"do": "keep", "start": True, "stop": 3}, "start must be a frame, not True"),
        ({"do": "keep", "start": float("nan"), "stop": 3}, "start must be a frame, not nan"),
        ({"do": "keep", "start": 200, "stop": 300}, "hold none of the 100 frames"),
        ({"do": "keep", "start": 1, "stop": 3, "name": 5}, "name must be text, not 5"),
        ({"do": "label", "start": 1, "stop": 3, "tag": "two words"}, "must be one word"),
        ({"do": "relabel", "old": [1], "start": 1, "stop": 3}, "old must be a mark as it was"),
        ({"do": "unlabel", "old": [1, 2, "walk", ""]}, "is not there any more"),
        ({"do": "paint", "point": "tail", "start": 1, "stop": 3}, "no contact point 'tail'"),
        ({"do": "detect", "speed": "fast"}, "speed must be a number of 0.01 to 5"),
        ({"do": "ghost", "mode": "under"}, "the mirror check is off, over, beside"),
        ({"do": "split", "frame": 0}, "nothing to split here"),
        ({"do": "undo"}, "nothing to undo"),
        ({"do": "redo"}, "nothing to do again"),
    ],
)
def test_orders_that_make_no_sense_are_said_and_change_nothing(desk, order, said):
    before = desk.state
    desk.said.clear()
    desk.editor.obey(order)
    assert said in desk.problem and desk.state == before


def test_edits_that_are_there_are_shown_without_the_editor(clip_path, desk):
    desk.do("paint", point="left", start=60, stop=70, on=True)
    desk.do("save")
    looked = Desk(clip_path)
    assert not looked.editor.on and looked.editor.summary == "contacts"
    assert looked.stage.contacts is not None and looked.stage.contacts[65, 0] == 1
    clip_path.with_name("stroll.npz.edits.json").write_text("{")
    broken = Desk(clip_path)
    assert "is no JSON text" in broken.state["reason"]
    broken.do("edit", on=True)
    assert "is no JSON text" in broken.problem and not broken.state["clip"]


def test_unsaved_edits_stay_while_other_clips_are_looked_at(desk, biped, tmp_path):
    desk.do("keep", start=1, stop=50)
    (tmp_path / "other").mkdir()
    save(load(desk.document.path).motions[0].replace(name="b"), tmp_path / "other" / "b.npz")
    (other,) = documents([tmp_path / "other" / "b.npz"])
    clips = other.read()
    desk.editor.open(other, clips, clips[0], clips[0].load())
    assert desk.state["whole"] and desk.editor.unsaved == ["stroll.npz"]
    desk.open()
    assert desk.state["pieces"] == [[1, 50, ""]] and desk.state["undo"] == "keep"


# ---- in a real browser -----------------------------------------------------------------------------------------------


def wait_for(condition: Callable[[], bool], seconds: float = 20.0) -> bool:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.05)
    return False


@contextmanager
def running(path: Path) -> Iterator[tuple[ClipViewer, str]]:
    with open_viewer(port=0) as viewer:
        clips = ClipViewer(viewer, documents([path]))
        clips.toggle_play()
        thread = threading.Thread(target=clips.run, args=(150.0,))
        thread.start()
        try:
            yield clips, viewer.url
        finally:
            clips.stop()
            thread.join(10.0)


class Page:
    """A browser page with the editor open."""

    def __init__(self, browser: Any, url: str, size: tuple[int, int] = (1000, 620)) -> None:
        self.errors: list[str] = []
        self.page = browser.new_page(viewport={"width": size[0], "height": size[1]})
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.goto(url)
        self.page.wait_for_function("document.querySelectorAll('#kinema table tr').length >= 2", timeout=30_000)
        # viser's note on software graphics lies over the page.
        self.page.add_style_tag(content=".mantine-Notifications-root { display: none }")

    def edit(self) -> None:
        self.page.keyboard.press("e")
        self.page.locator(".editor.open").wait_for(timeout=20_000)
        # Drawn once, it has its height, and the dock its place.
        self.page.wait_for_function("document.querySelector('canvas.lanes').style.height !== ''", timeout=20_000)

    def place(self, frame: float, lane: str) -> tuple[float, float]:
        """Where a frame is in a lane: ruler, pieces, labels, left or right."""
        box = self.page.locator("canvas.lanes").bounding_box()
        # Heights of the lanes as in editor_marks.js: 24, 26, 24, 38, 38, with gaps of 6.
        middle = {"ruler": 8, "pieces": 43, "labels": 72, "left": 109, "right": 153}[lane]
        return box["x"] + 84 + (frame + 0.5) / FRAMES * (box["width"] - 94), box["y"] + middle

    def drag(self, first: float, last: float, lane: str, steps: int = 6) -> None:
        self.page.mouse.move(*self.place(first, lane))
        self.page.mouse.down()
        self.page.mouse.move(*self.place(last, lane), steps=steps)
        self.page.mouse.up()


@pytest.mark.browser
@pytest.mark.timeout(150)
def test_paint_undo_redo_save_and_reload_in_a_real_browser(clip_path, browser: Any):
    with running(clip_path) as (clips, url):
        desk = Page(browser, url)
        page = desk.page
        try:
            desk.edit()
            session = clips.editor._session
            assert wait_for(lambda: page.locator(".status").inner_text() == "no edits")
            desk.drag(60, 79, "left")
            assert wait_for(lambda: session.edits.contact_spans("left") == ((0, 50), (60, 80)))
            assert session.history.undo_name == "paint contact", "a drag is one step"
            assert wait_for(lambda: "not saved" in page.locator(".status").inner_text())
            page.keyboard.press("Control+z")
            assert wait_for(lambda: session.edits.empty)
            page.keyboard.press("Control+Shift+z")
            assert wait_for(lambda: session.edits.contact_spans("left") == ((0, 50), (60, 80)))
            desk.drag(62, 70, "left")  # begun inside a contact: erases
            assert wait_for(lambda: session.edits.contact_spans("left") == ((0, 50), (60, 62), (71, 80)))

            page.keyboard.press("Home")
            for key, frame in (("i", 10), ("o", 39)):
                page.mouse.click(*desk.place(frame, "ruler"))
                assert wait_for(lambda frame=frame: clips.playhead.frame == frame)
                page.wait_for_timeout(150)
                page.keyboard.press(key)
            assert wait_for(lambda: clips.editor._selection == (10, 40))
            page.keyboard.press("k")
            assert wait_for(lambda: session.edits.pieces == (Piece(10, 40),))
            desk.drag(15, 25, "labels")
            page.locator("input[name=tag]").wait_for()
            page.keyboard.type("walk")
            page.keyboard.press("Tab")
            page.keyboard.type("in the park")
            page.keyboard.press("Enter")
            assert wait_for(lambda: len(session.edits.labels) == 1)
            label = session.edits.labels[0]
            assert (label.tag, label.text) == ("walk", "in the park") and abs(label.start - 15) <= 1
            page.keyboard.press("Control+s")
            path = clip_path.with_name("stroll.npz.edits.json")
            assert wait_for(path.is_file)
            saved = json.loads(path.read_text())["clips"]["stroll"]
            assert saved["pieces"] == [{"start": 10, "stop": 40}]
            assert saved["contacts"] == {"left": [[0, 50], [60, 62], [71, 80]], "right": [[50, 100]]}
            assert wait_for(lambda: page.locator(".status").inner_text().endswith("% kept · saved"))
            assert desk.errors == []
        finally:
            page.close()

    with running(clip_path) as (clips, url):
        assert clips.editor.summary == "1 piece (30 of 100 frames), walk, contacts"
        desk = Page(browser, url)
        try:
            desk.edit()
            assert clips.editor._session.edits.contact_spans("left") == ((0, 50), (60, 62), (71, 80))
            assert "1 piece, 30 % kept" in desk.page.locator(".status").inner_text()
            assert desk.errors == []
        finally:
            desk.page.close()


@pytest.mark.slow
@pytest.mark.browser
@pytest.mark.timeout(150)
def test_a_second_browser_sees_the_same_and_leaving_with_unsaved_edits_warns(clip_path, browser: Any):
    with running(clip_path) as (clips, url):
        first = Page(browser, url)
        try:
            first.edit()
            first.drag(20, 60, "pieces")
            first.page.keyboard.press("x")
            assert wait_for(lambda: not clips.editor._session.edits.whole)
            second = Page(browser, url, (390, 700))  # a phone
            try:
                second.page.locator(".editor.open").wait_for(timeout=20_000)
                unsaved = second.page.locator("[data-tool=save].unsaved")
                unsaved.wait_for(timeout=20_000)
                second.page.locator("[data-tool=undo]").click()
                assert wait_for(lambda: clips.editor._session.edits.whole)
                second.page.locator("[data-tool=redo]").click()
                assert wait_for(lambda: not clips.editor._session.edits.whole)
                unsaved.wait_for(timeout=20_000)
                assert second.errors == []
                asked: list[str] = []
                second.page.on("dialog", lambda dialog: (asked.append(dialog.type), dialog.accept()))
                second.page.goto("about:blank")
                assert asked == ["beforeunload"]
            finally:
                second.page.close()
            assert wait_for(lambda: first.page.title().startswith("●"))
            assert first.errors == []
        finally:
            first.page.close()


@pytest.mark.slow
@pytest.mark.browser
@pytest.mark.timeout(150)
def test_zoom_and_mirror_check_in_a_real_browser(clip_path, browser: Any):
    with running(clip_path) as (clips, url):
        desk = Page(browser, url)
        page = desk.page
        try:
            desk.edit()
            page.keyboard.press("m")
            assert wait_for(lambda: clips.editor._ghost == "over")
            page.locator(".bar-row").first.wait_for()
            page.locator("input[name=mirrored]").uncheck()
            assert wait_for(lambda: not clips.editor._session.edits.mirror)
            page.keyboard.press("Escape")
            page.locator(".segments button", has_text="Off").click()
            assert wait_for(lambda: clips.editor._ghost == "off")
            # Zoomed in ten times around frame 50, single frames can be painted by a click.
            x, y = desk.place(49.5, "right")
            page.mouse.move(x, y)
            for _ in range(6):
                page.mouse.wheel(0, -200)
            page.wait_for_timeout(300)
            page.mouse.click(x - 300, y)
            assert wait_for(lambda: clips.editor._session.edits.contacts is not None)
            spans = clips.editor._session.edits.contact_spans("right")
            assert spans == ((47, 48), (50, 100))
            assert desk.errors == []
        finally:
            page.close()
