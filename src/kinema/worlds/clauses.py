"""Reads one clause: who does what, how, where, how long and how often."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

from kinema.errors import UsageError
from kinema.worlds.camera_words import PEOPLE, read_camera
from kinema.worlds.noun_phrases import (
    CONNECTIVES,
    ENDS,
    Words,
    closes,
    read_amount,
    read_manner,
    read_number,
    read_place,
    read_side,
    read_thing,
)
from kinema.worlds.phrases import POSSESSIVES
from kinema.worlds.programme import Gesture, Handling, Locomotion, Place, Step, Thing
from kinema.worlds.verbs import LIGHT, VerbMeaning, corrected, form_of, meanings, nearest_verbs, word_set
from kinema.worlds.wording import quoted

_Value = TypeVar("_Value")

_SUBJECTS = word_set("she he they you we i it who which that someone her him them me us everyone one")
_WISHING = word_set(
    "want wants need like love would wish prefer see watch let show us will can could may should i we and"
)
_CAUSING = word_set("make makes have has get gets ask tell let order having")
_AUXILIARIES = word_set("is are am be been being will would should shall can could must may might to do does "
"did going supposed needs "
                   "need has have having had ought")  # fmt: skip
_BEGINNING = word_set("keep keeps keeping continue continues start starts begin begins starting beginning try "
"tries go goes going come "
                 "comes coming get gets proceed proceeds started began continued kept")  # fmt: skip
_THINGS = word_set("tree car lamp bench stone table box house wall door fence rock chair shelf sun street")
_SAME_PERSON = word_set("character person figure avatar subject actor player human someone everyone hero dancer")
_BODY = word_set("hand hands arm arms head shoulders shoulder finger fingers knee knees feet foot leg legs fist fists")
_SMALL = word_set("little big small nice good deep polite friendly short single quick brief bit low huge final")
_ELIDED = {"open", "close", "touch", "pick up", "carry", "put down", "throw", "drop", "push", "pull", "kick", "hit"}
_UNCHANGED = {"run", "come", "put", "set", "hit", "shut"}
"""Verbs whose participle is as their base."""
_STEALTHY = {"stealthily", "sneakily", "furtively", "secretly"}
_GROUND = {"ground", "floor", "grass"}
_SKIPPED = {"the", "a", "back", "left", "right", "both", *POSSESSIVES}
_FULL = {"quarter": 90.0, "half": 180.0, "full": 360.0, "complete": 360.0, "whole": 360.0}
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
_CARRIED = {"put down", "drop", "throw", "carry", "hold"}
_LEADING_SOMEWHERE = {"to", "towards", "past", "around", "through", "across", "along", "away from", "away", "start"}


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


@dataclass
class _Draft:
    meaning: VerbMeaning | None = None
    lemma: str = ""
    form: str = "base"
    manner: list[str] = field(default_factory=list)
    amounts: dict[str, float] = field(default_factory=dict)
    side: str = ""
    gait: str = ""
    places: list[Place] = field(default_factory=list)
    thing: Thing | None = None
    subject: str = ""
    has_subject: bool = False
    loose: bool = False


class ClauseReader:
    """Reads clauses of one text; knows the last gait and who acts."""

    def __init__(self, words: Words) -> None:
        self.words = words
        self.gait = ""
        self.actor = ""
        self.carried: Thing | None = None
        self.filming = False  # whether the clause before was of the camera

    def read(self) -> Clause:
        """The next clause.

        Raises:
            UsageError: it is not understood.
        """
        words, start = self.words, self.words.at
        camera = read_camera(words, self.filming)
        self.filming = camera is not None
        if camera is not None:
            return Clause([camera[0]], "camera", throughout=camera[1], beside=words.words[start] == "with")
        draft = _Draft()
        self._open(draft)
        camera = read_camera(words)
        if camera is not None and not draft.places:
            return Clause(
                [replace(camera[0], manner=(*draft.manner, *camera[0].manner))], "camera", throughout=camera[1]
            )
        again = self._again()
        if again:
            return Clause([], again=again)
        if not self._verb(draft):
            self._bare(draft, start)
        else:
            while self._modifier(draft):
                pass
        self._know(draft, start)
        return self._finished(draft, start)

    # Who acts, and what comes before the verb.

    def _open(self, draft: _Draft) -> None:
        words = self.words
        while word := words.peek():
            form = form_of(word)
            if word in _BEGINNING and self._leads_to_verb(1):
                words.at += 1
                draft.has_subject = True  # so that the participle after it is no aside
            elif word in _CAUSING and (skip := self._subject(1)):
                self._acts(draft, 1, skip)
                words.at += 1 + skip
                draft.has_subject = False
            elif (word in _AUXILIARIES and self._auxiliary()) or (word in _WISHING and form is None):
                words.at += 1
            elif word in ("spend", "spends", "of") and (word != "of" or draft.amounts):
                draft.has_subject = True  # so that the participle after it is no aside
                words.at += 1
            elif skip := self._subject(0):
                self._acts(draft, 0, skip)
                words.at += skip
                draft.has_subject = True
            elif form is not None or not self._modifier(draft):
                return

    def _leads_to_verb(self, ahead: int) -> bool:
        word = self.words.peek(ahead)
        if word == "to":
            word = self.words.peek(ahead + 1)
            return form_of(word) is not None and self.words.peek() not in ("go", "goes", "come", "get", "gets", "comes")
        found = form_of(word)
        if found is None or word in ("back", "rest"):
            return False
        return found[1] == "ing" or (self.words.peek() in ("go", "come", "goes", "comes") and found[1] == "base")

    def _auxiliary(self) -> bool:
        """Whether a word is used as an auxiliary, not as a verb of its own."""
        word, following = self.words.peek(), self.words.peek(1)
        found = form_of(following)
        if word in ("have", "has", "having", "had"):
            return (
                following == "to"
                or (found is not None and (found[1] == "past" or following in _UNCHANGED))
                or following == "been"
            )
        if word in ("do", "does", "did"):
            return following in _SUBJECTS and following not in ("it", "that")
        if word == "to":
            return found is not None or following in _AUXILIARIES or following in _WISHING or _is_manner(following)
        return True

    def _subject(self, ahead: int) -> int:
        """How many words name who acts; 0 if none do."""
        word = self.words.peek(ahead)
        if word in _SUBJECTS:
            return 1
        determined = word in ("the", "a", "an", "this", "that", *POSSESSIVES)
        for count in range(1, 4):
            at = ahead + determined + count
            noun, following = self.words.peek(at - 1), self.words.peek(at)
            if not noun or noun in ENDS or noun in _AUXILIARIES or noun[0].isdigit() or _is_manner(noun):
                return 0
            if noun in ("left", "right", "full", "half", "quarter", "to", "with", *_BODY, *_SMALL):
                return 0
            if (determined or noun in PEOPLE) and self._acts_next(at, following, noun in PEOPLE):
                return determined + count
        return 0

    def _acts_next(self, at: int, word: str, person: bool) -> bool:
        if _is_manner(word) and person:
            word = self.words.peek(at + 1)
        if word == "to":
            return form_of(self.words.peek(at + 1)) is not None or _is_manner(self.words.peek(at + 1))
        if word in _AUXILIARIES or word in _BEGINNING:
            return True
        found = form_of(word) or (form_of(corrected(word) or "") if person else None)
        return found is not None and (person or found[1] != "past")

    def _acts(self, draft: _Draft, ahead: int, count: int) -> None:
        words = [self.words.peek(ahead + at) for at in range(count)]
        noun = words[-1]
        if noun in _THINGS:
            raise UsageError(f"{quoted(self.words.clause())} lets a {noun} act; say what the character does")
        if noun in _SUBJECTS or noun in _SAME_PERSON:
            return
        if self.actor and self.actor != noun:
            raise UsageError(f"{quoted(words)} is a second character beside the {self.actor}; a programme is of one")
        self.actor = noun

    # What is done.

    def _verb(self, draft: _Draft) -> bool:
        words = self.words
        word = words.peek()
        found = form_of(word)
        if found is None:
            other = corrected(word) if word not in CONNECTIVES else None
            if other is None:
                return False
            words.words[words.at] = other
            found = form_of(other)
            assert found is not None
        draft.lemma, draft.form = found
        ranked = meanings(draft.lemma)
        for meaning in ranked:
            after = self._after_particles(meaning)
            if meaning.particles and after:
                sides = [side for side in words.words[words.at : after] if side in ("left", "right", "both")]
                draft.side = sides[0] if sides else draft.side
                words.at = after
                draft.meaning = meaning
                return True
        if self._separated(draft, ranked) or (draft.lemma in LIGHT and words.attempt(lambda: self._light(draft))):
            return True
        plain = [meaning for meaning in ranked if not meaning.particles]
        if not plain:
            return False
        words.at += 1
        draft.meaning = plain[0]
        objects = [meaning for meaning in plain if meaning.kind == "object"]
        if draft.lemma == "leave" and self.carried is None:  # nothing that could be left somewhere
            plain, objects = [each for each in plain if each not in objects], []
            draft.meaning = plain[0]
        if objects and len(plain) > 1 and self._at_thing():
            draft.meaning = objects[0]
        elif len(plain) > 1 and plain[0].kind == "object" and not self._at_thing():
            draft.meaning = plain[1]
        return True

    def _at_thing(self) -> bool:
        start, mentioned = self.words.at, self.words.mentioned
        found = self.words.peek() in ("it", "them") or read_thing(self.words) is not None
        self.words.at, self.words.mentioned = start, mentioned
        return found

    def _after_particles(self, meaning: VerbMeaning) -> int:
        """Where the words after a verb and its particles begin; 0 if they do not follow."""
        words, at = self.words, self.words.at + 1
        for particle in meaning.particles:
            while at < len(words.words) and words.words[at] in _SKIPPED and words.words[at] != particle:
                at += 1
            if at >= len(words.words) or words.words[at] != particle:
                return 0
            at += 1
        after = words.words[at] if at < len(words.words) else ""
        leads = meaning.particles and meaning.particles[-1] in ("around", "round", "about", "over", "up", "down")
        if meaning.kind == "gesture" and leads and after in ("the", "a", "it", "that"):
            return 0
        return at

    def _separated(self, draft: _Draft, ranked: Sequence[VerbMeaning]) -> bool:
        """A verb with a thing before its particle: "pick the ball up"."""
        split = [meaning for meaning in ranked if meaning.kind == "object" and len(meaning.particles) == 1]

        def read() -> VerbMeaning | None:
            mentioned = self.words.mentioned
            self.words.at += 1
            pronoun = self.words.peek() in ("it", "them")
            if pronoun and mentioned is None:
                return None
            thing = read_thing(self.words, False)
            if pronoun and self.carried is not None and any(meaning.name in _CARRIED for meaning in split):
                thing = self.carried
            for meaning in split:
                if (
                    thing is not None
                    and self.words.peek() == meaning.particles[0]
                    and meaning.particles[0] not in ("at", "on")
                ):
                    self.words.at += 1
                    draft.thing = thing
                    return meaning
            self.words.mentioned = mentioned
            return None

        draft.meaning = self.words.attempt(read) if split else None
        return draft.meaning is not None

    def _light(self, draft: _Draft) -> bool | None:
        """A verb that leaves to a noun what is done: "take a bow", "give the table a push"."""
        words = self.words
        words.at += 1
        words.take("for")
        if self._action_noun(draft):
            return True
        if draft.lemma == "give":
            thing = read_thing(words, False)
            if thing is not None and self._action_noun(draft, True):
                draft.thing = thing
                return True
            return None
        amount = read_amount(words)
        if amount is None or amount[0] not in ("steps", "laps", "metres"):
            return None
        self._measure(draft, *amount)
        draft.meaning = VerbMeaning("locomotion", self.gait if amount[0] == "laps" else "")
        draft.loose = True
        return True

    def _action_noun(self, draft: _Draft, given: bool = False) -> bool | None:
        """An action as a noun: "three waves", "a slow walk", "a 45 degree turn"."""
        words = self.words

        def read() -> bool | None:
            count, quick = None, False
            while True:
                amount = read_amount(words)
                if amount is not None:
                    self._measure(draft, *amount)
                elif words.peek() in _FULL and form_of(words.peek(1)):
                    draft.amounts["degrees"] = _FULL[words.peek()]
                    words.at += 1
                elif words.peek() in ("left", "right", "both", "handed"):
                    draft.side = words.take("left", "right", "both") or draft.side
                    words.take("handed", "hand", "arm", "hands", "arms")
                elif small := words.take(*_SMALL):
                    quick |= small == "quick"
                elif manner := read_manner(words):
                    draft.manner.append(manner)
                elif words.take("of", "the", "this"):
                    pass
                elif count is None and (number := read_number(words)) is not None:
                    count = number
                else:
                    break
            found = form_of(words.peek())
            if found is None or (count is None and not draft.amounts and not draft.side):
                return None
            draft.lemma = found[0]
            for meaning in (
                sorted(meanings(found[0]), key=lambda each: each.kind != "object") if given else meanings(found[0])
            ):
                after = self._after_particles(meaning) if meaning.particles else words.at + 1
                of = bool(after) and words.words[after : after + 1] == ["of"]
                if (after and meaning.kind != "object") or (
                    after and (meaning.particles or of or given or draft.lemma in ("push", "pull"))
                ):
                    words.at = after + (of and meaning.kind == "object")
                    draft.meaning, draft.form = meaning, "noun"
                    if quick and meaning.kind == "locomotion":  # a quick nod is a short one
                        draft.manner.append("quickly")
                    if count not in (None, 1.0):
                        self._measure(draft, "times", count or 1.0)
                    return True
            return None

        kept = replace(draft, manner=[*draft.manner], amounts={**draft.amounts})
        if words.attempt(read):
            return True
        draft.__dict__.update(kept.__dict__)
        return None

    def _bare(self, draft: _Draft, start: int) -> None:
        """A clause without a verb: "three waves", "then to the bench", "slowly"."""
        if self._action_noun(draft):
            while self._modifier(draft):
                pass
            return
        draft.form = "noun"
        while self._modifier(draft):
            pass
        far = draft.amounts.keys() & {"metres", "steps", "laps"}
        if draft.places or far or draft.gait:
            draft.meaning = VerbMeaning("locomotion", "" if draft.gait else self.gait)
        elif (
            self.gait
            and self.words.at == start
            and self.words.peek() in ("the", "a")
            and (thing := read_thing(self.words)) is not None
        ):
            draft.places = [Place("to", thing)]  # "then the bench"
            draft.meaning = VerbMeaning("locomotion", self.gait)
            while self._modifier(draft):
                pass
        elif draft.amounts.keys() == {"seconds"}:
            draft.meaning = VerbMeaning("gesture", "wait")
        elif not draft.manner and not draft.side and draft.amounts.keys() not in ({"degrees"}, {"times"}):
            self._refuse(start)

    def _refuse(self, start: int) -> None:
        words = self.words
        word = words.peek()
        if word and word not in CONNECTIVES and not form_of(word):
            near = ", ".join(nearest_verbs(word))
            raise UsageError(
                f"{quoted(words.clause(start))} was not understood: {quoted([word])} is no verb that is known here; "
                f"some that are: {near}"
            )
        raise UsageError(
            f"{quoted(words.clause(start))} was not understood; say what to do, such as 'walk to the tree' or "
            f"'wave twice'"
        )

    # How, where, how long.

    def _modifier(self, draft: _Draft) -> bool:
        words = self.words
        word = words.peek()
        if not word:
            return False
        if word == "once" and words.peek(1) in ("", ",", ".", "and", "then"):
            words.at += 1
            return True
        if (amount := read_amount(words)) is not None:
            self._measure(draft, *amount)
            return True
        if (manner := read_manner(words)) is not None:
            draft.manner.append(manner)
            return True
        kind = draft.meaning.kind if draft.meaning else ""
        if kind != "object" and words.attempt(lambda: self._limb(draft)):
            return True
        if words.attempt(lambda: self._with_gait(draft)):
            return True
        if word in ("in", "from", "on", "into") and _is_camera(words):
            return False
        if kind in ("locomotion", "object") and words.attempt(lambda: self._until(draft)):
            return True
        name = draft.meaning.name if draft.meaning else ""
        if kind == "gesture" and name in ("turn", "look") and self._turned(draft):
            return True
        if kind and self._bare_thing(draft):
            return True
        if word in ("and", "with", *CONNECTIVES) or (
            (read_ahead := form_of(word)) and read_ahead[1] != "past" and word != "back"
        ):
            return False
        return self._placed(draft, kind)

    def _placed(self, draft: _Draft, kind: str) -> bool:
        words = self.words
        by = words.peek() == "by" or (words.peek() == "over" and words.peek(1) == "by")
        allowed = not (kind == "object" and draft.meaning and draft.meaning.name != "look at")
        if kind == "object" and draft.thing is not None and words.attempt(lambda: self._source(draft)):
            return True
        if words.peek() == "from" and any(each.relation == "away" for each in draft.places):
            words.words[words.at] = "away-from"  # "away sadly from the house"
            draft.places = [each for each in draft.places if each.relation != "away"]
        place = words.attempt(lambda: self._over_it(draft)) or read_place(words, allowed)
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

    def _over_it(self, draft: _Draft) -> Place | None:
        """Where somebody jumps or climbs without saying over what: over the thing named last."""
        words, name = self.words, draft.meaning.name if draft.meaning else ""
        if name not in ("jump", "climb") or words.mentioned is None or not words.take("over"):
            return None
        return Place("over", words.mentioned) if closes(words) else None

    def _source(self, draft: _Draft) -> bool | None:
        """Where a thing is taken from: "off the table"; the ground is no news."""
        words = self.words
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

    def _turned(self, draft: _Draft) -> bool:
        words = self.words
        if words.attempt(lambda: self._turned_person()):
            return True
        if words.peek() == "to" and (form_of(words.peek(1)) or ("",))[0] == "face":
            words.at += 2
            thing = read_thing(words)
            if thing is not None:
                draft.places.append(Place("to", thing))
                return True
        if words.attempt(lambda: self._part_of_a_turn(draft)):
            return True
        if words.peek() in ("around", "round") and words.peek(1) not in ("the", "it", "a"):
            words.at += 1
            return True
        side = read_side(words) or (words.take("up", "down") if draft.lemma == "look" else "")
        if not side:
            return False
        draft.side = self._once("side", draft.side, side)
        return True

    def _turned_person(self) -> bool | None:
        """ "turn the character"."""
        words = self.words
        if words.take("her", "him", "them"):
            word = words.peek()
            turns = word in ("to", "left", "right", "around", "by") or word[:1].isdigit()
            return True if _ends_here(words) or turns else None
        words.take("the", "this", "that", *POSSESSIVES)
        return True if words.take(*PEOPLE) else None

    def _part_of_a_turn(self, draft: _Draft) -> bool | None:
        """ "a full circle"."""
        self.words.take("by")
        self.words.take("a", "one")
        degrees = _FULL.get(self.words.peek())
        if degrees is None:
            return None
        self.words.at += 1
        self.words.take("circle", "turn", "rotation", "revolution")
        self._measure(draft, "degrees", degrees)
        return True

    def _until(self, draft: _Draft) -> bool | None:
        """ "until you reach the tree"."""
        words = self.words
        if not words.take("until"):
            return None
        words.at += self._subject(0)
        words.take("is", "are", "have", "has")
        found = form_of(words.peek())
        if found is not None and found[0] in ("reach", "get", "arrive", "come"):
            words.at += 1
            words.take("to", "at", "up")
        elif words.peek() not in ("the", "a", "it"):
            return None
        thing = read_thing(words)
        if thing is None:
            return None
        draft.places = [place for place in draft.places if place.thing not in (thing, None)] + [Place("to", thing)]
        return True

    def _with_gait(self, draft: _Draft) -> bool | None:
        """ "with a limp"."""
        if not self.words.take("with") or not self.words.take("a"):
            return None
        said: list[str] = []
        while manner := read_manner(self.words):
            said.append(manner)
        found = form_of(self.words.peek())
        gaits = (
            [each for each in meanings(found[0]) if each.kind == "locomotion" and not each.particles] if found else []
        )
        if not gaits or (draft.meaning and draft.meaning.kind != "locomotion"):
            return None
        self.words.at += 1
        draft.gait = self._once("gait", draft.gait, gaits[0].name)
        draft.manner += said
        if gaits[0].manner:
            draft.manner.append(gaits[0].manner)
        return True

    def _limb(self, draft: _Draft) -> bool | None:
        """A part of the body, with a side or without: "with the left hand"."""
        words = self.words
        if words.peek() in ("left", "right") and words.peek(1) == "handed":
            draft.side = self._once("side", draft.side, words.peek())
            words.at += 2
            return True
        before = words.take("with", "using", "on", "of")
        words.take("the", "one", "a", "of", *POSSESSIVES)
        side = words.take("left", "right", "both")
        words.take(*POSSESSIVES)
        if words.take(*_BODY) == "" and not (side and before in ("with", "using") and _ends_here(words)):
            return None
        if side:
            draft.side = self._once("side", draft.side, side)
        return True

    def _bare_thing(self, draft: _Draft) -> bool:
        """The thing that a verb is done to, or that it leads to."""
        meaning, words = draft.meaning, self.words
        assert meaning is not None
        face = draft.lemma == "face"
        aimed = meaning.name == "salute" and not draft.places
        if draft.thing is not None or (meaning.kind != "object" and not meaning.relation and not face and not aimed):
            return False
        if (meaning.relation or face) and draft.places:
            return False
        if words.peek() in ("for", "towards", "to") and meaning.kind == "object":
            return False
        pronoun = words.peek() in ("it", "them")
        thing = read_thing(words, meaning.name in ("pick up", "look at", "touch", "open", "close"))
        if pronoun and meaning.name in _CARRIED and self.carried is not None:
            thing = self.carried
        if thing is None:
            return False
        if meaning.kind == "object":
            draft.thing = thing
        else:
            draft.places.append(Place("to" if face else meaning.relation or "at", thing))
        return True

    def _again(self) -> int:
        """ "do that twice": how often the step before is done; 0 if this is not said."""
        words = self.words

        def read() -> int | None:
            if not words.take("do", "repeat", "repeating", "doing") or not words.take("it", "that", "this"):
                return None
            amount = read_amount(words)
            return int(amount[1]) if amount and amount[0] == "times" else None

        return words.attempt(read) or 0

    def _measure(self, draft: _Draft, unit: str, value: float) -> None:
        unit = "times" if unit == "laps" else unit
        draft.amounts[unit] = self._once(unit, draft.amounts.get(unit), value)

    def _once(self, what: str, before: _Value | None, now: _Value) -> _Value:
        if before and before != now:
            clause = quoted(self.words.words[max(0, self.words.at - 6) : self.words.at + 2])
            raise UsageError(
                f"{clause} contradicts itself: two different values of {what}, {before} and {now}; say one"
            )
        return now

    # The steps.

    def _know(self, draft: _Draft, start: int) -> None:
        """Refuses a clause that nothing ends."""
        words = self.words
        word = words.peek()
        if not word or word in CONNECTIVES or word in ("with", "to", "using", "meanwhile") or form_of(word):
            return
        if draft.meaning is not None and self._subject(0):
            return
        kept, mentioned = words.at, words.mentioned
        camera = read_camera(words)
        words.at, words.mentioned = kept, mentioned
        if camera is None:
            raise UsageError(
                f"{quoted(words.clause(start))} was not understood from {quoted(words.clause())} on; put what is done "
                "into plain clauses such as 'walk to the tree, then wave'"
            )

    def _finished(self, draft: _Draft, start: int) -> Clause:
        manner = tuple(dict.fromkeys(draft.manner))
        meaning = draft.meaning
        if meaning is None:
            again = int(draft.amounts.get("times", 0))
            return Clause([], manner=manner, side=draft.side, degrees=draft.amounts.get("degrees"), again=again)
        if meaning.manner and not manner:  # what is said outright counts, not what a verb suggests
            manner = (*manner, meaning.manner)
        seconds, times = draft.amounts.get("seconds"), int(draft.amounts.get("times", 1))
        common = {"manner": manner, "seconds": seconds, "times": times}
        clause = Clause([], draft.form, draft.has_subject)
        if meaning.kind == "locomotion":
            clause.steps, clause.loose = (
                self._locomotion(draft, meaning, common),
                (draft.loose or not (meaning.name or draft.gait)),
            )
        elif meaning.kind == "gesture":
            clause.steps = self._gesture(draft, meaning, common, start)
        else:
            if meaning.name == "hold" and draft.thing is None and seconds:
                clause.steps = [Gesture(**common, action="wait")]
                return clause
            draft.thing = draft.thing or self._elided(meaning.name)
            if draft.thing is None:
                raise UsageError(
                    f"{quoted(self.words.clause(start))} does not say what to {meaning.name}; name it, such as "
                    f"'{meaning.name} the box'"
                )
            place = self._going(draft)
            if place is not None and place.thing is not None and place.thing.name in _GROUND:
                place = None
            if meaning.name == "pick up" and place is not None and draft.lemma in ("take", "get", "bring", "fetch"):
                meaning = replace(meaning, name="carry")
            if meaning.name in ("pick up", "carry", "hold"):
                self.carried = draft.thing
            clause.steps = [Handling(**common, action=meaning.name, thing=draft.thing, place=place)]  # type: ignore[arg-type]
        return clause

    def _elided(self, action: str) -> Thing | None:
        """The thing of "walk to the door, open, walk through"; None if none was named."""
        if action not in _ELIDED:
            return None
        thing = self.carried if action in _CARRIED and self.carried else self.words.mentioned
        return None if thing is None or thing.name == "camera" else thing

    def _locomotion(self, draft: _Draft, meaning: VerbMeaning, common: dict[str, object]) -> list[Step]:
        named = "" if meaning.name == "walk" and draft.gait != "run" else meaning.name
        gait = str(self._once("gait", named, draft.gait or named) or "walk")
        if gait == "walk" and _STEALTHY & set(draft.manner):
            gait = "sneak"
        if gait == "sneak":  # which says so itself
            common["manner"] = tuple(each for each in draft.manner if each not in ("quietly", *_STEALTHY))
        self.gait = gait
        if draft.lemma == "step" and draft.amounts.get("times", 0) > 1:
            draft.amounts["steps"] = draft.amounts["times"]
            common["times"] = 1
        if draft.lemma == "return" and not any(place.thing for place in draft.places):
            draft.places = [Place("start")]
        if draft.lemma == "leave" and not draft.places:
            draft.places = [Place("away")]
        if draft.lemma in ("back", "reverse"):
            draft.places = draft.places or [Place("direction", direction="backward")]
        places = self._measured(draft)
        return [Locomotion(**common, gait=gait, place=place) for place in places or [None]]  # type: ignore[arg-type]

    def _measured(self, draft: _Draft) -> list[Place]:
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
            if directions:
                directions = [replace(directions[0], **far), *directions[1:]]
                return [*directions, *others]
            return [replace(others[0], **far), *others[1:]]
        if directions and others:
            way = directions[0].direction
            way = "" if way == "forward" or (way == "in a circle" and others[0].relation == "around") else way
            return [replace(others[0], direction=way), *others[1:]]
        return places

    def _going(self, draft: _Draft) -> Place | None:
        places = self._measured(draft)
        if len(places) > 1:
            return self._once("place", places[0], places[1])
        return places[0] if places else None

    def _gesture(self, draft: _Draft, meaning: VerbMeaning, common: dict[str, object], start: int) -> list[Step]:
        action, place = meaning.name, self._going(draft)
        if draft.thing is not None and action in _AIMED:
            place = Place("at", draft.thing)
        if place is not None and place.thing is not None and place.thing.name in _GROUND and place.relation != "over":
            place = None
        if place is not None:
            if action in _AIMED and place.relation in ("to", "towards", "into", "on", "at"):
                place = replace(place, relation="at")
            elif action == "turn" and place.relation == "start":
                place = None
            elif action == "turn" and place.direction in ("left", "right") and place.thing is None:
                draft.side, place = self._once("side", draft.side, place.direction), None
            elif action == "turn" and place.relation in ("to", "towards", "at", "away from"):
                place = replace(place, relation="away from" if place.relation == "away from" else "to")
            elif action in _MOVING and place.relation in _LEADING_SOMEWHERE:
                self.gait = action
                return [Locomotion(**common, gait=action, place=place)]  # type: ignore[arg-type]
            elif place.relation in _LEADING_SOMEWHERE or (action == "turn" and place.relation != "direction"):
                raise UsageError(
                    f"{quoted(self.words.clause(start))} was not understood: to {action} leads nowhere; say how "
                    f"to get there, "
                    "such as 'walk to the tree, then sit'"
                )
        degrees, side = draft.amounts.get("degrees"), draft.side
        if action == "turn" and place is None and degrees is None:
            spun = draft.lemma in ("spin", "twirl", "pivot") and not side
            degrees = 360.0 if spun else 90.0 if side else 180.0
        return [Gesture(**common, action=action, place=place, side=side, degrees=degrees)]  # type: ignore[arg-type]


def _is_camera(words: Words) -> bool:
    at, mentioned = words.at, words.mentioned
    found = read_camera(words)
    words.at, words.mentioned = at, mentioned
    return found is not None


def _ends_here(words: Words) -> bool:
    return words.peek() in ("", *CONNECTIVES)


def _is_manner(word: str) -> bool:
    return bool(word) and read_manner(Words([word])) is not None
