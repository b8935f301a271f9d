"""The editor of the page: orders, what pages are sent, and a real browser."""

from __future__ import annotations

import base64
import contextlib
import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("viser", reason="viser is not installed: pip install 'kinema[view]'")

from kinema import Motion, Skeleton, perform, save
from kinema.mocap.edits import EditedClip, EditError, Edits, Piece
from kinema.mocap.procedural import Segment
from kinema.session.clips import ClipSession
from kinema.session.library import find_files
from kinema.viewer.browser import Browser
from kinema.viewer.channel import Channel
from kinema.viewer.editor_page import (
    ORDERS,
    EditorPage,
    curves,
    frame_of,
    mirror_report,
    number_of,
    old_of,
    span_of,
    text_of,
)
from kinema.viewer.page import open_viewer

from ..session.conftest import FRAMES, clip_path  # noqa: F401


@pytest.fixture
def clip(biped) -> EditedClip:
    moved = np.tile(biped.rest_translations, (40, 1, 1))
    moved[20:, 0, 1] += 0.4  # a hop
    labels = {"contact.left": np.arange(40) < 20, "contact.right": np.arange(40) < 10}
    motion = Motion.create(biped, np.tile(biped.rest_rotations, (40, 1, 1)), moved, fps=20.0, labels=labels)
    return EditedClip("hop", motion, Edits.none(40, 20.0))


def test_curves_are_bytes_from_the_ground_up(clip):
    found = curves(clip)
    heights = np.frombuffer(base64.b64decode(found["heights"][0]), np.uint8)
    assert len(heights) == 40 and heights[:20].max() == 0 and len(set(heights[20:])) == 1
    scale = clip.feet.scale
    assert heights[-1] / 255 * found["highest"] * scale == pytest.approx(0.4, rel=0.01)


def test_the_phase_of_the_gait_is_sent_with_its_confidence(clip):
    found = curves(clip)["gait"]
    phase, sure = (np.frombuffer(base64.b64decode(found[key]), np.uint8) / 255 for key in ("phase", "sure"))
    np.testing.assert_allclose(phase, clip.feet.phases.gait, atol=1 / 255)
    np.testing.assert_allclose(sure, clip.feet.phases.confidence, atol=1 / 255)
    chain = Skeleton.create(["a", "b"], [-1, 0], [(0, 1, 0), (0, 0.5, 0)])
    still = Motion.create(chain, np.tile(chain.rest_rotations, (9, 1, 1)), fps=20.0)
    assert curves(EditedClip("chain", still, Edits.none(9, 20.0)))["gait"] is None


def test_a_symmetric_pose_has_nothing_to_report(clip):
    report = mirror_report(clip)
    assert report["figure"] < 1e-4 and len(report["rows"]) == 6 and "Head" in report["names"]
    json.dumps(report)


def test_fields_are_checked():
    order = {"start": 3.0, "stop": 7, "tag": " walk ", "old": [1, 2, "walk", ""], "speed": 0.2}
    assert span_of(order) == (3, 7) and text_of(order, "tag") == "walk" and text_of(order, "text") == ""
    assert old_of(order, 2) == (1, 2, "walk", "") and number_of(order, "speed", 0.0, 1.0) == 0.2
    for bad in (None, "3", True, float("nan"), float("inf"), 1e12, [3]):
        with pytest.raises(EditError, match="frame must be a frame"):
            frame_of({"frame": bad}, "frame")
        with pytest.raises(EditError, match="speed must be a number of 0 to 1"):
            number_of({"speed": bad}, "speed", 0.0, 1.0)
    for bad in (None, [1, 2], [1, 2, 3, ""], "mark"):
        with pytest.raises(EditError, match="old must be the old value"):
            old_of({"old": bad}, 2)


@pytest.fixture
def session(clip_path: Path) -> ClipSession:  # noqa: F811
    made = ClipSession(find_files([clip_path]))
    made.wait()
    return made


