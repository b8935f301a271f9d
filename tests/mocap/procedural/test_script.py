import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kinema.errors import ControlError
from kinema.mocap.procedural.script import GAITS, Segment, plan_path, smooth_step

LEG = 0.9


def path_of(*script, leg=LEG):
    return plan_path(script, 60.0, leg, 20.0, 2.0)


def test_path_starts_at_the_origin_and_has_its_margins():
    path = path_of(Segment("walk", 3.0, 1.5))
    start = int(np.searchsorted(path.times, -1e-6))
    np.testing.assert_allclose(path.position[start], 0, atol=1e-12)
    assert path.times.size == 180 + 240
    np.testing.assert_allclose(path.velocity, np.tile([0, 1.5], (420, 1)), atol=1e-12)


@pytest.mark.parametrize("turn", [np.pi / 2, -np.pi / 2])
def test_turns_are_positive_to_the_left(turn):
    path = path_of(Segment("walk", 2.0, 1.5), Segment("walk", 3.0, 1.5, turn=turn))
    np.testing.assert_allclose(path.velocity[-1], [np.sign(turn) * 1.5, 0], atol=1e-9)  # left is +X
    assert path.facing[-1] == pytest.approx(turn)


def test_strafe_travels_left_and_keeps_facing():
    path = path_of(Segment("idle", 1.0), Segment("strafe", 3.0, 1.0))
    np.testing.assert_allclose(path.velocity[-1], [1, 0], atol=1e-9)
    np.testing.assert_allclose(path.facing, 0, atol=1e-12)


def test_curve_turns_steadily():
    path = path_of(Segment("walk", 1.0, 1.5), Segment("walk", 4.0, 1.5, curve=0.8))
    late = path.times > 3
    np.testing.assert_allclose(path.turning[late][:-1], 0.8, atol=1e-6)
    np.testing.assert_allclose(np.linalg.norm(path.velocity[late], axis=-1), 1.5, atol=1e-6)


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(st.sampled_from(GAITS), st.floats(0.2, 3), st.floats(-3.2, 3.2)), min_size=1, max_size=6))
def test_changes_are_of_a_human_size(rows):
    script = [Segment(kind, seconds, turn=turn) for kind, seconds, turn in rows]
    path = path_of(*script)
    assert np.isfinite(path.position).all()
    # changes that overlap add up: three at once is the most that these lengths allow
    assert np.linalg.norm(path.acceleration, axis=-1).max() < 45
    steps = np.diff(path.position, axis=0) * 60
    np.testing.assert_allclose(steps, 0.5 * (path.velocity[1:] + path.velocity[:-1]), atol=1e-9)


def test_one_change_is_within_what_shoes_can_hold():
    path = path_of(Segment("sprint", 2.0, 5.0), Segment("sprint", 3.0, 5.0, turn=np.pi))
    assert np.linalg.norm(path.acceleration, axis=-1).max() < 10.5
    path = path_of(Segment("idle", 2.0), Segment("walk", 3.0, 1.4))
    assert np.linalg.norm(path.acceleration, axis=-1).max() < 4.5
    reached = path.times[np.argmax(np.linalg.norm(path.velocity, axis=-1) > 0.95 * 1.4)]
    assert reached - 2.0 < 0.7  # seconds from command to speed


def test_default_speeds_scale_with_legs():
    small, large = (path_of(Segment("walk", 2.0), leg=leg).velocity[-1, 1] for leg in (0.45, 1.8))
    assert large / small == pytest.approx(2.0)


def test_errors():
    with pytest.raises(ControlError, match=r"'fly'.*walk"):
        Segment("fly")
    with pytest.raises(ControlError, match="seconds"):
        Segment("walk", 0.0)
    with pytest.raises(ControlError, match="finite"):
        Segment("walk", 1.0, float("inf"))
    with pytest.raises(ControlError, match="empty"):
        path_of()


def test_smooth_step_is_flat_at_its_ends():
    x = np.linspace(-0.5, 1.5, 4001)
    y = smooth_step(x)
    assert y[0] == 0 and y[-1] == 1 and (np.diff(y) >= 0).all()
    assert np.abs(np.diff(y, n=2)).max() / (x[1] - x[0]) ** 2 < 5.9  # continuous acceleration
