"""Sentences as the words that the network sees, and words as numbers."""

from __future__ import annotations

import re
from itertools import pairwise, takewhile

from kinema.instructions.grammar.noun_phrases import singular
from kinema.instructions.grammar.spelling import with_things, word_set
from kinema.instructions.grammar.verbs import form_of
from kinema.instructions.grammar.wording import with_digits, without_labels
from kinema.instructions.programme import ORDINALS

MOST_WORDS = 80
"""Words of a text that are read."""

_RANKS = {*ORDINALS, "last", "nearest", "closest", "farthest", "furthest"}
LISTING = (".", ")", ":")
"""What stands behind the number of an item of a list."""

_UNITS = word_set("step steps pace paces metre metres meter meters m second seconds sec s time times x degree degrees")
_SMALL = word_set("and or then for with to at in on by while as from of the a an")
_TABLE = str.maketrans(
    {"\u2019": "'", "\u2018": "'", "`": "'", "\u2013": ",", "\u2014": ",", "\u2026": ".", "\u2022": "-", "@": " at "}
)
_FILLER = re.compile(r"(?<!turn)(?<!turns)(?<!look)(?<!looks)(?<!degrees)(?<!left)\s*,\s*right\s*,")
_TOKEN = re.compile(r"\d+(?:\.\d+)?|[a-z]+|[.,;:!?()/&+\u00b0\u00d7>'-]")


def tokens_of(text: str) -> list[str]:
    """The words of a text in lower case, its numbers in digits, and what separates them."""
    plain = without_labels(" ".join(text.lower().split())).translate(_TABLE)
    plain = plain.replace("->", ">").replace("=>", ">").replace("\u2192", ">")
    words = _TOKEN.findall(re.sub(r"(?<=\d),(?=\d)", ".", _FILLER.sub(",", plain)))
    while words[:1] == ["."]:
        del words[0]
    return _pointed(with_digits(_singled(with_things(words, lambda word: form_of(word) is not None))))


def _singled(words: list[str]) -> list[str]:
    """Words in which "the second of the old doors" is "the second old door": a name is copied as it stands."""
    found = list(words)
    for at in range(len(found) - 4, -1, -1):
        if found[at] in _RANKS and found[at + 1 : at + 3] == ["of", "the"]:
            named = list(takewhile(lambda word: word.isalpha() and word not in _SMALL, found[at + 3 : at + 6]))
            last = max((n for n, word in enumerate(named) if singular(word) != word), default=None)
            if last is not None:
                found[at + 1 : at + 4 + last] = [*named[:last], singular(named[last])]
    return found


def _pointed(words: list[str]) -> list[str]:
    """Words in which "1 stretch 2 yawn" is "1. stretch 2. yawn": numbers of a list are no amounts."""
    places: list[int] = []
    for at, (word, following) in enumerate(pairwise([*words, "."])):
        if word == str(len(places) + 1) and (places or at == 0) and following not in {*LISTING, *_UNITS}:
            places.append(at)
    found = list(words)
    for at in reversed(places if len(places) > 1 else []):
        found.insert(at + 1, ".")
    return found


def number_of(word: str) -> float | None:
    """The number that a word is; None if it is none."""
    return float(word) if word[:1].isdigit() else None
