from __future__ import annotations

import pytest

from kinema.errors import UsageError
from kinema.instructions.grammar.drafts import Reading
from kinema.instructions.grammar.subjects import acts, is_manner, subject_length
from kinema.instructions.grammar.words import Words


@pytest.mark.parametrize(
    "said, length",
    [("she walks", 1), ("the old man walks", 3), ("our hero should walk", 2), ("a quick walk", 0), ("the tree", 0)],
)
def test_who_acts_is_found(said: str, length: int) -> None:
    assert subject_length(Reading(Words(said.split())), 0) == length


def test_one_character_acts_and_no_tree() -> None:
    reading = Reading(Words(["the", "man", "walks", "the", "woman", "walks", "the", "tree", "walks"]))
    acts(reading, 0, 2)
    assert reading.actor == "man"
    with pytest.raises(UsageError, match="second character"):
        acts(reading, 3, 2)
    with pytest.raises(UsageError, match="act"):
        acts(reading, 6, 2)
    assert is_manner("slowly")
    assert not is_manner("tree")
