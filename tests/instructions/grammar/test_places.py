from __future__ import annotations

import pytest

from kinema.instructions.grammar.places import read_place, read_side
from kinema.instructions.grammar.wording import words_of
from kinema.instructions.grammar.words import Words
from kinema.instructions.programme import Place, Thing


@pytest.mark.parametrize(
    "said, place",
    [
        ("over to the tree", Place("to", Thing("tree"))),
        ("across to the tree", Place("to", Thing("tree"))),
        ("away from the tree", Place("away from", Thing("tree"))),
        ("between the tree and the rock", Place("between", Thing("tree"), Thing("rock"))),
        ("back to where she started", Place("start")),
        ("backwards", Place("direction", direction="backward")),
    ],
)
def test_places_have_a_relation(said: str, place: Place) -> None:
    assert read_place(Words(words_of(said))) == place


def test_a_place_without_a_thing_is_at_the_one_named_last() -> None:
    words = Words(["through"])
    assert read_place(words) is None
    words.mentioned = Thing("door")
    assert read_place(words) == Place("through", Thing("door"))
    assert read_place(Words(["behind"], mentioned=Thing("camera"))) is None


def test_a_side_is_no_adjective() -> None:
    assert read_side(Words(words_of("to her right"))) == "right"
    assert read_side(Words(words_of("to the left tree"))) is None
