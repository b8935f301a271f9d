"""The compiled parts of the foot lock against the same formulas in NumPy."""

from __future__ import annotations

import numpy as np

from kinema import rotations, springs
from kinema.control.footfall import level
from kinema.control.footfall_kernels import Lift, aim, drop, follow, lift, sink, slip, tired

DT = 1 / 60


def ramp(x, low, high):
    share = np.clip((x - low) / (high - low), 0, 1)
    return share**2 * (3 - 2 * share)


def test_lift(rng):
    settings = Lift(0.03, 0.02, 0.2, 0.8, 0.08, 0.38, 0.6, springs.damping(0.035))
    size = 0.7
    speed, apart, height, rate = np.abs(rng.normal(scale=0.3, size=(4, 60, 3))).astype(np.float32)
    drawn, planned = rng.normal(scale=0.5, size=(2, 60, 3, 3)).astype(np.float32)
    standing = rng.random((60, 3)) < 0.4
    level = [np.hypot(v[..., 0], v[..., 2]) / size for v in (drawn, planned, drawn - planned)]
    fast = np.maximum(level[0], level[1])
    speeds, aparts = fast + 0.6 * (speed - fast), level[2] + 0.6 * (apart - level[2])
    others = standing.sum(axis=1, keepdims=True) - standing > 0
    wanted = ramp(speeds, 0.2, 0.8) * (0.03 + 0.02 * others * ramp(aparts, 0.08, 0.38)) * ~standing
    heights, rates = springs.spring(height.astype(np.float64), rate, wanted, 0.035, DT)
    found = lift((speed, apart, height, rate), drawn, planned, standing, settings, size, DT)
    np.testing.assert_allclose(found, size * np.maximum(heights, 0), atol=1e-6)
    for mine, other in zip((speed, apart, height, rate), (speeds, aparts, heights, rates), strict=True):
        np.testing.assert_allclose(mine, other, atol=1e-5)


def test_drop(rng):
    hips, feet = rng.normal(scale=0.3, size=(2, 60, 2, 3)).astype(np.float32)
    hips[..., 1] += 0.8
    reach, standing = np.float32([0.8, 0.85]), rng.random((60, 2)) < 0.6
    before = rng.uniform(0, 0.1, 60).astype(np.float32)
    line = feet - hips
    height = np.sqrt(np.maximum(reach**2 - line[..., 0] ** 2 - line[..., 2] ** 2, 0))
    drops = np.where(standing, np.minimum(-line[..., 1] - height, 0.2), 0).max(axis=1)
    found = before.copy()
    drop(found, hips, feet, reach, standing, 0.2)
    np.testing.assert_allclose(found, np.maximum(before, drops), atol=1e-6)
    assert (found > before).any() and (found == before).any()


def test_a_shift_goes_to_where_a_foot_comes_down_and_back(rng):
    shift, rate, aimed, toes = rng.normal(size=(4, 5, 2, 3)).astype(np.float32)
    soon = rng.random((5, 2)) < 0.5
    wanted = np.where(soon[..., None], aimed, 0)
    after, after_rate = springs.spring(shift.astype(np.float64), rate, wanted, 0.08, DT)
    moved = aim((shift, rate), soon, aimed, toes, springs.damping(0.08), DT)
    np.testing.assert_allclose(shift, after, atol=1e-6)
    np.testing.assert_allclose(rate, after_rate, atol=1e-5)
    np.testing.assert_allclose(moved, toes + after, atol=1e-6)


def test_one_foot_at_a_time_steps_if_it_cannot_stay(rng):
    count, feet = 500, 4
    standing, locked, wanted = rng.random((3, count, feet)) < 0.7
    short = rng.normal(-1.0, 0.7, (count, feet)).astype(np.float32)
    toes, anchors = rng.normal(0, 0.2, (2, count, feet, 3)).astype(np.float32)
    enough = np.maximum(wanted.sum(axis=1, keepdims=True) // 2, 1)
    others = locked.sum(axis=1, keepdims=True) - locked >= enough
    weary = standing & (((level(toes - anchors) > 0.3) & others) | (short > 0))
    expected = weary & (np.cumsum(weary, axis=1) == 1) & wanted
    steps = tired(standing, locked, short > 0, wanted, toes, anchors, 0.3)
    np.testing.assert_array_equal(steps, expected)
    assert 50 < steps.sum() == steps.any(axis=1).sum() < count


def test_feet_follow_their_anchors_or_the_pose(rng):
    count, feet = 50, 2
    anchors, toes = rng.normal(0, 0.02, (2, count, feet, 3)).astype(np.float32)
    offset = tuple(rng.normal(0, scale, (count, feet, 3)).astype(np.float32) for scale in (0.02, 0.1, 1.0))
    held, stepping = rng.random((2, count, feet)) < 0.6
    halflife = np.where(held, np.where(stepping, 0.1, 0.026), 0.2)[..., None]
    left = springs.decay_smooth(*(part.astype(np.float64) for part in offset), halflife, DT)
    dampings = tuple(springs.triple_damping(one) for one in (0.026, 0.1, 0.2))
    wanted, standing = follow(offset, held, stepping, anchors, toes, dampings, 0.02, DT)
    for part, expected, scale in zip(offset, left, (1.0, 10.0, 100.0), strict=True):
        np.testing.assert_allclose(part, expected, atol=1e-5 * scale)
    np.testing.assert_allclose(wanted, np.where(held[..., None], anchors, toes) + left[0], atol=1e-6)
    np.testing.assert_array_equal(standing, held & (level(wanted - anchors) < 0.02))
    assert 0 < standing.sum() < held.sum()


def test_sink(rng):
    depth, rate, wanted = rng.normal(size=(3, 60)).astype(np.float32)
    after, after_rate = springs.spring(depth.astype(np.float64), rate, wanted, 0.1, DT)
    sink(depth, rate, wanted, springs.damping(0.1), DT)
    np.testing.assert_allclose(depth, after, atol=1e-6)
    np.testing.assert_allclose(rate, after_rate, atol=1e-5)


def test_slip(rng):
    travel, velocity = rng.normal(size=(2, 60, 3)).astype(np.float32)
    turns = rotations.from_yaw(rng.uniform(-np.pi, np.pi, 60).astype(np.float32))
    way = (travel - 0.45 * rotations.rotate(turns, velocity)) * np.float32([1, 0, 1])
    share = np.minimum(1, 0.3 / level(way))
    found = slip(travel, turns, velocity, 0.45, 0.3)
    np.testing.assert_allclose(found[:, 0], share[:, None] * way, atol=1e-6)
    assert (share < 1).any() and (share == 1).any()
