"""Reads captions for a body: by the network that comes with Kinema, and by the grammar where that is not sure."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from kinema.generation.captions.model import CaptionModel, Found, found_in
from kinema.generation.captions.told import MOST_WORDS, times
from kinema.learn.folder import load_model
from kinema.mocap.creatures.abilities import Abilities
from kinema.mocap.creatures.acts import ACTIONS
from kinema.mocap.creatures.reading import tokens_of
from kinema.mocap.creatures.words import actions_of, concepts_of, phrases_at

WEIGHTS = Path(__file__).parents[2] / "weights" / "captions" / "reader"
"""The network that comes with Kinema."""

_SURE = 0.3
"""How sure the network has to be of all that a caption says."""


def read_caption(text: str, body: Abilities) -> list[tuple[str, str | None]]:
    """The successive phrases of a text, each with the action of a body that it asks for.

    A phrase in which the lexicon finds another action is put into words that it knows.
    """
    grammar = actions_of(text, body)
    if not 0 < len(tokens_of(text)) <= MOST_WORDS:
        return grammar
    found = _found(text, body)
    if not found.heads or found.probability < _SURE:
        return grammar
    return _as_phrases(text, found)


def _as_phrases(text: str, found: Found) -> list[tuple[str, str | None]]:
    said = phrases_at(text, found.heads)
    phrases: list[tuple[str, str | None]] = []
    for at in times(found.earlier):
        phrase, action = said[at], ACTIONS[found.actions[at]]
        if phrases and phrases[-1][1] == action:
            phrases[-1] = f"{phrases[-1][0]}, {phrase}", action
        else:
            phrases.append((phrase, action))
    return [(_plain(phrase, action), action) for phrase, action in phrases if action]


def _plain(phrase: str, action: str) -> str:
    """A phrase, or the action and what else it says, if the words mean another action to the lexicon."""
    concepts = concepts_of(phrase)
    named = [each for each in concepts if each in ACTIONS]
    if named == [action]:
        return phrase
    return " ".join([action, *(each for each in concepts if each not in ACTIONS)])


@lru_cache(maxsize=256)
def _found(text: str, body: Abilities) -> Found:
    return found_in(_model(), [(text, body)])[0]


@lru_cache(maxsize=1)
def _model() -> CaptionModel:
    model = load_model(WEIGHTS).model
    assert isinstance(model, CaptionModel)
    return model
