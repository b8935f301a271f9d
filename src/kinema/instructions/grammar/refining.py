"""What a clause says of the step before it: how it is gone, where to and how often, rather than a step of its own."""

from __future__ import annotations

from dataclasses import replace

from kinema.instructions.grammar.drafts import Clause, ClauseLink
from kinema.instructions.programme import Gesture, Handling, Locomotion, Place, Step

_ON_THE_WAY = {"past", "through", "between", "around", "across", "along", "over", "under"}
_GOALS = {"to", "towards", "start", "behind", "beside", "in front of", "left of", "right of"}


def refined(before: Step | None, before_loose: bool, clause: Clause, link: ClauseLink) -> list[Step] | None:
    """The step before a clause with what the clause says of it; None if the clause is a step of its own.

    Participles and clauses of purpose say more of a step ("she runs, passing between the trees", "run so that you get
    to the car"), and so do gestures with "with" ("applaud with three claps").

    Args:
        before: the step. before_loose: whether its gait is open. clause: what follows. link: how it follows.
    """
    step = clause.steps[0]
    if len(clause.steps) > 1 or link.then or link.mode:
        return None
    if isinstance(before, Gesture) and isinstance(step, Gesture):
        return _counted(before, step) if link.with_noun else None
    aside = clause.form == "ing" and not clause.has_subject and not link.joined
    if not isinstance(before, Locomotion) or not isinstance(step, Locomotion):
        return None
    bare = clause.form == "noun" and link.comma and not link.joined
    if bare and "backward" in (_way(before), _way(step)) and not clause.manner:
        return _placed(before, step, before.gait)  # "walk backwards, away from the dog"
    if before_loose and step.place is None and (aside or bare):
        return [replace(before, gait=step.gait, manner=_both(before, step))]  # "go to the door, crawling"
    if not aside and not (link.purpose and clause.loose):
        return None
    if step.place is None or not (before_loose or clause.loose or step.gait == before.gait):
        return None
    return _placed(before, step, step.gait if before_loose and not clause.loose else before.gait)


def led(before: Step | None, clause: Clause, link: ClauseLink) -> list[Step] | None:
    """The step before a clause without a verb that says where it leads: "run fast, away from the house"."""
    step = clause.steps[0]
    adds = link.joined and not step.manner
    if clause.form != "noun" or link.then or adds or link.mode or len(clause.steps) > 1:
        return None
    if not isinstance(before, Locomotion) or not isinstance(step, Locomotion) or before.place or not step.place:
        return None
    return [replace(before, place=step.place, manner=_both(before, step))]


def same_again(before: Step, clause: Clause) -> None:
    """Lets a place alone be of what was done before it: "turn to the left, then to the right"."""
    step = clause.steps[0]
    place = step.place if isinstance(step, Locomotion) and clause.form == "noun" else None
    if place is None:
        return
    if place.relation == "at" and place.thing is not None:
        if isinstance(before, Gesture) and before.place is not None and before.place.relation == "at":
            clause.steps[0] = replace(before, place=place, times=step.times, seconds=step.seconds)
        elif isinstance(before, Handling) and before.action == "look at" and before.thing != place.thing:
            clause.steps[0] = replace(before, thing=place.thing, seconds=step.seconds)
        return
    if not isinstance(before, Gesture) or before.action not in ("turn", "look"):
        return
    if place.direction not in ("left", "right") or place.thing or place.metres or place.steps:
        return
    if before.side and before.place is None:
        clause.steps[0] = replace(before, side=place.direction, seconds=step.seconds, times=1)
        clause.form = before.action


def stays_there(before: Step, step: Step) -> bool:
    """Whether a place is where the step before leads: "walk to the tree. at the tree, wave"."""
    if not isinstance(step, Locomotion) or not isinstance(before, Locomotion) or not step.place or not before.place:
        return False
    return step.place.relation == "at" and step.place.thing == before.place.thing


def _placed(before: Locomotion, step: Locomotion, gait: str) -> list[Step] | None:
    if (before.seconds and step.seconds) or (before.times > 1 and step.times > 1) or step.place is None:
        return None
    whole = replace(
        before,
        gait=gait,
        manner=_both(before, step),
        seconds=before.seconds or step.seconds,
        times=max(before.times, step.times),
    )
    place = _one_place(before.place, step.place)
    if place is not None:
        return [replace(whole, place=place)]
    goal = before.place
    around = step.place.relation in _ON_THE_WAY - {"across"} and goal is not None and goal.thing == step.place.thing
    if goal is not None and around and goal.relation in ("to", "towards"):
        return [before, replace(step, gait=gait)]  # "run to the tree, going around it"
    passed = step.place.thing is not None and goal is not None and step.place.thing != goal.thing
    if goal is None or not passed or step.place.relation not in _ON_THE_WAY or goal.relation not in _GOALS:
        return None
    return [replace(step, gait=gait), replace(before, gait=gait)]  # "walk to the tree, passing the car"


def _one_place(before: Place | None, place: Place) -> Place | None:
    """Two places as one, if one of them is only a direction."""
    if before is None:
        return place
    for way, goal in ((before, place), (place, before)):
        bare = way.relation == "direction" and (not (way.metres or way.steps) or goal.relation == "away from")
        if bare and goal.relation != "direction" and not (goal.direction or goal.metres or goal.steps):
            direction = "" if way.direction == "forward" else way.direction
            return replace(goal, direction=direction, metres=way.metres, steps=way.steps)
    return None


def _counted(before: Gesture, step: Gesture) -> list[Step] | None:
    if step.action != before.action or before.times > 1 or step.place is not None:
        return None
    side, seconds = before.side or step.side, before.seconds or step.seconds
    return [replace(before, times=step.times, side=side, seconds=seconds, manner=_both(before, step))]


def _way(step: Locomotion) -> str:
    return step.place.direction if step.place and step.place.relation == "direction" else ""


def _both(one: Step, other: Step) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*one.manner, *other.manner)))
