"""Keys and sticks to commands."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kinema.session.steering import InputState, Steering

DT = 1 / 60


def held(*keys: str) -> InputState:
    return InputState(frozenset(keys))


def velocity(state: InputState, camera: float = 0.0, heading: float = 0.0) -> np.ndarray:
    return Steering(walk=1.0, run=3.0, slow=0.5).command(state, camera, heading, DT).velocity[0]


def test_keys_move_relative_to_the_camera():
    # A camera that looks along +Z has -X at its right hand.
    assert velocity(held("KeyW")) == pytest.approx([0, 0, 1], abs=1e-6)
    assert velocity(held("KeyD")) == pytest.approx([-1, 0, 0], abs=1e-6)
    assert velocity(held("ArrowDown")) == pytest.approx([0, 0, -1], abs=1e-6)
    assert velocity(held("KeyW"), camera=math.pi / 2) == pytest.approx([1, 0, 0], abs=1e-6)
    assert velocity(held("KeyD"), camera=math.pi / 2) == pytest.approx([0, 0, 1], abs=1e-6)


def test_two_keys_are_not_faster_and_opposite_ones_cancel():
    assert np.linalg.norm(velocity(held("KeyW", "KeyD"))) == pytest.approx(1.0)
    assert velocity(held("KeyW", "KeyS")) == pytest.approx([0, 0, 0])


def test_speeds_and_brake():
    assert velocity(held("KeyW", "ShiftLeft"))[2] == pytest.approx(3.0)
    assert velocity(held("KeyW", "AltLeft"))[2] == pytest.approx(0.5)
    assert velocity(held("KeyW", "ShiftLeft", "Space")) == pytest.approx([0, 0, 0])


def test_stick_goes_from_walking_to_running():
    assert velocity(InputState(move=(0.0, 0.335)))[2] == pytest.approx(0.5)
    assert velocity(InputState(move=(0.0, 0.67)))[2] == pytest.approx(1.0)
    assert velocity(InputState(move=(0.0, 1.0)))[2] == pytest.approx(3.0)
    assert velocity(InputState(move=(1.0, 0.0)))[0] == pytest.approx(-3.0)


def test_facing_follows_travel_unless_asked():
    assert np.isnan(Steering().command(held("KeyW"), 0.0, 0.0, DT).facing).all()
    right_stick = Steering().command(InputState(look=(1.0, 0.0)), 0.0, 0.0, DT)
    assert right_stick.facing[0] == pytest.approx([-1, 0, 0], abs=1e-6)


def test_q_turns_left_and_the_facing_holds_until_it_stops():
    steering = Steering(turn_rate=1.0)
    for _ in range(60):
        control = steering.command(held("KeyW", "KeyQ"), 0.0, 0.0, DT)
    assert math.atan2(control.facing[0, 0], control.facing[0, 2]) == pytest.approx(1.0, abs=1e-4)
    strafing = steering.command(held("KeyW"), 0.0, 0.7, DT)
    assert strafing.facing == pytest.approx(control.facing)
    assert np.isnan(steering.command(InputState(), 0.0, 0.7, DT).facing).all()
    assert np.isnan(steering.command(held("KeyW"), 0.0, 0.7, DT).facing).all()


@settings(max_examples=60, deadline=None, derandomize=True)
@given(
    st.sets(st.sampled_from(["KeyW", "KeyA", "KeyS", "KeyD", "KeyQ", "KeyE", "ShiftLeft", "Space", "Nonsense"])),
    st.tuples(st.floats(-1, 1), st.floats(-1, 1)),
    st.floats(-10, 10),
)
def test_commands_are_finite_planar_and_bounded(keys, stick, camera):
    control = Steering().command(InputState(frozenset(keys), stick), camera, 0.0, DT)
    assert np.isfinite(control.velocity).all() and control.velocity[0, 1] == 0
    assert np.linalg.norm(control.velocity) <= 3.2 * math.sqrt(2) + 1e-5
