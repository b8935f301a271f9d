"""Reads one clause: who does what, how, where, how long and how often."""

from __future__ import annotations

from dataclasses import replace

from kinema.errors import UsageError
from kinema.instructions.grammar.amounts import read_amount
from kinema.instructions.grammar.camera_words import read_camera
from kinema.instructions.grammar.clause_steps import finished
from kinema.instructions.grammar.drafts import Clause, ClauseDraft, Reading
from kinema.instructions.grammar.modifiers import read_modifier
from kinema.instructions.grammar.noun_phrases import read_thing
from kinema.instructions.grammar.subjects import AUXILIARIES, BEGINNING, SUBJECTS, acts, is_manner, subject_length
from kinema.instructions.grammar.verb_phrases import read_action_noun, read_verb
from kinema.instructions.grammar.verbs import VerbMeaning, form_of, nearest_verbs, word_set
from kinema.instructions.grammar.wording import quoted
from kinema.instructions.grammar.words import CONNECTIVES
from kinema.instructions.programme import Place

_WISHING = word_set(
    "want wants need like love would wish prefer see watch let show us will can could may should i we and"
)
_CAUSING = word_set("make makes have has get gets ask tell let order having")
_FILMED = word_set("filmed seen shown recorded captured viewed followed tracked watched")
_UNCHANGED = {"run", "come", "put", "set", "hit", "shut"}
"""Verbs whose participle is as their base."""


def read_clause(reading: Reading) -> Clause:
    """The next clause of a text.

    Raises:
        UsageError: it is not understood.
    """
    words, start = reading.words, reading.words.at
    camera = read_camera(words, reading.filming)
    reading.filming = camera is not None
    if camera is not None:
        first = words.words[start]
        beside = first in ("with", "in", "from")
        aside = beside or first in _FILMED
        return Clause([camera[0]], "camera", not aside, throughout=camera[1], beside=beside)
    draft = ClauseDraft(before=words.mentioned)
    _open(reading, draft)
    camera = read_camera(words)
    if camera is not None and not draft.places:
        return Clause([replace(camera[0], manner=(*draft.manner, *camera[0].manner))], "camera", throughout=camera[1])
    again = _again(reading)
    if again:
        return Clause([], again=again)
    if not read_verb(reading, draft):
        _bare(reading, draft, start)
    else:
        while read_modifier(reading, draft):
            pass
    _know(reading, draft, start)
    return finished(reading, draft, start)


def _open(reading: Reading, draft: ClauseDraft) -> None:
    words = reading.words
    while word := words.peek():
        form = form_of(word)
        if word in BEGINNING and _leads_to_verb(reading, 1):
            words.at += 1
            draft.has_subject = True  # so that the participle after it is no aside
        elif word in _CAUSING and (skip := subject_length(reading, 1)):
            acts(reading, 1, skip)
            words.at += 1 + skip
            draft.has_subject = False
        elif (word in AUXILIARIES and _auxiliary(reading)) or (word in _WISHING and form is None):
            words.at += 1
        elif word in ("spend", "spends", "of") and (word != "of" or draft.amounts):
            draft.has_subject = True  # so that the participle after it is no aside
            words.at += 1
        elif skip := subject_length(reading, 0):
            acts(reading, 0, skip)
            words.at += skip
            draft.has_subject = True
        elif form is not None or not read_modifier(reading, draft):
            return


def _leads_to_verb(reading: Reading, ahead: int) -> bool:
    word = reading.words.peek(ahead)
    if word == "to":
        word = reading.words.peek(ahead + 1)
        return form_of(word) is not None and reading.words.peek() not in ("go", "goes", "come", "get", "gets", "comes")
    found = form_of(word)
    if found is None or word in ("back", "rest"):
        return False
    return found[1] == "ing" or (reading.words.peek() in ("go", "come", "goes", "comes") and found[1] == "base")


def _auxiliary(reading: Reading) -> bool:
    """Whether a word is used as an auxiliary, not as a verb of its own."""
    word, following = reading.words.peek(), reading.words.peek(1)
    found = form_of(following)
    if word in ("have", "has", "having", "had"):
        return (
            following == "to"
            or (found is not None and (found[1] == "past" or following in _UNCHANGED))
            or following == "been"
        )
    if word == "going":
        return following == "to" and form_of(reading.words.peek(2)) is not None
    if word in ("do", "does", "did"):
        return following in SUBJECTS and following not in ("it", "that")
    if word == "to":
        return found is not None or following in AUXILIARIES or following in _WISHING or is_manner(following)
    return True


def _bare(reading: Reading, draft: ClauseDraft, start: int) -> None:
    """A clause without a verb: "three waves", "then to the bench", "slowly"."""
    if read_action_noun(reading, draft):
        while read_modifier(reading, draft):
            pass
        return
    draft.form = "noun"
    while read_modifier(reading, draft):
        pass
    far = draft.amounts.keys() & {"metres", "steps", "laps"}
    if draft.places or far or draft.gait:
        draft.meaning = VerbMeaning("locomotion", "" if draft.gait else reading.gait)
    elif (
        reading.gait
        and reading.words.at == start
        and (reading.words.peek() in ("the", "a") or reading.words.peek(1).isdigit())
        and (thing := read_thing(reading.words)) is not None
    ):
        draft.places = [Place("to", thing)]  # "then the bench"
        draft.meaning = VerbMeaning("locomotion", reading.gait)
        while read_modifier(reading, draft):
            pass
    elif draft.amounts.keys() == {"seconds"}:
        draft.meaning = VerbMeaning("gesture", "wait")
    elif not draft.manner and not draft.side and draft.amounts.keys() not in ({"degrees"}, {"times"}):
        _refuse(reading, start)


def _refuse(reading: Reading, start: int) -> None:
    words = reading.words
    word = words.peek()
    if {"camera", "shot", "view", "angle"} & set(words.clause(start)):
        raise UsageError(
            f"{quoted(words.clause(start))} was not understood; a camera follows, circles, zooms in or out, pans or "
            "stays still, from above, below, behind, the front or the side, such as 'the camera follows from behind'"
        )
    if word and word not in CONNECTIVES and not form_of(word):
        near = ", ".join(nearest_verbs(word))
        raise UsageError(
            f"{quoted(words.clause(start))} was not understood: {quoted([word])} is no verb that is known here; "
            f"some that are: {near}"
        )
    raise UsageError(
        f"{quoted(words.clause(start))} was not understood; say what to do, such as 'walk to the tree' or 'wave twice'"
    )


def _again(reading: Reading) -> int:
    """ "do that twice": how often the step before is done; 0 if this is not said."""
    words = reading.words

    def read() -> int | None:
        if not words.take("do", "repeat", "repeating", "doing") or not words.take("it", "that", "this"):
            return None
        amount = read_amount(words)
        return int(amount[1]) if amount and amount[0] == "times" else None

    return words.attempt(read) or 0


def _know(reading: Reading, draft: ClauseDraft, start: int) -> None:
    """Refuses a clause that nothing ends."""
    words = reading.words
    word = words.peek()
    if not word or word in CONNECTIVES or word in ("with", "to", "using", "meanwhile") or form_of(word):
        return
    if draft.meaning is not None and subject_length(reading, 0):
        return
    kept, mentioned = words.at, words.mentioned
    camera = read_camera(words)
    words.at, words.mentioned = kept, mentioned
    if camera is None:
        raise UsageError(
            f"{quoted(words.clause(start))} was not understood from {quoted(words.clause())} on; put what is done "
            "into plain clauses such as 'walk to the tree, then wave'"
        )
