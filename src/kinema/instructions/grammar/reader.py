"""Reads a text clause by clause."""

from __future__ import annotations

from kinema.errors import UsageError
from kinema.instructions.grammar.amounts import read_manner
from kinema.instructions.grammar.camera_words import read_camera
from kinema.instructions.grammar.clauses import read_clause
from kinema.instructions.grammar.composing import Composer
from kinema.instructions.grammar.drafts import ClauseLink, Reading
from kinema.instructions.grammar.verbs import form_of, meanings
from kinema.instructions.grammar.wording import quoted, words_of
from kinema.instructions.grammar.words import Words
from kinema.instructions.programme import Programme

_NEGATIONS = {"not", "never", "no", "without", "nobody", "neither", "nor", "none", "avoid", "avoiding", "instead"}
_CHOICES = {"or", "if", "unless", "either"}
_SUBORDINATE = {"while": "while", "as": "while", "before": "before", "after": "after", "once": "after", "when": "after"}
_RELATIVE = {"where", "who", "which"}


def parse(text: str) -> Programme:
    """What a text asks for, as far as the grammar goes; see `kinema.instructions.reading.read_instructions`.

    Raises:
        UsageError: something is not understood, is denied, contradicts itself or leaves a choice; it is quoted.
    """
    check_wording(text)
    words = Words(words_of(text))
    reading = Reading(words)
    composer = Composer()
    while True:
        link = _read_link(words)
        if not words.peek():
            break
        start = words.at
        clause = read_clause(reading)
        if words.at == start:
            raise UsageError(f"{quoted(words.clause(start))} was not understood; say it in plain clauses")
        link.meanwhile |= bool(words.take("meanwhile"))
        composer.add(clause, link, words.sentence(start))
    return composer.programme()


def check_wording(text: str) -> None:
    """Refuses what no programme can say.

    Raises:
        UsageError: it is no text, empty, too long or in other letters, it says what not to do, or it leaves a choice.
    """
    words = words_of(text)
    for at, word in enumerate(words):
        following = words[at + 1] if at + 1 < len(words) else ""
        said = quoted(words[max(0, at - 2) : at + 5])
        if word in _NEGATIONS and not (word == "no" and following.isdigit()):
            raise UsageError(f"{said} says what not to do; say what to do, such as 'stand still for two seconds'")
        if word in _CHOICES and not (word == "if" and words[at - 1 : at] == ["as"]):
            raise UsageError(f"{said} leaves a choice; say the one thing that is to be done")


def _read_link(words: Words) -> ClauseLink:
    link = ClauseLink(sentence=words.at == 0)
    while word := words.peek():
        if word in (",", "."):
            link.comma = True
            link.sentence |= word == "."
            link.stop |= word == "."
        elif word in ("and", "but", "so", "that"):
            link.joined = True
            link.purpose |= word == "so"
        elif word in ("then", "first"):
            link.then |= word == "then"
            link.sentence = True
        elif word == "meanwhile":
            link.meanwhile = True
        elif word in _SUBORDINATE:
            link.mode = _SUBORDINATE[word]
            link.done = word in ("after", "once")
        elif word in _RELATIVE:
            link.relative = True
        elif word == "with" and not _is_camera_ahead(words) and not _is_manner_ahead(words):
            link.with_noun = True
        elif word == "to" and form_of(words.peek(1)) and words.at:
            pass
        else:
            break
        words.at += 1
        if link.mode and words.peek() in ("and",):
            break
    return link


def _is_manner_ahead(words: Words) -> bool:
    at = words.at
    found = read_manner(words) is not None
    if not found and words.take("with") and words.take("a"):
        while read_manner(words):
            pass
        form = form_of(words.peek())
        found = any(each.kind == "locomotion" for each in meanings(form[0] if form else ""))
    words.at = at
    return found


def _is_camera_ahead(words: Words) -> bool:
    at, mentioned = words.at, words.mentioned
    found = read_camera(words)
    words.at, words.mentioned = at, mentioned
    return found is not None
