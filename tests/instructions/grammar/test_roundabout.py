from __future__ import annotations

import re

import pytest

from kinema.instructions.grammar.roundabout import ROUNDABOUT
from kinema.instructions.grammar.wording import words_of


def test_no_pattern_begins_or_ends_with_a_space() -> None:
    assert ROUNDABOUT
    for pattern, _ in ROUNDABOUT:
        assert not re.match(r" |.* $", pattern)


@pytest.mark.parametrize(
    "said, plain",
    [
        ("between the car and the house, that's where he should run", "between the car and the house he should run"),
        ("it's the ball that she throws", "she throws the ball"),
        ("what he does is wave", "wave"),
        ("use your left hand to wave", "wave with your left hand"),
        ("wave, left-handed, for three seconds", "wave with the left hand for 3 seconds"),
        ("claps his hands, clap clap clap", "claps his hands 3 times"),
        ("turns to face the opposite way", "turns around"),
        ("have her start with a bow", "first have her do a bow"),
        ("away form the dog", "away-from the dog"),
        ("point out the tower", "point at the tower"),
        ("once three seconds have gone by", "once wait for 3 seconds"),
        ("sneak to the tree like a thief", "sneak to the tree"),
        ("the tree is what he looks at", "he looks at the tree"),
        ("the door, which she opens", "the door , she opens it"),
        ("wait until two seconds have passed", "wait for 2 seconds"),
        ("walk like a thief", "walk like a thief"),
        ("walk to the start with a wave", "walk back start with a wave"),
    ],
)
def test_roundabout_ways_have_one_wording(said: str, plain: str) -> None:
    assert " ".join(words_of(said)) == plain
