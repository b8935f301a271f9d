import numpy as np
import pytest

from kinema.mocap.creatures import Act, make_creature
from kinema.mocap.creatures.channels import Channels
from kinema.mocap.creatures.course import plan_course
from kinema.mocap.creatures.perform import kind_of_creature
from kinema.mocap.creatures.scene import Scene
from kinema.mocap.creatures.steps import FootMotion


@pytest.fixture
def scene():
    kind = kind_of_creature(make_creature("dog"))
    course = plan_course([Act("idle", 1.0), Act("look", 2.0, turn=np.pi / 2)], 60.0, kind.pacing, 1.0)
    size = course.times.size
    zero, still = np.zeros(size), np.ones(size, bool)
    track = FootMotion(np.zeros((size, 3)), zero, zero, still, zero.copy(), zero.copy())
    return Scene(kind, course, Channels(size), np.random.default_rng(0), [track])


def test_windows_are_one_inside_and_zero_outside(scene):
    window = scene.over(scene.course.deeds[1])
    times = scene.times
    assert not window[(times <= 1.0) | (times >= 3.0)].any()
    assert window[np.abs(times - 2.0) < 0.2].min() == 1.0
    assert np.abs(np.diff(window)).max() < 0.1


def test_short_windows_still_open(scene):
    assert scene.held(1.0, 1.2, rise=50.0, fall=50.0).max() == pytest.approx(1.0)


def test_beats_are_bumps_around_their_moments(scene):
    bump = scene.beat(2.0, 0.5)
    assert scene.times[np.argmax(bump)] == pytest.approx(2.0, abs=0.01)
    assert bump[np.abs(scene.times - 2.0) > 0.26].max() == 0


def test_repetitions_fit_into_their_deed(scene):
    deed = scene.course.deeds[1]
    starts, period = scene.beats(deed, 2.0)
    assert len(starts) == 3 and starts[0] >= deed.start
    assert starts[-1] + period <= deed.end + 0.1
    assert np.diff(starts) == pytest.approx([period] * 2)


def test_lifted_feet_go_up_and_aside_in_the_frame_of_the_course(scene):
    window = scene.held(2.0, 3.0)
    scene.lift_foot(0, window, 0.2, 0.3, 0.1)
    track, middle = scene.tracks[0], int(np.searchsorted(scene.times, 2.5))
    facing = scene.course.facing[middle]
    left, ahead = np.asarray([np.cos(facing), -np.sin(facing)]), np.asarray([np.sin(facing), np.cos(facing)])
    np.testing.assert_allclose(track.place[middle][[0, 2]], 0.2 * left + 0.1 * ahead, atol=1e-9)
    assert track.place[middle, 1] == pytest.approx(0.3) and track.swing[middle] == 1.0
    assert not track.planted[middle] and track.planted[0]


def test_freed_feet_are_loose(scene):
    scene.free_foot(0, scene.held(2.0, 3.0))
    assert scene.tracks[0].loose.max() == 1.0 and not scene.tracks[0].planted.all()
