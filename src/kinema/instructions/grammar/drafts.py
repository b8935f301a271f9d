"""What is read of a clause: while it is read, and when it is."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeVar

from kinema.errors import UsageError
from kinema.instructions.grammar.verbs import VerbMeaning, word_set
from kinema.instructions.grammar.wording import quoted
from kinema.instructions.grammar.words import Words
from kinema.instructions.programme import Place, Step, Thing

_Value = TypeVar("_Value")

BODY = word_set("hand hands arm arms head shoulders shoulder finger fingers knee knees feet foot leg legs fist fists")
SMALL = word_set("little big small nice good deep polite friendly short single quick brief bit low huge final")
FULL = {"quarter": 90.0, "half": 180.0, "full": 360.0, "complete": 360.0, "whole": 360.0}
CARRIED = {"put down", "drop", "throw", "carry", "hold"}


@dataclass
class Clause:
    """What a clause says.

    Attributes:
        steps: what is done in it, one after the other.
        form: of its verb: "base", "s", "ing", "past", "noun" for none, "camera".
        has_subject: whether it says who does it. loose: a gait that a participle may still set.
        manner: of a clause that says nothing else; it belongs to the clause before.
        side: of a clause that only names a hand; it belongs to the clause after it. degrees: of one that only says how
            far to turn.
        again: how often the step before is done, of "do that twice". throughout: whether it lasts from the beginning.
        beside: whether it goes along with what is said after it, as "with the camera still, walk" does.
        along: steps that go along with the last of this one.
    """

    steps: list[Step]
    form: str = "base"
    has_subject: bool = False
    loose: bool = False
    manner: tuple[str, ...] = ()
    side: str = ""
    degrees: float | None = None
    again: int = 0
    throughout: bool = False
    beside: bool = False
    along: list[Step] = field(default_factory=list)


@dataclass
class ClauseLink:
    """How a clause follows the one before it."""

    mode: str = ""  # "while", "before" or "after"
    then: bool = False
    comma: bool = False
    sentence: bool = False
    stop: bool = False  # a full stop is between them
    joined: bool = False  # with "and"
    meanwhile: bool = False
    with_noun: bool = False
    relative: bool = False
    done: bool = False  # after "after" or "once"
    purpose: bool = False  # after "so"


@dataclass
class ClauseDraft:
    """What is read of a clause so far; attributes as those of `Clause`, places and amounts as they were said."""

    meaning: VerbMeaning | None = None
    lemma: str = ""
    form: str = "base"
    manner: list[str] = field(default_factory=list)
    amounts: dict[str, float] = field(default_factory=dict)
    side: str = ""
    gait: str = ""
    places: list[Place] = field(default_factory=list)
    thing: Thing | None = None
    before: Thing | None = None  # the thing named last before this clause
    has_subject: bool = False
    loose: bool = False


@dataclass
class Reading:
    """A text and what is known from what was read of it.

    Attributes:
        words: of the text. gait: of the last step that went somewhere.
        actor: the noun of who acts. carried: the thing that was picked up last.
        moved: the thing that was pushed or pulled last. goal: where it went.
        filming: whether the clause before was of the camera.
    """

    words: Words
    gait: str = ""
    actor: str = ""
    carried: Thing | None = None
    moved: Thing | None = None
    goal: Thing | None = None
    filming: bool = False


def measure(reading: Reading, draft: ClauseDraft, unit: str, value: float) -> None:
    unit = "times" if unit == "laps" else unit
    draft.amounts[unit] = once(reading, unit, draft.amounts.get(unit), value)


def once(reading: Reading, what: str, before: _Value | None, now: _Value) -> _Value:
    if before and before != now:
        clause = quoted(reading.words.words[max(0, reading.words.at - 6) : reading.words.at + 2])
        raise UsageError(f"{clause} contradicts itself: two different values of {what}, {before} and {now}; say one")
    return now
