"""Writes English descriptions of what a creature does: many ways of saying the same, and nothing untrue."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Protocol

import numpy as np

from kinema.errors import UsageError
from kinema.mocap.creatures import caption_words as words
from kinema.mocap.creatures.animals import creature_of
from kinema.mocap.creatures.inflections import participle, past, third_person
from kinema.mocap.creatures.lexicon import ACTIONS, GAITS, GROUPS, NOUNS, PLANS, VERBS
from kinema.mocap.creatures.words import concepts_of

MOST_WORDS = 25
"""Longer captions are written again in fewer words, where the number of acts allows it."""

_TRIES = 8
_SLOW, _FAST = -0.4, 0.4
_SIDE = 0.15  # radians, or radians per second: less is straight on
_AROUND = 0.75 * math.pi
_TRAVEL = frozenset({"walk", "run", "back", "fly", "glide", "swim"})
_GROUND = frozenset({"walk", "run"})
# What the verbs of an action may say without being asked: a jump goes up.
_ALWAYS_TRUE = {
    "jump": {"up"},
    "die": {"down"},
    "glide": {"down"},
    "fly": {"up"},
    "swim": {"down"},
    "attack": {"forward"},
}
_ITS = re.compile(r"\bits\b")
_UNSAID = 0.25
_TYPOS = 0.02


class ToldAct(Protocol):
    """What a caption needs to know of an act.

    Attributes:
        kind: one of `ACTIONS`.
        pace: -1 to 1.
        turn: radians at its start, positive to the left.
        curve: radians per second while it lasts, positive to the left.
        direction: radians from straight ahead, positive to the left, or None.
        gait: name of a gait, or None.
    """

    @property
    def kind(self) -> str: ...
    @property
    def pace(self) -> float: ...
    @property
    def turn(self) -> float: ...
    @property
    def curve(self) -> float: ...
    @property
    def direction(self) -> float | None: ...
    @property
    def gait(self) -> str | None: ...


@dataclass(frozen=True, slots=True)
class _Verb:
    words: tuple[str, ...]
    says: frozenset[str]
    weight: float


@dataclass(frozen=True, slots=True)
class _Telling:
    """How a caption talks: about whom, in which body plan, with whose possessives."""

    plan: str
    name: str
    subject: str
    its: str
    brief: bool


def facts(act: ToldAct) -> frozenset[str]:
    """The concepts besides the action that are true of an act: speed, side, gait.

    An act turns left if `turn`, or else `curve`, says so; a walk with a direction goes sideways.
    """
    true = {act.gait} if act.gait in GAITS else set()
    if act.pace < _SLOW or act.pace > _FAST:
        true.add("slow" if act.pace < 0 else "fast")
    return frozenset(true | _way(act))


def _way(act: ToldAct) -> set[str]:
    if act.direction is not None and act.kind in (*_GROUND, "look", "jump", "swim", "fly"):
        aside = _sign(math.sin(act.direction), 0.5)
        if aside:
            return {aside, "sideways"} if act.kind in _GROUND else {aside}
    if act.kind in ("back", "idle", "die", "eat"):
        return set()
    side = _sign(act.turn, _SIDE) or _sign(act.curve, _SIDE)
    if act.kind == "turn" and abs(act.turn) > _AROUND:
        return {side, "around"} if side else {"around"}
    forward = {"forward"} if act.kind in _TRAVEL | {"jump"} else set()
    return {side} if side else forward


def _sign(value: float, least: float) -> str | None:
    if abs(value) < least:
        return None
    return "left" if value > 0 else "right"


def caption(names: Sequence[str], acts: Sequence[ToldAct], rng: np.random.Generator, plan: str | None = None) -> str:
    """An English description of what a creature does, in one of many styles.

    All acts are told in their order. Paces and directions are often left unsaid, and never untrue.

    Args:
        names: words for the creature, the most exact first, such as `("horse", "pony", "animal")`.
        acts: what it does, in order.
        rng: where all choices come from.
        plan: its body plan, which decides whether it trots or slithers; by default that of the first known name.

    Raises:
        UsageError: there is no name or no act, or an act or the plan is unknown.
    """
    plan = plan or next((found for name in names if (found := creature_of(name))), "digitigrade")
    _check(names, acts, plan)
    for attempt in range(_TRIES):
        telling = _telling(names, plan, rng, brief=attempt > _TRIES // 2 or len(acts) > 3)
        told = _dressed(_style(len(acts), rng)(telling, acts, rng), rng)
        if len(told.split()) <= MOST_WORDS and is_true(told, acts, plan):
            return told
    return _plainly(acts, plan)


def _check(names: Sequence[str], acts: Sequence[ToldAct], plan: str) -> None:
    unknown = [act.kind for act in acts if act.kind not in ACTIONS]
    if not names or not acts:
        raise UsageError("a caption needs at least one name and one act")
    if unknown:
        raise UsageError(f"there is no act {unknown[0]!r}; the acts are: {', '.join(ACTIONS)}")
    if plan not in PLANS:
        raise UsageError(f"there is no body plan {plan!r}; the plans are: {', '.join(PLANS)}")


def is_true(text: str, acts: Sequence[ToldAct], plan: str) -> bool:
    """Whether a text is read as exactly the actions of the acts in order, and says nothing else that is not so."""
    read = concepts_of(text)
    true = {fact for act in acts for fact in facts(act) | _ALWAYS_TRUE.get(act.kind, set())} | {"start", "stop"}
    kinds = tuple(dict.fromkeys(_read_as(act.kind, plan) for act in acts))
    said = {name for name in read if name not in ACTIONS}
    return tuple(name for name in read if name in ACTIONS) == kinds and said <= true


def _read_as(kind: str, plan: str) -> str:
    return "swim" if plan == "fish" and kind in _GROUND else kind


def _telling(names: Sequence[str], plan: str, rng: np.random.Generator, *, brief: bool) -> _Telling:
    weights = 1 / np.arange(1, len(names) + 1)
    name = names[int(rng.choice(len(names), p=weights / weights.sum()))]
    looks = f"{_pick(words.LOOKS, rng)} " if rng.random() < 0.2 and not brief else ""
    article = _pick(("a", "a", "a", "the", "the", "the", "", "this", "one"), rng)
    described = f"{looks}{name}"
    subject = f"{_article(article, described)}{described}"
    return _Telling(plan, name, subject, _pick(("its", "its", "its", "his", "her", "the"), rng), brief)


def _article(article: str, noun: str) -> str:
    if article == "a" and noun[0] in "aeiou":
        return "an "
    return f"{article} " if article else ""


# Styles


_Style = Callable[[_Telling, Sequence[ToldAct], np.random.Generator], str]


def _style(count: int, rng: np.random.Generator) -> _Style:
    styles = _STYLES if count == 1 else _LONG_STYLES
    weights = np.array([weight for _, weight in styles], float)
    return styles[int(rng.choice(len(styles), p=weights / weights.sum()))][0]


def _sentence(telling: _Telling, acts: Sequence[ToldAct], rng: np.random.Generator) -> str:
    """ "The horse walks slowly, then stops." """
    clauses = [_clause(telling, act, third_person, rng) for act in acts]
    return f"{telling.subject} {_linked(clauses, _gerunds(telling, acts, rng), rng)}{_detail(telling, rng)}"


def _told_in_past(telling: _Telling, acts: Sequence[ToldAct], rng: np.random.Generator) -> str:
    clauses = [_clause(telling, act, past, rng) for act in acts]
    return f"{telling.subject} {_linked(clauses, _gerunds(telling, acts, rng), rng)}{_detail(telling, rng)}"


def _progressive(telling: _Telling, acts: Sequence[ToldAct], rng: np.random.Generator) -> str:
    """ "A horse is trotting to the left." """
    clauses = _gerunds(telling, acts, rng)
    return f"{telling.subject} is {_linked(clauses, clauses, rng)}{_detail(telling, rng)}"


def _imperative(telling: _Telling, acts: Sequence[ToldAct], rng: np.random.Generator) -> str:
    """ "walk slowly then stop" """
    yours = _Telling(telling.plan, telling.name, telling.subject, _pick(("your", "your", "its"), rng), telling.brief)
    return _linked([_clause(yours, act, str, rng) for act in acts], _gerunds(yours, acts, rng), rng)


def _bare(telling: _Telling, acts: Sequence[ToldAct], rng: np.random.Generator) -> str:
    """ "walks slowly, turns left" """
    return _linked([_clause(telling, act, third_person, rng) for act in acts], _gerunds(telling, acts, rng), rng)


def _fragment(telling: _Telling, acts: Sequence[ToldAct], rng: np.random.Generator) -> str:
    """ "walking slowly" """
    clauses = _gerunds(telling, acts, rng)
    return _linked(clauses, clauses, rng)


def _scene(telling: _Telling, acts: Sequence[ToldAct], rng: np.random.Generator) -> str:
    """ "an animation of a horse walking" """
    clauses = _gerunds(telling, acts, rng)
    told = f"{telling.subject} {_linked(clauses, clauses, rng)}"
    return _pick(words.SCENES, rng).format(told) + _detail(telling, rng)


def _order(telling: _Telling, acts: Sequence[ToldAct], rng: np.random.Generator) -> str:
    """ "make the horse walk" """
    clauses = [_clause(telling, act, str, rng) for act in acts]
    return _pick(words.ORDERS, rng).format(telling.subject, _linked(clauses, _gerunds(telling, acts, rng), rng))


def _seen(telling: _Telling, acts: Sequence[ToldAct], rng: np.random.Generator) -> str:
    """ "the horse is shown walking" """
    clauses = _gerunds(telling, acts, rng)
    return _pick(words.SEEN, rng).format(telling.subject, _linked(clauses, clauses, rng)) + _detail(telling, rng)


def _after(telling: _Telling, acts: Sequence[ToldAct], rng: np.random.Generator) -> str:
    """ "After walking, the horse eats", "before it eats the horse walks" """
    first, second, *rest = acts
    later = "".join(f", then {_clause(telling, act, third_person, rng)}" for act in rest)
    ending = _clause(telling, second, third_person, rng)
    if rng.random() < 0.6:
        return f"after {_clause(telling, first, participle, rng)}, {telling.subject} {ending}{later}"
    if rng.random() < 0.5 and not rest:
        return f"{telling.subject} {ending} after {_clause(telling, first, participle, rng)}"
    beginning = _clause(telling, first, third_person, rng)
    return f"before {telling.subject} {ending}, it {beginning}{later}"


def _event(telling: _Telling, acts: Sequence[ToldAct], rng: np.random.Generator) -> str:
    """ "death of a spider", "slow walk" """
    nouns = [_noun(act, telling.plan, rng) for act in acts]
    linked = _pick((", then ", ", followed by ", " then ", " -> ", ", ", " and then "), rng).join(nouns)
    return _pick(words.EVENTS, rng).format(linked, telling.subject)


def _tags(telling: _Telling, acts: Sequence[ToldAct], rng: np.random.Generator) -> str:
    """ "spider, attack" """
    tags = [act.kind if act.kind != "back" else "walk backwards" for act in acts]
    if rng.random() < 0.5:
        tags = [_noun(act, telling.plan, rng).removeprefix("a ").removeprefix("the ") for act in acts]
    if len(acts) == 1:
        tags += [fact for fact in sorted(facts(acts[0])) if fact != "forward" and rng.random() < 0.5]
    if rng.random() < 0.7:
        tags.insert(0, telling.name)
    return _pick((", ", ", ", " ", "_", " / ", " - ", "; "), rng).join(tags)


_STYLES: tuple[tuple[_Style, float], ...] = (
    (_sentence, 5), (_told_in_past, 0.5), (_progressive, 4), (_imperative, 2), (_bare, 2), (_fragment, 2), (_scene, 2),
    (_order, 1), (_seen, 1), (_event, 2.5), (_tags, 2),
)  # fmt: skip
_LONG_STYLES = (*_STYLES, (_after, 1.5))


# Clauses


def _clause(telling: _Telling, act: ToldAct, inflected: Callable[[str], str], rng: np.random.Generator) -> str:
    """A verb in one form, with adverbs for facts that it does not say itself."""
    verb = _verb(act, telling.plan, rng)
    first, *others = verb.words
    said = " ".join([inflected(first), *others])
    if len(verb.words) > 2:
        said = said.replace("something", _object(act.kind, rng))
    return _with_adverbs(_ITS.sub(telling.its, said), act, facts(act) - verb.says, telling, rng)


def _with_adverbs(said: str, act: ToldAct, left: frozenset[str], telling: _Telling, rng: np.random.Generator) -> str:
    unsaid = 0.6 if telling.brief else _UNSAID
    for fact in sorted(left):
        likely = 0.25 if fact == "forward" else 1 - unsaid
        if rng.random() < likely:
            said = _with_adverb(said, act, fact, rng)
    return said


def _with_adverb(said: str, act: ToldAct, fact: str, rng: np.random.Generator) -> str:
    curved = fact in ("left", "right") and act.kind in _TRAVEL and act.direction is None
    phrases = words.TURNING[fact] if curved and rng.random() < 0.6 else words.ADVERBS.get(fact)
    if not phrases:
        return said
    adverb = _pick(phrases, rng)
    comma = "," if curved and adverb[:2] in ("tu", "cu", "ve", "be") and rng.random() < 0.5 else ""
    before = fact in ("slow", "fast") and " " not in adverb and rng.random() < 0.15
    return f"{adverb} {said}" if before else f"{said}{comma} {adverb}"


def _verb(act: ToldAct, plan: str, rng: np.random.Generator) -> _Verb:
    true = facts(act) | _ALWAYS_TRUE.get(act.kind, set())
    verbs = [verb for verb in _verbs(act.kind, plan) if verb.says <= true]
    exact = [verb for verb in verbs if verb.says & set(GAITS)] if rng.random() < 0.5 else []
    chosen = exact or verbs
    return _weighted(chosen, rng)


def _weighted(verbs: Sequence[_Verb], rng: np.random.Generator) -> _Verb:
    bounds = _cumulated(tuple(verb.weight for verb in verbs))
    return verbs[int(np.searchsorted(bounds, rng.random(), side="right"))]


@lru_cache(maxsize=1024)
def _cumulated(weights: tuple[float, ...]) -> np.ndarray:
    bounds = np.cumsum(weights)
    return bounds[:-1] / bounds[-1]


def _weight(phrase: str, group: str) -> float:
    """Short phrases are more common than long ones, and those of few body plans are what one says of them."""
    return (1.0 if group == "any" else 2.0 if len(GROUPS[group]) > 3 else 4.0) / len(phrase.split())


@cache
def _verbs(kind: str, plan: str) -> tuple[_Verb, ...]:
    """The verb phrases of an action that are said of a body plan; plans without any have those of all plans."""
    own = _listed(kind, lambda group: plan in GROUPS[group])
    return own or _listed(kind, lambda group: True)


def _listed(kind: str, fits: Callable[[str], bool]) -> tuple[_Verb, ...]:
    return tuple(
        _Verb(tuple(phrase.split()), _says(key), _weight(phrase, group))
        for key, groups in VERBS.items()
        if _action(key) == kind
        for group, phrases in groups.items()
        if fits(group)
        for phrase in words.listed(phrases)
    )


@cache
def _nouns(kind: str, plan: str) -> tuple[_Verb, ...]:
    """The nouns of an action that are said of a body plan."""
    barred = [part for part, group in words.NOUN_FITS.items() if plan not in GROUPS[group]]
    nouns = _all_nouns(kind)
    return tuple(noun for noun in nouns if not any(part in " ".join(noun.words) for part in barred)) or nouns


@cache
def _all_nouns(kind: str) -> tuple[_Verb, ...]:
    return tuple(
        _Verb(tuple(phrase.split()), _says(key), _weight(phrase, "any"))
        for key, phrases in NOUNS.items()
        if _action(key) == kind
        for phrase in words.listed(phrases)
    )


def _action(key: str) -> str | None:
    return next((name for name in key.replace("~", "").split() if name in ACTIONS), None)


def _says(key: str) -> frozenset[str]:
    return frozenset(name for name in key.replace("~", "").split() if name not in ACTIONS and name != "stop")


def _noun(act: ToldAct, plan: str, rng: np.random.Generator) -> str:
    """ "a slow walk" """
    true = facts(act)
    nouns = [noun for noun in _nouns(act.kind, plan) if noun.says <= true]
    noun = _weighted(nouns, rng)
    said = " ".join(noun.words)
    for fact in sorted(true - noun.says - {"forward"}):
        if fact in words.ADJECTIVES and rng.random() < 0.5:
            said = f"{_pick(words.ADJECTIVES[fact], rng)} {said}"
    return _article(_pick(("", "", "a", "the"), rng), said) + said


def _object(kind: str, rng: np.random.Generator) -> str:
    return _pick(words.OBJECTS.get(kind, ("something",)), rng)


def _gerunds(telling: _Telling, acts: Iterable[ToldAct], rng: np.random.Generator) -> list[str]:
    return [_clause(telling, act, participle, rng) for act in acts]


def _linked(clauses: list[str], gerunds: list[str], rng: np.random.Generator) -> str:
    """Clauses in a row; after "before" and "followed by", the participle."""
    said = clauses[0]
    for clause, gerund in zip(clauses[1:], gerunds[1:], strict=True):
        link = _pick(words.LINKS, rng)
        if "before" in link or "followed" in link:
            clause = gerund
        pronoun = "it " if clause is not gerund and link.startswith((".", ";")) and rng.random() < 0.5 else ""
        said += link + pronoun + clause
    return said


def _detail(telling: _Telling, rng: np.random.Generator) -> str:
    if telling.brief or rng.random() > 0.12:
        return ""
    return f"{_pick((' ', ' ', ', '), rng)}{_pick(words.DETAILS, rng)}"


# Dress


def _dressed(text: str, rng: np.random.Generator) -> str:
    """Upper and lower case, a full stop, and now and then a typing mistake."""
    if rng.random() < _TYPOS:
        text = _mistyped(text, rng)
    case = rng.random()
    if case < 0.45:
        text = text[0].upper() + text[1:]
    elif case < 0.97:
        text = text.lower()
    else:
        text = text.upper()
    return text + _pick(("", "", "."), rng)


def _mistyped(text: str, rng: np.random.Generator) -> str:
    """One long word with two letters swapped, or one missing or doubled."""
    pieces = text.split(" ")
    long = [index for index, word in enumerate(pieces) if len(word) > 6 and word.isalpha()]
    if not long:
        return text
    index = long[int(rng.integers(len(long)))]
    word, at = pieces[index], int(rng.integers(1, len(pieces[index]) - 2))
    changed = (
        word[:at] + word[at + 1] + word[at] + word[at + 2 :],
        word[:at] + word[at + 1 :],
        word[:at] + word[at] + word[at:],
    )
    pieces[index] = _pick(changed, rng)
    return " ".join(pieces)


def _pick(options: Sequence[str], rng: np.random.Generator) -> str:
    return options[int(rng.integers(len(options)))]


def _plainly(acts: Sequence[ToldAct], plan: str) -> str:
    """The fewest words that say it all."""
    plain = {"idle": "stand still", "back": "walk backwards", "look": "look around"}
    return " then ".join(plain.get(kind, kind) for kind in (_read_as(act.kind, plan) for act in acts))
