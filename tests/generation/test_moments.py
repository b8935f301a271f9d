"""Moments of two motions, matched by what the limbs are doing."""

from __future__ import annotations

import numpy as np
import pytest

from kinema.generation.correspondence import correspond_joints
from kinema.generation.moments import correspond_moments
from kinema.generation.rig import AnyRig
from kinema.mocap.creatures import Act, make_creature, perform


@pytest.mark.parametrize(("one", "two"), [("wolf", "horse"), ("person", "trex")])
def test_walks_of_different_bodies_are_in_step(one: str, two: str) -> None:
    creatures = [make_creature(name) for name in (one, two)]
    first, second = (perform(body, [Act("walk", 4.0)], seed=seed) for seed, body in enumerate(creatures))
    joints = correspond_joints(AnyRig.of(creatures[0].skeleton), AnyRig.of(creatures[1].skeleton))
    frames = correspond_moments(joints, first, second)
    apart = first.labels["phase"] - second.labels["phase"][frames]
    assert len(frames) == first.frames
    assert np.abs((apart + 0.5) % 1.0 - 0.5).mean() < 0.05


def test_other_rates_and_the_same_motion() -> None:
    wolf = make_creature("wolf")
    walk = perform(wolf, [Act("walk", 3.0)])
    joints = correspond_joints(AnyRig.of(wolf.skeleton), AnyRig.of(wolf.skeleton))
    np.testing.assert_array_equal(correspond_moments(joints, walk, walk), np.arange(walk.frames))
    slow = walk.resample(15.0)
    frames = correspond_moments(joints, slow, walk)
    np.testing.assert_allclose(frames / walk.fps, np.arange(slow.frames) / 15.0, atol=0.11)
