"""Reads things, places, amounts and manners from the words of a sentence."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TypeVar

from kinema.errors import UsageError
from kinema.worlds.phrases import POSSESSIVES
from kinema.worlds.programme import ORDINALS, Place, Thing
from kinema.worlds.verbs import form_of, meanings, word_set
from kinema.worlds.wording import quoted

_Found = TypeVar("_Found")

COLOURS = word_set(
    "red green blue yellow orange purple pink brown black white grey gray silver golden gold beige violet turquoise"
)
_SAME = {"large": "big", "little": "small", "gray": "grey", "golden": "gold"}
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

_MANNERS: Mapping[str, str] = {
    "slowly": "slow slowly leisurely sluggishly unhurriedly leisured",
    "quickly": "quick quickly fast faster rapidly rapid swift swiftly speedily hurriedly hastily briskly brisk hurried",
    "quietly": "quiet quietly silent silently noiselessly softly soundlessly soft",
    "happily": "happy happily cheerily gleefully cheerful cheerfully joyful joyfully merrily merry joyously gladly",
    "carefully": "careful carefully cautious cautiously warily",
    "sadly": "sad sadly unhappily sorrowfully mournfully gloomily dejectedly glumly miserably dejected gloomy glum miserable "
    "sorrowful downcast unhappy downheartedly forlornly despondently", "stealthily": "stealthy stealthily", "sneakily": "sneaky sneakily", "angrily": "angry angrily furiously furious madly mad", "proudly": "proud proudly",
    "nervously": "nervous nervously anxiously anxious", "calmly": "calm calmly", "gracefully": "graceful gracefully "
    "elegantly elegant",
    "gently": "gentle gently", "loudly": "loud loudly noisily", "tiredly": "tired tiredly wearily weary exhausted exhaustedly", "alone": "alone",
}  # fmt: skip
_MANNER = {word: manner for manner, words in _MANNERS.items() for word in words.split()}
_WITH_FEELING = {"joy": "happily", "care": "carefully", "pride": "proudly", "caution": "carefully", "haste": "quickly",
                 "sorrow": "sadly", "sadness": "sadly", "grief": "sadly", "gloom": "sadly", "anger": "angrily", "rage": "angrily",
                 "fury": "angrily", "happiness": "happily", "calm": "calmly"}  # fmt: skip
OPPOSITES = (
    {"slowly", "quickly"},
    {"quietly", "loudly"},
    {"happily", "sadly"},
    {"calmly", "angrily"},
    {"happily", "angrily"},
)
"""Manners that exclude each other."""

_UNITS: Mapping[str, tuple[str, float]] = {
    **dict.fromkeys(word_set("m metre metres meter meters"), ("metres", 1.0)),
    **dict.fromkeys(word_set("cm centimetre centimetres centimeter centimeters"), ("metres", 0.01)),
    **dict.fromkeys(word_set("km kilometre kilometres kilometer kilometers"), ("metres", 1000.0)),
    **dict.fromkeys(word_set("ft foot feet"), ("metres", 0.3048)),
    **dict.fromkeys(word_set("yard yards yd yds"), ("metres", 0.9144)),
    **dict.fromkeys(word_set("step steps pace paces stride strides"), ("steps", 1.0)),
    **dict.fromkeys(word_set("s sec secs second seconds"), ("seconds", 1.0)),
    **dict.fromkeys(word_set("min mins minute minutes"), ("seconds", 60.0)),
    "moment": ("seconds", 1.0),
    **dict.fromkeys(word_set("degree degrees deg"), ("degrees", 1.0)),
    **dict.fromkeys(word_set("time times x"), ("times", 1.0)),
    **dict.fromkeys(word_set("lap laps circuit circuits"), ("laps", 1.0)),
}
MOST = {"metres": 1000.0, "steps": 1000.0, "seconds": 3600.0, "degrees": 3600.0, "times": 100.0, "laps": 100.0}
"""The largest amounts that instructions may ask for."""

_RELATIONS: Mapping[str, str] = {
    "to": "to", "until": "to", "towards": "towards", "away-from": "away from", "around": "around", "round": "around",
    "past": "past", "behind": "behind", "in-front-of": "in front of", "beside": "beside", "by": "beside",
    "between": "between", "through": "through", "across": "across", "along": "along", "over": "over", "under": "under",
    "beneath": "under", "underneath": "under", "below": "under", "into": "into", "inside": "into",
    "in": "into", "out-of": "out of",
    "on": "on", "at": "at", "left-of": "left of", "right-of": "right of", "against": "beside", "from": "from",
}  # fmt: skip
_SIDES = {
    "left": "left",
    "leftwards": "left",
    "leftward": "left",
    "right": "right",
    "rightwards": "right",
    "rightward": "right",
}
_DIRECTIONS = _SIDES | {
    "forward": "forward", "forwards": "forward", "ahead": "forward", "backward": "backward", "backwards": "backward",
    "back-and-forth": "back and forth", "in-a-circle": "in a circle", "front": "forward",
    "on-the-spot": "on the spot",
}  # fmt: skip
_LEADING = ("over", "up", "on", "along", "out", "back", "off", "down", "in", "through", "around", "round", "across")
CONNECTIVES = word_set("and but or then while as before after once when until where who which so if unless "
"because first meanwhile throughout , ."
    )  # fmt: skip
"""Words that end a clause."""

ENDS = CONNECTIVES | set(_RELATIONS) | set(_DIRECTIONS) - {"front"} | set(_LEADING) | word_set("about with "
"using of off for than that she he they we you i it is are was will would should can could must has have had do "
    "does did not let him them me us away only filmed seen viewed recorded camera closeup from-above from-below from-front "
    "from-behind static "
    "number no nearest closest farthest furthest without the a an")  # fmt: skip
"""Words that end a noun phrase."""

_ELLIPTIC = ("through", "under", "across", "past", "behind", "beside")
_POSITIONS = ("behind", "beside", "in front of", "under", "between", "left of", "right of", "on", "over", "into")


@dataclass
class Words:
    """The words of a text and how far they are read.

    `mentioned` is the thing that was named last, `named` the last one of each name.
    """

    words: list[str]
    at: int = 0
    mentioned: Thing | None = None
    named: dict[str, Thing] = field(default_factory=dict)

    def peek(self, ahead: int = 0) -> str:
        """A word that is not read yet; empty after the last one."""
        return self.words[self.at + ahead] if self.at + ahead < len(self.words) else ""

    def take(self, *options: str) -> str:
        """The next word, if it is one of the options; empty otherwise."""
        word = self.peek()
        if not word or word not in options:
            return ""
        self.at += 1
        return word

    def clause(self, start: int | None = None) -> list[str]:
        """The words from a place to the end of its clause, for messages."""
        begin = self.at if start is None else start
        end = begin + 1
        while end < len(self.words) and self.words[end] not in (".", ","):
            end += 1
        return self.words[begin:end]

    def sentence(self, start: int) -> list[str]:
        """The words of a sentence as far as they are read, for messages; the last ones, if they are many."""
        begin = max((at + 1 for at in range(start) if self.words[at] == "."), default=0)
        return self.words[max(begin, self.at - 8) : self.at]

    def attempt(self, read: Callable[[], _Found | None]) -> _Found | None:
        """What a function reads; without a result it has read nothing."""
        start = self.at
        found = read()
        if found is None:
            self.at = start
        return found


def read_number(words: Words) -> float | None:
    """A number in digits, "a" or "one"."""
    word = words.peek()
    if word in ("a", "an", "one", "another"):
        words.at += 1
        return 1.0
    if not word.replace(".", "", 1).isdigit() or len(word) > 12:
        return None
    words.at += 1
    return float(word)


def read_amount(words: Words) -> tuple[str, float] | None:
    """An amount such as "for five metres": "metres", "steps", "seconds", "degrees", "times" or "laps", and the "
    "number."""

    def read() -> tuple[str, float] | None:
        start = words.at
        words.take("for", "by", "lasting", "of")
        words.take("the")
        words.take("about", "around", "another", "some")
        words.take("full", "whole", "good")
        number = read_number(words)
        words.take("more", "full", "whole", "long", "big", "small", "little")
        unit = _UNITS.get(words.peek())
        if number is None or unit is None:
            return None
        words.at += 1
        words.take("long", "more")
        name, value = unit[0], number * unit[1]
        if not 0 < value <= MOST[name]:
            raise UsageError(f"{quoted(words.clause(start))} has an amount that is not in 0 to {MOST[name]:g} {name}")
        if name in ("times", "steps", "laps") and value != int(value):
            raise UsageError(f"{quoted(words.clause(start))}: {name} are counted in whole numbers")
        return name, round(value, 6)

    return words.attempt(read)


