import numpy as np
import pytest

from kinema.mocap.procedural import STYLES
from kinema.mocap.procedural.gait import flight_time, hops, plan_gait
from kinema.mocap.procedural.plan import plan_steps
from kinema.mocap.procedural.script import Segment, plan_path
from kinema.mocap.procedural.stance import find_stance


def planned(person, *script, style="neutral"):
    stance = find_stance(person)
    path = plan_path(script, 60.0, stance.leg, 20.0, 2.0)
    gait = plan_gait(path, stance, STYLES[style], right_first=True)
    return path, gait, plan_steps(path, gait, stance, STYLES[style], np.random.default_rng(0))


def test_cadence_and_step_length_are_those_of_people(person):
    for speed, cadence in ((1.4, 1.95), (3.5, 2.8)):
        _, gait, _ = planned(person, Segment("walk", 6.0, speed))
        steps = 2 * (gait.cycles[-60] - gait.cycles[60]) / ((gait.cycles.size - 120) / 60)
        assert steps == pytest.approx(cadence, rel=0.08)


def test_jumps_off_both_feet_and_leaps(person):
    path, _, (left, right) = planned(person, Segment("idle", 1.0), Segment("jump", 3.0, height=0.25))
    [(takeoff, landing, height)] = hops(path, 0.825)
    assert landing - takeoff == pytest.approx(flight_time(0.25)) and height == 0.25
    for steps in (left, right):
        assert steps.hop.sum() == 1
        assert steps.lift[steps.hop][0] == pytest.approx(takeoff, abs=1e-3)
        assert steps.strike[steps.hop][0] == pytest.approx(landing, abs=1e-3)
    _, gait, _ = planned(person, Segment("run", 2.0), Segment("jump", 3.0, height=0.25))
    [(takeoff, landing, _)] = gait.leaps
    assert landing - takeoff == pytest.approx(flight_time(0.25), abs=0.02)
    assert (np.diff(gait.cycles) > 0).all()


def test_people_begin_to_run_near_a_froude_number_of_one_half(person):
    leg = find_stance(person).leg
    for number, running in ((0.4, 0.0), (0.7, 1.0)):
        _, gait, _ = planned(person, Segment("walk", 3.0, float(np.sqrt(number * 9.81 * leg))))
        np.testing.assert_allclose(gait.running, running, atol=1e-9)


@pytest.mark.parametrize(("direction", "first"), [(np.pi / 2, "left"), (-np.pi / 2, "right")])
def test_side_steps_begin_with_the_leading_foot(person, direction, first):
    _, _, steps = planned(person, Segment("idle", 1.0), Segment("strafe", 3.0, direction=direction))
    left, right = (foot.strike[1] for foot in steps)
    assert (left < right) == (first == "left")


@pytest.mark.parametrize(
    "segment", [Segment("walk", 8.0, 0.1), Segment("strafe", 8.0, 0.1), Segment("idle", 8.0, curve=0.2)]
)
def test_feet_step_along_with_a_body_that_creeps(person, segment):
    _, gait, tracks = planned(person, Segment("idle", 2.0), segment, Segment("idle", 2.0))
    assert gait.moving.any()
    assert all(track.strike.size > 3 for track in tracks)
