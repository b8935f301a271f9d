"""Compiled sampling equals Motion.sample."""

from __future__ import annotations

import numpy as np

from kinema import Pose, rotations
from kinema.control import plan_kernels
from kinema.motion import catmull_rom


def test_values_are_weighted_sums(rng):
    frames, weights = rng.integers(0, 50, (9, 4)), rng.normal(size=(9, 4)).astype(np.float32)
    for values in (rng.normal(size=(50, 6)).astype(np.float32), rng.integers(0, 2, (50, 2)).astype(np.uint8)):
        expected = np.einsum("nk,nkd->nd", weights, values[frames])
        found = plan_kernels.sample_values(values, frames, weights)
        assert found.dtype == np.float32
        np.testing.assert_allclose(found, expected, atol=1e-5)
    assert plan_kernels.sample_values(np.zeros((50, 0), np.float32), frames, weights).shape == (9, 0)


def test_stencils_stay_in_their_clips(rng):
    first = rng.integers(0, 50, 300)
    last = first + rng.choice([0, 1, 2, 30], 300)
    places = rng.choice([first - 3.0, first, first + 0.4, last - 0.25, last, last + 1e12], axis=0)
    frames, weights = plan_kernels.stencils(places, first, last)
    assert (frames >= first[:, None]).all() and (frames <= last[:, None]).all()
    clamped = np.clip(places, first, last)
    base = np.minimum(clamped.astype(np.int64), np.maximum(last - 1, first))
    np.testing.assert_array_equal(frames, np.clip(base[:, None] + np.arange(-1, 3), first[:, None], last[:, None]))
    np.testing.assert_allclose(weights, catmull_rom((clamped - base).astype(np.float32)), atol=1e-7)


def test_kernel_equals_cubic_sampling(database, rng):
    motion = database.clip_motion(0)
    # Signs say nothing about a rotation: stored poses may have either.
    signs = rng.choice(np.float32([-1, 1]), (motion.frames, motion.skeleton.joint_count, 1))
    times = rng.uniform(0, (motion.frames - 1) / motion.fps, 200)
    place = times * motion.fps
    first = np.minimum(place.astype(np.int64), motion.frames - 2)
    around = np.clip(first[:, None] + np.arange(-1, 3), 0, motion.frames - 1)
    weights = catmull_rom((place - first).astype(np.float32))
    fast = plan_kernels.sample_rotations(motion.local_rotations * signs, around, weights)
    plain = motion.sample(times, method="cubic").local_rotations
    assert fast.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(fast, axis=-1), 1, atol=1e-5)
    assert rotations.angle(rotations.relative(fast.astype(np.float64), plain.astype(np.float64))).max() < 1e-5


def test_faded_samples_are_between_both_plans(rng):
    """By Catmull-Rom within each, by shares between them; rotations along the shorter way."""
    turns, old = (rotations.exp(rng.normal(size=(3, frames, 5, 3))).astype(np.float32) for frames in (6, 4))
    values, past = (rng.normal(size=(3, frames, 4)).astype(np.float32) for frames in (6, 4))
    plan_kernels.continue_signs(turns)
    plan_kernels.continue_signs(old)
    rows, places = np.array([2, 0, 2]), np.array([0.0, 4.9, 99.0])
    share = np.array([1.0, 3 * 0.3**2 - 2 * 0.3**3, 0.0])  # 0.49 s are 0.7 of the time it takes
    found, numbers = plan_kernels.sample_faded(turns, values, old, past, rows, places / 10.0, 10.0, 0.7)

    def ends(quaternions, numbers_of):
        last = np.full(3, quaternions.shape[1] - 1)
        around, weights = plan_kernels.stencils(places, np.zeros(3, np.int64), last)
        for n, row in enumerate(rows):
            turned = plan_kernels.sample_rotations(quaternions[row], around[[n]], weights[[n]])[0]
            yield turned, np.einsum("k,kd->d", weights[n], numbers_of[row, around[n]])

    for n, (now, before) in enumerate(zip(ends(turns, values), ends(old, past), strict=True)):
        np.testing.assert_allclose(numbers[n], now[1] + share[n] * (before[1] - now[1]), atol=1e-5)
        signs = np.where((now[0] * before[0]).sum(-1, keepdims=True) < 0, -1, 1)
        mixed = rotations.normalize(now[0] + share[n] * (signs * before[0] - now[0]))
        np.testing.assert_allclose(found[n], mixed, atol=1e-5)
    alone, _ = plan_kernels.sample_faded(turns, values, old, past, rows, places / 10.0, 10.0, 0.0)
    np.testing.assert_allclose(alone[2], found[2], atol=1e-6)
    np.testing.assert_allclose(alone[0], turns[2, 0], atol=1e-6)


def test_signs_continue_along_frames(rng):
    """They say nothing about a rotation, but between opposite ones there is nothing to interpolate."""
    steady = rotations.exp(np.linspace(0, 3, 40)[:, None, None] * rng.normal(size=(2, 1, 5, 3))).astype(np.float32)
    turned = steady * rng.choice(np.float32([-1, 1]), (2, 40, 5, 1))
    before = turned.copy()
    plan_kernels.continue_signs(turned)
    assert ((turned[:, 1:] * turned[:, :-1]).sum(-1) > 0.5).all()
    np.testing.assert_array_equal(turned[:, 0], before[:, 0])
    assert ((turned == before).all(-1) | (turned == -before).all(-1)).all()


def test_local_poses_are_those_of_the_library(biped, rng):
    """Also of columns that are no rotation: slanted, parallel, of any length, or nothing."""
    six = rng.normal(size=(300, biped.joint_count, 6)).astype(np.float32)
    six[::7, :, 3:] = 2 * six[::7, :, :3]
    six[::11, :, :3] = 0
    six[1::3] = rotations.to_6d(rotations.exp(rng.normal(size=(100, biped.joint_count, 3)))).astype(np.float32)
    translated = np.array([0, 3], np.int32)
    known = np.union1d(translated, biped.parents[3:4])
    columns = np.full(biped.joint_count, -1)
    columns[known] = np.arange(len(known))
    places = rng.normal(size=(300, len(known), 3)).astype(np.float32)
    turned, moved = plan_kernels.local_poses(six, biped.parents, places, columns, translated)
    whole = np.zeros((300, biped.joint_count, 3), np.float32)
    whole[:, known] = places
    expected = Pose.from_model(biped, rotations.from_6d(six), whole)
    sound = np.ones(300, bool)
    sound[::7] = sound[::11] = False  # of parallel columns any rotation will do
    angles = rotations.angle(rotations.relative(turned[sound], expected.local_rotations[sound]))
    assert angles.max() < 2e-3
    np.testing.assert_allclose(moved[sound], expected.local_translations[sound][:, translated], atol=1e-4)
    np.testing.assert_allclose(np.linalg.norm(turned, axis=-1), 1, atol=1e-5)
    first = rotations.rotate(turned[::7, 0], np.array([1.0, 0.0, 0.0]))
    aside = six[::7, 0, :3] / np.maximum(np.linalg.norm(six[::7, 0, :3], axis=-1, keepdims=True), 1e-9)
    there = np.linalg.norm(six[::7, 0, :3], axis=-1) > 0
    np.testing.assert_allclose(first[there], aside[there], atol=1e-4)
