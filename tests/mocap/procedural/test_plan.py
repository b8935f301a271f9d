from itertools import pairwise

import numpy as np
import pytest

from kinema.mocap.procedural import STYLES
from kinema.mocap.procedural.gait import plan_gait
from kinema.mocap.procedural.plan import plan_steps
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


def test_side_steps_do_not_cross(person):
    _, _, (left, right) = planned(person, Segment("strafe", 8.0, 1.0))
    for steps, other in ((left, right), (right, left)):
        for k in range(2, steps.strike.size - 1):
            standing = int(np.searchsorted(other.strike, steps.strike[k])) - 1
            gap = steps.position[k, 0] - other.position[standing, 0]
            assert (gap if steps is left else -gap) > 0.05


def test_a_limp_shortens_the_stance_of_one_leg(person):
    _, _, (left, right) = planned(person, Segment("walk", 10.0, 1.0), style="injured")
    stands = [np.median(steps.lift[2:] - steps.strike[1:-1]) for steps in (left, right)]
    assert stands[1] < 0.9 * stands[0]
