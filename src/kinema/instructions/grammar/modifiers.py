"""Reads how, where, how long and how often something is done."""

from __future__ import annotations

from dataclasses import replace

from kinema.instructions.grammar.amounts import read_amount, read_manner
from kinema.instructions.grammar.camera_words import PEOPLE, read_camera
from kinema.instructions.grammar.drafts import BODY, CARRIED, FULL, ClauseDraft, Reading, measure, once
from kinema.instructions.grammar.noun_phrases import read_thing
from kinema.instructions.grammar.place_phrases import POSSESSIVES
from kinema.instructions.grammar.places import closes, read_place, read_side
from kinema.instructions.grammar.subjects import is_manner, subject_length
from kinema.instructions.grammar.verbs import form_of, meanings
from kinema.instructions.grammar.words import CONNECTIVES, Words
from kinema.instructions.programme import Place


def read_modifier(reading: Reading, draft: ClauseDraft) -> bool:
    words = reading.words
    word = words.peek()
    if not word:
        return False
    if word == "once" and words.peek(1) in ("", ",", ".", "and", "then"):
        words.at += 1
        return True
    if (amount := read_amount(words)) is not None:
        measure(reading, draft, *amount)
        return True
    if (manner := read_manner(words)) is not None:
        draft.manner.append(manner)
        closes_here = draft.meaning is None or form_of(words.peek(2)) is None
        if words.peek() in ("and", ",") and is_manner(words.peek(1)) and closes_here:
            words.at += 1  # "slowly and sadly"
        return True
    kind = draft.meaning.kind if draft.meaning else ""
    if (kind != "object" or draft.thing is not None) and words.attempt(lambda: _limb(reading, draft)):
        return True
    if words.attempt(lambda: _with_gait(reading, draft)):
        return True
    if word in ("in", "from", "on", "into") and _is_camera(words):
        return False
    if kind in ("locomotion", "object") and words.attempt(lambda: _until(reading, draft)):
        return True
    name = draft.meaning.name if draft.meaning else ""
    if kind == "gesture" and name in ("turn", "look") and _turned(reading, draft):
        return True
    if kind and _bare_thing(reading, draft):
        return True
    if word in ("and", "with", *CONNECTIVES) or (
        (read_ahead := form_of(word)) and read_ahead[1] != "past" and word != "back"
    ):
        return False
    return _placed(reading, draft, kind)


def _placed(reading: Reading, draft: ClauseDraft, kind: str) -> bool:
    words = reading.words
    by = words.peek() == "by" or (words.peek() == "over" and words.peek(1) == "by")
    allowed = not (kind == "object" and draft.meaning and draft.meaning.name != "look at")
    if kind == "object" and draft.thing is not None and words.attempt(lambda: _source(reading, draft)):
        return True
    if words.peek() == "from" and any(each.relation == "away" for each in draft.places):
        words.words[words.at] = "away-from"  # "away sadly from the house"
        draft.places = [each for each in draft.places if each.relation != "away"]
    if (
        kind == "gesture"
        and "from" in (words.peek(), words.peek(1))
        and words.peek() in ("from", "down", "off")
        and not _is_camera(words)
    ):
        return False
    place = words.attempt(lambda: _over_it(reading, draft)) or read_place(words, allowed)
    if place is None:
        if kind == "locomotion" and words.peek() in ("up", "over", "along") and words.peek(1) in ("", *CONNECTIVES):
            words.at += 1
            return True
        return False
    if by and kind != "gesture" and place.thing is not None:
        place = replace(place, relation="past")
    if kind == "locomotion" and draft.lemma in ("return", "back") and place.relation == "start":
        draft.places = [each for each in draft.places if each.relation != "start"]
    draft.places.append(place)
    return True


def _over_it(reading: Reading, draft: ClauseDraft) -> Place | None:
    """Where somebody jumps or climbs without saying over what: over the thing named last."""
    words, name = reading.words, draft.meaning.name if draft.meaning else ""
    if name not in ("jump", "climb") or words.mentioned is None or not words.take("over"):
        return None
    return Place("over", words.mentioned) if closes(words) else None


def _source(reading: Reading, draft: ClauseDraft) -> bool | None:
    """Where a thing is taken from: "off the table"; the ground is no news."""
    words = reading.words
    words.take("up")
    if not words.take("from", "off"):
        return None
    mentioned = words.mentioned
    thing = read_thing(words, False)
    if thing is None or draft.thing is None:
        return None
    if thing.name not in ("ground", "floor"):
        draft.thing = replace(draft.thing, where=Place("on", thing))
    words.named[draft.thing.name], words.mentioned = draft.thing, mentioned and draft.thing
    return True


def _turned(reading: Reading, draft: ClauseDraft) -> bool:
    words = reading.words
    if words.attempt(lambda: _turned_person(reading)):
        return True
    if words.peek() == "to" and (form_of(words.peek(1)) or ("",))[0] == "face":
        words.at += 2
        thing = read_thing(words)
        if thing is not None:
            draft.places.append(Place("to", thing))
            return True
    if words.attempt(lambda: _part_of_a_turn(reading, draft)):
        return True
    if words.peek() in ("around", "round") and words.peek(1) not in ("the", "it", "a"):
        words.at += 1
        return True
    side = read_side(words) or (words.take("up", "down") if draft.lemma == "look" else "")
    if not side:
        return False
    draft.side = once(reading, "side", draft.side, side)
    return True


