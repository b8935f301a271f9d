"""Places that say how somebody moves there: "into the morning sky", "through the cold, dark water"."""

from __future__ import annotations

from kinema.mocap.creatures.common_words import word_set
from kinema.mocap.creatures.reading import Hit, Token

_PREPOSITIONS = word_set("in into through across among amid amidst above beneath under below within against")
_PLACES = {
    "fly": word_set("sky skies cloud clouds air heavens"),
    "swim": word_set("""water waters sea seas ocean lagoon reef coral corals depths waves kelp aquarium pool
    lake pond rapids
        shallows seaweed"""),
}
_WEAKNESS = 2
_REACH = 3
_MARKS = frozenset(".!?;:|\n")
# Who is under the sky, or by the sea, is not in it.
_INSIDE = {"fly": _PREPOSITIONS - {"under", "below", "beneath"}, "swim": _PREPOSITIONS - {"above", "against", "into"}}


def with_places(tokens: list[Token], hits: list[Hit]) -> list[Hit]:
    """Hits with those of places of air and water that no phrase of the lexicon has."""
    taken = {at for hit in hits for at in range(hit.first, hit.last + 1)}
    found = [
        Hit(at, at, (action,), action, _WEAKNESS)
        for at, token in enumerate(tokens)
        for action, places in _PLACES.items()
        if token.text in places and at not in taken and _is_in(tokens, at, _INSIDE[action])
    ]
    return sorted([*hits, *found], key=lambda hit: hit.first)


def _is_in(tokens: list[Token], at: int, inside: frozenset[str]) -> bool:
    for token in reversed(tokens[max(at - _REACH, 0) : at]):
        if token.text in inside:
            return True
        if token.text in _PREPOSITIONS or token.text in ("of", "at", "to", "from") or token.text[0] in _MARKS:
            return False
    return False
