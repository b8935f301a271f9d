from __future__ import annotations

import pytest

from kinema.errors import UsageError
from kinema.instructions.grammar.noun_phrases import read_thing
from kinema.instructions.grammar.wording import words_of
from kinema.instructions.grammar.words import Words
from kinema.instructions.programme import Place, Thing


@pytest.mark.parametrize(
    "said, thing",
    [
        ("the second red car", Thing("car", colour="red", ordinal=2)),
        ("tree number three", Thing("tree", ordinal=3)),
        ("the tree that is farthest", Thing("tree", pick="farthest")),
        ("a big wooden box", Thing("box", qualities=("big", "wooden"))),
        ("lamp two", Thing("lamp", ordinal=2)),
        ("lamp one", Thing("lamp", ordinal=1)),
        ("the bus stop", Thing("bus stop")),
        ("the tree behind the house", Thing("tree", where=Place("behind", Thing("house")))),
    ],
)
def test_things_are_told_apart(said: str, thing: Thing) -> None:
    assert read_thing(Words(words_of(said))) == thing


def test_the_car_is_the_one_named_before() -> None:
    words = Words(words_of("the red car, it, the car, the one, another car"))
    red = Thing("car", colour="red")
    for expected in (red, red, red, red, Thing("car", pick="other")):
        assert read_thing(words) == expected
        words.take(",")


def test_a_noun_that_was_named_may_be_left_out_after_its_order() -> None:
    words = Words(words_of("the first lamp, the second, the farthest"))
    for expected in (Thing("lamp", ordinal=1), Thing("lamp", ordinal=2), Thing("lamp", pick="farthest")):
        assert read_thing(words) == expected
        words.take(",")
    assert read_thing(Words(words_of("the second, please"))) is None


def test_it_needs_a_thing_and_manners_are_none() -> None:
    assert read_thing(Words(["slowly"])) is None
    with pytest.raises(UsageError):
        read_thing(Words(["it"]))
