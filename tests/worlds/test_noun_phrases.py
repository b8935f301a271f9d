from __future__ import annotations

from kinema.worlds.noun_phrases import Words, read_amount, read_number, read_place, read_thing
from kinema.worlds.wording import words_of


def words(text: str) -> Words:
    return Words(words_of(text))


def test_things_have_colours_and_ordinals() -> None:
    thing = read_thing(words("the second red car"))
    assert thing is not None
    assert thing.name == "car"
    assert thing != read_thing(words("the red car"))
    assert read_thing(words("slowly")) is None


def test_places_and_amounts() -> None:
    assert read_number(words("5 metres")) == 5.0
    assert read_amount(words("3 seconds")) is not None
    one, other = read_place(words("to the tree")), read_place(words("away from the tree"))
    assert one is not None
    assert other is not None
    assert one.relation != other.relation
