"""Reads amounts and manners from the words of a sentence."""

from __future__ import annotations

from collections.abc import Mapping

from kinema.errors import UsageError
from kinema.instructions.grammar.verbs import word_set
from kinema.instructions.grammar.wording import quoted
from kinema.instructions.grammar.words import Words

_MANNERS_OF: Mapping[str, str] = {
    "slowly": "slow slowly leisurely sluggishly unhurriedly leisured",
    "quickly": "quick quickly fast faster rapidly rapid swift swiftly speedily hurriedly hastily briskly brisk hurried",
    "quietly": "quiet quietly silent silently noiselessly softly soundlessly soft",
    "happily": "happy happily cheerily gleefully cheerful cheerfully joyful joyfully merrily merry joyously gladly",
    "carefully": "careful carefully cautious cautiously warily",
    "sadly": "sad sadly unhappily sorrowfully mournfully gloomily dejectedly glumly miserably dejected gloomy glum "
             "miserable "
    "sorrowful downcast unhappy downheartedly forlornly "
    "despondently", "stealthily": "stealthy stealthily", "sneakily": "sneaky sneakily", "angrily": "angry angrily "
        "furiously furious madly mad", "proudly": "proud proudly",
    "nervously": "nervous nervously anxiously anxious", "calmly": "calm calmly", "gracefully": "graceful gracefully "
    "elegantly elegant",
    "gently": "gentle gently", "loudly": "loud loudly "
                                         "noisily", "tiredly": "tired tiredly wearily weary exhausted "
                                             "exhaustedly", "alone": "alone",
}  # fmt: skip
MANNERS = {word: manner for manner, words in _MANNERS_OF.items() for word in words.split()}
WITH_FEELING = {"joy": "happily", "care": "carefully", "pride": "proudly", "caution": "carefully", "haste": "quickly",
                 "sorrow": "sadly", "sadness": "sadly", "grief": "sadly",
                "gloom": "sadly", "anger": "angrily", "rage": "angrily",
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
    if words.peek() == "with" and (words.peek(1) in WITH_FEELING or words.peek(2) in WITH_FEELING):
        words.at += 2 if words.peek(1) in WITH_FEELING else 3
        return WITH_FEELING[words.words[words.at - 1]]
    word = words.peek()
    if word in MANNERS or (word.endswith("ly") and len(word) > 5 and word not in ("family", "butterfly", "assembly")):
        words.at += 1
        return MANNERS.get(word, word)
    return None
