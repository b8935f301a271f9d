"""Reads places, such as "over to the tree" or "two metres back", from the words of a sentence."""

from __future__ import annotations

from kinema.instructions.grammar.amounts import MANNERS
from kinema.instructions.grammar.noun_phrases import noun_follows, read_direction, read_thing
from kinema.instructions.grammar.place_phrases import POSSESSIVES
from kinema.instructions.grammar.verbs import form_of, meanings
from kinema.instructions.grammar.words import CONNECTIVES, LEADING, RELATIONS, SIDES, Words
from kinema.instructions.programme import Place, Thing

_ELLIPTIC = ("into", "through", "under", "across", "past", "behind", "beside")


def read_place(words: Words, where: bool = True) -> Place | None:
    """A place such as "over to the tree", "to the left", "back" or "away"."""
    return words.attempt(lambda: _read_place(words, where))


def read_side(words: Words) -> str | None:
    """A side such as "left" or "to her right"."""

    def read() -> str | None:
        words.take("to", "towards", "on")
        determined = words.take("the", *POSSESSIVES)
        side = SIDES.get(words.peek())
        if side is None:
            return None
        words.at += 1
        words.take("side")
        return None if determined and noun_follows(words) else side

    return words.attempt(read)


def _read_place(words: Words, where: bool) -> Place | None:
    direction = read_direction(words)
    if direction is not None:
        return direction
    back = False
    while words.peek() in LEADING and (words.peek(1) in RELATIONS or words.peek(1) in (*LEADING, "start", "away")):
        if words.peek() in RELATIONS and words.peek(1) not in (*RELATIONS, *LEADING, "start", "away"):
            break
        back |= words.peek() == "back"
        words.at += 1
    if words.take("start"):
        return Place("start")
    if words.peek() in ("to", "from") and words.peek(1) in set(RELATIONS) - {"to", "on", "in", "by", "at", "round"}:
        words.at += 1  # "to behind the box"
    word = words.peek()
    if word in ("away", "off"):
        words.at += 1
        return Place("away")
    if word == "back" or (word in ("home",) and back):
        words.at += 1
        words.take("home")
        return Place("start")
    relation = RELATIONS.get(word)
    if relation is None or (
        relation == "from" and words.peek(1) in ("above", "below", "behind", "the") and _is_view(words)
    ):
        if word in ("about", "around"):
            words.at += 1
            return Place("about")
        return None
    if relation == "to" and _is_verb(words.peek(1), words.peek(2)):
        return None  # "to pick it up"
    words.at += 1
    if words.peek() == "and" and words.peek(1) in (*RELATIONS, *LEADING):
        words.at += 1
        return _read_place(words, where)
    if words.take("start"):
        return Place("start")
    if relation == "between" and words.peek(1).isdigit():
        del words.words[words.at + 1]  # "between the two trees"
    thing = read_thing(words, where)
    if (
        thing is None
        and relation in _ELLIPTIC
        and closes(words)
        and words.mentioned
        and words.mentioned.name != "camera"
    ):
        thing = words.mentioned  # "open the door and walk through"
    if thing is not None and thing.name.split()[-1] in ("perspective", "view", "angle", "viewpoint", "shot", "frame"):
        return None  # of a camera
    if thing is not None and _says_another_way(thing):
        return None
    if thing is None:
        if relation == "around":
            return Place("about")
        return Place("start") if back and not words.peek() else None
    second = None
    if relation == "between" and words.peek() == "and":
        second = words.attempt(lambda: read_thing(words, False) if words.take("and") else None)
    if relation == "from":
        relation = "to"  # who goes from a thing was there before
    return Place(relation, thing, second)


def _says_another_way(thing: Thing) -> bool:
    """Whether a thing is none, as in "in the opposite direction"."""
    first, last = thing.name.split()[0], thing.name.split()[-1]
    if last == "direction":
        return True
    return last in ("way", "side") and (first in ("opposite", "wrong", "same", "far") or thing.pick == "other")


def _is_verb(word: str, following: str) -> bool:
    """Whether "to" begins an infinitive: "to pick it up", not "to sink"."""
    lemma, form = form_of(word) or ("", "")
    alone = following in ("", *CONNECTIVES) and all(meaning.particles for meaning in meanings(lemma))
    return form == "base" and not alone


def closes(words: Words) -> bool:
    """Whether a place ends here without a thing."""
    word = words.peek()
    return word in ("", "with", *CONNECTIVES) or word in MANNERS or (form_of(word) or ("", ""))[1] == "ing"


def _is_view(words: Words) -> bool:
    return words.peek(1) != "the" or words.peek(2) in ("front", "side", "back", "left", "right", "air", "top")
