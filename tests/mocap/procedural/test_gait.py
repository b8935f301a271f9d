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


def cadence_of(person, segment):
    """Steps per second in the middle of a long segment."""
    path, gait, _ = planned(person, segment)
    middle = (path.times > 2) & (path.times < segment.seconds - 2)
    return 2 * np.ptp(gait.cycles[middle]) / np.ptp(path.times[middle])


@pytest.mark.parametrize(
    ("speed", "least", "most"),
    [(0.3, 0.9, 1.2), (0.6, 1.15, 1.4), (1.0, 1.5, 1.75), (1.4, 1.8, 2.0), (2.0, 2.1, 2.5), (3.0, 2.6, 3.0)],
)
def test_cadence_grows_with_speed_as_that_of_people(person, speed, least, most):
    assert least < cadence_of(person, Segment("walk", 8.0, speed)) < most


def test_steps_lengthen_as_fast_as_they_quicken(person):
    """The walk ratio, step length over cadence: 0.4 m s, or 0.0065 m per step a minute."""
    cadences = np.asarray([cadence_of(person, Segment("walk", 8.0, speed)) for speed in (0.8, 1.1, 1.4, 1.7)])
    ratios = np.asarray([0.8, 1.1, 1.4, 1.7]) / cadences**2
    np.testing.assert_allclose(ratios, 0.39, rtol=0.04)


@pytest.mark.parametrize(
    ("direction", "speed", "least", "most"),
    [(0.5, 0.3, 1.0, 1.5), (0.5, 1.0, 1.5, 1.9), (-0.5, 1.0, 1.5, 1.9), (1.0, 0.5, 1.2, 1.6), (1.0, 1.0, 1.7, 2.0)],
)
def test_cadence_of_side_steps_and_backward_steps(person, direction, speed, least, most):
    assert least < cadence_of(person, Segment("walk", 8.0, speed, direction=direction * np.pi)) < most


def test_feet_stay_on_the_ground_longer_at_low_speed(person):
    shares = []
    for speed in (0.3, 0.8, 1.4, 2.5, 3.5):
        path, gait, _ = planned(person, Segment("walk", 6.0, speed))
        shares.append(gait.duty[np.argmin(np.abs(path.times - 3.0))])
    assert (np.diff(shares) < -0.02).all()
    assert shares[0] > 0.65 and shares[2] > 0.5 > shares[3]


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


@pytest.mark.parametrize(("direction", "side"), [(0.5, 1), (-0.5, -1), (0.7, -1), (-0.7, 1), (0.0, 0), (1.0, 0)])
def test_hips_turn_into_side_steps(person, direction, side):
    path, gait, _ = planned(person, Segment("walk", 6.0, 1.0, direction=direction * np.pi))
    turned = gait.hips_turn[np.argmin(np.abs(path.times - 3.0))]
    assert side * turned > 0.2 if side else abs(turned) < 1e-6
