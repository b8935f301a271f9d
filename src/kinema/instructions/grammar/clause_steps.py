"""Makes steps of what a clause says."""

from __future__ import annotations

from dataclasses import dataclass, replace

from kinema.errors import UsageError
from kinema.instructions.grammar.drafts import BODY, CARRIED, Clause, ClauseDraft, Reading, once
from kinema.instructions.grammar.verbs import VerbMeaning, word_set
from kinema.instructions.grammar.wording import quoted
from kinema.instructions.programme import Gesture, Handling, Locomotion, Place, Step, Thing

_ELIDED = {"open", "close", "touch", "pick up", "carry", "put down", "throw", "drop", "push", "pull", "kick", "hit"}
_STEALTHY = {"stealthily", "sneakily", "furtively", "secretly"}
WAYS = word_set(
    "wall fence path road street river hedge track corridor beach hallway hall alley lane aisle shore canal trail line "
    "stream coast edge railing pavement sidewalk route way passage tunnel tracks stream creek border curb kerb"
)
"""Things that are followed."""
_OPENABLE = {"door", "gate", "window", "doors"}
_GROUND = {"ground", "floor", "grass"}
_AIMED = {
    "wave",
    "bow",
    "point",
    "nod",
    "salute",
    "clap",
    "cheer",
    "shake head",
    "blow a kiss",
    "talk",
    "sing",
    "laugh",
}
_MOVING = {"jump", "dance", "roll", "turn"}
_LEADING_SOMEWHERE = {"to", "towards", "past", "around", "through", "across", "along", "away from", "away", "start"}


@dataclass(frozen=True)
class _How:
    """What every step of a clause has."""

    manner: tuple[str, ...]
    seconds: float | None
    times: int


def finished(reading: Reading, draft: ClauseDraft, start: int) -> Clause:
    """The clause that a draft has become.

    Args:
        reading: of the text. draft: of the clause. start: where its words begin.

    Raises:
        UsageError: it says nothing that could be done.
    """
    manner = tuple(dict.fromkeys(draft.manner))
    meaning = draft.meaning
    times = int(draft.amounts.get("times", 0))
    if meaning is None:
        return Clause([], manner=manner, side=draft.side, degrees=draft.amounts.get("degrees"), again=times)
    if meaning.manner and not manner and not draft.gait:  # what is said outright counts, not what a verb suggests
        manner = (meaning.manner,)
    if "degrees" in draft.amounts and meaning.name not in ("turn", "look"):
        raise UsageError(
            f"{quoted(reading.words.clause(start))} was not understood: only turns have degrees; say 'turn left' first"
        )
    how = _How(manner, draft.amounts.get("seconds"), times or 1)
    clause = Clause([], draft.form, draft.has_subject)
    if meaning.kind == "locomotion":
        clause.steps = _locomotion(reading, draft, meaning, how, start)
        clause.loose = draft.loose or not (meaning.name or draft.gait)
    elif meaning.kind == "gesture":
        clause.steps = [_gesture(reading, draft, meaning, how, start)]
    else:
        clause.steps = [_handling(reading, draft, meaning, how, start)]
    return clause


