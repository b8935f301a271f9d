"""Feet: the joints on legs that the ground truth plants."""

import numpy as np

from kinema.generation.channels import CONTACT
from kinema.generation.feet import RigFeet
from kinema.generation.takes import Takes


def test_the_toes_of_a_person_are_its_feet(truth):
    names = [truth.rig.skeleton.names[truth.rig.joints[joint]] for joint in truth.feet.joints]
    assert sorted(names) == ["LeftToeBase", "RightToeBase"]
    assert (truth.feet.legs > 0.7).all() and (truth.feet.legs < 1.5).all()


def test_planted_feet_of_the_ground_truth_are_low_and_swinging_ones_are_not(truth):
    planted, low = truth.feet.planted(truth.takes), truth.feet.low(truth.takes)
    assert low[planted].mean() > 0.99
    assert 0.2 < (~low).mean() < 0.8


def test_bodies_that_plant_nothing_have_no_feet(truth):
    channels = truth.takes.channels.copy()
    channels[..., CONTACT] = 0.0
    assert RigFeet.of(truth.rig, [Takes(truth.rig, channels)]) is None


def test_contacts_of_joints_that_are_on_no_leg_make_no_feet(truth):
    channels = truth.takes.channels.copy()
    channels[..., CONTACT] = 0.0
    heads = np.asarray([truth.rig.skeleton.names[joint] == "Head" for joint in truth.rig.joints])
    channels[:, :, heads, CONTACT] = 1.0
    assert RigFeet.of(truth.rig, [Takes(truth.rig, channels)]) is None
