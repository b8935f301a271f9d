"""Sentences as the words that the network sees, and words as numbers."""

from __future__ import annotations

import re
import zlib
from functools import lru_cache

from kinema.instructions.grammar.wording import with_digits

BUCKETS = 8192
"""Rows of the table of pieces; row 0 is nothing."""

MOST_WORDS = 80
"""Words of a text that are read."""

PIECES = 10
"""Pieces of a word that are seen: the word, and parts of three letters."""

_TABLE = str.maketrans({"\u2019": "'", "\u2018": "'", "`": "'", "\u2013": ",", "\u2014": ",", "\u2026": "."})
_TOKEN = re.compile(r"\d+(?:\.\d+)?|[a-z]+|[.,;:!?()/&+\u00b0\u00d7>'-]")


def tokens_of(text: str) -> list[str]:
    """The words of a text in lower case, its numbers in digits, and what separates them."""
    plain = text.translate(_TABLE).lower().replace("->", ">").replace("=>", ">").replace("\u2192", ">")
    words = _TOKEN.findall(re.sub(r"(?<=\d),(?=\d)", ".", plain))
    return with_digits(words)


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
