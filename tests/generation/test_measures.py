"""Single figures: each sees what it is for, and cannot be talked out of it."""

import numpy as np
import pytest

from kinema.generation import measures
from kinema.generation.channels import CONTACT, HEIGHT, PLACE, TRAVEL
from kinema.generation.measures import Skate
from kinema.generation.takes import Takes


@pytest.fixture
def channels(truth):
    return truth.takes.channels.copy()


def sliding(channels, speed=0.4):
    channels[:, :, 0, TRAVEL.start] += speed
    return channels


def test_stated_positions_beside_the_drawn_ones_are_seen(truth, channels):
    assert measures.agreement(truth.takes) < 0.05
    channels[..., PLACE.start] += 0.1  # of two units
    assert measures.agreement(Takes(truth.rig, channels)) == pytest.approx(5.0, abs=0.1)


def test_the_ground_truth_hardly_skates_and_sliding_is_measured(truth, channels):
    assert truth.skate.planted < 0.02 and truth.skate.low < 0.05
    skate = Skate.of(Takes(truth.rig, sliding(channels)), truth.feet)
    assert skate.planted == pytest.approx(0.4, rel=0.1)
    assert skate.low == pytest.approx(0.4, rel=0.2)
    assert skate.ratio_to(truth.skate) > 5


def test_hidden_contacts_do_not_improve_skate(truth, channels):
    seen = Skate.of(Takes(truth.rig, sliding(channels)), truth.feet).ratio_to(truth.skate)
    channels[..., CONTACT] = 0.0
    hidden = Skate.of(Takes(truth.rig, channels), truth.feet)
    assert hidden.planted is None and hidden.planted_share == 0
    assert hidden.ratio_to(truth.skate) > 0.6 * seen > 2


def test_feet_that_never_come_down_have_no_ratio_to_be_proud_of(truth, channels):
    channels[..., CONTACT] = 0.0
    channels[:, :, 0, HEIGHT.start] += 1.0
    assert Skate.of(Takes(truth.rig, channels), truth.feet).ratio_to(truth.skate) == float("inf")


@pytest.mark.parametrize("lift", [0.1, -0.1])
def test_floating_and_sinking_are_measured(truth, channels, lift):
    assert measures.float_error(truth.takes, truth.feet) < 0.3
    channels[:, :, 0, HEIGHT.start] += lift
    assert measures.float_error(Takes(truth.rig, channels), truth.feet) == pytest.approx(5.0, abs=0.5)


def test_floating_is_measured_though_contacts_are_hidden(truth, channels):
    channels[:, :, 0, HEIGHT.start] += 0.1
    channels[..., CONTACT] = 0.0
    takes = Takes(truth.rig, channels)
    assert measures.float_error(takes, truth.feet) is None
    always = np.ones((takes.count, takes.frames), np.bool_)
    assert measures.float_error(takes, truth.feet, always) > 4


def test_noise_is_jerky(truth, channels, rng):
    channels[..., 0, HEIGHT.start] += 0.005 * rng.standard_normal(channels.shape[:2]).astype(np.float32)
    assert measures.jerk(Takes(truth.rig, channels)) > 2 * truth.jerk


def test_speed_and_turn_are_those_of_the_travel(truth, channels):
    channels[:, :, 0, TRAVEL] = (0.3, 0.4, -0.6)
    takes, ones = Takes(truth.rig, channels), np.ones(len(channels))
    assert measures.speed_errors(takes, 0.4 * ones) == pytest.approx(25.0 * ones, rel=1e-3)
    assert measures.turns_obeyed(takes, -0.5 * ones).all()
    assert not measures.turns_obeyed(takes, 0.6 * ones).any()  # to the wrong side
    assert not measures.turns_obeyed(takes, -0.3 * ones).any()  # twice as much
    assert not measures.turns_obeyed(takes, -1.5 * ones).any()  # too little


def test_exactness_looks_at_what_was_given_alone(truth):
    given = truth.takes.channels[0]
    joints, root = np.zeros(given.shape[:2], np.bool_), np.zeros(len(given), np.bool_)
    joints[:5, 3], root[:5] = True, True
    made = truth.takes.channels[:1].copy()
    assert measures.exactness(made, given, joints, root) == 0
    made[:, 5:] += 1.0
    made[:, :5, 4:] += 1.0
    assert measures.exactness(made, given, joints, root) == 0
    made[0, 2, 3, 7] += 0.25
    assert measures.exactness(made, given, joints, root) == pytest.approx(0.25)
    made[0, 2, 0, TRAVEL] += 0.5
    assert measures.exactness(made, given, joints, root) == pytest.approx(0.5)
