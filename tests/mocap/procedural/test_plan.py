from itertools import pairwise

import numpy as np
import pytest

from kinema.mocap.procedural import STYLES
from kinema.mocap.procedural.gait import plan_gait
from kinema.mocap.procedural.plan import Steps, go_around, plan_steps
from kinema.mocap.procedural.script import Segment, plan_path
from kinema.mocap.procedural.stance import find_stance


def planned(person, *script, style="neutral"):
    stance = find_stance(person)
    path = plan_path(script, 60.0, stance.leg, 20.0, 2.0)
    gait = plan_gait(path, stance, STYLES[style], right_first=True)
    return path, gait, plan_steps(path, gait, stance, STYLES[style], np.random.default_rng(0))


@pytest.mark.parametrize("kind", ["walk", "run", "backward", "strafe"])
def test_footsteps_alternate(person, kind):
    _, _, (left, right) = planned(person, Segment("idle", 1.0), Segment(kind, 8.0), Segment("idle", 2.0))
    strikes = sorted([(t, "l") for t in left.strike[1:]] + [(t, "r") for t in right.strike[1:]])
    sides = [side for _, side in strikes]
    assert len(sides) > 10
    assert all(a != b for a, b in pairwise(sides))
    for steps in (left, right):
        assert (steps.lift[1:] > steps.strike[:-1]).all() and (steps.strike > steps.lift).all()


def test_walking_has_double_support_and_running_has_flight(person):
    for kind, flight in (("walk", False), ("run", True)):
        path, gait, (left, right) = planned(person, Segment(kind, 6.0))
        air = np.zeros((2, path.times.size), bool)
        for row, steps in enumerate((left, right)):
            for lift, strike in zip(steps.lift[1:], steps.strike[1:], strict=True):
                air[row] |= (path.times > lift) & (path.times < strike)
        middle = (path.times > 1) & (path.times < 5)
        assert air.all(axis=0)[middle].any() == flight
        assert (~air).all(axis=0)[middle].any() == (not flight)
        duty = 1 - air[:, middle].mean()
        assert duty == pytest.approx(0.61 if kind == "walk" else 0.31, abs=0.05)
        assert gait.running[middle].min() == gait.running[middle].max() == flight


def test_feet_end_side_by_side_under_the_body_and_rest(person):
    path, _, (left, right) = planned(person, Segment("walk", 3.0), Segment("idle", 4.0))
    middle = 0.5 * (left.position[-1] + right.position[-1])
    apart = left.position[-1] - right.position[-1]
    assert abs(middle[0] - path.position[-1, 0]) < 0.04
    assert 0.08 < apart[0] < 0.35 and abs(apart[1]) < 0.06
    assert max(left.strike[-1], right.strike[-1]) < 3.0 + 2.2


def test_nobody_steps_while_standing(person):
    _, gait, (left, right) = planned(person, Segment("idle", 8.0))
    assert left.strike.size == right.strike.size == 1
    assert not gait.moving.any()


@pytest.mark.parametrize(("turn", "most"), [(np.pi / 2, 6), (np.pi, 9)])
def test_turning_on_the_spot_takes_a_few_steps(person, turn, most):
    _, _, (left, right) = planned(person, Segment("idle", 1.0), Segment("turn", 4.0, turn=turn))
    assert 2 <= left.strike.size + right.strike.size - 2 <= most
    assert left.yaw[-1] == pytest.approx(turn, abs=0.25) and right.yaw[-1] == pytest.approx(turn, abs=0.25)


def gaps(left, right):
    """By how much each foot lands to the left of the one that stands, as it should for the left foot, `[K]` metres."""
    found = []
    for steps, other, sign in ((left, right, 1), (right, left, -1)):
        for k in range(2, steps.strike.size - 1):
            standing = int(np.searchsorted(other.strike, steps.strike[k])) - 1
            found.append(sign * (steps.position[k, 0] - other.position[standing, 0]))
    return np.asarray(found)


def test_slow_side_steps_close_the_feet_and_faster_ones_cross(person):
    slow, fast = (gaps(*planned(person, Segment("strafe", 8.0, speed))[2]) for speed in (0.25, 1.0))
    assert slow.min() > 0.1
    assert fast.min() < -0.2


@pytest.mark.parametrize("side", [1, -1])
def test_the_trailing_foot_of_crossing_side_steps_passes_in_front(person, side):
    _, _, (left, right) = planned(person, Segment("strafe", 8.0, 1.0, direction=side * np.pi / 2))
    ahead = np.median(right.position[2:, 1]) - np.median(left.position[2:, 1])
    assert side * ahead > 0.12


@pytest.mark.parametrize("beside", [0.04, -0.01, 0.3])
def test_a_swinging_foot_goes_around_the_standing_one(person, beside):
    """The left foot steps straight ahead, past a right foot that stands `beside` metres to the right of its way."""
    stance = find_stance(person)
    zero, none = np.zeros(2), np.zeros(2, bool)

    def steps(x, z):
        times = np.asarray([-1.0, 1.0]), np.asarray([-0.5, 1.5])
        return Steps(*times, np.stack([x, z], -1), zero, zero, zero, none, np.zeros((2, 2)))

    left, right = steps(zero, np.asarray([0.0, 1.0])), steps(zero - beside, np.asarray([0.5, 0.5]))
    around = go_around(left, right, stance.feet[0], stance.leg)
    np.testing.assert_allclose(around.detour[1, 1], 0, atol=1e-12)
    assert around.detour[1, 0] + beside == pytest.approx(max(0.13 * stance.leg, beside))


def test_a_limp_shortens_the_stance_of_one_leg(person):
    _, _, (left, right) = planned(person, Segment("walk", 10.0, 1.0), style="injured")
    stands = [np.median(steps.lift[2:] - steps.strike[1:-1]) for steps in (left, right)]
    assert stands[1] < 0.9 * stands[0]