def _handling(reading: Reading, draft: ClauseDraft, meaning: VerbMeaning, how: _How, start: int) -> Step:
    if meaning.name == "hold" and draft.thing is None and how.seconds:
        return Gesture(how.manner, how.seconds, how.times, action="wait")
    thing = draft.thing = draft.thing or _elided(reading, draft, meaning.name)
    if thing is None:
        raise UsageError(
            f"{quoted(reading.words.clause(start))} does not say what to {meaning.name}; name it, such as "
            f"'{meaning.name} the box'"
        )
    if thing.name.split()[-1] in BODY:
        raise UsageError(
            f"{quoted(reading.words.clause(start))} was not understood: nothing is known that is done to the "
            f"{thing.name}; "
            "say it as a gesture, such as 'raise the left arm'"
        )
    place = _going(reading, draft)
    if _is_ground(place):
        place = None
    taken = meaning.name == "pick up" and place is not None and draft.lemma in ("take", "get", "bring", "fetch")
    if taken and place is not None and place.relation == "away":
        raise UsageError(
            f"{quoted(reading.words.clause(start))} was not understood; say where to carry the {thing.name}"
        )
    action = "carry" if taken else meaning.name
    if action in ("open", "close") and thing == reading.moved and reading.goal and reading.goal.name in _OPENABLE:
        thing = reading.goal  # "push the box to the door and open it"
    if action in ("pick up", "carry", "hold"):
        reading.carried = thing
    if place is not None and place.thing is not None and action in ("push", "pull", "kick"):
        reading.words.mentioned = reading.moved = thing  # what is moved is spoken of, not where it goes
        reading.goal = place.thing
    side = draft.side if draft.side in ("left", "right", "both") else ""
    return Handling(how.manner, how.seconds, how.times, action=action, thing=thing, place=place, side=side)


def _is_ground(place: Place | None) -> bool:
    """Whether a place is no news, as "down on the ground" is not."""
    return place is not None and place.thing is not None and place.thing.name in _GROUND and place.relation != "over"


def _is_way(place: Place) -> bool:
    return place.thing is not None and place.thing.name.split()[-1] in WAYS


def _named(reading: Reading, draft: ClauseDraft, start: int, verb: str) -> Thing:
    """The thing named last, of "open the door, enter"."""
    if draft.before is None or draft.before.name == "camera":
        raise UsageError(
            f"{quoted(reading.words.clause(start))} does not say what to {verb}; name it, such as '{verb} the street'"
        )
    return draft.before


def _elided(reading: Reading, draft: ClauseDraft, action: str) -> Thing | None:
    """The thing of "walk to the door, open, walk through"; None if none was named."""
    if action not in _ELIDED:
        return None
    thing = reading.carried if action in CARRIED and reading.carried else draft.before
    return None if thing is None or thing.name == "camera" else thing


def _locomotion(reading: Reading, draft: ClauseDraft, meaning: VerbMeaning, how: _How, start: int) -> list[Step]:
    open_gait = meaning.name == "walk" and (draft.lemma != "walk" or draft.gait != "run")  # "hurries at a run"
    named = "" if open_gait else meaning.name
    gait = str(once(reading, "gait", named, draft.gait or named) or "walk")
    if gait == "walk" and _STEALTHY & set(draft.manner):
        gait = "sneak"
    if gait == "sneak":  # which says so itself
        how = replace(how, manner=tuple(each for each in how.manner if each not in ("quietly", *_STEALTHY)))
    if named or draft.gait or draft.form != "ing" or draft.has_subject or not reading.gait:
        reading.gait = gait  # "run, moving past the car" is still running
    if draft.lemma == "step" and draft.amounts.get("times", 0) > 1:
        draft.amounts["steps"] = draft.amounts["times"]
        how = replace(how, times=1)
    if draft.lemma == "return" and not any(place.thing for place in draft.places):
        draft.places = [Place("start")]
    if draft.lemma in ("leave", "exit") and not draft.places:
        draft.places = [Place("away")]
    if draft.lemma in ("back", "reverse"):
        away = draft.lemma == "reverse" or meaning.particles[:1] in (("away",), ("off",))
        leading = [place for place in draft.places if place.relation not in ("away", "away from") and not away]
        draft.places = [*draft.places, *([] if leading else [Place("direction", direction="backward")])]
    if meaning.relation and not draft.places:
        draft.places = [Place(meaning.relation, _named(reading, draft, start, draft.lemma))]
    if draft.lemma == "follow" and not all(_is_way(place) for place in draft.places[:1]):
        raise UsageError(
            f"{quoted(reading.words.clause(start))} was not understood: only ways are followed, such as a wall; "
            "say 'walk to the car', or 'the camera follows'"
        )
    for place in draft.places:
        if place.thing is not None and place.thing.name in BODY:
            raise UsageError(
                f"{quoted(reading.words.clause(start))} was not understood: a part of the body is no place to go to; "
                "say what is done with a verb, such as 'raise the left arm'"
            )
    places = _measured(draft) or [None]
    return [Locomotion(how.manner, how.seconds, how.times, gait=gait, place=place) for place in places]


