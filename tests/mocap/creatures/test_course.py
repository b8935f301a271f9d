import numpy as np
import pytest

from kinema.errors import ControlError
from kinema.mocap.creatures.acts import Act
from kinema.mocap.creatures.course import Pacing, plan_course

PACING = Pacing(0.25, 0.6, {"walk": (0.2, 0.4, 0.6), "run": (0.9, 1.5, 2.2), "turn": (0.3, 0.5, 0.7)}, altitude=2.0)
SNAKE = Pacing(0.25, 0.6, PACING.speeds, turning=1.6, follows=True)


def test_speeds_go_with_the_pace():
    slow, usual, fast = (PACING.of(Act("walk", pace=pace)) for pace in (-1.0, 0.0, 1.0))
    assert (slow, usual, fast) == pytest.approx((0.2 * 2.4, 0.4 * 2.4, 0.6 * 2.4))
    assert PACING.of(Act("walk", speed=9.0)) == 9.0
    assert PACING.of(Act("jump")) is None  # goes on as before


def test_courses_integrate_what_is_commanded():
    course = plan_course([Act("walk", 2.0), Act("walk", 2.0, turn=np.pi / 2)], 60.0, PACING, 1.0)
    at = {seconds: int(np.searchsorted(course.times, seconds)) for seconds in (0.0, 1.0, 2.0, 4.0)}
    np.testing.assert_allclose(course.position[at[0.0]], 0, atol=1e-9)
    np.testing.assert_allclose(course.position[at[1.0]], [0.0, 0.96], atol=1e-3)
    assert course.facing[at[4.0]] == pytest.approx(np.pi / 2)
    np.testing.assert_allclose(course.velocity[at[4.0]], [0.96, 0.0], atol=1e-3)
    assert course.ahead()[at[4.0]] == pytest.approx(0.96)


def test_velocity_has_no_jumps():
    course = plan_course([Act("run", 1.0), Act("back", 1.0), Act("walk", 1.0, turn=2.0)], 60.0, PACING, 1.0)
    assert np.abs(np.diff(course.velocity, axis=0)).max() < 0.2 * course.speed.max()
    assert np.abs(np.diff(course.facing)).max() < 0.15


def test_snakes_go_where_their_heads_point():
    course = plan_course([Act("turn", 3.0, turn=-2.8), Act("walk", 1.0, turn=2.0)], 60.0, SNAKE, 1.0)
    way = np.arctan2(course.velocity[:, 0], course.velocity[:, 1])
    np.testing.assert_allclose(np.cos(way - course.facing), 1.0, atol=1e-9)


def test_wide_stances_turn_slowly_and_no_turn_takes_longer_than_it_says():
    assert SNAKE.turn_seconds(2.0, 0.0) == pytest.approx(1.6 * PACING.turn_seconds(2.0, 0.0))
    assert PACING.turn_seconds(1.0, 1.0) < PACING.turn_seconds(1.0, 0.0) < PACING.turn_seconds(2.0, 0.0)
    angle = PACING.turn_within(3.0, 0.5)
    assert PACING.turn_seconds(angle, 0.5) == pytest.approx(3.0)
    assert PACING.turn_within(0.01, 0.0) == 0.0


def test_the_dead_fall_out_of_the_air_as_stones_do():
    course = plan_course([Act("fly", 2.0), Act("die", 3.0)], 240.0, PACING, 1.0)
    fall = float(np.sqrt(2 * 2.0 / PACING.gravity))
    halfway = int(np.searchsorted(course.times, 2.0 + 0.5 * fall))
    assert course.altitude[halfway] == pytest.approx(0.75 * 2.0, abs=0.02)
    assert course.altitude[int(np.searchsorted(course.times, 2.01 + fall))] == 0.0


def test_a_script_needs_acts():
    with pytest.raises(ControlError, match="at least one Act"):
        plan_course([], 60.0, PACING, 1.0)
