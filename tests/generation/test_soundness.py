from __future__ import annotations

import numpy as np
import pytest

from kinema import rotations
from kinema.generation.soundness import Subject
from kinema.mocap.creatures import make_creature
from kinema.mocap.creatures.gaits import duty_range

SECONDS = 4.0


@pytest.mark.parametrize(
    ("name", "trials"),
    [("dog", ["walk", "turn", "run"]), ("eagle", ["walk", "turn", "run", "fly"]), ("shark", ["swim"])],
)
def test_creatures_are_sound_and_the_rest_pose_is_not(name: str, trials: list[str]) -> None:
    subject = Subject.of(make_creature(name).skeleton)
    found = subject.trials(SECONDS)
    assert [trial.name for trial in found] == trials
    for trial in found:
        good = subject.conduct(trial, subject.performed(trial, SECONDS, seed=0))
        assert subject.judge(trial, good).failed == (), trial.name
        frozen = subject.conduct(trial, subject.carried(trial, SECONDS))
        assert frozen.speed == pytest.approx(trial.speed, rel=0.02)
        assert "cadence" in subject.judge(trial, frozen).failed, trial.name


def test_a_walk_backward_goes_the_wrong_way_and_a_slow_one_is_too_slow() -> None:
    subject = Subject.of(make_creature("wolf").skeleton)
    walk = subject.trials(SECONDS)[0]
    motion = subject.performed(walk, SECONDS)
    root = int(np.flatnonzero(motion.skeleton.parents < 0)[0])
    turns = motion.local_rotations.copy()
    turns[:, root] = rotations.multiply(rotations.from_yaw(np.full(motion.frames, np.pi, np.float32)), turns[:, root])
    assert "way" in subject.judge(walk, subject.conduct(walk, motion.replace(local_rotations=turns))).failed
    slower = motion.replace(fps=0.75 * motion.fps)
    assert "speed" in subject.judge(walk, subject.conduct(walk, slower)).failed


def test_a_walk_that_does_not_turn_fails_a_turn() -> None:
    subject = Subject.of(make_creature("dog").skeleton)
    walk, turn = subject.trials(SECONDS)[:2]
    assert "way" in subject.judge(turn, subject.conduct(turn, subject.performed(walk, SECONDS))).failed


@pytest.mark.parametrize("name, gaits", [("horse", ["walk"]), ("spider", ["wave", "alternate"])])
def test_feet_may_stand_for_as_long_as_the_gaits_of_the_body_allow(name: str, gaits: list[str]) -> None:
    walk = Subject.of(make_creature(name).skeleton).trials(3.0)[0]
    assert walk.duty is not None
    for gait in gaits:
        longest, shortest = duty_range(gait)
        assert walk.duty[0] <= shortest and longest <= walk.duty[1]


def test_what_is_usual_holds_for_motion_it_was_not_measured_on() -> None:
    """Over two seeds, nearly half of other flights of a sparrow fell outside."""
    subject = Subject.of(make_creature("sparrow").skeleton)
    fly = next(trial for trial in subject.trials(SECONDS) if trial.name == "fly")
    for seed in range(100, 120):
        assert subject.judge(fly, subject.conduct(fly, subject.performed(fly, SECONDS, seed))).cadence, seed
