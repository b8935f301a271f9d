"""What the network sees of a caption: its words, what the grammar makes of them, and what the body can do."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from kinema.arrays import Singles
from kinema.learn.pieces import PIECES, pieces_of
from kinema.mocap.creatures.abilities import Abilities
from kinema.mocap.creatures.acts import ACTIONS
from kinema.mocap.creatures.clauses import connectors_of, read
from kinema.mocap.creatures.fitting import fitted
from kinema.mocap.creatures.lexicon import PLANS
from kinema.mocap.creatures.reading import hits_of, tokens_of
from kinema.mocap.creatures.words import main_action

_WEAKNESSES = 5

LISTED = len(ACTIONS) + _WEAKNESSES
"""The first numbers of a word: what the lexicon has it for, and how weakly."""

READ = LISTED + len(ACTIONS) + 1
"""The numbers behind them, up to here: what the grammar holds it to say at last, and whether that is earlier."""

_CONNECTORS = ("then", "after", "before")
_BODY = READ + len(_CONNECTORS) + 2

FEATURES = _BODY + len(ACTIONS) + len(PLANS)
"""All of a word: those of the lexicon and the grammar, what it connects, two of its form, then those of the body."""


class Captions(NamedTuple):
    """A batch of `B` captions of up to `S` words and marks.

    Attributes:
        pieces: int64 `[B, S, PIECES]`. features: float32 `[B, S, FEATURES]`. known: bool `[B, S]`, where a word is.
        able: bool `[B, ACTIONS]`: what the body can do.
        said: int64 `[B, S]`: 1 + the action that a word says, 0 for none. earlier: bool `[B, S]`, of those that do.
    """

    pieces: Tensor
    features: Tensor
    known: Tensor
    able: Tensor
    said: Tensor
    earlier: Tensor


@lru_cache(maxsize=1 << 16)
def features_of(text: str, body: Abilities) -> Singles:
    """The numbers `[S, FEATURES]` of the words and marks of a caption."""
    tokens, phrases = read(text, body)
    out = np.zeros((len(tokens), FEATURES), np.float32)
    for hit in fitted(tokens, hits_of(tokens), body):
        if hit.action is not None:
            out[hit.first : hit.last + 1, ACTIONS.index(hit.action)] = 1.0
            out[hit.first : hit.last + 1, len(ACTIONS) + min(hit.weakness, _WEAKNESSES - 1)] = 1.0
    heads = []
    for time, phrase in enumerate(phrases):
        action = main_action(phrase, body)
        head = next((hit.first for hit in phrase.hits if hit.action == action), None)
        if action is not None and head is not None:
            out[head, LISTED + ACTIONS.index(action)] = 1.0
            heads.append((head, time))
    for before, after in pairwise(sorted(heads)):
        out[after[0], READ - 1] = after[1] < before[1]
    for first, end, kind in connectors_of(tokens):
        out[first:end, READ + _CONNECTORS.index(kind)] = 1.0
    out[:, _BODY - 2] = [token.noun for token in tokens]
    out[:, _BODY - 1] = [text[token.start : token.start + 1].isupper() for token in tokens]
    out[:, _BODY : _BODY + len(ACTIONS)] = [action in body.actions for action in ACTIONS]
    out[:, _BODY + len(ACTIONS) + PLANS.index(body.plan)] = 1.0
    return out


def to_captions(
    texts: Sequence[tuple[str, Abilities]], said: Sequence[tuple[Sequence[int], Sequence[int], Sequence[bool]]] = ()
) -> Captions:
    """Texts, each with the body that it is said of, as a batch.

    Args:
        said: of each the heads, their actions and whether they are earlier, see `Told`; empty where it is not known.
    """
    words = [tokens_of(text) for text, _ in texts]
    longest = max(len(each) for each in words)
    pieces = np.zeros((len(texts), longest, PIECES), np.int64)
    features = np.zeros((len(texts), longest, FEATURES), np.float32)
    able = np.zeros((len(texts), len(ACTIONS)), np.bool_)
    labels = np.zeros((len(texts), longest), np.int64)
    before = np.zeros((len(texts), longest), np.bool_)
    for row, (tokens, (text, body)) in enumerate(zip(words, texts, strict=True)):
        pieces[row, : len(tokens)] = [pieces_of(token.text) for token in tokens]
        features[row, : len(tokens)] = features_of(text, body)
        able[row] = [action in body.actions for action in ACTIONS]
    for row, (heads, actions, earlier) in enumerate(said):
        labels[row, list(heads)] = [1 + action for action in actions]
        before[row, list(heads)] = earlier
    known = (pieces != 0).any(-1)
    return Captions(*(torch.from_numpy(each) for each in (pieces, features, known, able, labels, before)))