def test_pages_get_the_state(session: ClipSession):
    channel = Channel()
    page = EditorPage(session, channel)

    def sent_last(topic: str) -> Any:
        page.send()
        return json.loads(channel._standing[topic])[topic]

    assert sent_last("state") == {"on": False, "title": "stroll", "reason": "", "clip": False}
    page.obey({"do": "edit", "on": True})
    state = sent_last("state")
    assert state["frames"] == FRAMES and state["whole"] and not state["dirty"] and state["undo"] is None
    assert state["contacts"] == [["left", [0, 50]], ["right", [50, 100]]] and "points" in sent_last("curves")
    page.obey({"do": "keep", "start": 5, "stop": 30, "name": "up"})
    page.obey({"do": "label", "start": 6, "stop": 9, "tag": "jump", "text": "high"})
    state = sent_last("state")
    assert state["pieces"] == [[5, 30, "up"]] and state["labels"] == [[6, 9, "jump", "high"]] and state["dirty"]
    assert (state["whole"], state["kept"], state["undo"]) == (False, 25, "label jump") and sent_last("mirror") is None
    page.obey({"do": "ghost", "mode": "over"})
    report = sent_last("mirror")
    assert 0 <= report["figure"] < 0.2 and set(report["rows"][0]) == {"joint", "partner", "place", "reach", "bones"}


@pytest.mark.parametrize(
    ("order", "said"),
    [
        ({"do": "fly"}, "there is no order 'fly'"),
        ({"do": "keep", "start": None, "stop": 3}, "start must be a frame, not None"),
        ({"do": "keep", "start": True, "stop": 3}, "start must be a frame, not True"),
        pytest.param(
            {"do": "keep", "start": float("nan"), "stop": 3}, "start must be a frame, not nan", marks=pytest.mark.slow
        ),
        pytest.param(
            {"do": "keep", "start": 1, "stop": 3, "name": 5}, "name must be text, not 5", marks=pytest.mark.slow
        ),
        pytest.param(
            {"do": "relabel", "old": [1], "start": 1, "stop": 3},
            "old must be the old value of a mark",
            marks=pytest.mark.slow,
        ),
        pytest.param({"do": "detect", "speed": "fast"}, "speed must be a number of 0.01 to 5", marks=pytest.mark.slow),
        pytest.param({"do": "ghost", "mode": "under"}, "the mirror check is off, over, beside", marks=pytest.mark.slow),
    ],
)
def test_orders_that_make_no_sense_are_refused(session: ClipSession, order: Any, said: str):
    session.set_editing(True)
    before = session.editor.edits
    with pytest.raises(EditError, match=said):
        EditorPage(session, Channel()).obey(order)
    assert session.editor.edits == before


def test_no_order_with_anything_in_its_fields_fails_otherwise(session: ClipSession):
    session.set_editing(True)
    page, random = EditorPage(session, Channel()), np.random.default_rng(3)
    values: list[Any] = [None, True, -1, 5, 1e300, float("nan"), "", "left", "walk", [1, 2], [1, 9, "a", ""], {"a": 1}]
    fields = [
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
        "partner",
        "speed",
        "height",
        "shortest",
    ]
    for _ in range(600):
        order = {field: values[random.integers(len(values))] for field in fields if random.random() < 0.7}
        with contextlib.suppress(EditError):
            page.obey({**order, "do": list(ORDERS)[random.integers(len(ORDERS))]})
    page.send()


# ---- in a real browser -----------------------------------------------------------------------------------------------


def wait_for(condition: Callable[[], bool], seconds: float = 120.0) -> bool:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.05)
    return False


@contextmanager
def running(path: Path) -> Iterator[tuple[ClipSession, str]]:
    with open_viewer(port=0) as viewer:
        session = ClipSession(find_files([path]))
        session.wait()
        session.toggle_play()
        shown = Browser(session, viewer)
        thread = threading.Thread(target=shown.run, args=(3600.0,))
        thread.start()
        try:
            yield session, viewer.url
        finally:
            shown.stop()
            thread.join(60.0)


