from __future__ import annotations

import pytest

from kinema.errors import UsageError
from kinema.instructions.grammar.drafts import ClauseDraft, Reading
from kinema.instructions.grammar.modifiers import read_modifier
from kinema.instructions.grammar.verb_phrases import read_verb
from kinema.instructions.grammar.wording import words_of
from kinema.instructions.grammar.words import Words


def drafted(said: str) -> ClauseDraft:
    reading, draft = Reading(Words(words_of(said))), ClauseDraft()
    assert read_verb(reading, draft)
    while read_modifier(reading, draft):
        pass
    assert reading.words.peek() == ""
    return draft


def test_a_clause_says_how_where_and_how_long() -> None:
    draft = drafted("walk slowly to the tree for three seconds")
    assert draft.manner == ["slowly"]
    assert draft.amounts == {"seconds": 3.0}
    assert [place.relation for place in draft.places] == ["to"]


@pytest.mark.parametrize("said", ["wave with your left hand", "wave left handed", "wave with her left"])
def test_hands_have_a_side(said: str) -> None:
    assert drafted(said).side == "left"


def test_gaits_are_nouns_too() -> None:
    draft = drafted("go at a slow run until you reach the tree")
    assert draft.gait == "run"
    assert draft.manner == ["slowly"]
    assert draft.places[0].thing is not None


def test_sides_that_differ_are_refused() -> None:
    with pytest.raises(UsageError, match="contradicts"):
        drafted("turn left to the right")
