"""Clips in the browser."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("viser", reason="viser is not installed: pip install '.[view]'")

from kinema import Motion, Skeleton, rotations
from kinema.errors import FormatError
from kinema.session.library import Clip, Document
from kinema.viewer.page import Viewer, open_viewer
from kinema.viewer.timeline import ClipViewer


def bowing(skeleton: Skeleton, frames: int = 60, sign: float = 1.0) -> Motion:
    """Bends sideways at the spine and travels along +X."""
    local = np.tile(skeleton.rest_rotations, (frames, 1, 1))
    angle = np.linspace(0, sign * 1.2, frames, dtype=np.float32)
    local[:, skeleton.index("Spine")] = rotations.from_axis_angle(np.float32([0, 0, 1]), angle)
    moved = np.tile(skeleton.rest_translations, (frames, 1, 1))
    moved[:, 0, 0] += np.linspace(0, 2, frames)
    labels = {"contact.left": np.arange(frames) < 30, "contact.right": np.arange(frames) >= 30}
    return Motion.create(skeleton, local, moved, fps=30.0, name="bow", labels=labels)


def document(title: str, *motions: Motion) -> Document:
    clips = [Clip(f"{m.name} {i}", m.skeleton, None, lambda m=m: m) for i, m in enumerate(motions)]
    return Document(title, title, lambda: clips)


def broken() -> list[Clip]:
    raise FormatError("is cut off", path="bad.bvh", line=3)


def wait_for(condition: Callable[[], bool], seconds: float = 20.0) -> bool:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.05)
    return False


@pytest.fixture
def viewer() -> Iterator[Viewer]:
    with open_viewer(port=0) as opened:
        yield opened


def test_shows_what_a_frame_holds(viewer, biped):
    motion = bowing(biped)
    clips = ClipViewer(viewer, [document("a", motion)])
    clips.seek(45)
    clips._draw()
    assert clips.positions == pytest.approx(motion[slice(45, 46)].global_positions[0], abs=1e-5)
    assert not clips.playhead.playing


def test_mirror_swaps_the_sides_at_the_same_moment(viewer, biped):
    motion = bowing(biped)
    clips = ClipViewer(viewer, [document("a", motion)])
    clips.seek(40)
    clips.set_mirrored(True)
    clips._draw()
    assert clips.playhead.frame == 40
    mirrored = motion[slice(40, 41)].global_positions[0][biped.mirror_map] * np.float32([-1, 1, 1])
    assert clips.positions == pytest.approx(mirrored, abs=1e-4)


def test_a_broken_document_is_passed_over_and_alone_it_is_the_error(viewer, biped):
    bad = Document("bad.bvh", "bad.bvh", broken)
    clips = ClipViewer(viewer, [bad, document("good", bowing(biped))])
    assert clips._gui.document == "good"
    viewer.attempt(lambda: clips.open_document("bad.bvh"))  # said in the browser; what is shown stays
    assert clips.playhead.frames == 60
    with pytest.raises(FormatError, match=r"bad\.bvh, line 3: is cut off"):
        ClipViewer(viewer, [bad])


def test_next_and_previous_clip_go_around(viewer, biped):
    clips = ClipViewer(viewer, [document("a", bowing(biped, 20), bowing(biped, 40))])
    clips.step_clip(1)
    assert clips.playhead.frames == 40
    clips.step_clip(1)
    assert clips.playhead.frames == 20
    clips.step_clip(-1)
    assert clips.playhead.frames == 40


@pytest.mark.browser
@pytest.mark.timeout(90)
def test_scrubbing_in_a_real_browser(viewer, biped, browser: Any, tmp_path: Path):
    motion = bowing(biped)
    stick = Skeleton.create(["a", "b"], [-1, 0], [[0, 0, 0], [0, 1, 0]])
    other = Motion.create(stick, np.tile(stick.rest_rotations, (9, 1, 1)), fps=30.0, name="stick")
    clips = ClipViewer(viewer, [document("a", motion, other)])
    errors: list[str] = []
    thread = threading.Thread(target=clips.run, args=(80.0,))
    thread.start()
    page = browser.new_page(viewport={"width": 640, "height": 400})
    page.on("pageerror", lambda error: errors.append(str(error)))
    try:
        page.goto(viewer.url)
        canvas = page.locator("canvas").first
        canvas.wait_for(timeout=30_000)
        page.wait_for_function("document.querySelectorAll('#kinema table tr').length >= 2", timeout=20_000)
        page.keyboard.press("Space")
        assert wait_for(lambda: not clips.playhead.playing), "space pauses"
        page.keyboard.press("Home")
        assert wait_for(lambda: clips.playhead.frame == 0)
        page.wait_for_timeout(1500)
        first = canvas.screenshot()
        page.keyboard.press("ArrowRight")
        assert wait_for(lambda: clips.playhead.frame == 1)

        # The slider of the panel itself, far to the right.
        track = page.locator(".mantine-Slider-track").first.bounding_box()
        page.mouse.move(track["x"] + 2, track["y"] + track["height"] / 2)
        page.mouse.down()
        page.mouse.move(track["x"] + 0.8 * track["width"], track["y"] + track["height"] / 2, steps=4)
        page.mouse.up()
        assert wait_for(lambda: clips.playhead.frame > 35), "dragging the slider scrubs"
        frame = clips.playhead.frame
        expected = motion[slice(frame, frame + 1)].global_positions[0]
        assert wait_for(lambda: bool(np.allclose(clips.positions, expected, atol=1e-4)))
        page.wait_for_timeout(1500)
        assert canvas.screenshot() != first

        # Another skeleton with fewer meshes takes the place of the first, and the page survives it.
        page.keyboard.press("n")
        assert wait_for(lambda: clips.positions.shape == (2, 3))
        page.wait_for_timeout(1500)
        assert errors == [] and page.locator("canvas").count() >= 1
    finally:
        page.close()
        clips.stop()
        thread.join(10.0)


def test_a_clip_that_cannot_be_read_does_not_end_the_session(biped, monkeypatch):
    def fail() -> Motion:
        raise FormatError("is cut off", path="bad.bvh", line=3)

    bad, good = Clip("bad", biped, None, fail), Clip("good", biped, None, lambda: bowing(biped))
    said: list[str] = []
    monkeypatch.setattr(Viewer, "say", lambda self, title, text: said.append(text))
    with open_viewer(port=0) as viewer:
        documents = [Document("a", "a", lambda: [bad]), Document("b", "b", lambda: [good, bad])]
        clips = ClipViewer(viewer, documents)
        viewer.channel.receive("hand", '{"keys": ["KeyN"]}')
        clips.run(0.3)
        assert said == ["bad.bvh, line 3: is cut off"]
        assert clips.playhead.frames == 60
