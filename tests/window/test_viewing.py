"""Looking at clips, without a window."""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np
import pytest

from kinema import Motion, Skeleton, formats
from kinema.errors import KinemaError
from kinema.rendering.camera import Camera
from kinema.session.library import Document
from kinema.session.log import Log
from kinema.window.viewing import ViewMode

from ..session.conftest import document, walk

CAMERA = Camera.look_at((0, 1, 4), (0, 1, 0))


def until(mode: ViewMode, ready: Callable[[], object]) -> None:
    end = time.monotonic() + 10
    while not ready():
        mode.update(0.0)
        assert time.monotonic() < end, mode.waiting
        time.sleep(0.002)


def settled(mode: ViewMode) -> ViewMode:
    until(mode, lambda: mode.footage is not None and not mode.waiting)
    return mode


@pytest.fixture
def mode(biped: Skeleton) -> ViewMode:
    first, second, third = (walk(biped, frames, name) for name, frames in (("walk", 60), ("run", 30), ("jump", 20)))
    return settled(ViewMode([document("a.bvh", first), document("b.glb", second, third)], Log()))


def press(mode: ViewMode, code: str, *held: str, repeat: bool = False) -> bool:
    return mode.key(code, frozenset({*held, code}), repeat)


def test_time_moves_only_while_it_plays(mode: ViewMode):
    mode.update(0.5)
    assert mode.playhead.time == pytest.approx(0.5) and not mode.still
    press(mode, "Space")
    mode.view(CAMERA)
    mode.update(0.5)
    assert mode.playhead.time == pytest.approx(0.5) and mode.still


def test_keys_scrub_and_loop(mode: ViewMode):
    press(mode, "End")
    assert mode.playhead.frame == 59 and not mode.playhead.playing
    press(mode, "ArrowLeft", "ShiftLeft")
    press(mode, "ArrowLeft", repeat=True)
    assert mode.playhead.frame == 48
    press(mode, "Home")
    press(mode, "ArrowRight")
    assert mode.playhead.frame == 1
    press(mode, "Equal")
    press(mode, "Equal")
    assert mode.playhead.speed == 2.0
    press(mode, "Minus")
    press(mode, "KeyL")
    assert mode.playhead.speed == 1.5 and not mode.playhead.loop
    assert not press(mode, "KeyX")


def test_scrubbing_changes_the_pose(mode: ViewMode):
    mode.seek(0)
    first = mode.view(CAMERA).actors[0].global_positions.copy()
    mode.seek(30)
    moved = mode.view(CAMERA).actors[0].global_positions - first
    np.testing.assert_allclose(moved[0, 0], [0, 0, 1.0], atol=1e-3)


def test_clips_are_stepped_over_documents(mode: ViewMode):
    for title in ("run", "jump", "walk", "run"):
        press(mode, "KeyN")
        settled(mode)
        assert mode.footage is not None and mode.footage.clip.title == title
    press(mode, "KeyP")
    settled(mode)
    press(mode, "KeyP")
    settled(mode)
    until(mode, lambda: mode.footage is not None and mode.footage.clip.title == "jump")


def test_the_mirror_keeps_the_moment(mode: ViewMode):
    mode.seek(20)
    press(mode, "KeyM")
    until(mode, lambda: mode.footage is not None and mode.footage.mirrored)
    assert mode.playhead.frame == 20 and mode.contacts["right"] == ((0, 30),)


def test_marks_are_drawn_and_the_mirror_image_is_an_actor(mode: ViewMode):
    for name in mode.show:
        mode.show[name] = True
    view = mode.view(CAMERA)
    assert len(view.actors) == 2 and view.actors[1].tints is not None and view.draw is not None
    assert len(view.draw.texts) == view.actors[0].character.skeleton.joint_count
    for kind in ("stroke", "sphere", "cone", "disc"):
        assert len(view.draw.rows(kind)) + len(view.draw.rows(kind, on_top=True)), kind
    for name in mode.show:
        mode.show[name] = False
    view = mode.view(CAMERA)
    assert view.actors == () and view.draw is not None and view.draw.empty


def test_a_bad_file_among_good_ones_is_said_and_passed_over(biped: Skeleton):
    def bad() -> list:
        raise KinemaError("b.bvh: broken")

    log = Log()
    found = [Document("b.bvh", "b.bvh", bad), document("a.bvh", walk(biped))]
    mode = settled(ViewMode(found, log))
    assert mode.footage is not None and mode.footage.clip.title == "walk" and mode.failure is None
    assert [line.text for line in log.lines] == ["b.bvh: broken"]
    mode.step_clip(1)
    until(mode, lambda: len(log.lines) > 1 or log.lines[0].count > 1)
    settled(mode)
    assert mode.footage.clip.title == "walk"


def test_dropped_files_are_added(mode: ViewMode, biped: Skeleton, tmp_path):
    formats.save(walk(biped, 40, "dropped"), tmp_path / "dropped.bvh")
    mode.add_files((str(tmp_path / "dropped.bvh"),))
    until(mode, lambda: mode.footage is not None and mode.footage.frames == 40)
    assert mode.place == 2
    mode.add_files((str(tmp_path / "gone.bvh"),))
    until(mode, lambda: "gone.bvh" in mode.log.lines[-1].text)
    assert mode.footage is not None and mode.footage.frames == 40, "what was shown stays"


def test_edits_are_made_undone_and_saved_beside_the_file(biped: Skeleton, tmp_path, walking: Motion):
    from kinema.session.library import documents

    labels = {name: values for name, values in walking.labels.items() if name != "style"}
    formats.save(walking.replace(labels=labels), tmp_path / "walk.npz")
    mode = settled(ViewMode(documents([tmp_path / "walk.npz"]), Log()))
    assert mode.editing.why_not == "", mode.editing.why_not
    row = next(row for row in mode.rows() if row.name == "left")
    mode.painting = False
    mode.stroke_begins(5, row)
    mode.stroke(5, 8)
    mode.stroke(5, 12)
    assert mode.contacts["left"] == ((0, 5), (13, 30))
    np.testing.assert_array_equal(mode.rows()[0].bars[0].stop, 5)
    press(mode, "KeyZ", "ControlLeft")
    assert mode.contacts["left"] == ((0, 30),), "one stroke is one step"
    press(mode, "KeyY", "ControlLeft")
    mode.range.mark(10, 19)
    mode.editing.label(mode.range.span, "stride")
    assert [row.name for row in mode.rows()][-1] == "stride"
    mode.close()
    assert "not saved" in mode.log.lines[-1].text
    press(mode, "KeyS", "ControlLeft")
    assert (tmp_path / "walk.npz.edits.json").is_file() and not mode.editing.unsaved