def _measured(draft: ClauseDraft) -> list[Place]:
    """The places of a clause with the distance of it."""
    metres, steps = draft.amounts.get("metres"), draft.amounts.get("steps")
    far = {"metres": metres, "steps": int(steps) if steps else None}
    places = [place for place in draft.places if place.relation != "about"] or draft.places
    directions = [place for place in places if place.relation == "direction"]
    others = [place for place in places if place.relation != "direction"]
    if metres or steps:
        others = [place for place in others if place.relation != "start"] if not directions else others
        back = len(others) < len(places) - len(directions)
        if not others and not directions:
            directions = [Place("direction", direction="backward" if back else "forward")]
        if directions and [place.relation for place in others] == ["away from"]:
            return [replace(others[0], direction=directions[0].direction, **far)]
        if directions:
            directions = [replace(directions[0], **far), *directions[1:]]
            return [*directions, *others]
        return [replace(others[0], **far), *others[1:]]
    if directions and others:
        way = directions[0].direction
        way = "" if way == "forward" or (way == "in a circle" and others[0].relation == "around") else way
        return [replace(others[0], direction=way), *others[1:]]
    return places


def _going(reading: Reading, draft: ClauseDraft) -> Place | None:
    places = _measured(draft)
    if len(places) > 1:
        return once(reading, "place", places[0], places[1])
    return places[0] if places else None


def _gesture(reading: Reading, draft: ClauseDraft, meaning: VerbMeaning, how: _How, start: int) -> Step:
    action, place = meaning.name, _going(reading, draft)
    if draft.thing is not None and action in _AIMED:
        place = Place("at", draft.thing)
    if _is_ground(place) or (action == "turn" and place is not None and place.relation == "start"):
        place = None
    if action == "turn" and place is not None and place.thing is None and place.direction in ("left", "right"):
        draft.side, place = once(reading, "side", draft.side, place.direction), None
    if place is not None and action in _MOVING - {"turn"} and place.relation in _LEADING_SOMEWHERE:
        reading.gait = action
        return Locomotion(how.manner, how.seconds, how.times, gait=action, place=place)
    if place is not None:
        place = _aimed(reading, action, place, start)
    degrees, side = draft.amounts.get("degrees"), draft.side
    if action == "turn" and place is None and degrees is None:
        spun = draft.lemma in ("spin", "twirl", "pivot") and not side
        degrees = 360.0 if spun else 90.0 if side else 180.0
    return Gesture(how.manner, how.seconds, how.times, action=action, place=place, side=side, degrees=degrees)


def _aimed(reading: Reading, action: str, place: Place, start: int) -> Place:
    """Where a gesture is done or what it is aimed at."""
    if place.thing is not None and place.thing.name.split()[-1] in BODY:
        raise UsageError(
            f"{quoted(reading.words.clause(start))} was not understood: a {place.thing.name} is no place; say what is "
            "done with a verb, such as 'raise the left arm'"
        )
    if action in _AIMED and place.relation in ("to", "towards", "into", "on", "at"):
        return replace(place, relation="at")
    if action == "turn" and place.relation in ("to", "towards", "at", "away from"):
        return replace(place, relation="away from" if place.relation == "away from" else "to")
    if place.relation in _LEADING_SOMEWHERE or (action == "turn" and place.relation != "direction"):
        raise UsageError(
            f"{quoted(reading.words.clause(start))} was not understood: to {action} leads nowhere; say how to get "
            "there, such as 'walk to the tree, then sit'"
        )
    return place
