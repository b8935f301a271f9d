import numpy as np
import pytest

from kinema.errors import ControlError
from kinema.mocap.creatures import Act
from kinema.mocap.creatures.gaits import GAITS, duty_range, offsets, plan_cycle

ORDERS, SIDES = np.asarray([0, 0, 1, 1]), np.asarray([1, -1, 1, -1])  # left front, right front, left hind, right hind


def test_lateral_sequence_of_the_walk():
    strikes = offsets("walk", ORDERS, SIDES) % 1
    np.testing.assert_allclose(strikes, [0.25, 0.75, 0.0, 0.5])  # each hind foot before the front foot of its side


def test_trot_moves_diagonals_and_pace_sides():
    trot, pace = offsets("trot", ORDERS, SIDES), offsets("pace", ORDERS, SIDES)
    assert trot[0] == trot[3] != trot[1] == trot[2]
    assert pace[0] == pace[2] != pace[1] == pace[3]


def test_tripods_alternate():
    orders, sides = np.repeat([0, 1, 2], 2), np.tile([1, -1], 3)
    strikes = offsets("tripod", orders, sides)
    assert strikes[0] == strikes[3] == strikes[4] != strikes[1] == strikes[2] == strikes[5]


def test_waves_run_forward_from_the_hind_legs():
    orders, sides = np.repeat(np.arange(5), 2), np.tile([1, -1], 5)
    left = offsets("wave", orders, sides)[::2]
    assert (np.diff(left) < 0).all()


@pytest.mark.parametrize("gait", GAITS)
def test_duty_is_that_of_the_table(gait, tools):
    if gait in ("run", "hop", "wave", "alternate", "tripod"):
        name = "ant" if gait in ("wave", "alternate", "tripod") else "person"
    else:
        name = "dog"
    motion = tools.clip(name, (Act("walk", 4.0, gait=gait),), 0, None, 60.0)
    slow, fast = duty_range(gait)
    share = np.mean([planted.mean() for _, planted, _ in tools.feet(motion)])
    assert fast - 0.08 < share < slow + 0.08


def test_gaits_follow_speed_and_go_the_short_way_round():
    froude = np.repeat([0.3, 1.0, 2.4, 0.3], 120)
    cycle = plan_cycle(froude, [None] * froude.size, ORDERS, SIDES, "four", 0.25, 1.2, 60.0, 0.0)
    assert (np.diff(cycle.phase) > 0).all()
    assert np.abs(np.diff(cycle.offsets, axis=0)).max() < 0.03
    assert (np.diff(cycle.leg_phases(), axis=0) > 0).all()  # no foot steps backward in its stride
    diagonal = cycle.offsets[230, 0] - cycle.offsets[230, 3]
    assert abs(diagonal - round(diagonal)) < 0.05  # a trot at medium speed


def test_small_bodies_step_faster(tools):
    def strikes(name):
        _, planted, _ = next(tools.feet(tools.clip(name, (Act("walk", 4.0),))))
        return int((planted[1:] & ~planted[:-1]).sum())

    assert strikes("cat") > 1.3 * strikes("horse")


def test_unknown_gaits_are_listed():
    with pytest.raises(ControlError, match="there are: walk, run"):
        offsets("moonwalk", ORDERS, SIDES)