class Page:
    """A browser page with the editor open."""

    def __init__(self, browser: Any, url: str, size: tuple[int, int] = (1000, 620)) -> None:
        self.errors: list[str] = []
        self.page = browser.new_page(viewport={"width": size[0], "height": size[1]})
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.goto(url)
        self.page.wait_for_function("document.querySelectorAll('#kinema table tr').length >= 2")
        # viser's note on software graphics lies over the page.
        self.page.add_style_tag(content=".mantine-Notifications-root { display: none }")

    def edit(self) -> None:
        self.page.keyboard.press("e")
        self.page.locator(".editor.open").wait_for()
        # Drawn once, it has its height, and the dock its place.
        self.page.wait_for_function("document.querySelector('canvas.lanes').style.height !== ''")

    def place(self, frame: float, lane: str) -> tuple[float, float]:
        """Where a frame is in a lane: ruler, pieces, labels, left, right or gait."""
        box = self.page.locator("canvas.lanes").bounding_box()
        # Heights of the lanes as in editor_marks.js: 24, 26, 24, 38, 38, 26, with gaps of 6.
        middle = {"ruler": 8, "pieces": 43, "labels": 72, "left": 109, "right": 153, "gait": 193}[lane]
        return box["x"] + 84 + (frame + 0.5) / FRAMES * (box["width"] - 94), box["y"] + middle

    def drag(self, first: float, last: float, lane: str, steps: int = 6) -> None:
        self.page.mouse.move(*self.place(first, lane))
        self.page.mouse.down()
        self.page.mouse.move(*self.place(last, lane), steps=steps)
        self.page.mouse.up()


@pytest.mark.browser
@pytest.mark.slow
def test_paint_undo_redo_save_and_reload_in_a_real_browser(clip_path, browser: Any):  # noqa: F811
    with running(clip_path) as (clips, url):
        desk = Page(browser, url)
        page = desk.page
        try:
            desk.edit()
            session = clips.editor
            assert wait_for(lambda: page.locator(".status").inner_text() == "no edits")
            desk.drag(60, 79, "left")
            assert wait_for(lambda: session.edits.contact_spans("left") == ((0, 50), (60, 80)))
            assert session.clip is not None
            assert session.clip.history.undo_name == "paint contact", "a drag is one step"
            assert wait_for(lambda: "not saved" in page.locator(".status").inner_text())
            page.keyboard.press("Control+z")
            assert wait_for(lambda: session.edits.empty)
            page.keyboard.press("Control+Shift+z")
            assert wait_for(lambda: session.edits.contact_spans("left") == ((0, 50), (60, 80)))
            desk.drag(62, 70, "left")  # begun inside a contact: erases
            assert wait_for(lambda: session.edits.contact_spans("left") == ((0, 50), (60, 62), (71, 80)))

            page.keyboard.press("Home")
            for key, frame, marked in (("i", 10, (10, FRAMES)), ("o", 39, (10, 40))):
                page.mouse.click(*desk.place(frame, "ruler"))
                assert wait_for(lambda frame=frame: clips.playhead.frame == frame)

                def selected(key: str = key, marked: tuple[int, int] = marked) -> bool:
                    page.keyboard.press(key)  # the page hears of the playhead a moment later
                    page.wait_for_timeout(150)
                    return clips.editor.selection == marked

                assert wait_for(selected)
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
        assert clips.editor.edits.summary == "1 piece (30 of 100 frames), walk, contacts"
        desk = Page(browser, url)
        try:
            desk.edit()
            assert clips.editor.edits.contact_spans("left") == ((0, 50), (60, 62), (71, 80))
            assert "1 piece, 30 % kept" in desk.page.locator(".status").inner_text()
            assert desk.errors == []
        finally:
            desk.page.close()


