"""Words as numbers without a vocabulary: hashed pieces, so that a network reads words that it has never seen.

P. Bojanowski et al., "Enriching Word Vectors with Subword Information", 2017.
"""

from __future__ import annotations

import zlib
from functools import lru_cache

BUCKETS = 8192
"""Rows of the table of pieces; row 0 is nothing."""

PIECES = 10
"""Pieces of a word that are seen: the word, and parts of three letters."""


@lru_cache(maxsize=1 << 16)
def pieces_of(word: str) -> tuple[int, ...]:
    """Rows `[PIECES]` of the table for a word, 0 where it has fewer pieces."""
    marked = f"<{word}>"
    parts = [marked] if len(marked) > 3 else []
    parts += [marked[at : at + 3] for at in range(max(len(marked) - 2, 1))]
    rows = [1 + zlib.crc32(part.encode()) % (BUCKETS - 1) for part in parts[:PIECES]]
    return (*rows, *(0,) * (PIECES - len(rows)))