def read_manner(words: Words) -> str | None:
    """A manner such as "slowly", "fast" or "with care"."""
    if words.peek() == "with" and (words.peek(1) in _WITH_FEELING or words.peek(2) in _WITH_FEELING):
        words.at += 2 if words.peek(1) in _WITH_FEELING else 3
        return _WITH_FEELING[words.words[words.at - 1]]
    word = words.peek()
    if word in _MANNER or (word.endswith("ly") and len(word) > 5 and word not in ("family", "butterfly", "assembly")):
        words.at += 1
        return _MANNER.get(word, word)
    return None


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
        if words.words[start] in ("the", "that", "this") and found == Thing(found.name):
            found = words.named.get(found.name, found)  # "the red car ... the car"
        words.mentioned = words.named[found.name] = found
        return found

    return words.attempt(read)


def read_place(words: Words, where: bool = True) -> Place | None:
    """A place such as "over to the tree", "to the left", "back" or "away"."""
    return words.attempt(lambda: _read_place(words, where))


def read_side(words: Words) -> str | None:
    """A side such as "left" or "to her right"."""

    def read() -> str | None:
        words.take("to", "towards", "on")
        determined = words.take("the", *POSSESSIVES)
        side = _SIDES.get(words.peek())
        if side is None:
            return None
        words.at += 1
        words.take("side")
        return None if determined and _noun_follows(words) else side

    return words.attempt(read)


