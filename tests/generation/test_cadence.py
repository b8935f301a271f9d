from __future__ import annotations

import numpy as np
import pytest

from kinema.generation.cadence import bridged_beat, measured_beat, usual_cadence
from kinema.generation.channels import CHANNELS, CONTACT, FPS, PLACE, TURN, encode
from kinema.generation.rig import AnyRig
from kinema.mocap.creatures import Act, make_creature, perform
from kinema.skeleton import Skeleton

RIG = AnyRig.of(make_creature("dog").skeleton)


def test_strides_are_counted_from_strike_to_strike() -> None:
    channels = np.zeros((100, RIG.count, CHANNELS), np.float32)
    left, right = (int(RIG.rest_positions[:, 0].argmax()), int(RIG.rest_positions[:, 0].argmin()))
    for foot, begin in ((left, 15), (right, 5)):
        for strike in range(begin, 100, 20):
            channels[strike : strike + 12, foot, CONTACT] = 1.0
    found = measured_beat(RIG, channels)
    assert found.cadence == pytest.approx(FPS / 20)
    np.testing.assert_allclose(found.phase, (np.arange(100) - 15) / 20, atol=1e-6)  # the left foot counts
    channels[:, 0, CONTACT] = 1.0  # what never leaves the ground says nothing
    assert measured_beat(RIG, channels).cadence == pytest.approx(FPS / 20)
    short = measured_beat(RIG, channels[:24])
    assert np.isnan(short.cadence) and np.isnan(short.phase).all() and len(short.phase) == 24


def test_waves_are_told_by_rotations_where_nothing_stands() -> None:
    channels = np.zeros((90, RIG.count, CHANNELS), np.float32)
    time = np.arange(90) / FPS
    channels[:, 1:, TURN.start + 1] = 0.3 * np.sin(2 * np.pi * 1.5 * time)[:, None]
    wing = int(RIG.rest_positions[:, 0].argmax())
    channels[:, wing, PLACE.start + 1] = 0.2 * np.cos(2 * np.pi * (1.5 * time - 0.3))
    found = measured_beat(RIG, channels)
    assert found.cadence == pytest.approx(1.5, rel=0.05)
    off = (found.phase - (1.5 * time - 0.3) + 0.5) % 1.0 - 0.5
    assert np.abs(off[10:-10]).max() < 0.04  # whole where the wing is highest
    assert np.isnan(measured_beat(RIG, channels[:40]).cadence)
    assert np.isnan(measured_beat(RIG, np.zeros_like(channels)).cadence)


@pytest.mark.parametrize(("name", "action"), [("dog", "walk"), ("spider", "run"), ("snake", "walk"), ("shark", "swim")])
def test_a_rhythm_is_carried_on_through_what_is_not_known(name: str, action: str) -> None:
    creature = make_creature(name)
    rig = AnyRig.of(creature.skeleton)
    channels, _ = encode(rig, perform(creature, [Act(action, 6.0)], fps=FPS, seed=3))
    whole = measured_beat(rig, channels)
    known = np.ones(len(channels), np.bool_)
    known[60:105] = False
    cut = np.where(known[:, None, None], channels, 0.0).astype(np.float32)
    found = bridged_beat(rig, cut, known)
    assert found.cadence == pytest.approx(whole.cadence, rel=0.1)
    off = (found.phase - whole.phase + 0.5) % 1.0 - 0.5
    assert np.abs(off[60:105]).max() < 0.12
    assert np.abs(np.diff(found.phase[60:105] - whole.phase[60:105])).max() < 0.05  # no stride is lost


def test_the_wave_of_a_body_whose_root_is_its_tail_is_told_by_its_head() -> None:
    creature = make_creature("snake")
    rig = AnyRig.of(creature.skeleton)
    assert rig.rest_positions[:, 2].argmin() == 0, "the root is hindmost, and where it is by definition"
    channels, _ = encode(rig, perform(creature, [Act("walk", 6.0)], fps=FPS, seed=3))
    head = int(rig.rest_positions[:, 2].argmax())
    to_the_left = -channels[:, head, PLACE.start].astype(np.float64)
    turn = np.exp(2j * np.pi * measured_beat(rig, channels).phase)
    assert abs(np.angle(np.mean((to_the_left - to_the_left.mean()) * turn.conj()))) < 0.5


def test_strides_of_which_no_side_has_a_whole_one_are_told_by_both() -> None:
    rig = AnyRig.of((dog := make_creature("dog")).skeleton)
    channels, _ = encode(rig, perform(dog, [Act("walk", 6.0)], fps=FPS, seed=3))
    whole = measured_beat(rig, channels)
    stride = round(FPS / whole.cadence)
    known = np.zeros(len(channels), np.bool_)
    known[60 : 60 + round(0.95 * stride)] = known[60 + 2 * stride : 60 + round(2.95 * stride)] = True
    found = bridged_beat(rig, np.where(known[:, None, None], channels, 0.0).astype(np.float32), known)
    assert found.cadence == pytest.approx(whole.cadence, rel=0.1)
    off = (found.phase - whole.phase + 0.5) % 1.0 - 0.5
    assert np.abs(off[60 : 60 + 3 * stride]).max() < 0.2


def test_where_nothing_is_known_twice_there_is_no_rhythm() -> None:
    channels = np.zeros((90, RIG.count, CHANNELS), np.float32)
    known = np.zeros(90, np.bool_)
    assert np.isnan(bridged_beat(RIG, channels, known).cadence)
    known[:20] = known[70:] = True
    assert np.isnan(bridged_beat(RIG, channels, known).phase).all()  # nothing waves
    channels[10:20, 1, CONTACT] = channels[75:85, 1, CONTACT] = 1.0
    assert np.isnan(bridged_beat(RIG, channels, known).cadence)  # one strike on each side


@pytest.mark.parametrize(
    ("name", "within"),
    [("horse", 0.12), ("spider", 0.12), ("eagle", 0.12), ("shark", 0.12), ("person", 0.12), ("snake", 0.4)],
)
def test_what_is_usual_is_what_the_body_does(name: str, within: float) -> None:  # snakes wind at will
    creature = make_creature(name)
    rig = AnyRig.of(creature.skeleton)
    action = "swim" if name == "shark" else "walk"
    for pace in (-1.0, 0.0, 1.0):
        motion = perform(creature, [Act(action, 6.0, pace)], fps=FPS, seed=3)
        seen = measured_beat(rig, encode(rig, motion)[0]).cadence
        speed = float(motion.labels["speed"][60])
        assert usual_cadence(rig, action, pace=pace) == pytest.approx(seen, rel=within)
        assert usual_cadence(rig, action, speed) == pytest.approx(seen, rel=within)


def test_there_is_none_for_what_stays_on_the_spot_and_for_what_the_body_cannot_do() -> None:
    rig = AnyRig.of(make_creature("horse").skeleton)
    assert np.isnan([usual_cadence(rig, action) for action in ("idle", "attack", "fly", "swim", None)]).all()
    stump = Skeleton.create(["a", "b"], [-1, 0], np.zeros((2, 3), np.float32))
    assert np.isnan(usual_cadence(AnyRig.of(stump), "walk", 1.0))
