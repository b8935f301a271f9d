"""Messages between editor and page."""

from __future__ import annotations

import base64
import json

import numpy as np
import pytest

from kinema import Motion
from kinema.mocap.edits import ClipSession, EditError, Edits, change
from kinema.viewer.editor_wire import clip_state, curves, frame_of, mirror_report, number_of, old_of, span_of, text_of


@pytest.fixture
def clip(biped) -> ClipSession:
    moved = np.tile(biped.rest_translations, (40, 1, 1))
    moved[20:, 0, 1] += 0.4  # a hop
    labels = {"contact.left": np.arange(40) < 20, "contact.right": np.arange(40) < 10}
    motion = Motion.create(biped, np.tile(biped.rest_rotations, (40, 1, 1)), moved, fps=20.0, labels=labels)
    return ClipSession("hop", motion, Edits.none(40, 20.0))


def test_state_is_plain_json(clip):
    clip.do(change.label(change.keep(clip.edits, 5, 30, "up"), 6, 9, "jump", "high"), "both")
    state = json.loads(json.dumps(clip_state(clip)))
    assert state["pieces"] == [[5, 30, "up"]] and state["labels"] == [[6, 9, "jump", "high"]]
    assert state["contacts"] == [["left", [0, 20]], ["right", [0, 10]]]
    assert (state["whole"], state["kept"], state["painted"], state["undo"]) == (False, 25, False, "both")


def test_curves_are_bytes_from_the_ground_up(clip):
    found = curves(clip)
    heights = np.frombuffer(base64.b64decode(found["heights"][0]), np.uint8)
    assert len(heights) == 40 and heights[:20].max() == 0 and len(set(heights[20:])) == 1
    scale = clip.feet.scale
    assert heights[-1] / 255 * found["highest"] * scale == pytest.approx(0.4, rel=0.01)


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
        with pytest.raises(EditError, match="old must be a mark"):
            old_of({"old": bad}, 2)
