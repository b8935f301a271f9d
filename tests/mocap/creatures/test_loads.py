import numpy as np

from kinema.mocap.creatures.gaits import plan_cycle
from kinema.mocap.creatures.loads import body_loads
from kinema.mocap.creatures.perform import kind_of_creature


def loads_of(tools, name, build, froude):
    body = kind_of_creature(tools.creature(name)).body
    orders, sides = (np.asarray([getattr(leg, key) for leg in body.legs]) for key in ("order", "side"))
    speeds = np.full(600, froude)
    cycle = plan_cycle(speeds, [None] * 600, orders, sides, build, 0.25, 1.2, 60.0, 0.0)
    return body_loads(body, cycle), cycle


def harmonic(values, cycle, times):
    """Amplitude of a harmonic of the stride."""
    return 2 * abs(np.mean(values * np.exp(-2j * np.pi * times * cycle.phase)))


def test_walkers_bounce_twice_a_stride_and_sway_once(tools):
    loads, cycle = loads_of(tools, "person", "two", 0.4)
    assert harmonic(loads.bounce, cycle, 2) > 5 * harmonic(loads.bounce, cycle, 1)
    assert harmonic(loads.sway, cycle, 1) > 5 * harmonic(loads.sway, cycle, 2)


def test_walkers_are_high_in_mid_stance_and_runners_low(tools):
    walk, walking = loads_of(tools, "person", "two", 0.4)
    run, running = loads_of(tools, "person", "two", 1.5)
    middle = [np.cos(4 * np.pi * (cycle.leg_phases()[:, 0] - 0.5 * cycle.duty)) for cycle in (walking, running)]
    assert np.mean(walk.bounce * middle[0]) > 0.05 and np.mean(run.bounce * middle[1]) < -0.05


def test_the_body_sways_over_the_foot_that_stands(tools):
    loads, cycle = loads_of(tools, "person", "two", 0.4)
    left = np.cos(2 * np.pi * (cycle.leg_phases()[:, 0] - 0.5 * cycle.duty))
    assert np.corrcoef(loads.sway, left)[0, 1] > 0.95


def test_a_lizard_bends_away_from_the_front_foot_that_strikes(tools):
    loads, cycle = loads_of(tools, "lizard", "sprawled", 0.5)
    strikes = np.diff(np.floor(cycle.leg_phases()[:, 0])) > 0
    assert loads.wave[1:][strikes].mean() < -0.5


def test_the_left_arm_is_back_when_the_left_foot_strikes(tools):
    loads, cycle = loads_of(tools, "person", "two", 0.4)
    strikes = np.diff(np.floor(cycle.leg_phases()[:, 0])) > 0
    assert loads.swing[1:][strikes].mean() < -0.5