@pytest.mark.slow
@pytest.mark.browser
def test_a_second_browser_sees_the_same_and_leaving_with_unsaved_edits_warns(clip_path, browser: Any):  # noqa: F811
    with running(clip_path) as (clips, url):
        first = Page(browser, url)
        try:
            first.edit()
            first.drag(20, 60, "pieces")
            first.page.keyboard.press("x")
            assert wait_for(lambda: not clips.editor.edits.whole)
            second = Page(browser, url, (390, 700))  # a phone
            try:
                second.page.locator(".editor.open").wait_for()
                unsaved = second.page.locator("[data-tool=save].unsaved")
                unsaved.wait_for()
                second.page.locator("[data-tool=undo]").click()
                assert wait_for(lambda: clips.editor.edits.whole)
                second.page.locator("[data-tool=redo]").click()
                assert wait_for(lambda: not clips.editor.edits.whole)
                unsaved.wait_for()
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
def test_zoom_and_mirror_check_in_a_real_browser(clip_path, browser: Any):  # noqa: F811
    with running(clip_path) as (clips, url):
        desk = Page(browser, url)
        page = desk.page
        try:
            desk.edit()
            page.keyboard.press("m")
            assert wait_for(lambda: clips.editor.ghost == "over")
            page.locator(".bar-row").first.wait_for()
            page.locator("input[name=mirrored]").uncheck()
            assert wait_for(lambda: not clips.editor.edits.mirror)
            page.keyboard.press("Escape")
            page.locator(".segments button", has_text="Off").click()
            assert wait_for(lambda: clips.editor.ghost == "off")
            # Zoomed in ten times around frame 50, single frames can be painted by a click.
            x, y = desk.place(49.5, "right")
            page.mouse.move(x, y)
            for _ in range(6):
                page.mouse.wheel(0, -200)
            page.wait_for_timeout(300)
            page.mouse.click(x - 300, y)
            assert wait_for(lambda: clips.editor.edits.contacts is not None)
            spans = clips.editor.edits.contact_spans("right")
            assert spans == ((47, 48), (50, 100))
            assert desk.errors == []
        finally:
            page.close()


INKED = """(frames) => {
  const canvas = document.querySelector("canvas.lanes"), ratio = window.devicePixelRatio || 1;
  const [top, h] = [175 * ratio, 32 * ratio], wide = canvas.width - 94 * ratio;
  return frames.map((frame) => {
    const x = Math.round(84 * ratio + (frame + 0.5) / %d * wide);
    const data = canvas.getContext("2d").getImageData(x, top, 1, h).data, rows = [];
    for (let y = 0; y < h; y++) {
      const [red, green, blue] = data.slice(4 * y, 4 * y + 3);
      if (blue > green + 60 && red > green) rows.push(y / ratio);
    }
    return rows.length ? rows.reduce((a, b) => a + b) / rows.length : null;
  });
}"""
"""Where the violet line of the phase is in the lane at some frames: pixels below its top; null where there is none."""


@pytest.mark.browser
@pytest.mark.slow
def test_the_phase_is_drawn_as_it_goes_and_a_click_seeks(tmp_path: Path, browser: Any):
    walk = perform(script=[Segment("walk", FRAMES / 30 - 1 / 30)], fps=30, name="walk")
    save(walk, tmp_path / "walk.glb")
    frames = walk.frames
    with running(tmp_path / "walk.glb") as (session, url):
        desk = Page(browser, url, (1000, 700))
        desk.edit()
        assert session.editor.clip is not None
        found = session.editor.clip.feet.phases
        some = [frame for frame in range(20, frames - 20, 7) if 0.1 < found.gait[frame] < 0.9]
        desk.page.wait_for_function(f"({INKED % frames})([{some[0]}])[0] !== null")
        rows = desk.page.evaluate(f"({INKED % frames})({some})")
        expected = [1 - float(found.gait[frame]) for frame in some]
        seen = [(row + 0.5 - 7) / 22 for row in rows]  # the lane begins 180 pixels down, the line 2 pixels below
        np.testing.assert_allclose(seen, expected, atol=0.08)
        box = desk.page.locator("canvas.lanes").bounding_box()
        desk.page.mouse.click(box["x"] + 84 + (some[2] + 0.5) / frames * (box["width"] - 94), box["y"] + 193)
        assert wait_for(lambda: session.playhead.frame == some[2])
        assert not desk.errors
