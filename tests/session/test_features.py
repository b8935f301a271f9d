"""Features of every frame of a clip."""

from __future__ import annotations

import numpy as np
import pytest

from kinema import Motion, Skeleton, rotations
from kinema.errors import KinemaError
from kinema.mocap.procedural import locomotion_set
from kinema.session.feature_marks import FeatureFrame, shapes
from kinema.session.features import tabulate


@pytest.fixture(scope="module")
def walk() -> Motion:
    """Four seconds of generated walking, somewhere in the world and half a metre above its ground."""
    motion = locomotion_set(minutes=0.5)[0].cut(60, 300)
    return motion.replace(local_translations=motion.local_translations + moved(motion, [3.0, 0.5, -2.0]))


def moved(motion: Motion, by: list[float]) -> np.ndarray:
    """An offset of the root joint alone, in the shape of the motion's translations."""
    return (motion.skeleton.parents[motion.translated] < 0)[:, None] * np.float32(by)


def in_world(seen: FeatureFrame, points: np.ndarray) -> np.ndarray:
    return rotations.rotate(np.asarray(seen.root_rotation, np.float32), points) + seen.root_position


def feet(motion: Motion) -> list[int]:
    return [leg.foot for leg in (motion.skeleton.roles.leg("left"), motion.skeleton.roles.leg("right"))]


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
