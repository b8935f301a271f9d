"""Understands English descriptions of movement: their concepts, their phrases in order of time, what they wish for."""

from __future__ import annotations

import re
from collections.abc import Sequence

from kinema.errors import listed, one_line
from kinema.mocap.creatures.abilities import Abilities
from kinema.mocap.creatures.animals import ANIMAL_WORDS, creature_of
from kinema.mocap.creatures.clauses import Phrase, read, split_at
from kinema.mocap.creatures.common_words import AUXILIARIES
from kinema.mocap.creatures.fitting import travel_of
from kinema.mocap.creatures.lexicon import ACTIONS, GAITS, MODIFIERS, PHASES
from kinema.mocap.creatures.reading import Hit, Token, tokens_of

__all__ = [
    "ACTIONS",
    "CONCEPTS",
    "GAITS",
    "MODIFIERS",
    "PHASES",
    "actions_of",
    "concepts_of",
    "creature_of",
    "explain_unknown",
    "phrases",
    "phrases_at",
]

CONCEPTS = (*ACTIONS, *MODIFIERS, *GAITS, *PHASES)
"""Everything that a text can say about a movement."""

_TRAVEL = frozenset({"walk", "run", "back", "fly", "glide", "swim"})
_GROUND = frozenset({"walk", "run"})
_GAITS = frozenset(GAITS)
_SUGGESTIONS = ("walk", "run", "jump", "turn left", "look around", "attack", "eat", "die", "fly", "swim", "stand still")
_AUXILIARIES = frozenset(AUXILIARIES.split())
_PRONOUNS = frozenset({"it", "he", "she", "they", "you", "i", "we", "one"})
_EDGES = " \t\r\n,.;:!?-\u2013\u2014\"'()[]"
_PLACE = 2  # the weakness of places, such as "in the water"
_QUOTED = 60


def actions_of(text: str, body: Abilities) -> list[tuple[str, str | None]]:
    """The successive phrases of a text, as `phrases` gives them, each with the action of a body that it asks for."""
    tokens, found = read(text, body)
    said = _phrases(text, tokens, found)
    return [(phrase, main_action(one, body)) for phrase, one in zip(said, found, strict=True)] if found else []


def main_action(phrase: Phrase, body: Abilities) -> str | None:
    """The action of a body that a phrase asks for; None where it asks for none."""
    names = phrase_concepts(phrase)
    actions = [name for name in names if name in ACTIONS]
    # Who travels looks about beside it, whichever is said first.
    moves = [name for name in actions if name != "look"]
    if actions:
        return moves[0] if moves and not _TRAVEL.isdisjoint(moves) else actions[0]
    return travel_of(names, body)


def concepts_of(text: str) -> tuple[str, ...]:
    """The concepts of a text in order of time and without repetition; empty if it says nothing about movement.

    "It eats after walking slowly." gives `("walk", "slow", "eat")`. What is denied does not count, and a creature that
    does not walk is idle. Fish swim where other creatures walk and run.
    """
    _, found = read(text)
    names = [name for phrase in found for name in phrase_concepts(phrase)]
    return tuple(dict.fromkeys(_for_creature(names, text)))


def phrase_concepts(phrase: Phrase) -> list[str]:
    """The concepts of one phrase; of several actions, those that do not give way to the others."""
    travels = any(_is_travel(hit) and not hit.beside for hit in phrase.hits)
    # Who travels may turn and look around beside it: then there is a curve, and the travel is the action.
    beside = {"turn", "look"} if travels else set()
    kept = _strongest([hit for hit in phrase.hits if hit.action not in beside])
    if any(hit.action == "back" for hit in phrase.hits) and not kept - _GROUND - {"back"}:
        kept = {"back"}
    kept |= beside - {"turn"}
    return [name for hit in phrase.hits for name in hit.concepts if name not in ACTIONS or name in kept]


