"""Reads who acts: a programme is of one character, who may be called many things."""

from __future__ import annotations

from kinema.errors import UsageError
from kinema.instructions.grammar.amounts import read_manner
from kinema.instructions.grammar.camera_words import PEOPLE
from kinema.instructions.grammar.drafts import BODY, SMALL, Reading
from kinema.instructions.grammar.place_phrases import POSSESSIVES
from kinema.instructions.grammar.verbs import corrected, form_of, word_set
from kinema.instructions.grammar.wording import quoted
from kinema.instructions.grammar.words import ENDS, Words

SUBJECTS = word_set("she he they you we i it who which that someone her him them me us everyone one")
AUXILIARIES = word_set("is are am be been being will would should shall can could must may might to do does "
"did going supposed needs "
                   "need has have having had ought")  # fmt: skip
BEGINNING = word_set("keep keeps keeping continue continues start starts begin begins starting beginning try "
"tries go goes going come "
                 "comes coming get gets proceed proceeds started began continued kept")  # fmt: skip
_THINGS = word_set("tree car lamp bench stone table box house wall door fence rock chair shelf sun street")
_SAME_PERSON = word_set("character person figure avatar subject actor player human someone everyone hero dancer")


def subject_length(reading: Reading, ahead: int) -> int:
    """How many words name who acts; 0 if none do."""
    word = reading.words.peek(ahead)
    if word in SUBJECTS:
        return 1
    determined = word in ("the", "a", "an", "this", "that", *POSSESSIVES)
    for count in range(1, 4):
        at = ahead + determined + count
        noun, following = reading.words.peek(at - 1), reading.words.peek(at)
        if not noun or noun in ENDS or noun in AUXILIARIES or noun[0].isdigit() or is_manner(noun):
            return 0
        if noun in ("left", "right", "full", "half", "quarter", "to", "with", *BODY, *SMALL):
            return 0
        if (determined or noun in PEOPLE) and _acts_next(reading, at, following, noun in PEOPLE):
            return determined + count
    return 0


def _acts_next(reading: Reading, at: int, word: str, person: bool) -> bool:
    if is_manner(word) and person:
        word = reading.words.peek(at + 1)
    if word == "to":
        return form_of(reading.words.peek(at + 1)) is not None or is_manner(reading.words.peek(at + 1))
    if word in AUXILIARIES or word in BEGINNING:
        return True
    found = form_of(word) or (form_of(corrected(word) or "") if person else None)
    return found is not None and (person or found[1] != "past")


def acts(reading: Reading, ahead: int, count: int) -> None:
    words = [reading.words.peek(ahead + at) for at in range(count)]
    noun = words[-1]
    if noun in _THINGS:
        raise UsageError(f"{quoted(reading.words.clause())} lets a {noun} act; say what the character does")
    if noun in SUBJECTS or noun in _SAME_PERSON:
        return
    if reading.actor and reading.actor != noun:
        raise UsageError(f"{quoted(words)} is a second character beside the {reading.actor}; a programme is of one")
    reading.actor = noun


def is_manner(word: str) -> bool:
    return bool(word) and read_manner(Words([word])) is not None