def _read_place(words: Words, where: bool) -> Place | None:
    direction = _direction(words)
    if direction is not None:
        return direction
    back = False
    while words.peek() in _LEADING and (words.peek(1) in _RELATIONS or words.peek(1) in (*_LEADING, "start", "away")):
        if words.peek() in _RELATIONS and words.peek(1) not in (*_RELATIONS, *_LEADING, "start", "away"):
            break
        back |= words.peek() == "back"
        words.at += 1
    if words.take("start"):
        return Place("start")
    if words.peek() in ("to", "from") and words.peek(1) in set(_RELATIONS) - {"to", "on", "in", "by", "at"}:
        words.at += 1  # "to behind the box"
    word = words.peek()
    if word in ("away", "off"):
        words.at += 1
        return Place("away")
    if word == "back" or (word in ("home",) and back):
        words.at += 1
        words.take("home")
        return Place("start")
    relation = _RELATIONS.get(word)
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
    if words.peek() == "and" and words.peek(1) in (*_RELATIONS, *_LEADING):
        words.at += 1
        return _read_place(words, where)
    if words.take("start"):
        return Place("start")
    if relation == "between" and words.peek(1).isdigit():
        del words.words[words.at + 1]  # "between the two trees"
    thing = read_thing(words, where)
    if thing is None and relation in _ELLIPTIC and closes(words) and words.mentioned is not None:
        thing = words.mentioned  # "open the door and walk through"
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


def _is_verb(word: str, following: str) -> bool:
    """Whether "to" begins an infinitive: "to pick it up", not "to sink"."""
    lemma, form = form_of(word) or ("", "")
    alone = following in ("", *CONNECTIVES) and all(meaning.particles for meaning in meanings(lemma))
    return form == "base" and not alone


