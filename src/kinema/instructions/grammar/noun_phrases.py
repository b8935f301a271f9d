"""Reads things, such as "the second red car behind the house", from the words of a sentence."""

from __future__ import annotations

from dataclasses import replace

from kinema.errors import UsageError
from kinema.instructions.grammar.amounts import MANNERS
from kinema.instructions.grammar.place_phrases import POSSESSIVES
from kinema.instructions.grammar.verbs import form_of, word_set
from kinema.instructions.grammar.wording import quoted
from kinema.instructions.grammar.words import CONNECTIVES, DIRECTIONS, ENDS, RELATIONS, SIDES, Words
from kinema.instructions.programme import ORDINALS, Place, Thing

COLOURS = word_set(
    "red green blue yellow orange purple pink brown black white grey gray silver golden gold beige violet turquoise"
)
SAME_COLOURS = {"large": "big", "little": "small", "gray": "grey", "golden": "gold"}
_QUALITIES = word_set(
    "big small large little tall short long wide narrow old new young wooden round square broken open closed "
    "empty heavy "
    "light dark bright dead fallen pretty beautiful low high huge tiny giant parked striped shiny left right middle"
)
_PICKS = {"nearest": "nearest", "closest": "nearest", "farthest": "farthest", "furthest": "farthest", "other": "other"}
_ORDINALS = {word: place for place, word in enumerate(ORDINALS, 1)} | {"last": -1, "final": -1}
_ORDINALS |= {f"{n}{'st' if n == 1 else 'nd' if n == 2 else 'rd' if n == 3 else 'th'}": n for n in range(1, 11)}
_DETERMINERS = {"the", "a", "an", "this", "that", "these", "those", "some", "another", "whichever", "any", *POSSESSIVES}
_CAMERA = {"me", "us", "viewer", "audience", "viewers", "lens"}
_COMPOUNDS = {
    *((first, "stop") for first in ("bus", "tram", "train", "truck", "taxi", "rest")),
    *((first, "swing") for first in ("tree", "garden", "rope", "tyre", "tire")),
    *((first, "set") for first in ("swing", "tv", "film", "train")),
    ("taxi", "rank"), ("boat", "house"), ("bike", "stand"), ("news", "stand"), ("fruit", "stand"), ("taxi", "stand"),
    ("water", "slide"), ("phone", "box"), ("car", "park"), ("tree", "house"),
}  # fmt: skip
_POSITIONS = ("behind", "beside", "in front of", "under", "between", "left of", "right of", "on", "over", "into")


def read_thing(words: Words, where: bool = True) -> Thing | None:
    """A thing such as "the second red car" or "it".

    Args:
        where: whether "behind the house" after it says which thing is meant.

    Raises:
        UsageError: "it" is said of nothing.
    """

    def read() -> Thing | None:
        start = words.at
        if words.peek() in ("it", "them") or (words.peek() in ("that", "this") and words.peek(1) in (*CONNECTIVES, "")):
            words.at += 1
            return _meant(words, start)
        determined = bool(words.take(*_DETERMINERS))
        if words.words[start : start + 1] == ["another"]:
            found = Thing("", pick="other")
        else:
            found = Thing("")
        found = _qualified(words, found, determined)
        if found is None:
            return None
        if found.name == "one":
            found = replace(found, name=_meant(words, start).name)
        found = _further(words, found, where)
        if found == Thing("doorway") and "door" in words.named:
            found = words.named["door"]
        if (not determined or words.words[start] in ("the", "that", "this")) and found == Thing(found.name):
            found = words.named.get(found.name, found)  # "the red car ... the car"
        words.mentioned = words.named[found.name] = found
        return found

    return words.attempt(read)


def read_direction(words: Words) -> Place | None:
    """A direction without a thing."""

    def read() -> Place | None:
        words.take("to", "towards", "on", "in")
        determined = words.take("the", *POSSESSIVES)
        found = DIRECTIONS.get(words.peek())
        if found is None:
            return None
        words.at += 1
        words.take("side")
        words.take("direction")
        return None if determined and noun_follows(words) else Place("direction", direction=found)

    return words.attempt(read)


def noun_follows(words: Words) -> bool:
    """Whether a side is an adjective, as in "the left tree"."""
    word = words.peek()
    return bool(word) and not _ends_a_noun(words, True, True) and word not in ("lasting", "meanwhile")


def _meant(words: Words, start: int) -> Thing:
    if words.mentioned is None:
        raise UsageError(f"{quoted(words.clause(start))} speaks of something that was not named before; name it")
    return words.mentioned


