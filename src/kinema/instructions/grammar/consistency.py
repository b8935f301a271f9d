"""What steps say beside each other: the same again, something that goes with it, or a contradiction."""

from __future__ import annotations

from dataclasses import replace

from kinema.errors import UsageError
from kinema.instructions.grammar.amounts import OPPOSITES
from kinema.instructions.grammar.wording import quoted
from kinema.instructions.programme import CameraMove, Gesture, Handling, Locomotion, Place, Step

POSTURES = frozenset({"sit", "lie down", "kneel", "crouch", "sleep"})
"""Gestures that go on until something else is done."""

_LOW = POSTURES | {"fall", "bend"}
_ON_THE_GROUND = {"sit", "lie down", "kneel", "sleep", "wait", "stand", "stand up", "fall"}


def leads_on(before: Step, step: Step) -> bool:
    """Whether a step is done to the thing that the one before leads to: "running to the fence, she jumps over it"."""
    if not isinstance(before, Locomotion) or before.place is None or before.place.thing is None:
        return False
    place = step.place if isinstance(step, Gesture | Handling) else None
    thing = step.thing if isinstance(step, Handling) else place.thing if place else None
    return thing == before.place.thing


def repeats(step: Step, before: Step) -> bool:
    """Whether a step says nothing that the one before does not say."""
    if isinstance(step, Locomotion) and isinstance(before, Locomotion):
        arrives = step.place is None or before.place is None or step.place.thing == before.place.thing
        return (
            step.gait in (before.gait, "walk")
            and (
                step.place is None
                or step.place == before.place
                or (before.place is not None and step.place.thing is not None and arrives)
            )
            and set(step.manner) <= set(before.manner)
        )
    if isinstance(step, Gesture) and isinstance(before, Gesture) and step.action == before.action != "turn":
        same = (
            step.place in (None, before.place),
            step.seconds in (None, before.seconds),
            step.side in ("", before.side),
        )
        return all(same) and step.times in (1, before.times) and set(step.manner) <= set(before.manner)
    return replace(step, together=False) == replace(before, together=False)


def get_up(groups: list[list[Step]]) -> None:
    """Tells standing up from standing, by what was done before; who stands and waits, waits."""
    down = False
    for place, group in enumerate(groups):
        following = groups[place + 1 : place + 2]
        for at, step in enumerate(group):
            if isinstance(step, Locomotion):
                down = step.gait == "crawl"
            elif isinstance(step, Gesture):
                if step.action == "stand" and step.place is None:
                    group[at] = step = replace(step, action="stand up" if down and not step.seconds else "wait")
                    if _is_wait(group) and not step.seconds and following and _is_wait(following[0]):
                        group.clear()
                down = step.action in _LOW or (down and step.action != "stand up")
    groups[:] = [group for group in groups if group]


def _is_wait(group: list[Step]) -> bool:
    return len(group) == 1 and isinstance(group[0], Gesture) and group[0].action == "wait"


def compatible(one: Step, other: Step) -> bool:
    assert isinstance(one, CameraMove) and isinstance(other, CameraMove)
    fields = ("move", "view", "framing", "thing")
    return not any(getattr(one, name) and getattr(other, name) not in (getattr(one, name), "", None) for name in fields)


def merged(one: Step, other: Step) -> CameraMove:
    assert isinstance(one, CameraMove) and isinstance(other, CameraMove)
    if not compatible(one, other):
        raise UsageError(
            f"the camera cannot do two things at once: {one.describe()!r} and {other.describe()!r}; put 'then' "
            f"between them"
        )
    return replace(
        one,
        move=one.move or other.move,
        view=one.view or other.view,
        framing=one.framing or other.framing,
        thing=one.thing or other.thing,
        manner=tuple(dict.fromkeys((*one.manner, *other.manner))),
        seconds=one.seconds or other.seconds,
    )


def check(group: list[Step], said: list[str]) -> None:
    """Refuses steps that cannot go along with each other."""
    for step in group:
        for opposite in OPPOSITES:
            if opposite <= set(step.manner):
                raise UsageError(
                    f"{quoted(said)} contradicts itself: {' and '.join(sorted(opposite))}; say one of them"
                )
        if (place := _beside_itself(step)) is not None:
            raise UsageError(f"{quoted(said)} contradicts itself: nothing is {place.relation} itself")
        if isinstance(step, CameraMove) and step.move == "static" and step.manner:
            raise UsageError(
                f"{quoted(said)} contradicts itself: a camera that stays still does nothing {step.manner[0]}"
            )
    going = [step for step in group if isinstance(step, Locomotion)]
    resting = [step for step in group if isinstance(step, Gesture) and step.action in _ON_THE_GROUND]
    if len(going) > 1:
        raise UsageError(
            f"{quoted(said)} contradicts itself: nobody can {going[0].gait} and {going[1].gait} somewhere else "
            f"at once; "
            "put 'then' between them"
        )
    if going and resting:
        raise UsageError(
            f"{quoted(said)} contradicts itself: nobody can {resting[0].action} and {going[0].gait} at once; "
            f"put 'then' "
            "between them"
        )
    if len({step.action for step in resting}) > 1:
        first, second = resting[:2]
        raise UsageError(
            f"{quoted(said)} contradicts itself: nobody can {first.action} and {second.action} at once; put "
            f"'then' between "
            "them"
        )


def _beside_itself(step: Step) -> Place | None:
    """A place of a thing that is told from the thing itself."""
    places = [(thing, thing.where) for thing in step.things if thing.where]
    places += [(step.thing, step.place)] if isinstance(step, Handling) and step.place else []
    return next((place for thing, place in places if place.thing in (thing, replace(thing, where=None))), None)
