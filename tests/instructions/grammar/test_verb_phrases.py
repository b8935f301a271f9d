from __future__ import annotations

import pytest

from kinema.instructions.grammar.drafts import ClauseDraft, Reading
from kinema.instructions.grammar.verb_phrases import read_action_noun, read_verb
from kinema.instructions.grammar.wording import words_of
from kinema.instructions.grammar.words import Words
from kinema.instructions.programme import Thing


def drafted(said: str) -> tuple[ClauseDraft, Words]:
    reading, draft = Reading(Words(words_of(said))), ClauseDraft()
    assert read_verb(reading, draft)
    return draft, reading.words


@pytest.mark.parametrize(
    "said, name",
    [
        ("gets to his feet", "stand up"),
        ("drops to her knees", "kneel"),
        ("turns her eyes to the statue", "look at"),
        ("stays in a crouch", "crouch"),
        ("takes a bow", "bow"),
        ("wlaks", "walk"),
        ("pulls it", "pull"),
        ("scans her surroundings", "look around"),
    ],
)
def test_verbs_have_particles(said: str, name: str) -> None:
    draft, _ = drafted(said)
    assert draft.meaning is not None
    assert draft.meaning.name == name


def test_a_thing_may_stand_before_the_particle() -> None:
    draft, words = drafted("picks the red box up")
    assert draft.thing == Thing("box", colour="red")
    assert words.peek() == ""


def test_nouns_stand_for_verbs() -> None:
    reading, draft = Reading(Words(words_of("three little jumps"))), ClauseDraft()
    assert read_action_noun(reading, draft)
    assert draft.amounts == {"times": 3.0}
    assert not read_action_noun(Reading(Words(words_of("the tree"))), ClauseDraft())
