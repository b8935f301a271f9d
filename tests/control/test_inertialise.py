"""Offsets that die away."""

from __future__ import annotations

import numpy as np
import pytest

from kinema import rotations
from kinema.control.inertialise import Offset, add_rotation_offsets, rotation_offsets

DT = 1e-3


def plan_a(t):
    return np.stack([np.sin(3 * t), t**2], -1)


def plan_b(t):
    return np.stack([1 - 2 * t + np.cos(2 * t), -0.5 + 0 * t], -1)


def switched(halflife: float, dt: float, before: int, after: int) -> tuple[np.ndarray, np.ndarray]:
    """Plan A until 0.3 s, then plan B with an offset; positions `[F, 2]`, and those of plan B alone."""
    t = 0.3 + dt * np.arange(-before, after)[:, None]
    out = plan_a(t)[:, 0]
    offset = Offset(np.zeros((1, 2)), np.zeros((1, 2)), np.zeros((1, 2)))  # float64: differences of tiny steps
    ages = t[before - 1 : before - 4 : -1]
    offset.restart(np.array([True]), plan_a(ages) - plan_b(ages), dt)
    for frame in range(before, before + after):
        out[frame] = (plan_b(t[frame]) + offset.step(halflife, dt))[0]
    return out, plan_b(t)[:, 0]


def test_position_velocity_and_acceleration_are_continuous_at_a_switch():
    """The plans differ by 0.4 in position, 5 in velocity and 3.7 in acceleration."""
    dt = 1e-5
    out, _ = switched(0.2, dt, 10, 10)
    velocity, acceleration = np.diff(out, axis=0) / dt, np.diff(out, 2, axis=0) / dt**2
    assert np.abs(np.diff(out, axis=0)).max() < 1e-4
    assert np.abs(np.diff(velocity, axis=0)).max() < 1e-3
    assert np.abs(acceleration[12] - acceleration[5]).max() < 0.5
    # The velocity is that of half a frame ago: for one frame it shows, as half of the difference in acceleration.
    assert np.abs(np.diff(acceleration, axis=0)).max() < 2.5


def test_the_offset_dies_away():
    out, plan = switched(0.1, 1e-3, 10, 1000)
    apart = np.abs(out - plan).max(axis=1)
    assert apart[10] > 0.4
    assert apart[-1] < 1e-3
    still = Offset(np.ones((1, 1)), np.zeros((1, 1)), np.zeros((1, 1)))
    assert still.step(0.1, 0.1)[0, 0] == pytest.approx(0.5, abs=1e-6)


def test_only_where_asked():
    offset = Offset(*(np.full((2, 3, 3), value, np.float32) for value in (1, 2, 3)))
    offset.restart(np.array([[True, False, False]] * 2), np.zeros((3, 2, 3), np.float32), DT)
    assert not offset.value[:, 0].any() and not offset.acceleration[:, 0].any()
    assert (offset.value[:, 1:] == 1).all() and (offset.velocity[:, 1:] == 2).all()
    assert (offset.acceleration[:, 1:] == 3).all()


def test_rotation_offsets_lead_from_plan_to_output(rng):
    plan, output = rotations.normalize(rng.normal(size=(2, 3, 5, 4)))
    offsets = rotation_offsets(output, plan)
    assert offsets.shape == (3, 5, 3)
    together = add_rotation_offsets(plan, offsets)
    assert rotations.angle(rotations.relative(together, output)).max() < 1e-6


def test_half_turns_do_not_flip(rng):
    axis = rotations.normalize_vector(rng.normal(size=(20, 3)))
    angles = np.array([np.pi - 0.03, np.pi, np.pi + 0.03])[:, None]
    for order in (angles, angles[::-1]):
        offsets = rotation_offsets(rotations.exp(order[..., None] * axis), np.tile([1.0, 0, 0, 0], (3, 20, 1)))
        assert np.linalg.norm(np.diff(offsets, axis=0), axis=-1).max() < 0.031
