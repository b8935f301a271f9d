"""Features of clips, computed aside."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

import numpy as np
import pytest

pytest.importorskip("viser", reason="viser is not installed: pip install '.[view]'")

from kinema import Motion, Skeleton, rotations
from kinema.errors import KinemaError
from kinema.mocap.procedural import locomotion_set
from kinema.session.feature_marks import FeatureFrame, shapes
from kinema.session.library import Clip, Document
from kinema.viewer import clip_features
from kinema.viewer.clip_features import ClipFeatures, tabulate
from kinema.viewer.page import Viewer, open_viewer
from kinema.viewer.timeline import ClipViewer


@pytest.fixture(scope="module")
def walk() -> Motion:
    """Four seconds of generated walking, somewhere in the world and half a metre above its ground."""
    motion = locomotion_set(minutes=0.5)[0][60:300]
    return motion.replace(local_translations=motion.local_translations + moved(motion, [3.0, 0.5, -2.0]))


@pytest.fixture
def viewer() -> Iterator[Viewer]:
    with open_viewer(port=0) as opened:
        yield opened


def moved(motion: Motion, by: list[float]) -> np.ndarray:
    """An offset of the root joint alone, in the shape of the motion's translations."""
    return (motion.skeleton.parents[motion.translated] < 0)[:, None] * np.float32(by)


def in_world(seen: FeatureFrame, points: np.ndarray) -> np.ndarray:
    return rotations.rotate(np.asarray(seen.root_rotation, np.float32), points) + seen.root_position


def feet(motion: Motion) -> list[int]:
    return [leg.foot for leg in (motion.skeleton.roles.leg("left"), motion.skeleton.roles.leg("right"))]


def eventually(condition: Callable[[], bool], seconds: float = 30.0) -> bool:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.02)
    return False


def test_points_are_the_feet_of_the_frame_and_the_path_is_where_it_goes(walk):
    table = tabulate(walk)
    places = walk[:].global_positions
    hips = walk.skeleton.roles.hips
    for frame in (0, 77, 150):
        seen = table.at(frame)
        assert seen is not None
        shown = shapes(seen, places[frame])
        assert in_world(seen, shown.joints) == pytest.approx(places[frame, feet(walk)], abs=1e-3)
        speed = rotations.rotate(np.asarray(seen.root_rotation, np.float32), shown.velocities[:2, 1])
        if frame:
            expected = (places[frame + 1] - places[frame - 1]) * walk.fps / 2
            assert speed == pytest.approx(expected[feet(walk)], abs=2e-2)
        way = in_world(seen, shown.path)
        assert seen.root_position[1] == pytest.approx(0.5, abs=0.03), "on the ground of the clip"
        later = [frame, frame + 20, frame + 40, frame + 60]
        apart = (way - places[later, hips])[:, [0, 2]]
        assert np.linalg.norm(apart, axis=-1).max() < 0.15


def test_between_two_frames_the_marks_are_between_too(walk):
    table = tabulate(walk)
    places = walk[:].global_positions
    seen = table.at(50.5)
    assert seen is not None
    middle = in_world(seen, shapes(seen, places[50]).joints)
    assert middle == pytest.approx(0.5 * (places[50] + places[51])[feet(walk)], abs=3e-3)


def test_jumps_are_not_bridged_and_frames_keep_their_numbers(walk):
    far = walk.replace(local_translations=walk.local_translations + moved(walk, [9.0, 0.0, 0.0]))
    scrap, rest = far.cut(0, 10), walk.cut(100)
    broken = Motion.concatenate([walk.cut(0, 100), scrap, rest])
    table = tabulate(broken)
    assert table.piece.tolist() == [0] * 100 + [-1] * 10 + [1] * rest.frames
    assert table.at(104) is None
    places = broken[:].global_positions
    for frame in (99, 110, 130):
        seen = table.at(frame + 0.4 if frame == 99 else frame)
        assert seen is not None
        assert in_world(seen, shapes(seen, places[frame]).joints) == pytest.approx(places[frame, feet(walk)], abs=1e-3)


def test_what_has_no_features_says_why(walk):
    stick = Skeleton.create(["a", "b"], [-1, 0], [[0, 0, 0], [0, 1, 0]])
    lonely = Motion.create(stick, np.tile(stick.rest_rotations, (90, 1, 1)), fps=30.0)
    with pytest.raises(KinemaError, match="no legs"):
        tabulate(lonely)
    with pytest.raises(KinemaError, match="too short"):
        tabulate(walk.cut(0, 5))
    features = ClipFeatures()
    assert features.at(lonely, 0.0) is None and features.waiting
    assert eventually(lambda: features.at(lonely, 0.0) is None and not features.waiting)
    assert "no legs" in features.take_problem() and features.take_problem() == ""


def test_drawing_never_waits_and_the_last_motion_asked_for_wins(walk, monkeypatch):
    asked: list[int] = []

    def slow(motion: Motion) -> clip_features.Table:
        asked.append(motion.frames)
        time.sleep(0.3)
        return tabulate(motion)

    monkeypatch.setattr(clip_features, "tabulate", slow)
    features = ClipFeatures()
    motions = [walk.cut(0, 100), walk.cut(0, 110), walk.cut(0, 120)]
    began = time.monotonic()
    for motion in motions:
        assert features.at(motion, 0.0) is None and features.waiting
    assert time.monotonic() - began < 0.1
    assert eventually(lambda: features.at(motions[2], 0.0) is not None)
    assert asked == [100, 120] and not features.waiting


def test_the_switch_of_the_viewer_shows_them_for_the_frame_shown(viewer, walk):
    clips = [Clip(str(i), m.skeleton, None, lambda m=m: m) for i, m in enumerate((walk, walk.cut(50)))]
    view = ClipViewer(viewer, [Document("a", "a", lambda: clips)])
    view.seek(80)
    view._draw()
    assert view._features._motion is None, "nothing is computed before it is asked for"
    view.show("Features", True)

    def drawn() -> bool:
        view._draw()
        return not view._features.waiting

    def points() -> np.ndarray:
        return view._marks.draw.rows("sphere", on_top=True)["center"][:2]

    assert eventually(drawn)
    assert points() == pytest.approx(view.positions[feet(walk)], abs=1e-3)
    view.step_clip(1)
    view.seek(20)
    assert eventually(drawn)
    assert points() == pytest.approx(walk[:].global_positions[70, feet(walk)], abs=1e-3)
    view.set_mirrored(True)
    assert eventually(drawn)
    assert points() == pytest.approx(view.positions[feet(walk)], abs=1e-3)
