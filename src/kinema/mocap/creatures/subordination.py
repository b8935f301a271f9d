"""Tells movements that accompany others from those that follow: "walks home, dreaming", "the dead fish", "to see"."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import pairwise

from kinema.mocap.creatures.common_words import word_set
from kinema.mocap.creatures.reading import Hit, Token

_CLAUSE_WORDS = word_set("as while whilst when whenever where wherever so")
_PHRASE_WORDS = word_set("of for with from at in by during about on under against")
_JOINING = word_set("and or but nor yet plus")
_BE = word_set("is are was were be been being gets get got getting")
# Words after which an adjective or a participle stands for itself, not before a noun.
_NO_NOUN = (
    _PHRASE_WORDS
    | _JOINING
    | _CLAUSE_WORDS
    | word_set("""to into onto over through across along around round up down off out away back past after
    before behind near
        until then without like very again still not it him them there here toward towards above below between among
        upon beside beyond inside outside forward forwards backward backwards sideways left right ahead home""")
)
_PLACE, _FAINT = 2, 4


def subordinated(tokens: list[Token], hits: list[Hit], cuts: Iterable[int]) -> list[Hit]:
    """Hits with those marked that only accompany the movement of their sentence.

    Args:
        cuts: places of tokens between which one sentence lies, such as full stops and "then".
    """
    bounds = sorted({0, len(tokens), *cuts})
    marked = [_victim(tokens, _on_its_way(tokens, hit)) for hit in hits]
    marked = [_attributive(tokens, hit) for hit in marked]
    found: list[Hit] = []
    for start, end in pairwise(bounds):
        found += _of_sentence(tokens, [hit for hit in marked if start <= hit.first < end], start)
    return found


def _on_its_way(tokens: list[Token], hit: Hit) -> Hit:
    """Who fights or worms his way to a place gets there."""
    after = hit.last + 1
    way = after < len(tokens) and tokens[after].text == "way" and tokens[after].noun
    if not way or hit.action not in ("attack", "idle", "turn", "look", "jump", "back"):
        return hit
    return replace(hit, concepts=("walk",), action="walk", weakness=0)


def _victim(tokens: list[Token], hit: Hit) -> Hit:
    """Who is hit or shot by others does not attack."""
    word = tokens[hit.first]
    if hit.action != "attack" or word.text.endswith(("ing", "s")):
        return hit
    passive = hit.first > 0 and tokens[hit.first - 1].text in _BE and word.text != word.base
    by = hit.last + 1 < len(tokens) and tokens[hit.last + 1].text in ("by", "under", "beneath")
    return replace(hit, concepts=("die",), action="die", weakness=_FAINT) if passive or by else hit


def _attributive(tokens: list[Token], hit: Hit) -> Hit:
    """A word before a noun or another verb describes it: "the sleeping baby", "a dead fish", "still running"."""
    first, after = tokens[hit.first], hit.last + 1
    describes = first.noun and (
        first.text.endswith("ing") or (hit.action in ("die", "idle") and first.text == first.base)
    )
    if hit.action and hit.first == hit.last and _is_plural(tokens, hit.first):
        return replace(hit, weakness=_FAINT)
    if not (hit.action and (describes or first.text == "still") and hit.first == hit.last and after < len(tokens)):
        return hit
    follower = tokens[after].text
    if not follower[0].isalpha() or follower in _NO_NOUN or follower.endswith("ly"):
        return hit
    return replace(hit, weakness=_FAINT)


def _is_plural(tokens: list[Token], at: int) -> bool:
    """Whether a word such as "claws" is a noun: after an article, or in ", claws slashing"."""
    word = tokens[at]
    if word.text == word.base or not word.text.endswith("s"):
        return False
    moving = at + 1 < len(tokens) and tokens[at + 1].text.endswith("ing")
    return word.noun or (moving and at > 0 and tokens[at - 1].text in (",", "with"))


def _of_sentence(tokens: list[Token], hits: list[Hit], start: int) -> list[Hit]:
    leading = _leading_clause(tokens, hits, start)
    found: list[Hit] = []
    main: Hit | None = None
    previous = None
    for hit in hits:
        stands = hit.action is not None and hit.weakness not in (_PLACE, _FAINT)
        if stands and hit.first < leading:
            hit = replace(hit, beside=True)
        elif stands and main is not None and previous is not None:
            if _accompanies(tokens, main, hit, previous.last + 1):
                hit = replace(hit, beside=True, weakness=_FAINT if hit.action == "idle" else hit.weakness)
        elif stands:
            main = hit
        if stands:
            previous = hit
        found.append(hit)
    return found


def _leading_clause(tokens: list[Token], hits: list[Hit], start: int) -> int:
    """The end of "When the sun sets, " at the start of a sentence in which more is said; else the start."""
    if start < len(tokens) and not tokens[start].text[0].isalpha():
        start += 1
    if start >= len(tokens) or tokens[start].text not in _CLAUSE_WORDS:
        return start
    comma = next((at for at in range(start, len(tokens)) if tokens[at].text == ","), None)
    return comma if comma and any(hit.action and hit.first > comma for hit in hits) else start


def _accompanies(tokens: list[Token], main: Hit, hit: Hit, start: int) -> bool:
    """Whether a later movement of a sentence goes with the main one; words between them begin at `start`."""
    between = [token.text for token in tokens[start : hit.first]]
    word, before = tokens[hit.first], tokens[hit.first - 1].text
    told = _is_inflected(tokens, main)
    if main.action == "idle" and main.weakness and hit.action == "eat":
        return False
    if not _CLAUSE_WORDS.isdisjoint(between) and not _JOINING.intersection(between):
        return True
    if before == "to" and word.text == word.base:
        return told and len(between) > 1 and "stop" not in main.concepts
    if told and (word.noun or before in _PHRASE_WORDS) and (word.text == word.base or word.text.endswith("ing")):
        return True
    participle = any(token.text.endswith("ing") for token in tokens[hit.first : hit.last + 1])
    return participle and _is_participle(tokens, main, hit, between)


def _is_inflected(tokens: list[Token], hit: Hit) -> bool:
    return any(token.text != token.base for token in tokens[hit.first : hit.last + 1])


def _is_participle(tokens: list[Token], main: Hit, hit: Hit, between: list[str]) -> bool:
    """Whether a participle is no item of a list such as "walking, jumping and eating"."""
    if not any(token.text.endswith("ing") for token in tokens[main.first : main.last + 1]):
        return _is_inflected(tokens, main)
    if "," not in between or not _JOINING.isdisjoint(between):
        return False
    after = between[len(between) - between[::-1].index(",") :]
    absolute = any(word.isalpha() and not word.endswith("ly") for word in after)
    said = between[: between.index(",")]
    return absolute or any(word not in _NO_NOUN and not word.endswith("ly") for word in said)
