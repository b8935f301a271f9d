import numpy as np
import pytest

from kinema import rotations
from kinema.mocap.creatures import Act, make_creature, perform
from kinema.mocap.creatures.channels import Channels
from kinema.mocap.creatures.course import plan_course
from kinema.mocap.creatures.perform import kind_of_creature
from kinema.mocap.creatures.posing import clear_ground, lagged, lift_head, place_body, pose_trunk, turned


def standing(name, seconds=1.0):
    kind = kind_of_creature(make_creature(name))
    course = plan_course([Act("idle", seconds)], 30.0, kind.pacing, 0.5)
    return kind.body, course, Channels(course.times.size)


def posed(body, course, channels):
    figure = place_body(body, course, channels)
    pose_trunk(figure, channels)
    return figure


def test_turned_is_left_then_down_then_left_side_up():
    ahead = rotations.rotate(turned(np.asarray([0.5]), np.asarray([0.3]), np.zeros(1)), np.asarray([0.0, 0.0, 1.0]))
    assert ahead[0, 0] > 0.3 and ahead[0, 1] < -0.2
    left = rotations.rotate(turned(np.zeros(1), np.zeros(1), np.asarray([0.3])), np.asarray([1.0, 0.0, 0.0]))
    assert left[0, 1] > 0.2


def test_zero_channels_are_the_standing_body():
    body, course, channels = standing("dog")
    figure = posed(body, course, channels)
    for joint in (body.anatomy.root, body.anatomy.trunk[-1], body.anatomy.head):
        expected = body.positions[joint] - np.asarray([0.0, body.sag, 0.0])
        np.testing.assert_allclose(figure.place(joint)[0], expected, atol=1e-9)


@pytest.mark.parametrize("channel", ["bend", "arch"])
def test_a_back_that_bends_keeps_its_ends_in_place(channel):
    body, course, channels = standing("lizard")
    setattr(channels, channel, channels.bend + 0.6)
    figure = posed(body, course, channels)
    hips, chest = body.anatomy.root, body.anatomy.trunk[-1]
    for joint in (hips, chest):
        away = np.linalg.norm(figure.place(joint)[0] - body.positions[joint] + [0, body.sag, 0])
        assert away < 0.1 * np.linalg.norm(body.positions[chest] - body.positions[hips])
    front, back = (rotations.angle(figure.rotation(joint))[0] for joint in (chest, hips))
    assert front == pytest.approx(0.3, abs=0.02) and back == pytest.approx(0.3, abs=0.02)


def test_a_head_in_the_ground_bends_the_neck_up_and_leaves_the_body_where_it_is():
    body, course, channels = standing("crocodile")
    channels.neck_pitch += 1.0
    lowest = min(figure_low(posed(body, course, channels), body))
    assert lift_head(posed(body, course, channels), channels, 30.0, 0.2)
    raised = posed(body, course, channels)
    assert lowest < -0.1 and min(figure_low(raised, body)) > 0.3 * lowest
    assert raised.place(body.anatomy.root)[0, 1] == pytest.approx(body.positions[body.anatomy.root, 1] - body.sag)


def figure_low(figure, body):
    return [figure.point(joint, point)[:, 1].min() for joint, point in body.ends(body.anatomy.head)]


def test_a_body_below_the_ground_is_raised_and_one_above_it_is_not():
    body, course, channels = standing("dog")
    figure = posed(body, course, channels)
    assert not clear_ground(figure, 30.0, 0.2)
    figure.shift(np.asarray([0.0, -0.7 * body.positions[body.anatomy.root, 1], 0.0]))
    assert clear_ground(figure, 30.0, 0.2)
    assert min(figure.place(leg.joints[1])[:, 1].min() for leg in body.legs) > -1e-6


@pytest.mark.parametrize(
    ("name", "script"),
    [
        ("dog", (Act("run", 1.5, 0.9), Act("idle", 1.0))),
        ("dragon", (Act("run", 1.5, 0.9), Act("jump", 1.5))),
        ("bear", (Act("run", 2.0, 0.7),)),
        ("crocodile", (Act("run", 1.5, 0.8), Act("attack", 2.0))),
    ],
)
def test_knees_stay_above_the_ground_in_hard_stops_and_jumps(name, script, tools):
    motion = tools.clip(name, script)
    assert motion[:].global_positions[..., 1].min() > -0.02 * tools.size(motion)


@pytest.mark.parametrize(("name", "rig"), [("crocodile", 3), ("crocodile", 13), ("lizard", None), ("crab", 2)])
def test_no_joint_whips_when_a_body_turns_on_the_spot(name, rig):
    body = make_creature(name, rig)
    motion = perform(body, (Act("turn", 2.0, 0.9, turn=2.4), Act("run", 1.0)))
    local = motion.local_rotations.astype(float)
    most = 40 * max(1.0, 0.2 / kind_of_creature(body).pacing.unit)
    assert (rotations.angle(rotations.relative(local[:-1], local[1:])) * motion.fps).max() < most


def test_lagged_channels_come_later():
    _, course, channels = standing("dog")
    channels.pitch += course.times
    np.testing.assert_allclose(lagged(channels.pitch, course, 0.1)[10:], channels.pitch[10:] - 0.1)
