"""Reads what is done: verbs with their particles, and nouns that stand for them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from kinema.instructions.grammar.amounts import read_amount, read_manner, read_number
from kinema.instructions.grammar.drafts import CARRIED, FULL, SMALL, ClauseDraft, Reading, measure
from kinema.instructions.grammar.noun_phrases import read_thing
from kinema.instructions.grammar.place_phrases import POSSESSIVES
from kinema.instructions.grammar.verbs import LIGHT, VerbMeaning, corrected, form_of, meanings
from kinema.instructions.grammar.words import CONNECTIVES

_KINDS = {"hand", "head", "arm", "body", "soldier", "military", "army", "victory", "vertical", "star"}
"""Words before the noun of an action that say nothing more: "three hand claps"."""
_SKIPPED = {"the", "a", "back", "left", "right", "both", *POSSESSIVES}


def read_verb(reading: Reading, draft: ClauseDraft) -> bool:
    words = reading.words
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
        after = _after_particles(reading, meaning)
        if meaning.particles and after:
            sides = [side for side in words.words[words.at : after] if side in ("left", "right", "both")]
            draft.side = sides[0] if sides else draft.side
            words.at = after
            draft.meaning = meaning
            return True
    if _separated(reading, draft, ranked) or (draft.lemma in LIGHT and words.attempt(lambda: _light(reading, draft))):
        return True
    plain = [meaning for meaning in ranked if not meaning.particles]
    if not plain:
        return False
    words.at += 1
    related = [meaning for meaning in plain if meaning.relation]
    draft.meaning = related[0] if related and _at_thing(reading) else plain[0]
    objects = [meaning for meaning in plain if meaning.kind == "object"]
    if draft.lemma == "leave" and reading.carried is None:  # nothing that could be left somewhere
        plain, objects = [each for each in plain if each not in objects], []
        draft.meaning = plain[0]
    if objects and len(plain) > 1 and _at_thing(reading):
        draft.meaning = objects[0]
    elif len(plain) > 1 and plain[0].kind == "object" and not _at_thing(reading):
        draft.meaning = plain[1]
    return True


def _at_thing(reading: Reading) -> bool:
    start, mentioned = reading.words.at, reading.words.mentioned
    found = reading.words.peek() in ("it", "them") or read_thing(reading.words) is not None
    reading.words.at, reading.words.mentioned = start, mentioned
    return found


def _after_particles(reading: Reading, meaning: VerbMeaning) -> int:
    """Where the words after a verb and its particles begin; 0 if they do not follow."""
    words, at = reading.words, reading.words.at + 1
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


def _separated(reading: Reading, draft: ClauseDraft, ranked: Sequence[VerbMeaning]) -> bool:
    """A verb with a thing before its particle: "pick the ball up"."""
    split = [meaning for meaning in ranked if meaning.kind == "object" and len(meaning.particles) == 1]

    def read() -> VerbMeaning | None:
        mentioned = reading.words.mentioned
        reading.words.at += 1
        pronoun = reading.words.peek() in ("it", "them")
        if pronoun and mentioned is None:
            return None
        thing = read_thing(reading.words, False)
        if pronoun and reading.carried is not None and any(meaning.name in CARRIED for meaning in split):
            thing = reading.carried
        for meaning in split:
            if (
                thing is not None
                and reading.words.peek() == meaning.particles[0]
                and meaning.particles[0] not in ("at", "on")
            ):
                reading.words.at += 1
                draft.thing = thing
                return meaning
        reading.words.mentioned = mentioned
        return None

    draft.meaning = reading.words.attempt(read) if split else None
    return draft.meaning is not None


def _light(reading: Reading, draft: ClauseDraft) -> bool | None:
    """A verb that leaves to a noun what is done: "take a bow", "give the table a push"."""
    words = reading.words
    words.at += 1
    words.take("for")
    if read_action_noun(reading, draft):
        return True
    if draft.lemma == "give":
        thing = read_thing(words, False)
        if thing is not None and read_action_noun(reading, draft, True):
            draft.thing = thing
            return True
        return None
    amount = read_amount(words)
    if amount is None or amount[0] not in ("steps", "laps", "metres"):
        return None
    measure(reading, draft, *amount)
    draft.meaning = VerbMeaning("locomotion", reading.gait if amount[0] == "laps" else "")
    draft.loose = True
    return True


def read_action_noun(reading: Reading, draft: ClauseDraft, given: bool = False) -> bool | None:
    """An action as a noun: "three waves", "a slow walk", "a 45 degree turn"."""
    words = reading.words

    def read() -> bool | None:
        count, quick = None, False
        while True:
            amount = read_amount(words)
            if amount is not None:
                measure(reading, draft, *amount)
            elif words.peek() in FULL and form_of(words.peek(1)):
                draft.amounts["degrees"] = FULL[words.peek()]
                words.at += 1
            elif words.peek() in ("left", "right", "both", "handed"):
                draft.side = words.take("left", "right", "both") or draft.side
                words.take("handed", "hand", "arm", "hands", "arms")
            elif small := words.take(*SMALL):
                quick |= small == "quick"
            elif manner := read_manner(words):
                draft.manner.append(manner)
            elif words.take("of", "the", "this"):
                pass
            elif words.peek() in _KINDS and (form_of(words.peek(1)) or words.peek(1) == "s"):
                words.at += 1
                words.take("s")  # "a soldier's salute"
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
            after = _after_particles(reading, meaning) if meaning.particles else words.at + 1
            of = bool(after) and words.words[after : after + 1] == ["of"]
            if (after and meaning.kind != "object") or (
                after and (meaning.particles or of or given or draft.lemma in ("push", "pull"))
            ):
                words.at = after + (of and meaning.kind == "object")
                draft.meaning, draft.form = meaning, "noun"
                if quick and meaning.kind == "locomotion":  # a quick nod is a short one
                    draft.manner.append("quickly")
                if count not in (None, 1.0):
                    measure(reading, draft, "times", count or 1.0)
                return True
        return None

    kept = replace(draft, manner=[*draft.manner], amounts={**draft.amounts})
    if words.attempt(read):
        return True
    draft.__dict__.update(kept.__dict__)
    return None