def closes(words: Words) -> bool:
    """Whether a place ends here without a thing."""
    word = words.peek()
    return word in ("", "with", *CONNECTIVES) or word in _MANNER or (form_of(word) or ("", ""))[1] == "ing"


def _is_view(words: Words) -> bool:
    return words.peek(1) != "the" or words.peek(2) in ("front", "side", "back", "left", "right", "air", "top")


def _direction(words: Words) -> Place | None:
    """A direction without a thing."""

    def read() -> Place | None:
        words.take("to", "towards", "on", "in")
        determined = words.take("the", *POSSESSIVES)
        found = _DIRECTIONS.get(words.peek())
        if found is None:
            return None
        words.at += 1
        words.take("side")
        words.take("direction")
        return None if determined and _noun_follows(words) else Place("direction", direction=found)

    return words.attempt(read)


def _noun_follows(words: Words) -> bool:
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
                words.words[words.at] = _singular(words.peek())
                continue
        elif not nouns and word in _PICKS:
            found = replace(found, pick=_PICKS[word])
        elif word in COLOURS and not nouns:
            found = replace(found, colour=_SAME.get(word, word))
        elif word in _QUALITIES and not nouns and following and following not in CONNECTIVES:
            found = replace(found, qualities=(*found.qualities, _SAME.get(word, word)))
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
        return None
    return replace(found, name=" ".join(nouns))


def _ends_a_noun(words: Words, begun: bool, determined: bool) -> bool:
    word = words.peek()
    if word in ENDS or word[0].isdigit() or word in _MANNER or word == "start":
        return True
    if word.endswith("ly") and len(word) > 5 and begun:
        return True
    form = form_of(word)
    if form is None:
        return False
    return begun or (not determined and form[1] != "base")


def _further(words: Words, found: Thing, where: bool) -> Thing:
    """What follows a noun and says which thing is meant."""
    while True:
        word, following = words.peek(), words.peek(1)
        if word in ("number", "no") and (following.isdigit() or following == "one"):
            words.at += 2
            found = replace(found, ordinal=1 if following == "one" else int(following))
        elif word in ("that", "which") and following in ("is", "are", "stands", "was", "lies"):
            after = words.peek(2)
            if after in COLOURS:
                words.at += 3
                found = replace(found, colour=_SAME.get(after, after))
            elif after in _QUALITIES:
                words.at += 3
                found = replace(found, qualities=(*found.qualities, _SAME.get(after, after)))
            elif after in _PICKS or (after == "the" and words.peek(3) in _PICKS):
                words.at += 2 + (after == "the")
            elif after in _RELATIONS or after in ("on",):
                words.at += 2
            else:
                return found
        elif word in ("is", "are") and following in _PICKS:
            words.at += 1
        elif word in _PICKS:
            words.at += 1
            found = replace(found, pick=_PICKS[word])
            if words.peek() in ("to", "by") and words.peek(1) in ("you", "her", "him", "it", "me", "them", "the"):
                words.at += 2
                words.take("character", "camera")
        elif where and _RELATIONS.get(word) in _POSITIONS and found.where is None:
            place = words.attempt(lambda: _position(words))
            if place is None:
                return found
            found = replace(found, where=place)
        else:
            return found


def _position(words: Words) -> Place | None:
    """Where a thing is."""
    if words.peek() == "on" and words.peek(1) == "the" and words.peek(2) in _SIDES:
        return _direction(words)
    mentioned = words.mentioned
    relation = _RELATIONS[words.peek()]
    words.at += 1
    thing = read_thing(words, False)
    if thing is None or relation in ("over", "into"):
        words.mentioned = mentioned
        return None
    second = None
    if relation == "between" and words.peek() == "and":
        second = words.attempt(lambda: read_thing(words, False) if words.take("and") else None)
    return Place(relation, thing, second)


def _singular(noun: str) -> str:
    if noun.endswith("ches") or noun.endswith("xes") or noun.endswith("shes"):
        return noun[:-2]
    return noun[:-1] if noun.endswith("s") and not noun.endswith("ss") else noun
