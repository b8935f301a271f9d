from collections import Counter

import numpy as np
import pytest

from kinema.errors import ControlError
from kinema.mocap.creatures import (
    PLANS,
    allowed_actions,
    creature_set,
    make_creature,
    random_script,
    steering_set,
)
from kinema.mocap.creatures.perform import kind_of_creature


def test_a_set_is_balanced_over_plans_and_acts():
    clips = list(creature_set(45, seed=2, seconds=(1.0, 1.5)))
    plans = Counter(creature.plan for creature, _, _ in clips)
    assert set(plans) == set(PLANS) and max(plans.values()) == min(plans.values())
    kinds = Counter(act.kind for _, script, _ in clips for act in script)
    assert set(kinds) >= {"idle", "walk", "run"}
    assert all(0.9 < motion.seconds < 1.6 for _, _, motion in clips)


def test_every_clip_is_a_function_of_seed_and_number():
    whole = list(creature_set(8, seed=5, seconds=(1.0, 1.5)))
    part = next(iter(creature_set(1, seed=5, seconds=(1.0, 1.5), start=6)))
    assert whole[6][1] == part[1] and whole[6][2].name == part[2].name
    assert whole[6][2].local_rotations.tobytes() == part[2].local_rotations.tobytes()


def test_scripts_last_as_long_as_asked_and_do_what_is_asked():
    body = make_creature("eagle")
    for kind in allowed_actions(body):
        script = random_script(body, np.random.default_rng(3), 4.0, kind)
        assert sum(act.seconds for act in script) == pytest.approx(4.0)
        assert kind in {act.kind for act in script} and len(script) <= 3
    with pytest.raises(ControlError, match="cannot swim"):
        random_script(body, np.random.default_rng(3), 4.0, "swim")


def test_steering_covers_speeds_turns_and_stops():
    clips = steering_set(make_creature("dog"), 0.8, 30.0, seed=1)
    speed = np.concatenate([clip.labels["speed"] for clip in clips])
    turn = np.concatenate([clip.labels["turn"] for clip in clips])
    assert sum(clip.seconds for clip in clips) >= 0.8 * 60
    assert (speed < 0.02).mean() > 0.02 and np.ptp(speed) > 3
    assert turn.max() > 0.6 and turn.min() < -0.6


def test_wrong_numbers_are_errors():
    with pytest.raises(ControlError, match="positive minutes"):
        steering_set(make_creature("dog"), 0.0)
    with pytest.raises(ControlError, match="positive number of seconds"):
        random_script(make_creature("dog"), np.random.default_rng(0), 0.0)
    with pytest.raises(ControlError, match="no creature"):
        next(creature_set(1, plans=["chair"]))


@pytest.mark.parametrize("kind", ["attack", "eat", "look", "jump", "die"])
def test_scripts_dwell_on_what_they_are_about(kind):
    body = make_creature("dog")
    for seed in range(12):
        script = random_script(body, np.random.default_rng(seed), 4.0, kind)
        assert sum(act.seconds for act in script if act.kind == kind) >= 0.55 * 4.0


def test_turns_are_no_wider_than_there_is_time_for():
    body = make_creature("crocodile")
    for seed in range(12):
        for act in random_script(body, np.random.default_rng(seed), 3.0, "turn"):
            if act.kind == "turn" and abs(act.turn) > 0.5:
                assert kind_of_creature(body).pacing.turn_seconds(act.turn, act.pace) <= act.seconds + 1e-6
