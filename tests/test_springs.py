"""Springs: exact solutions of their equations, stable at any step, and what a half-life means."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.linalg import expm
from scipy.optimize import brentq

from kinema import rotations, springs


def solution(state: list[float], rate: float, seconds: float) -> np.ndarray:
    """Value and derivatives after some time under `(d/dt + rate)^n x = 0`, from the `n` of them at the start."""
    order = len(state)
    companion = np.eye(order, k=1)
    companion[-1] = [-math.comb(order, power) * rate ** (order - power) for power in range(order)]
    return expm(companion * seconds) @ state


@pytest.mark.parametrize("halflife", [0.05, 0.3])
@pytest.mark.parametrize("dt", [0.01, 0.4])
def test_springs_solve_their_equations(halflife: float, dt: float) -> None:
    root = float(brentq(lambda u: (1 + u + u * u / 2) * np.exp(-u) - 0.5, 1, 4))  # type: ignore[arg-type]
    rate, triple = springs.damping(halflife), root / halflife
    place, velocity = springs.spring(np.array(1.5), np.array(-4.0), np.array(0.3), halflife, dt)
    np.testing.assert_allclose((place - 0.3, velocity), solution([1.2, -4.0], rate, dt), atol=1e-8)
    got = springs.decay(np.array(1.5), np.array(-4.0), halflife, dt)
    np.testing.assert_allclose(got, solution([1.5, -4.0], rate, dt), atol=1e-8)
    got = springs.decay_smooth(np.array(1.5), np.array(-4.0), np.array(30.0), halflife, dt)
    np.testing.assert_allclose(got, solution([1.5, -4.0, 30.0], triple, dt), atol=1e-8)


def test_steps_compose() -> None:
    x, v, goal = np.array([1.0, -2.0]), np.array([3.0, 0.5]), np.array([0.2, 0.4])
    once = springs.spring(x, v, goal, 0.2, 0.3)
    for _ in range(30):
        x, v = springs.spring(x, v, goal, 0.2, 0.01)
    np.testing.assert_allclose((x, v), once, atol=1e-12)


def test_half_life() -> None:
    halved = springs.approach(np.array(8.0), np.array(0.0), 0.25, 0.25)
    np.testing.assert_allclose(halved, 4.0)
    np.testing.assert_allclose(springs.approach(np.array(8.0), np.array(0.0), 0.25, 0.75), 1.0)
    left, _ = springs.spring(np.array(1.0), np.array(0.0), np.array(0.0), 0.25, 0.25)
    assert 0.5 < left < 0.6  # about one half: a spring starts from rest
    assert springs.spring(np.array(1.0), np.array(0.0), np.array(0.0), 0.25, 2.5)[0] < 1e-4


@pytest.mark.parametrize("dt", [0.0, 1e-9, 1.0, 1e6])
@pytest.mark.parametrize("halflife", [0.0, 1e-9, 0.1, 1e3])
def test_any_step_is_stable(dt: float, halflife: float) -> None:
    x, v, goal = np.float32([1, -3]), np.float32([10, 200]), np.float32([0.5, 0.5])
    position, velocity = springs.spring(x, v, goal, halflife, dt)
    assert np.isfinite(position).all() and np.isfinite(velocity).all()
    if dt == 0:
        np.testing.assert_allclose(position, x, rtol=1e-6)
        np.testing.assert_allclose(velocity, v, rtol=1e-6)
    elif dt > 100 * max(halflife, 1e-5):
        np.testing.assert_allclose(position, goal, atol=1e-5)
        np.testing.assert_allclose(velocity, 0, atol=1e-5)
    moved = springs.move(x, v, v, goal, halflife, dt)
    assert all(np.isfinite(part).all() for part in moved)


def test_move_integrates_the_velocity_spring() -> None:
    goal, halflife, fine = np.array([2.0, -1.0]), 0.2, 1e-4
    p, v, a = np.array([1.0, 1.0]), np.array([0.0, 3.0]), np.array([5.0, 0.0])
    expected, speed, pull = p.copy(), v, a
    for _ in range(5000):
        after, pull = springs.spring(speed, pull, goal, halflife, fine)
        expected, speed = expected + fine * (speed + after) / 2, after
    got = springs.move(p, v, a, goal, halflife, 0.5)
    np.testing.assert_allclose(got[0], expected, atol=1e-6)
    np.testing.assert_allclose(got[1], speed, atol=1e-9)
    np.testing.assert_allclose(got[2], pull, atol=1e-8)


def test_move_predicts_many_times_at_once() -> None:
    p, v, a, goal = np.zeros((1, 3)), np.ones((1, 3)), np.zeros((1, 3)), np.array([[0, 0, 2.0]])
    times = np.array([[0.1], [0.2], [1.0]])
    together = springs.move(p, v, a, goal, 0.3, times)
    for row, time in enumerate(times[:, 0]):
        for one, many in zip(springs.move(p, v, a, goal, 0.3, float(time)), together, strict=True):
            np.testing.assert_allclose(many[row], one[0], atol=1e-12)


def test_long_half_lives_do_not_cancel_in_float32() -> None:
    x = np.float32([[1.0]])
    position, *_ = springs.move(0 * x, 1.5 * x, 0 * x, x, 50.0, 1 / 60)
    np.testing.assert_allclose(position, 1.5 / 60, rtol=1e-4)


def test_rotation_spring_follows_one_axis_like_a_number() -> None:
    axis = np.array([0.6, 0.0, 0.8])
    q, goal = rotations.exp(1.2 * axis), rotations.exp(-0.5 * axis)
    turned, rate = springs.spring_rotation(-q, 0.3 * axis, goal, 0.2, 0.1)
    angle, speed = springs.spring(np.array(1.2), np.array(0.3), np.array(-0.5), 0.2, 0.1)
    assert rotations.angle(rotations.relative(turned, rotations.exp(angle * axis))) < 1e-7
    np.testing.assert_allclose(rate, speed * axis, atol=1e-12)


def test_torch_gives_the_same_numbers() -> None:
    torch = pytest.importorskip("torch")
    x, v = np.array([1.0, 2.0]), np.array([-1.0, 0.5])
    tensors = [torch.from_numpy(part) for part in (x, v, 0 * x)]
    for ours, theirs in zip(springs.spring(x, v, 0 * x, 0.2, 0.1), springs.spring(*tensors, 0.2, 0.1), strict=True):
        np.testing.assert_allclose(theirs.numpy(), ours)
    dt = np.array([0.1, 0.3])
    ours = springs.move(x, v, 0 * x, 1 + x, 0.2, dt)
    theirs = springs.move(*tensors, tensors[0] + 1, 0.2, torch.from_numpy(dt))
    for a, b in zip(ours, theirs, strict=True):
        np.testing.assert_allclose(b.numpy(), a)


def test_smooth_decay_takes_a_halflife_for_each_number() -> None:
    state = np.random.default_rng(3).normal(size=(3, 4, 2))
    halflives = np.array([[0.05, 0.2], [0.1, 0.4], [0.0, 0.3], [1.0, 0.01]])
    together = springs.decay_smooth(*state, halflives, 0.03)
    for place, halflife in np.ndenumerate(halflives):
        alone = springs.decay_smooth(*(part[place] for part in state), float(halflife), 0.03)
        np.testing.assert_allclose([part[place] for part in together], alone, rtol=1e-9, atol=1e-12)