def _turned_person(reading: Reading) -> bool | None:
    """ "turn the character"."""
    words = reading.words
    if words.take("her", "him", "them"):
        word = words.peek()
        turns = word in ("to", "left", "right", "around", "by") or word[:1].isdigit()
        return True if _ends_here(words) or turns else None
    words.take("the", "this", "that", *POSSESSIVES)
    return True if words.take(*PEOPLE) else None


def _part_of_a_turn(reading: Reading, draft: ClauseDraft) -> bool | None:
    """ "a full circle"."""
    reading.words.take("by")
    reading.words.take("a", "one")
    degrees = FULL.get(reading.words.peek())
    if degrees is None:
        return None
    reading.words.at += 1
    reading.words.take("circle", "turn", "rotation", "revolution")
    measure(reading, draft, "degrees", degrees)
    return True


def _until(reading: Reading, draft: ClauseDraft) -> bool | None:
    """ "until you reach the tree"."""
    words = reading.words
    if not words.take("until"):
        return None
    if words.peek() != "the" or words.peek(1) in PEOPLE:
        words.at += subject_length(reading, 0)
    words.take("is", "are", "have", "has")
    found = form_of(words.peek())
    if found is not None and found[0] in ("reach", "get", "arrive", "come"):
        words.at += 1
        if not words.take("to", "at", "up") and found[0] != "reach" and words.peek() not in ("the", "a", "it"):
            return None
    elif words.peek() not in ("the", "a", "it"):
        return None
    thing = read_thing(words)
    if thing is None:
        return None
    draft.places = [place for place in draft.places if place.thing not in (thing, None)] + [Place("to", thing)]
    return True


def _with_gait(reading: Reading, draft: ClauseDraft) -> bool | None:
    """ "with a limp"."""
    if not reading.words.take("with") or not reading.words.take("a"):
        return None
    said: list[str] = []
    while manner := read_manner(reading.words):
        said.append(manner)
    found = form_of(reading.words.peek())
    gaits = [each for each in meanings(found[0]) if each.kind == "locomotion" and not each.particles] if found else []
    if not gaits or (draft.meaning and draft.meaning.kind != "locomotion"):
        return None
    reading.words.at += 1
    draft.gait = once(reading, "gait", draft.gait, gaits[0].name)
    draft.manner += said
    if gaits[0].manner:
        draft.manner.append(gaits[0].manner)
    return True


def _limb(reading: Reading, draft: ClauseDraft) -> bool | None:
    """A part of the body, with a side or without: "with the left hand"."""
    words = reading.words
    if words.peek() in ("left", "right") and words.peek(1) in ("handed", "footed"):
        draft.side = once(reading, "side", draft.side, words.peek())
        words.at += 2
        return True
    if words.peek() == "on" and draft.meaning and draft.meaning.name in ("stand", "wait"):
        return None  # "on one leg" is no news of a hand
    if words.peek() == "on" and draft.meaning and draft.meaning.kind == "locomotion":
        return None  # "walk on your hands"
    before = words.take("with", "using", "on", "of", "in")
    words.take("the", "one", "a", "of", *POSSESSIVES)
    side = words.take("left", "right", "both")
    words.take(*POSSESSIVES)
    if words.take(*BODY) == "" and not (side and before in ("with", "using") and _ends_here(words)):
        return None
    if side:
        draft.side = once(reading, "side", draft.side, side)
    return True


def _bare_thing(reading: Reading, draft: ClauseDraft) -> bool:
    """The thing that a verb is done to, or that it leads to."""
    meaning, words = draft.meaning, reading.words
    assert meaning is not None
    face = draft.lemma == "face"
    jumped = meaning.name == "jump" and words.peek() in ("the", "it", "that", "a")
    aimed = (meaning.name == "salute" or jumped) and not draft.places
    if draft.thing is not None or (meaning.kind != "object" and not meaning.relation and not face and not aimed):
        return False
    if (meaning.relation or face) and draft.places:
        return False
    if words.peek() in ("for", "towards", "to") and meaning.kind == "object":
        return False
    pronoun = words.peek() in ("it", "them")
    thing = read_thing(words, meaning.name in ("pick up", "look at", "touch", "open", "close"))
    if pronoun and meaning.name in CARRIED and reading.carried is not None:
        thing = reading.carried
    if thing is None:
        return False
    if meaning.kind == "object":
        draft.thing = thing
    else:
        relation = "over" if jumped else "at"  # "jump the fence"
        draft.places.append(Place("to" if face else meaning.relation or relation, thing))
    return True


def _ends_here(words: Words) -> bool:
    return words.peek() in ("", *CONNECTIVES)


def _is_camera(words: Words) -> bool:
    at, mentioned = words.at, words.mentioned
    found = read_camera(words)
    words.at, words.mentioned = at, mentioned
    return found is not None
