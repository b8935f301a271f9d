from kinema.mocap.creatures.places import with_places
from kinema.mocap.creatures.reading import hits_of, tokens_of


def places(text):
    tokens = tokens_of(text)
    return [hit.action for hit in with_places(tokens, hits_of(tokens)) if hit.weakness == 2]


def test_places_may_have_adjectives():
    assert places("rises into the clear morning sky") == ["fly"]
    assert places("moves through cold dark water") == ["swim"]


def test_what_is_only_looked_at_is_no_place():
    assert places("the sky") == places("a man by the sea") == places("walks under a grey sky") == []
