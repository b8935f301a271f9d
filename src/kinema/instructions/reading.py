"""Reads instructions in plain English, such as "walk to the tree, wave, then run back", as programmes.

A grammar knows what it reads, and a network has seen many ways to say things. What both read alike is taken; where
they differ, or the grammar does not understand, the network is believed if it is sure.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from kinema.errors import UsageError
from kinema.instructions.grammar.consistency import POSTURES
from kinema.instructions.grammar.reader import check_wording, parse
from kinema.instructions.learned.asking import Answer, ask, can_ask
from kinema.instructions.programme import CameraMove, Gesture, Handling, Place, Programme, Step, Thing

_SURE = 0.2
"""How likely the network has to hold a programme that the grammar does not read."""

_SURER = 0.5
"""The same of one that is to count more than what the grammar reads."""

_LASTING = ("", "static", "follow", "circle")
"""What a camera does until it does something else."""

_PUT_DOWN = ("drop", "put down")
"""What is done with a thing in the hand: a place that stands with it is where it goes."""

_HINT = "more is understood where the package torch is: pip install 'kinema[learn]'"


def read_instructions(text: str) -> Programme:
    """What a text in plain English asks for.

    Clauses follow each other with commas, "and", "then", "before" and "after"; "while", "as" and participles ("walk to
    the tree, waving") let them go along with each other. A camera clause without "then" goes along with
    the step before it. Things may have any name: the scene decides whether it has them. Without the packages of
    `kinema[learn]`, the grammar reads alone.

    Args:
        text: such as "sneak around the car and sit down while the camera circles"; at most 2000 characters.

    Raises:
        UsageError: something is not understood, is denied, contradicts itself or leaves a choice; it is quoted.
    """
    found = read_each([text])[0]
    if isinstance(found, UsageError):
        raise found
    return found


def read_each(texts: Sequence[str]) -> list[Programme | UsageError]:
    """What several texts ask for, faster than one after the other; of one that is refused, why."""
    found: dict[str, Programme | UsageError] = {}
    parsed: dict[str, Programme | UsageError] = {}
    for text in texts:
        try:
            check_wording(text)
        except UsageError as error:
            found[text] = error
            continue
        try:
            parsed[text] = parse(text)
        except UsageError as error:
            parsed[text] = error
    answers = ask(list(parsed)) if can_ask() else [None] * len(parsed)
    for text, answer in zip(parsed, answers, strict=True):
        found[text] = _decided(parsed[text], answer)
    return [found[text] for text in texts]


def _decided(parsed: Programme | UsageError, answer: Answer | None) -> Programme | UsageError:
    if isinstance(parsed, UsageError) and not can_ask():
        return UsageError(f"{parsed} ({_HINT})")
    if answer is None or answer.programme is None:
        return parsed
    least = _SURER if isinstance(parsed, Programme) else _SURE
    return settled(answer.programme) if answer.probability >= least else parsed


def settled(programme: Programme) -> Programme:
    """A programme in which what is said twice is one thing and one step.

    After "the red car", "the car" is that one, and after "the back door", "the door"; whoever sits down and then sits
    for a while, or jumps six times and jumps while the camera circles, does so in one step, whoever kicks the ball and
    kicks it again kicks it twice, and a camera that goes on as it does has nothing new to do.
    """
    groups: list[Sequence[Step]] = []
    mentions = _Mentions()
    for group in _without_repeats(Programme(tuple(mentions.resolved(step) for step in programme.steps)).groups):
        joined = None
        if groups and len(groups[-1]) == 1:
            joined = _stayed(groups[-1][0], group[0])
            if joined is None:
                joined = (_repeated if len(group) == 1 else _filmed)(groups[-1][0], group[0])
        if joined is None:
            groups.append(group)
        else:
            groups[-1] = [joined, *group[1:]]
    return Programme(tuple(step for group in groups for step in group))


def _without_repeats(groups: Sequence[Sequence[Step]]) -> list[list[Step]]:
    """Steps without those of a camera that goes on as before."""
    filming: Step | None = None
    found: list[list[Step]] = []
    for group in groups:
        kept: list[Step] = []
        for step in group:
            if isinstance(step, CameraMove):
                same = filming is not None and replace(filming, together=step.together) == step
                filming = step
                if same and step.move in _LASTING:
                    continue
            kept.append(step)
        if kept:
            found.append([replace(step, together=at > 0) for at, step in enumerate(kept)])
    return found


class _Mentions:
    """The things that have been named so far."""

    def __init__(self) -> None:
        self.named: set[Thing] = set()

    def resolved(self, step: Step) -> Step:
        """A step whose things are those that were described before, where only their names are said again.

        Where something is put down is where it goes, not where it was.
        """
        if isinstance(step, Handling) and step.action in _PUT_DOWN and step.thing.where and not step.place:
            step = replace(step, thing=replace(step.thing, where=None), place=step.thing.where)
        found = {"thing": self._thing, "place": self._place}
        given = {name: resolve(value) for name, resolve in found.items() if (value := getattr(step, name, None))}
        return replace(step, **given)

    def _thing(self, thing: Thing) -> Thing:
        if thing.where:
            thing = replace(thing, where=self._place(thing.where))
        if thing == Thing(thing.name):
            known = {each for each in self.named if each.name == thing.name and each != thing}
            if thing not in self.named:
                known = known or {each for each in self.named if each.name.endswith(f" {thing.name}")}
            thing = next(iter(known)) if len(known) == 1 else thing
        self.named.add(thing)
        return thing

    def _place(self, place: Place) -> Place:
        things = {name: self._thing(value) for name in ("thing", "second") if (value := getattr(place, name))}
        return replace(place, **things)


def _stayed(before: Step, step: Step) -> Step | None:
    """Both as one step, if the second only says how long, or where, the character stays as it is."""
    if not (isinstance(before, Gesture) and isinstance(step, Gesture)) or before.action not in POSTURES:
        return None
    alike = before.action == step.action and before.times == step.times == 1 and not (before.seconds and step.seconds)
    place = before.place or step.place
    if not alike or (before.place and step.place not in (None, before.place)):
        return None
    manner = tuple(dict.fromkeys((*before.manner, *step.manner)))
    return replace(before, seconds=before.seconds or step.seconds, place=place, manner=manner)


def _filmed(before: Step, step: Step) -> Step | None:
    """The first, if the second only says again what is done several times, or for a while, as something goes along."""
    lasting = isinstance(before, Gesture | Handling) and (before.times > 1 or before.seconds)
    return before if lasting and replace(before, times=1, seconds=None) == step else None


def _repeated(before: Step, step: Step) -> Step | None:
    """Both as one step that is done more often, if they differ only in how often, and neither is said to last."""
    if isinstance(step, Gesture | Handling) and not step.seconds and replace(before, times=step.times) == step:
        return replace(step, times=before.times + step.times)
    return None
