"""Asks the network that comes with Kinema what texts mean."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from kinema.errors import UsageError
from kinema.instructions.grammar.consistency import check
from kinema.instructions.grammar.noun_phrases import singular
from kinema.instructions.grammar.spelling import word_set
from kinema.instructions.learned.faithful import forgets, invents, leaves_out
from kinema.instructions.learned.notation import REFUSED, read
from kinema.instructions.learned.tokens import MOST_WORDS, tokens_of
from kinema.instructions.programme import CameraMove, Programme, Step

if TYPE_CHECKING:
    from kinema.instructions.learned.model import Guess, ReaderModel

WEIGHTS = Path(__file__).parents[2] / "weights" / "instructions" / "reader"
"""The network that comes with Kinema."""

_SEQUENCE = word_set("then finally lastly afterwards after next last end ends ending finish finishes")
_THROUGHOUT = re.compile(
    r"\b(throughout|(whole|entire) (time|thing|scene)|all along|all the way through|all of it|everything"
    r"|start to finish|beginning to end)\b"
)
_READABLE = re.compile(r"[\x20-\x7e\s\u2010-\u2026\u2192\u00b0\u00d7]*")


@dataclass(frozen=True)
class Answer:
    """What the network makes of a text.

    Attributes:
        programme: None if the text is to be refused, or if what the network says is no programme.
        probability: how likely it holds that, from 0 to 1.
    """

    programme: Programme | None
    probability: float


def can_ask() -> bool:
    """Whether the packages of the network are installed."""
    return find_spec("torch") is not None and find_spec("safetensors") is not None


def ask(texts: Sequence[str]) -> list[Answer | None]:
    """What the network makes of texts; None for one that is too long for it, or in letters that it does not know."""
    from kinema.instructions.learned.model import guess

    words = [tokens_of(text) if _READABLE.fullmatch(text) else [] for text in texts]
    asked = [at for at, each in enumerate(words) if 0 < len(each) <= MOST_WORDS]
    found: list[Answer | None] = [None] * len(texts)
    if asked:
        for at, each in zip(asked, guess(_model(), [words[at] for at in asked]), strict=True):
            found[at] = _answer(words[at], each)
    return found


def _answer(words: Sequence[str], guesses: Sequence[Guess]) -> Answer:
    """The likeliest guess that is a programme of all that is said, and how likely it is among those that may be."""
    left, found = 1.0, Answer(None, 1.0)
    for each in guesses:
        if each.symbols[0] == REFUSED:
            break
        programme = _programme(words, each.symbols)
        if programme is not None and found.programme is None:
            found = Answer(programme, min(each.probability / left, 1.0))
        if programme is not None and not forgets(words, each.symbols):
            return Answer(programme, min(each.probability / left, 1.0))
        left = max(left - each.probability, 1e-6)
    return found


def _programme(words: Sequence[str], symbols: Sequence[str]) -> Programme | None:
    if leaves_out(words, symbols) or invents(words, symbols):
        return None
    try:
        programme = filmed(read(symbols), words)
        for group in programme.groups:
            check(group, group[0].describe().split())
    except UsageError:
        return None
    return None if any(_between_one(step) for step in programme.steps) else programme


def _between_one(step: Step) -> bool:
    """Whether a place is between one thing that is not several."""
    place = getattr(step, "place", None)
    if place is None or place.relation != "between" or place.thing is None or place.second is not None:
        return False
    return singular(place.thing.name) == place.thing.name


def filmed(programme: Programme, words: Sequence[str]) -> Programme:
    """A programme whose camera does not wait for the others, unless the last clause says that it comes after them.

    A camera that stands alone at the beginning ("seen from the side, he walks") or at the end ("he walks. side view")
    and does not look at a thing films what stands beside it. What is said of the only camera move to be "throughout"
    is so from the beginning.
    """
    groups = programme.groups
    if len(groups) > 1 and _films_alone(groups[0]) and not _has_camera(groups[1]):
        groups[:2] = [[*groups[1], *groups[0]]]
    ends = [at for at, word in enumerate(words[:-1]) if word in (".", ";", ",")]
    after = not _SEQUENCE.isdisjoint(words[ends[-1] if ends else 0 :])
    if len(groups) > 1 and _films_alone(groups[-1]) and not after and not _has_camera(groups[-2]):
        groups[-2:] = [[*groups[-2], *groups[-1]]]
    moves = [(group, step) for group in groups for step in group if isinstance(step, CameraMove)]
    if len(moves) == 1 and len(moves[0][0]) > 1 and _THROUGHOUT.search(" ".join(words)):
        ((group, move),) = moves
        group.remove(move)
        groups[0].append(move)
    return Programme(tuple(replace(step, together=at > 0) for group in groups for at, step in enumerate(group)))


def _films_alone(group: Sequence[Step]) -> bool:
    return all(isinstance(step, CameraMove) and step.thing is None and not step.seconds for step in group)


def _has_camera(group: Sequence[Step]) -> bool:
    return any(isinstance(step, CameraMove) for step in group)


@cache
def _model() -> ReaderModel:
    from kinema.instructions.learned.model import ReaderModel
    from kinema.learn.folder import load_model

    model = load_model(WEIGHTS).model
    assert isinstance(model, ReaderModel)
    return model
