from __future__ import annotations

import re

import pytest

from kinema.instructions.grammar.place_phrases import END, NOUN, OWN, PRONOUN
from kinema.instructions.grammar.wording import words_of


def test_parts_of_patterns_match_whole_words() -> None:
    assert all(re.fullmatch(OWN, word) and re.fullmatch(NOUN, word) for word in ("the", "her"))
    assert re.fullmatch(PRONOUN, "them") and not re.fullmatch(PRONOUN, "the")
    assert re.match(END, " and") and not re.match(END, " tree")


@pytest.mark.parametrize(
    "said, plain",
    [
        ("go to the spot left of the statue", "go left-of the statue"),
        ("until she's on the left of the statue", "left-of the statue"),
        ("over the square from one side to the other", "across the square"),
        ("back to where she started", "back start"),
        ("in the direction of the car", "towards the car"),
    ],
)
def test_places_have_one_wording(said: str, plain: str) -> None:
    assert " ".join(words_of(said)) == plain
