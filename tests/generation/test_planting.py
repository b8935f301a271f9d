from __future__ import annotations

import numpy as np

from kinema.generation.channels import CONTACT, PLACE, TURN, decode, encode
from kinema.generation.planting import find_limb, plant
from kinema.generation.rig import AnyRig
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
    np.testing.assert_allclose(made[..., PLACE], channels[..., PLACE], atol=0.03)
    assert standing_speed(dog, made) < 0.05


def test_positions_are_those_of_the_new_rotations(dog: AnyRig, turning: Motion) -> None:
    channels, start = encode(dog, turning)
    channels[..., TURN] *= 0.9
    made = plant(dog, channels)
    again, _ = encode(dog, decode(dog, made, start))
    np.testing.assert_allclose(again[..., PLACE], made[..., PLACE], atol=2e-3)


def test_limbs_end_where_the_body_branches(dog: AnyRig, spider: AnyRig) -> None:
    for rig in (dog, spider):
        feet = [int(joint) for joint in np.flatnonzero(rig.rest_positions[:, 1] < 0.06) if joint not in rig.parents]
        limbs = [find_limb(rig, foot) for foot in feet]
        assert all(limb is not None and rig.depths[limb.top] < rig.depths[limb.middle] for limb in limbs)
    assert find_limb(dog, 0) is None


def test_a_contact_that_is_too_short_is_none_and_is_not_called_so(dog: AnyRig, turning: Motion) -> None:
    channels, _ = encode(dog, turning)
    foot = int(channels[..., CONTACT][..., 0].sum(axis=0).argmax())
    channels[:, foot, CONTACT] = 0.0
    channels[10:30, foot, CONTACT] = channels[40:42, foot, CONTACT] = 1.0
    made = plant(dog, channels)[:, foot, CONTACT][:, 0]
    assert made[10:30].all()
    assert not made[30:].any()


def test_motion_without_contacts_stays_as_it_is(dog: AnyRig, turning: Motion) -> None:
    channels, _ = encode(dog, turning)
    channels[..., CONTACT] = 0
    assert plant(dog, channels) is channels
