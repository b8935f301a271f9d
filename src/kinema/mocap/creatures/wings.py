"""What wings say: held still they glide, beating they fly."""

from __future__ import annotations

from dataclasses import replace

from kinema.mocap.creatures.common_words import word_set
from kinema.mocap.creatures.inflections import forms
from kinema.mocap.creatures.reading import Hit, Token

_WINGS = word_set("wing wings pinion pinions feather feathers")
_STILL = word_set("""still motionless rigid rigidly stiff stiffly spread outspread outstretched extended fixed
    locked frozen unmoving
    stretched wide open immobile static set level flat unflapping unbeating outflung held unfurled taut steady splayed
    broad sprawled straight idle silent braced bent tilted angled dead quiet calm full""")
_BEATS = frozenset(
    form
    for verb in word_set("""beat flap pump thrash flutter work whir whirr row drum churn thrum buzz whip swish
    stroke pound
        labour labor flail clap move vibrate blur hum slap thump rise pulse sweep wave hammer snap fall""")
    for form in forms(verb)
) | word_set("up down powerful hard blur furious frantic strong heavy mighty steadily rapid rapidly")
_FLAPS = frozenset(
    form for verb in ("flap", "flutter", "beat", "wingbeat", "stroke", "flick", "twitch") for form in forms(verb)
) | frozenset({"flapping", "wingbeat", "wingbeats", "wingstroke", "wingstrokes", "downstroke", "downstrokes"})
_SURE = word_set("flap flaps flapping flapped wingbeat wingbeats wingstroke wingstrokes downstroke downstrokes")
_NEGATORS = word_set("not never without no hardly barely scarcely rarely seldom nor zero cannot neither")
_REACH = 4
_PLACE = 2


def with_wings(tokens: list[Token], hits: list[Hit]) -> list[Hit]:
    """Hits with what is said of wings, which accompanies what else is said."""
    said = _said(tokens, hits)
    if said is None:
        return hits
    at, action = said
    first, end = _stretch(tokens, at)
    others = [_there(hit, action) for hit in hits if not _is_of_wings(tokens, hit, at, first, end)]
    mine = Hit(at, at, (action,), action, beside=any(hit.action for hit in others))
    return sorted([*others, mine], key=lambda hit: hit.first)


def _there(hit: Hit, action: str) -> Hit:
    """A place in the air is one of gliding for wings that do not beat."""
    if hit.action != "fly" or hit.weakness != _PLACE:
        return hit
    return replace(hit, action=action, concepts=(action,))


def _is_of_wings(tokens: list[Token], hit: Hit, at: int, first: int, end: int) -> bool:
    """Whether a hit says what the wings do, not what the creature does."""
    if hit.first <= at <= hit.last and hit.action in ("fly", "glide", "idle"):
        return True
    if hit.action in ("fly", "idle") and _is_denied(tokens, hit.first):
        return True
    words = {token.text for token in tokens[hit.first : hit.last + 1]}
    if not first <= hit.first < end or hit.action not in ("idle", "die", "look", "attack"):
        return False
    return words <= _STILL | _BEATS or (hit.first > at and tokens[at].text in _WINGS and hit.action == "idle")


def _stretch(tokens: list[Token], at: int) -> tuple[int, int]:
    """The words about a place, as far as the next marks."""
    first = end = at
    while first > max(at - _REACH, 0) and tokens[first - 1].text[0].isalpha():
        first -= 1
    while end < min(at + _REACH + 1, len(tokens)) and tokens[end].text[0].isalpha():
        end += 1
    return first, end


def _said(tokens: list[Token], hits: list[Hit]) -> tuple[int, str] | None:
    """Where wings are spoken of, and whether they glide or fly."""
    has_wings = any(token.text in _WINGS for token in tokens)
    for at, token in enumerate(tokens):
        if token.text in _SURE or (token.text in _FLAPS and has_wings):
            if _is_denied(tokens, at):
                return at, "glide"
            if has_wings or not any(hit.first <= at <= hit.last for hit in hits):
                return at, "fly"
    for at, token in enumerate(tokens):
        if token.text in _WINGS:
            known = [hit.action for hit in hits if hit.first <= at <= hit.last and hit.action in ("fly", "glide")]
            if known:
                return at, str(known[0])
            first, end = _stretch(tokens, at)
            near = {other.text for other in tokens[first:end]}
            denied = not _NEGATORS.isdisjoint(near)
            if not near.isdisjoint(_BEATS):
                return at, "glide" if denied else "fly"
            if not near.isdisjoint(_STILL):
                return at, "glide"
    return None


def _is_denied(tokens: list[Token], at: int) -> bool:
    for token in reversed(tokens[max(at - _REACH, 0) : at]):
        if token.text in _NEGATORS:
            return True
        if not token.text[0].isalpha():
            return False
    return False
