"""Captions with what is done in them: what the network is trained with, and how it is varied."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import groupby, pairwise
from pathlib import Path

import numpy as np

from kinema.errors import KinemaError, LearningError
from kinema.mocap.creatures.abilities import Abilities
from kinema.mocap.creatures.acts import ACTIONS, Act
from kinema.mocap.creatures.captions import caption
from kinema.mocap.creatures.clauses import read
from kinema.mocap.creatures.creature import CREATURES, make_creature
from kinema.mocap.creatures.reading import Token, tokens_of
from kinema.mocap.creatures.words import main_action

MOST_WORDS = 80
"""Words and marks of a caption that are read."""

_LINKS = (". ", ", then ", ", ", " and then ", "; ", ", and ", ". Then it ", " - ", ". After that, ", "... ")
_EARLIER_LINKS = (" after it ", ", having ", ", but first ", ". Before that, it ", " once it ", ", though first it ")
_EARLIER_OPENINGS = ("before it ", "before ", "just before it ", "prior to this: ")
_JOINED, _REVERSED, _WORN, _OTHERS_BODY = 0.25, 0.6, 0.15, 0.25
_LONGEST = 24  # words of captions that are joined
_ENDINGS = " .!?;,"


@dataclass(frozen=True)
class Told:
    """A caption, and where it says what.

    Attributes:
        text: the caption.
        tokens: its words and marks.
        heads: the tokens that say what is done, in the order of the text.
        actions: what each says, as indices into `ACTIONS`.
        earlier: whether each is done before what is said just before it.
        body: what the body can do.
        name: of the body.
    """

    text: str
    tokens: tuple[Token, ...]
    heads: tuple[int, ...]
    actions: tuple[int, ...]
    earlier: tuple[bool, ...]
    body: Abilities
    name: str

    @property
    def order(self) -> list[int]:
        """Its actions in order of time, none twice in a row."""
        return in_order(self.actions, self.earlier)


def in_order(actions: Sequence[int], earlier: Sequence[bool]) -> list[int]:
    """Actions in order of time, none twice in a row."""
    return [action for action, _ in groupby(actions[at] for at in times(earlier))]


def times(earlier: Sequence[bool]) -> list[int]:
    """What is said first, second and so on, in order of time.

    Each comes last of all so far, or directly before what is said before it.
    """
    found: list[int] = []
    for at, before in enumerate(earlier):
        place = found.index(at - 1) if before and at else len(found)
        found.insert(place, at)
    return found


@cache
def body_of(name: str) -> Abilities:
    """What a creature that comes with Kinema can do."""
    found = Abilities.of(make_creature(name))
    assert found is not None
    return found


def read_told(path: Path) -> list[Told]:
    """Captions of a file of JSON lines: `{"body": "horse", "text": "trots, eats", "acts": [["run", "trots"], ...]}`.

    `acts` are in order of time, each with the words that say it.

    Raises:
        LearningError: it is no such file; the line is named.
    """
    found = []
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise LearningError(f"{path}: no file of captions: {error}") from None
    for number, line in enumerate(lines, 1):
        try:
            row = json.loads(line)
            told = told_of(row["text"], [(action, words) for action, words in row["acts"]], row["body"])
        except (ValueError, KeyError, TypeError, KinemaError) as error:
            raise LearningError(f"{path}, line {number}: no caption with a body, a text and acts: {error}") from None
        if told is not None:
            found.append(told)
    if not found:
        raise LearningError(f"{path}: has no captions")
    return found


def told_of(text: str, acts: Sequence[tuple[str, str]], name: str) -> Told | None:
    """A caption and its acts in order of time; None if it is too long, or asks for what the body cannot do.

    Raises:
        ValueError: an act is none, or its words are not in the text.
        UsageError: no creature has this name.
    """
    unknown = next((action for action, _ in acts if action not in ACTIONS), None)
    if unknown is not None:
        raise ValueError(f"{unknown!r} is no act; the acts are: {', '.join(ACTIONS)}")
    body, tokens = body_of(name), tuple(tokens_of(text))
    if len(tokens) > MOST_WORDS or not {action for action, _ in acts} <= set(body.actions):
        return None
    heads: list[tuple[int, int, int]] = []  # token, action, time
    for time, (action, words) in enumerate(acts):
        head = _head(text, tokens, words, [each[0] for each in heads])
        heads.append((head, ACTIONS.index(action), time))
    return _told(text, tokens, heads, name)


def by_grammar(count: int, seed: int) -> list[Told]:
    """Captions that `kinema.mocap.creatures.caption` writes of acts drawn at random, as the grammar reads them."""
    rng, names = np.random.default_rng([seed, 7]), list(CREATURES)
    found: list[Told] = []
    while len(found) < count:
        name = names[rng.integers(len(names))]
        kinds = rng.choice(body_of(name).actions, int(rng.integers(1, 4)), replace=False).tolist()
        acts = [Act(kind, 1.0, float(rng.uniform(-1, 1)), turn=float(rng.uniform(-2, 2))) for kind in kinds]
        told = _by_grammar(caption((name, "creature", "animal"), acts, rng, CREATURES[name][0]), name)
        if [ACTIONS[action] for action in told.order] == kinds:
            found.append(told)
    return found


def _by_grammar(text: str, name: str) -> Told:
    body = body_of(name)
    tokens, phrases = read(text, body)
    acts = [(phrase, main_action(phrase, body)) for phrase in phrases]
    heads = [
        (next((hit.first for hit in phrase.hits if hit.action == action), phrase.first), ACTIONS.index(action), time)
        for time, (phrase, action) in enumerate(acts)
        if action is not None
    ]
    return _told(text, tokens, heads, name)


def _told(text: str, tokens: Sequence[Token], heads: list[tuple[int, int, int]], name: str) -> Told:
    """A caption whose heads are given as tokens, actions and places in time."""
    heads = sorted(heads)
    earlier = (False, *(after[2] < before[2] for before, after in pairwise(heads)))[: len(heads)]
    found, actions = tuple(each[0] for each in heads), tuple(each[1] for each in heads)
    return Told(text, tuple(tokens), found, actions, earlier, body_of(name), name)


def _head(text: str, tokens: Sequence[Token], words: str, taken: Sequence[int]) -> int:
    """The first token of some words that no other act has: where they stand behind the act before, or anywhere."""
    found: list[int] = []
    start = text.find(words)
    while start >= 0:
        inside = (at for at, token in enumerate(tokens) if start <= token.start < start + len(words))
        found += [at for at in inside if at not in taken and tokens[at].text[0].isalnum()][:1]
        start = text.find(words, start + 1)
    if not found:
        raise ValueError(f"{words!r} is not in {text!r}")
    return next((at for at in found if taken and at > taken[-1]), found[0])


class VariedCaptions:
    """Captions that are joined, worn, and said of other bodies.

    Args:
        captions: those of writers.
    """

    def __init__(self, captions: Sequence[Told]) -> None:
        self.captions = captions
        self._short = [each for each in captions if len(each.tokens) <= _LONGEST and each.heads]

    def draw(self, at: int, rng: np.random.Generator) -> Told:
        """A variation of the caption at an index."""
        told = self.captions[at]
        if len(told.tokens) <= _LONGEST and told.heads and rng.random() < _JOINED:
            told = self._joined(told, rng)
        if rng.random() < _OTHERS_BODY:
            told = _of_another(told, rng)
        return _worn(told, rng) if rng.random() < _WORN else told

    def _joined(self, told: Told, rng: np.random.Generator) -> Told:
        """A caption with another behind it that the same body can act out."""
        for _ in range(8):
            other = self._short[rng.integers(len(self._short))]
            if {ACTIONS[action] for action in other.actions} <= set(told.body.actions):
                break
        else:
            return told
        single = len(told.heads) == len(other.heads) == 1 and other.heads[0] == 0
        return _reversed(told, other, rng) if single and rng.random() < _REVERSED else _chained(told, other, rng)


def _chained(told: Told, other: Told, rng: np.random.Generator) -> Told:
    """A caption, then another."""
    link = _LINKS[rng.integers(len(_LINKS))]
    first, second = told.text.rstrip(_ENDINGS), other.text if link[0] == "." else _small(other.text)
    starts = [told.tokens[head].start for head in told.heads]
    starts += [other.tokens[head].start + len(first) + len(link) for head in other.heads]
    both = replace(told, actions=(*told.actions, *other.actions), earlier=(*told.earlier, *other.earlier))
    return _rewritten(both, first + link + second, starts) or told


def _reversed(told: Told, other: Told, rng: np.random.Generator) -> Told:
    """A caption of one act, with another of which it is said that it comes earlier."""
    first, second = told.text.rstrip(_ENDINGS), _small(other.text)
    if rng.random() < 0.6:
        opening, link = "", _EARLIER_LINKS[rng.integers(len(_EARLIER_LINKS))]
    else:
        opening, link = _EARLIER_OPENINGS[rng.integers(len(_EARLIER_OPENINGS))], ", "
        first = _small(first)
    starts = [len(opening) + told.tokens[told.heads[0]].start]
    starts.append(len(opening) + len(first) + len(link) + other.tokens[other.heads[0]].start)
    both = replace(told, actions=(*told.actions, *other.actions), earlier=(False, True))
    return _rewritten(both, opening + first + link + second, starts) or told


def _small(text: str) -> str:
    return text[:1].lower() + text[1:]


def _rewritten(told: Told, text: str, starts: Sequence[int]) -> Told | None:
    """A caption in other words; None if what says the acts is no longer found, or it is too long.

    Args:
        starts: where the characters of its heads begin in the new text.
    """
    tokens = tuple(tokens_of(text))
    places = {token.start: at for at, token in reversed(list(enumerate(tokens)))}
    heads = tuple(places[start] for start in starts if start in places)
    if len(heads) < len(starts) or len(tokens) > MOST_WORDS:
        return None
    return replace(told, text=text, tokens=tokens, heads=heads)


_NAMES = (
    "person", "trex", "dog", "horse", "lizard", "ant", "spider", "crab", "octopus", "sparrow", "wasp", "dragon",
    "snake", "centipede",
)  # fmt: skip


def _of_another(told: Told, rng: np.random.Generator) -> Told:
    """A caption said of another body that can do the same; who swims stays who it is, since words mean less to it."""
    if told.body.swims:
        return told
    name = _NAMES[rng.integers(len(_NAMES))]
    body = body_of(name)
    able = {ACTIONS[action] for action in told.actions} <= set(body.actions) and body.flies == told.body.flies
    return replace(told, body=body, name=name) if able else told


def _worn(told: Told, rng: np.random.Generator) -> Told:
    """A caption without the mark at its end, without some commas, or in capitals or none."""
    starts = [told.tokens[head].start for head in told.heads]
    way = rng.random()
    if way < 0.3:
        return _rewritten(told, told.text.rstrip(_ENDINGS), starts) or told
    if way < 0.6:
        return _rewritten(told, told.text.lower(), starts) or told
    lost = [at for at, letter in enumerate(told.text) if letter == "," and rng.random() < 0.4]
    text = "".join(letter for at, letter in enumerate(told.text) if at not in lost)
    return _rewritten(told, text, [start - sum(at < start for at in lost) for start in starts]) or told