def _is_travel(hit: Hit) -> bool:
    """Whether a hit is a way of getting somewhere, as hopping along is; "in the water" is only a place."""
    hops = hit.weakness > 0 and not _GAITS.isdisjoint(hit.concepts)
    return hops or (hit.action in _TRAVEL and hit.weakness != _PLACE)


def _strongest(hits: list[Hit]) -> set[str]:
    rank = min((hit.rank for hit in hits if hit.action), default=0)
    return {hit.action for hit in hits if hit.action and hit.rank == rank}


def _for_creature(names: list[str], text: str) -> list[str]:
    """What the words mean for the animal of the text: fish walk in no other way than by swimming, birds hop along."""
    if not {"walk", "run", "glide", "hop"}.intersection(names):
        return names
    plan = creature_of(text)
    swaps = {"fish": {"walk": "swim", "run": "swim"}, "snake": {"glide": "walk"}}.get(plan or "", {})
    if plan == "bird" and "hop" in names and "jump" in names:
        swaps = {"jump": "walk"}
    return [swaps.get(name, name) for name in names]


def phrases(text: str) -> list[str]:
    """The successive phrases of a text in order of time; those without a subject inherit that of the text.

    "A horse walks, looks around, then eats" gives "A horse walks, looks around" and "horse eats". A text without
    words of movement is one phrase.
    """
    return _phrases(text, *read(text))


def phrases_at(text: str, heads: Sequence[int]) -> list[str]:
    """The phrases of a text, as `phrases` gives them, in the order of the text, if it is known what they hang on.

    Args:
        heads: the tokens, in their order, that say what is done.
    """
    tokens = tokens_of(text)
    return _phrases(text, tokens, split_at(tokens, heads)) if heads else []


def _phrases(text: str, tokens: list[Token], found: list[Phrase]) -> list[str]:
    if len(found) < 2:
        return [text.strip()] if text.strip() else []
    subject = _subject(tokens, found)
    return [_with_subject(subject, _text_of(text, tokens, phrase)) for phrase in found]


def _text_of(text: str, tokens: list[Token], phrase: Phrase) -> str:
    first = phrase.first
    while tokens[first].text in _PRONOUNS or tokens[first].text in (",", "and", "by"):
        first += 1
    start = tokens[first - 1].end if first else 0
    return text[start : tokens[phrase.end - 1].end].strip(_EDGES)


def _subject(tokens: list[Token], found: list[Phrase]) -> str:
    """The animal of a text with the words before it, or else the words before the first movement."""
    first = min((hit.first for phrase in found for hit in phrase.hits), default=0)
    leading = [token.text for token in tokens[:first]]
    while leading and leading[-1] in _AUXILIARIES:
        leading.pop()
    named = [index for index, word in enumerate(leading) if word in ANIMAL_WORDS]
    leading = leading[: named[-1] + 1] if named else leading
    if leading and leading[0] not in _PRONOUNS and (tokens[0].noun or leading[-1] in ANIMAL_WORDS):
        return " ".join(leading)
    spoken = {index for phrase in found for hit in phrase.hits for index in range(hit.first, hit.last + 1)}
    animals = (token.text for index, token in enumerate(tokens) if index not in spoken and token.text in ANIMAL_WORDS)
    return next(animals, "")


def _with_subject(subject: str, phrase: str) -> str:
    if not subject or re.search(rf"\b{re.escape(subject.split()[-1])}\b", phrase, re.IGNORECASE):
        return phrase
    return f"{subject} {phrase}"


def explain_unknown(text: str) -> str:
    """One line for a text without concepts: what was not understood, and which words would work."""
    shown = one_line(text.strip())
    shown = shown if len(shown) <= _QUOTED else shown[: _QUOTED - 1] + "…"
    said = f"no movement was understood in {shown!r}" if shown else "the text is empty"
    return f"{said}; describe it in English with words such as: {listed(_SUGGESTIONS, len(_SUGGESTIONS))}"