def _qualified(words: Words, found: Thing, determined: bool) -> Thing | None:
    """Ordinals, colours, qualities and the noun."""
    nouns: list[str] = []
    while word := words.peek():
        following = words.peek(1)
        if not nouns and word in _ORDINALS:
            found = replace(found, ordinal=_ORDINALS[word])
            if following == "of":
                words.at += 2
                words.take("the")
                words.words[words.at] = singular(words.peek())
                continue
        elif not nouns and word in _PICKS:
            found = replace(found, pick=_PICKS[word])
        elif word in COLOURS and not nouns:
            found = replace(found, colour=SAME_COLOURS.get(word, word))
        elif word in _QUALITIES and not nouns and following and following not in ENDS - _QUALITIES:
            found = replace(found, qualities=(*found.qualities, SAME_COLOURS.get(word, word)))
        elif word == "one" and nouns and _closes(following):
            break  # "lamp one"
        elif word == "s" and nouns:
            nouns[-1] += "'s"
        elif word == "of" and nouns and following:
            words.at += 1
            nouns += ["of", *filter(None, [words.take("the", "a")]), words.peek()]
        elif word == "camera" and not nouns:
            nouns.append(word)
            words.at += 1
            break
        elif word in _CAMERA and not nouns:
            nouns.append("camera")
        elif _ends_a_noun(words, bool(nouns), determined):
            break
        else:
            nouns.append(word)
        words.at += 1
    if not nouns:
        same = words.mentioned
        left_out = determined and (found.ordinal or found.pick) and same is not None
        if not left_out or same is None or same.name == "camera" or not _closes(words.peek()):
            return None
        nouns.append(same.name)  # "to the first tree, then to the second"
    return replace(found, name=" ".join(nouns))


def _closes(word: str) -> bool:
    """Whether a noun may have been left out before a word."""
    return not word or word in CONNECTIVES


def _ends_a_noun(words: Words, begun: bool, determined: bool) -> bool:
    word = words.peek()
    if word in ENDS or word[0].isdigit() or word in MANNERS or word == "start":
        return True
    if word.endswith("ly") and len(word) > 5 and begun:
        return True
    form = form_of(word)
    if form is None or (begun and (words.words[words.at - 1], word) in _COMPOUNDS):
        return False
    return begun or (not determined and form[1] != "base")


def _further(words: Words, found: Thing, where: bool) -> Thing:
    """What follows a noun and says which thing is meant."""
    while True:
        word, following = words.peek(), words.peek(1)
        if word in ("number", "no") and (following.isdigit() or following == "one"):
            words.at += 2
            found = replace(found, ordinal=_number(words, following))
        elif (word == "one" or (word.isdigit() and len(word) < 3)) and _closes(following) and not found.ordinal:
            words.at += 1
            found = replace(found, ordinal=_number(words, word))  # "lamp two"
        elif word in ("that", "which") and following in ("is", "are", "stands", "was", "lies"):
            after = words.peek(2)
            if after in COLOURS:
                words.at += 3
                found = replace(found, colour=SAME_COLOURS.get(after, after))
            elif after in _QUALITIES:
                words.at += 3
                found = replace(found, qualities=(*found.qualities, SAME_COLOURS.get(after, after)))
            elif after in _PICKS or (after == "the" and words.peek(3) in _PICKS):
                words.at += 2 + (after == "the")
            elif after in RELATIONS or after in ("on",):
                words.at += 2
            else:
                return found
        elif word in ("is", "are") and following in _PICKS:
            words.at += 1
        elif word in _PICKS:
            words.at += 1
            found = replace(found, pick=_PICKS[word])
            if words.peek() == "from":
                raise UsageError(
                    f"{quoted(words.clause())} was not understood: things are near or far of the character; say which "
                    "one in another way, such as 'the second tree'"
                )
            if words.peek() in ("to", "by") and words.peek(1) in ("you", "her", "him", "it", "me", "them", "the"):
                words.at += 2
                words.take("character", "camera")
        elif where and RELATIONS.get(word) in _POSITIONS and found.where is None:
            place = words.attempt(lambda: _position(words))
            if place is None:
                return found
            found = replace(found, where=place)
        else:
            return found


def _number(words: Words, said: str) -> int:
    number = 1 if said == "one" else int(said)
    if not 0 < number <= len(ORDINALS):
        said_of = quoted(words.clause(max(0, words.at - 3)))
        raise UsageError(f"number {said} of {said_of} is not in 1 to {len(ORDINALS)}; say a smaller one")
    return number


def _position(words: Words) -> Place | None:
    """Where a thing is."""
    if words.peek() == "on" and words.peek(1) == "the" and words.peek(2) in SIDES:
        return read_direction(words)
    mentioned = words.mentioned
    relation = RELATIONS[words.peek()]
    words.at += 1
    thing = read_thing(words, False)
    if thing is None or relation in ("over", "into"):
        words.mentioned = mentioned
        return None
    second = None
    if relation == "between" and words.peek() == "and":
        second = words.attempt(lambda: read_thing(words, False) if words.take("and") else None)
    return Place(relation, thing, second)


def singular(noun: str) -> str:
    """A noun in the singular."""
    if noun.endswith("ches") or noun.endswith("xes") or noun.endswith("shes"):
        return noun[:-2]
    return noun[:-1] if noun.endswith("s") and not noun.endswith(("ss", "us")) else noun
