"""What people do: every deed can be performed, is what it is called, and is labelled frame by frame."""

from __future__ import annotations

import numpy as np
import pytest

from kinema.footage.acts import DEEDS, FPS, MANNERS, PersonAct, draw_act, named_frames, perform_act, shown_from
from kinema.mocap.procedural.bipeds import humanoid
from kinema.mocap.procedural.styles import STYLES

SHOWN = {
    "stand": "idle", "walk": "walk", "walk_left": "walk", "jog": "jog", "run": "run", "sprint": "sprint",
    "backward": "backward", "sidestep_left": "strafe", "turn_left": "turn_left", "turn_right": "turn_right",
    "jump": "jump", "leap": "jump", "crouch": "crouch", "creep": "crouch", "start": "walk", "stop": "idle",
}  # fmt: skip


@pytest.mark.parametrize("deed", DEEDS)
def test_a_deed_is_seen_in_its_clip(deed: str) -> None:
    seconds = 1.4
    act = PersonAct(deed, "neutral", 1, DEEDS[deed].script(np.random.default_rng(2), seconds))
    motion = perform_act(humanoid(), act)
    start = shown_from(motion, seconds)
    assert motion.seconds >= start + seconds
    first = round(start * FPS)
    names = named_frames(motion)[first : first + round(seconds * FPS)]
    assert SHOWN.get(deed, names[0]) in names


def test_sides_are_those_of_the_person() -> None:
    skeleton = humanoid()
    for deed, side in (("sidestep_left", 1.0), ("sidestep_right", -1.0), ("walk_left", 1.0), ("walk_right", -1.0)):
        act = PersonAct(deed, "neutral", 3, DEEDS[deed].script(np.random.default_rng(1), 2.0))
        places, _ = perform_act(skeleton, act).root_frame()
        assert side * (places[-1, 0] - places[0, 0]) > 0.2  # the body faces +Z at first, and +X is its left


def test_draws_follow_from_the_numbers_and_cover_all_deeds() -> None:
    drawn = [draw_act(np.random.default_rng(seed), 1.3) for seed in range(400)]
    assert drawn[7] == draw_act(np.random.default_rng(7), 1.3)
    assert {act.deed for act in drawn} == set(DEEDS)
    assert {act.style for act in drawn} == {"neutral", *MANNERS} and set(MANNERS) <= set(STYLES)


def test_words_tell_the_manner() -> None:
    script = DEEDS["walk"].script(np.random.default_rng(0), 1.0)
    assert PersonAct("walk", "neutral", 0, script).words == "walks"
    assert PersonAct("walk", "proud", 0, script).words == "walks, proudly"
