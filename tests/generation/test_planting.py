from __future__ import annotations

import numpy as np
import pytest

from kinema.generation.channels import CHANNELS, CONTACT, PLACE, TRAVEL, TURN, decode, encode
from kinema.generation.planting import plant
from kinema.generation.rig import AnyRig
from kinema.generation.soles import find_feet
from kinema.mocap.contacts import runs
from kinema.mocap.creatures import Act, make_creature, perform
from kinema.motion import Motion


def standing_speed(rig: AnyRig, channels: np.ndarray) -> float:
    """Mean speed, units a second, of joints between frames in which both are planted."""
    planted = channels[..., CONTACT][..., 0] > 0.5
    places = decode(rig, channels)[:].global_positions[:, rig.joints] / rig.unit
    speed = 30 * np.linalg.norm(np.diff(places, axis=0), axis=-1)
    return float(speed[planted[1:] & planted[:-1]].mean())


def test_feet_that_slide_stand_still(dog: AnyRig, turning: Motion) -> None:
    channels, _ = encode(dog, turning)
    rng = np.random.default_rng(0)
    loose = channels.copy()
    wobble = np.cumsum(rng.normal(0, 0.01, (len(channels), dog.count, 6)), axis=0)
    loose[:, 1:, TURN] += (wobble - wobble.mean(axis=0))[:, 1:].astype(np.float32)
    before, after = standing_speed(dog, loose), standing_speed(dog, plant(dog, loose))
    assert before > 0.2
    assert after < 0.25 * before


def test_feet_that_stand_are_hardly_changed(dog: AnyRig, turning: Motion) -> None:
    channels, _ = encode(dog, turning)
    made = plant(dog, channels)
    np.testing.assert_allclose(made[..., PLACE], channels[..., PLACE], atol=0.05)
    assert np.abs(made[..., PLACE] - channels[..., PLACE]).mean() < 0.001
    assert standing_speed(dog, made) < 0.05


def test_positions_are_those_of_the_new_rotations(dog: AnyRig, turning: Motion) -> None:
    channels, start = encode(dog, turning)
    channels[..., TURN] *= 0.9
    made = plant(dog, channels)
    again, _ = encode(dog, decode(dog, made, start))
    np.testing.assert_allclose(again[..., PLACE], made[..., PLACE], atol=2e-3)


def test_a_contact_that_is_too_short_is_none_and_is_not_called_so(dog: AnyRig, turning: Motion) -> None:
    channels, _ = encode(dog, turning)
    foot = int(channels[..., CONTACT][..., 0].sum(axis=0).argmax())
    first, stop = runs(channels[:60, foot, CONTACT][:, 0] > 0.5)[1]
    channels[:, foot, CONTACT] = 0.0
    channels[first:stop, foot, CONTACT] = channels[80:82, foot, CONTACT] = 1.0
    made = plant(dog, channels)[:, foot, CONTACT][:, 0]
    assert made[first:stop].all()
    assert made.sum() == stop - first


def test_a_foot_takes_a_step_when_it_would_be_out_of_reach(dog: AnyRig) -> None:
    """It is called planted all the time, while the body moves on by several times the length of its leg."""
    channels = np.zeros((90, dog.count, CHANNELS), np.float32)
    foot = int(np.flatnonzero((dog.rest_positions[:, 1] < 0.06) & ~np.isin(np.arange(dog.count), dog.parents))[0])
    channels[:, foot, CONTACT] = 1.0
    channels[:, 0, TRAVEL] = (0.0, 0.5, 0.0)
    made = plant(dog, channels)
    places = decode(dog, made)[:].global_positions[:, dog.joints[foot]] / dog.unit
    planted, limb = made[:, foot, CONTACT][:, 0] > 0.5, find_feet(dog, [foot])[0].limb
    for first, stop in runs(planted):
        assert np.ptp(places[first:stop], axis=0).max() < 0.025 * limb.length
    speed = 30 * np.linalg.norm(np.diff(places, axis=0), axis=-1)
    assert np.median(speed[planted[1:] & planted[:-1]]) < 1e-3
    assert 0.4 < planted.mean() < 0.95
    assert len(runs(planted)) >= 3
    assert places[~planted, 1].max() > places[planted, 1].max() + 0.01


@pytest.mark.parametrize("name", ["person", "bear", "eagle", "lizard", "crab", "centipede", "dragon", "octopus"])
def test_feet_of_every_kind_keep_their_contacts(name: str) -> None:
    creature = make_creature(name)
    rig = AnyRig.of(creature.skeleton)
    channels, _ = encode(rig, perform(creature, [Act("walk", 3.0)]))
    before, after = (each[..., CONTACT][..., 0] > 0.5 for each in (channels, plant(rig, channels)))
    assert before.any()
    assert (before & after).sum() > 0.85 * before.sum()


def test_motion_without_contacts_stays_as_it_is(dog: AnyRig, turning: Motion) -> None:
    channels, _ = encode(dog, turning)
    channels[..., CONTACT] = 0
    np.testing.assert_array_equal(plant(dog, channels), channels)
