"""Asks the network that comes with Kinema what texts mean."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from kinema.errors import UsageError
from kinema.instructions.grammar.amounts import MANNERS
from kinema.instructions.grammar.consistency import check
from kinema.instructions.grammar.noun_phrases import COLOURS, SAME_COLOURS
from kinema.instructions.grammar.spelling import word_set
from kinema.instructions.learned.notation import REFUSED, read
from kinema.instructions.learned.tokens import MOST_WORDS, number_of, tokens_of
from kinema.instructions.programme import CameraMove, Programme, Step

if TYPE_CHECKING:
    from kinema.instructions.learned.model import Guess, ReaderModel

WEIGHTS = Path(__file__).parents[2] / "weights" / "instructions" / "reader"
"""The network that comes with Kinema."""

_RANKS, _LISTING = ("st", "nd", "rd", "th"), (".", ")", ":")
_UNITS = {
    **dict.fromkeys(("degree", "degrees"), "degrees"),
    **dict.fromkeys(("metre", "metres", "meter", "meters", "m"), "metres"),
    **dict.fromkeys(("seconds", "secs", "sec"), "seconds"),
}
_FILMED = {"wide": "framing wide", "camera": "camera"}
_SEQUENCE = word_set("then finally lastly afterwards after next last end ends ending finish finishes")
_THROUGHOUT = re.compile(
    r"\b(throughout|(whole|entire) (time|thing|scene)|all along|start to finish|beginning to end)\b"
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
        if programme is not None and mentioned(words, each.symbols):
            return Answer(programme, min(each.probability / left, 1.0))
        left = max(left - each.probability, 1e-6)
    return found


def _programme(words: Sequence[str], symbols: Sequence[str]) -> Programme | None:
    if not accounted(words, symbols):
        return None
    try:
        programme = filmed(read(symbols), words)
        for group in programme.groups:
            check(group, group[0].describe().split())
    except UsageError:
        return None
    return programme


def accounted(words: Sequence[str], symbols: Sequence[str]) -> bool:
    """Whether symbols have all numbers, units, sides, colours, manners and cameras that are said.

    A network may leave one out.
    """
    said, listed = " ".join(symbols), _listed(words)
    for at, (word, following) in enumerate(pairwise([*words, ""])):
        number = number_of(word)
        counted = number is not None and following not in (*_RANKS, *_LISTING) and at not in listed
        if counted and not {f"#{number:.10g}", f"number {number:g}", f"={word}"} & set(symbols):
            return False
        if word in ("left", "right") and word not in said:
            return False
        if word in COLOURS and not {f"colour {SAME_COLOURS.get(word, word)}", f"={word}"} & set(symbols):
            return False
        if word.endswith("ly") and word in MANNERS and f"manner {MANNERS[word]}" not in symbols:
            return False
        if word in _UNITS and _UNITS[word] not in symbols:
            return False
        if word == "both" and following in ("hands", "arms", "fists", "feet") and "side both" not in symbols:
            return False
        if word in _FILMED and not {f"={word}", _FILMED[word]} & set(symbols):
            return False
    return True


def _listed(words: Sequence[str]) -> set[int]:
    """Where the numbers of a list stand, as in "1 stretch 2 yawn 3 walk to the window"."""
    found: list[int] = []
    for at, word in enumerate(words):
        if word == str(len(found) + 1) and (found or at == 0):
            found.append(at)
    return set(found) if len(found) > 1 else set()


def mentioned(words: Sequence[str], symbols: Sequence[str]) -> bool:
    """Whether what is named in symbols is named there as often as in the words; or more, for pronouns."""
    named = {symbol for symbol in symbols if symbol.startswith("=")}
    return all(symbols.count(name) >= words.count(name[1:]) for name in named)


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
