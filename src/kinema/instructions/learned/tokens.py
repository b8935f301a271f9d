"""Sentences as the words that the network sees, and words as numbers."""

from __future__ import annotations

import re
import zlib
from functools import lru_cache

from kinema.instructions.grammar.noun_phrases import singular
from kinema.instructions.grammar.wording import with_digits
from kinema.instructions.programme import ORDINALS

BUCKETS = 8192
"""Rows of the table of pieces; row 0 is nothing."""

MOST_WORDS = 80
"""Words of a text that are read."""

PIECES = 10
"""Pieces of a word that are seen: the word, and parts of three letters."""

_RANKS = {*ORDINALS, "last", "nearest", "closest", "farthest", "furthest"}
_TABLE = str.maketrans({"\u2019": "'", "\u2018": "'", "`": "'", "\u2013": ",", "\u2014": ",", "\u2026": "."})
_TOKEN = re.compile(r"\d+(?:\.\d+)?|[a-z]+|[.,;:!?()/&+\u00b0\u00d7>'-]")


def tokens_of(text: str) -> list[str]:
    """The words of a text in lower case, its numbers in digits, and what separates them."""
    plain = text.translate(_TABLE).lower().replace("->", ">").replace("=>", ">").replace("\u2192", ">")
    words = _TOKEN.findall(re.sub(r"(?<=\d),(?=\d)", ".", plain))
    return with_digits(_singled(words))


def _singled(words: list[str]) -> list[str]:
    """Words in which "the second of the old doors" is "the second old door": a name is copied as it stands."""
    found = list(words)
    for at in range(len(found) - 4, -1, -1):
        if found[at] in _RANKS and found[at + 1 : at + 3] == ["of", "the"]:
            noun = next((n for n in range(at + 3, min(at + 6, len(found))) if singular(found[n]) != found[n]), None)
            if noun is not None:
                found[at + 1 : noun + 1] = [*found[at + 3 : noun], singular(found[noun])]
    return found


@lru_cache(maxsize=1 << 16)
def pieces_of(word: str) -> tuple[int, ...]:
    """Rows `[PIECES]` of the table for a word, 0 where it has fewer pieces (P. Bojanowski et al., "Enriching Word
    Vectors with Subword Information", 2017)."""
    marked = f"<{word}>"
    parts = [marked] if len(marked) > 3 else []
    parts += [marked[at : at + 3] for at in range(max(len(marked) - 2, 1))]
    rows = [1 + zlib.crc32(part.encode()) % (BUCKETS - 1) for part in parts[:PIECES]]
    return (*rows, *(0,) * (PIECES - len(rows)))


def number_of(word: str) -> float | None:
    """The number that a word is; None if it is none."""
    return float(word) if word[:1].isdigit() else None
