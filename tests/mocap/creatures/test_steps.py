import numpy as np
import pytest

from kinema.mocap.creatures import Act
from kinema.mocap.creatures.course import plan_course
from kinema.mocap.creatures.gaits import plan_cycle
from kinema.mocap.creatures.perform import kind_of_creature
from kinema.mocap.creatures.steps import Leap, Mount, arch, bump, track_feet


def tracks_of(tools, script, leaps=(), name="dog"):
    kind = kind_of_creature(tools.creature(name))
    body = kind.body
    course = plan_course(script, 60.0, kind.pacing, 1.0)
    orders, sides = (np.asarray([getattr(leg, key) for leg in body.legs]) for key in ("order", "side"))
    froude = course.speed / kind.pacing.speed
    cycle = plan_cycle(froude, course.gaits, orders, sides, kind.build, kind.pacing.unit, 1.0, 60.0, 0.0)
    mounts = [Mount(course.position, course.facing, (leg.neutral() - body.pivot)[[0, 2]]) for leg in body.legs]
    return course, body, mounts, track_feet(course, cycle, body, mounts, list(leaps), 0.14)


def test_bumps_are_flat_at_both_ends_and_one_in_the_middle():
    x = np.linspace(-0.5, 1.5, 401)
    for shape in (bump, arch):
        values = shape(x)
        assert values[200] == pytest.approx(1.0) and not values[(x <= 0) | (x >= 1)].any()
        assert np.abs(np.diff(values)).max() < 0.03


def test_feet_stand_still_and_swing_above_the_ground(tools):
    course, _, _, tracks = tracks_of(tools, [Act("walk", 3.0)])
    inside = (course.times > 0) & (course.times < 3)
    for track in tracks:
        both = track.planted[1:] & track.planted[:-1]
        np.testing.assert_allclose(np.diff(track.place, axis=0)[both], 0, atol=1e-9)
        assert 0.4 < track.planted[inside].mean() < 0.9
        assert not track.swing[track.planted].any()
        assert track.swing[inside].max() == 1.0
        assert track.place[:, 1].min() >= track.place[0, 1] - 1e-9


@pytest.mark.parametrize("pace", [-1.0, 0.5])
def test_feet_keep_up_with_the_body(pace, tools):
    course, body, mounts, tracks = tracks_of(tools, [Act("run", 3.0, pace)])
    for mount, track in zip(mounts, tracks, strict=True):
        neutral, _ = mount.at(course.times, course)
        behind = neutral[90:-90, 1] - track.place[90:-90, 2]
        assert behind.max() < 0.75 * body.leg and behind.min() > -0.75 * body.leg


def test_standing_bodies_do_not_step(tools):
    _, _, _, tracks = tracks_of(tools, [Act("idle", 3.0)])
    assert all(np.ptp(track.place, axis=0).max() < 1e-9 for track in tracks)


def test_leaps_take_all_feet_off_and_land_them_together(tools):
    course, _, _, tracks = tracks_of(tools, [Act("walk", 3.0)], [Leap(1.0, 1.5, 0.4)])
    air = (course.times > 1.05) & (course.times < 1.45)
    for track in tracks:
        assert not track.planted[air].any()
        assert track.place[air, 1].max() > 0.38
        assert track.planted[np.searchsorted(course.times, 1.52)]


def test_turning_feet_face_where_the_body_faces(tools):
    course, _, _, tracks = tracks_of(tools, [Act("turn", 3.0, turn=2.0), Act("idle", 1.0)])
    assert all(track.yaw[-1] == pytest.approx(course.facing[-1], abs=0.12) for track in tracks)
