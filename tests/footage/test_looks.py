"""Looks differ, are described truly, and follow from the random numbers alone."""

from __future__ import annotations

import numpy as np

from kinema.footage.looks import HAIR, PATTERNS, BodyShape, Garment, Look, draw_look


def test_the_same_numbers_give_the_same_look() -> None:
    assert draw_look(np.random.default_rng(3)) == draw_look(np.random.default_rng(3))
    assert draw_look(np.random.default_rng(3)) != draw_look(np.random.default_rng(4))


def test_hundreds_of_looks_have_every_pattern_hair_and_height() -> None:
    looks = [draw_look(np.random.default_rng(seed)) for seed in range(300)]
    assert {look.top.pattern for look in looks} == set(PATTERNS)
    assert {look.hair for look in looks} == set(HAIR)
    heights = [look.proportions.height for look in looks]
    assert min(heights) < 1.5 and max(heights) > 1.9
    assert len({look.top.colour for look in looks}) == 300


def test_patterns_are_of_colours_that_can_be_told_apart() -> None:
    light = np.asarray([0.3, 0.59, 0.11])
    for seed in range(200):
        top = draw_look(np.random.default_rng(seed)).top
        assert abs(light @ np.asarray(top.colour) - light @ np.asarray(top.second)) > 0.08


def test_words_say_what_is_worn() -> None:
    red, blue, orange = (0.8, 0.1, 0.1), (0.1, 0.1, 0.8), (0.95, 0.55, 0.1)
    shorts = Garment(blue, red, "plain", 0.45)
    look = Look(BodyShape(1.9), red, "bald", red, Garment(red, blue, "striped", 1.0), shorts, red)
    assert look.words == "a tall person in a red striped shirt and blue shorts"
    look = Look(BodyShape(1.5), red, "bald", red, Garment(orange, blue, "plain", 0.0), shorts, red)
    assert look.words == "a small person in an orange vest and blue shorts"
