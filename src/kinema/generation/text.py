"""Texts as lists of numbers that stand for concepts and words; a network learns what they mean.

Concepts are found by the lexicon, so words that no caption of the training used still say something. Words and pieces
of words are hashed, so there is no vocabulary to keep (P. Bojanowski et al., "Enriching Word Vectors with Subword
Information", 2017).
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Sequence

import numpy as np

from kinema.arrays import Ints
from kinema.mocap.creatures.words import CONCEPTS, concepts_of

BUCKETS = 2048
FIRST_CONCEPT = 1
FIRST_HASH = FIRST_CONCEPT + len(CONCEPTS)
TOKENS = FIRST_HASH + BUCKETS
"""Different numbers; 0 fills lists up."""

MOST = 48
"""Numbers of a text that are read."""

_CONCEPTS = {name: FIRST_CONCEPT + place for place, name in enumerate(CONCEPTS)}
_WORD = re.compile(r"[^\W\d_]+")
_PIECE = 4


def tokens(text: str) -> list[int]:
    """Concepts, words and pieces of words of a text, at most `MOST`."""
    found = [_CONCEPTS[name] for name in concepts_of(text)]
    for word in _WORD.findall(text.lower()):
        found.append(_hashed(word))
        marked = f"^{word}$"
        found += [_hashed(marked[at : at + _PIECE]) for at in range(len(marked) - _PIECE)]
    return found[:MOST]


def padded(lists: Sequence[Sequence[int]]) -> Ints:
    """Lists of tokens as `[N, L]`, filled up with 0."""
    out = np.zeros((len(lists), max((len(each) for each in lists), default=0) or 1), np.int64)
    for row, each in zip(out, lists, strict=True):
        row[: len(each)] = each
    return out


def is_concept(token: Ints) -> np.ndarray:
    """Whether tokens stand for concepts, not for words."""
    return (token >= FIRST_CONCEPT) & (token < FIRST_HASH)


def _hashed(piece: str) -> int:
    return FIRST_HASH + zlib.crc32(piece.encode()) % BUCKETS
