"""Words with one letter wrong: "galopping", "slithring", "atacks"."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache

from kinema.mocap.creatures.common_words import UNTOUCHED

SHORTEST = 6
"""Words with fewer letters are never corrected, because too many other words are one letter away."""

SHORTEST_WITH_ANOTHER = 8
"""From this length, one letter may be another; in shorter words, one may be missing, too many, or swapped."""

_DOUBLED_ENDING = re.compile(r"([bdglmnprt])\1(ing|ed|er)$")

_UNTOUCHED = frozenset(UNTOUCHED.split())


class Speller:
    """Finds the known word that differs from a text's word by one letter: one more, one less, another, or two swapped.

    Args:
        known: what each correctly spelled word stands for.
        others: words that are correct and stand for nothing.
    """

    def __init__(self, known: Mapping[str, str], others: Iterable[str]) -> None:
        self._known = known
        self._others = frozenset(others) | _UNTOUCHED
        self._near: dict[str, set[str]] = {}
        for word in known:
            if len(word) >= SHORTEST - 1:
                for shorter in _shortened(word):
                    self._near.setdefault(shorter, set()).add(word)
        self.corrected = lru_cache(maxsize=4096)(self._corrected)

    def _corrected(self, word: str) -> str | None:
        """What a misspelled word stands for, or None. Callers use `corrected`, which remembers."""
        if len(word) < SHORTEST or word in self._others:
            return None
        candidates = {near for shorter in _shortened(word) for near in self._near.get(shorter, ())}
        meant = sorted(near for near in candidates if near[0] == word[0] and _is_meant(word, near))
        if meant:
            return self._known[meant[0]]
        # "galopping" has a letter too few, and one too many before its ending.
        single = _DOUBLED_ENDING.sub(r"\1\2", word)
        return self._known.get(single) or self._corrected(single) if single != word else None


def _is_meant(word: str, near: str) -> bool:
    another = len(word) == len(near) and sorted(word) != sorted(near)
    return is_one_letter_off(word, near) and (not another or len(word) >= SHORTEST_WITH_ANOTHER)


def _shortened(word: str) -> set[str]:
    """The word itself, and the word without each one of its letters."""
    return {word} | {word[:index] + word[index + 1 :] for index in range(len(word))}


def is_one_letter_off(word: str, other: str) -> bool:
    """Whether two words are equal but for one letter that is added, missing or different, or two neighbours swapped."""
    if abs(len(word) - len(other)) > 1:
        return False
    start = _common(word, other)
    rest, other_rest = word[start:], other[start:]
    if len(word) != len(other):
        return rest[1:] == other_rest or rest == other_rest[1:]
    swapped = rest[:2] == other_rest[1::-1]
    return rest[1:] == other_rest[1:] or (swapped and rest[2:] == other_rest[2:])


def _common(word: str, other: str) -> int:
    """How many letters at the start are the same."""
    for index, (letter, another) in enumerate(zip(word, other, strict=False)):
        if letter != another:
            return index
    return min(len(word), len(other))
