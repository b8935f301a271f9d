"""Ground to drive on for a minute."""

import numpy as np
import pytest

from kinema.terrain import COURSES, is_void, slopes_course, stairs_course
from kinema.terrain.courses import REACH


@pytest.mark.parametrize("name", list(COURSES))
def test_there_is_ground_as_far_as_anybody_runs_and_level_at_the_start(name):
    ground = COURSES[name](3)
    angles = np.linspace(0, 2 * np.pi, 16, endpoint=False)
    ways = np.stack([np.sin(angles), 0 * angles, np.cos(angles)], axis=-1)
    far = ways[:, None] * np.linspace(0, 0.99 * REACH, 200)[:, None]
    heights = ground.height(far.astype(np.float32))
    assert not is_void(heights).any() and np.abs(heights).max() < 8
    np.testing.assert_allclose(ground.height((0.1 * ways).astype(np.float32)), 0, atol=0.01)
    assert name == "flat" or np.ptp(heights) > 0.5


def test_steps_are_of_stairs():
    course = stairs_course(1)
    rises = np.diff(course.heights)[np.diff(course.along) == 0]
    treads = np.diff(course.along)[np.diff(course.along) > 0]
    assert np.abs(rises).min() >= 0.1 - 1e-6 and np.abs(rises).max() <= 0.2 + 1e-6
    assert (rises > 0).mean() == pytest.approx(0.5, abs=0.2) and treads.min() >= 0.26 - 1e-6
    assert (np.diff(course.heights)[np.diff(course.along) > 0] == 0).all()


def test_slopes_are_up_to_28_degrees():
    course = slopes_course(1)
    angles = np.degrees(np.arctan2(np.diff(course.heights), np.diff(course.along)))
    steep = np.abs(angles[angles != 0])
    assert 5 - 1e-6 <= steep.min() < 8 and 25 < steep.max() <= 28 + 1e-6
    assert (np.diff(course.along) > 0).all()


def test_same_seed_same_course():
    np.testing.assert_array_equal(stairs_course(4).along, stairs_course(4).along)
    assert not np.array_equal(stairs_course(4).along[:20], stairs_course(5).along[:20])
