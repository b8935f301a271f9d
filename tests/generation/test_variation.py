from __future__ import annotations

import numpy as np
import pytest

from kinema.generation.channels import decode, encode
from kinema.generation.rig import AnyRig
from kinema.generation.variation import Variation, vary
from kinema.mocap.creatures import Act, make_creature, perform


def varied(rig: AnyRig) -> list[Variation]:
    made = [vary(rig, np.random.default_rng(seed)) for seed in range(12)]
    return [each for each in made if each is not None]


@pytest.mark.parametrize("name", ["dog", "spider", "eagle"])
def test_joints_of_a_variation_are_where_those_of_the_rig_are(name: str) -> None:
    creature = make_creature(name, 1)
    rig = AnyRig.of(creature.skeleton)
    motion = perform(creature, [Act("walk", 1.0, curve=0.8)], seed=2)
    channels, start = encode(rig, motion)
    positions = decode(rig, channels, start)[:].global_positions[:, rig.joints]
    variations = varied(rig)
    assert len(variations) > 6
    for each in variations:
        drawn = decode(each.rig, each.channels(channels), start)[:].global_positions[:, each.rig.joints]
        expected = 0.5 * (positions[:, each.first] + positions[:, each.second])
        assert np.abs(drawn - expected).max() < 2e-3 * rig.unit


def test_joints_are_left_out_put_in_and_renamed(dog: AnyRig) -> None:
    variations = varied(dog)
    assert any(len(np.unique(each.first[each.first == each.second])) < dog.count for each in variations)
    assert any((each.first != each.second).any() for each in variations)
    assert any(each.rig.skeleton.names[0].startswith("bone_") for each in variations)


def test_what_stands_on_the_ground_is_kept(dog: AnyRig) -> None:
    lowest = np.flatnonzero(dog.rest_positions[:, 1] < 0.1 * dog.rest_positions[0, 1])
    assert len(lowest) >= 4
    for each in varied(dog):
        assert np.isin(lowest, each.first[each.first == each.second]).all()


def test_what_was_taken_of_a_mirror_pair_changes_no_other_joint(dog: AnyRig) -> None:
    channels = np.random.default_rng(0).standard_normal((3, dog.count, 14)).astype(np.float32)
    for each in varied(dog):
        own = each.first == each.second
        np.testing.assert_array_equal(each.channels(channels)[:, own, :6], channels[:, each.first[own], :6])
        assert not each.channels(channels)[:, ~own, :6].any()
