"""Splits a text into the phrases that follow one another in time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from kinema.mocap.creatures.abilities import Abilities
from kinema.mocap.creatures.fitting import fitted
from kinema.mocap.creatures.places import with_places
from kinema.mocap.creatures.reading import Hit, Token, hits_of, tokens_of
from kinema.mocap.creatures.subordination import subordinated
from kinema.mocap.creatures.wings import with_wings

# Each ends a phrase, and the next one follows in time.
_THEN = """
    and then finally, and then, but then, then finally, then, after that, after this, after which, and after
    that, afterwards, afterward, and finally, finally, followed by, and next, next, subsequently, later on,
    later, eventually, and eventually, in end, at last, and ends by, and ends with, ending with, ending in,
    leading to, leading into, transitions to, transitions into, transition to, transition into, transitioning
    to, transitioning into, blending into, blends into, turning into, until, till, at which point, thereafter,
    thereupon, whereupon, before finally, before eventually, soon after, shortly after, shortly afterwards,
    soon, ultimately, in conclusion, to finish, last but not least, only to, and in end, ends up, and later,
    lastly, secondly, thirdly, changes to, changing to, switches to, switching to, goes over to, goes into,
    moves on to
"""
# What follows in the text comes first in time.
_AFTER = """
    after having, after, once, as soon as, having, right after, immediately after, shortly after, just after,
    directly after, soon after, now that, following
"""
# What follows in the text comes later in time, also where it stands first.
_BEFORE = "before, prior to, just before, right before, shortly before, immediately before"
_SOFT = frozenset({",", "and", "but", "or", "plus", "nor", "yet", "so"})
_TOGETHER = frozenset({"while", "whilst", "as", "when", "whenever", "during", "meanwhile", "simultaneously"})
# Movements after these words are comparisons or reasons: "walks like a dying king", "looks at a bird that flies".
_ASIDES = frozenset({
    "like", "because", "since", "though", "although", "if", "who", "whoever", "which", "that", "what", "why", "how",
    "whether", "whose", "whom", "where",
})  # fmt: skip
_PRONOUNS = frozenset({"it", "he", "she", "they", "you", "i", "we", "one"})
_NEGATORS = frozenset({"not", "never", "without", "no", "cannot", "instead", "nor", "neither", "than"})
_REACH_OF_NEGATION = 3
_HARD = frozenset(".!?;:|\n")
_TRAVEL = frozenset({"walk", "run", "back", "fly", "glide", "swim"})
_PLACE = 2
_FAINT = 4
# Actions that happen beside one another: the second may join a phrase whose action is the first.
_BESIDE = {
    "look": _TRAVEL | {"idle"},
    "turn": _TRAVEL,
    "eat": frozenset({"idle"}),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Phrase:
    """Words of one moment: a range of tokens, and the words of movement in it."""

    first: int
    end: int
    hits: tuple[Hit, ...]


Range = tuple[int, int]


def _by_first_word(*tables: tuple[str, str]) -> dict[str, list[tuple[tuple[str, ...], str]]]:
    found: dict[str, list[tuple[tuple[str, ...], str]]] = {}
    for phrases, kind in tables:
        for phrase in phrases.split(","):
            words = tuple(phrase.split())
            found.setdefault(words[0], []).append((words, kind))
    for entries in found.values():
        entries.sort(key=lambda entry: -len(entry[0]))
    return found


_CONNECTORS = _by_first_word((_AFTER, "after"), (_BEFORE, "before"), (_THEN, "then"))


def read(text: str, body: Abilities | None = None) -> tuple[list[Token], list[Phrase]]:
    """The tokens of a text, and its phrases with words of movement in order of time.

    Args:
        body: what the body can do that is spoken of; None takes all movements at their word.
    """
    tokens = tokens_of(text)
    connectors = connectors_of(tokens)
    hits = _meant(tokens, _free_of(connectors, with_places(tokens, hits_of(tokens))), connectors)
    cuts = {end for _, end, _ in connectors} | {at + 1 for at, token in enumerate(tokens) if token.text[0] in _HARD}
    hits = subordinated(tokens, with_wings(tokens, hits), cuts)
    hits = fitted(tokens, hits, body) if body else hits
    ranges = [
        phrase
        for block in _blocks(tokens, connectors)
        for part in _in_order(tokens, hits, connectors, *block)
        for phrase in _split_softly(tokens, hits, *part)
    ]
    return tokens, _merged(hits, ranges)


def split_at(tokens: list[Token], heads: Sequence[int]) -> list[Phrase]:
    """Phrases in the order of the text, each about one of the tokens that say what is done, with all words of
    movement in it."""
    hits = hits_of(tokens)
    connectors = {first: end for first, end, _ in connectors_of(tokens)}
    edges = [connectors.get(0, 0)]
    for before, after in pairwise(heads):
        cut = next(((at, connectors[at]) for at in range(before + 1, after) if at in connectors), None)
        cut = cut or _hard_cut(tokens, before + 1, after) or _separator(tokens, before + 1, after) or (after, after)
        edges += [cut[0], min(cut[1], after)]
    edges.append(len(tokens))
    ranges = zip(edges[::2], edges[1::2], strict=True)
    return [Phrase(first, end, tuple(hit for hit in hits if first <= hit.first < end)) for first, end in ranges]


def _hard_cut(tokens: list[Token], start: int, end: int) -> Range | None:
    """The last full stop or the like in a range."""
    return next(((at, at + 1) for at in range(end - 1, start - 1, -1) if tokens[at].text[0] in _HARD), None)


def connectors_of(tokens: list[Token]) -> list[tuple[int, int, str]]:
    """First token, end and kind of the connectors of time."""
    found = []
    index = 0
    while index < len(tokens):
        length, kind = _connector_at(tokens, index) if tokens[index].text in _CONNECTORS else (0, "")
        if length:
            found.append((index, index + length, kind))
        index += max(length, 1)
    return found


def _connector_at(tokens: list[Token], start: int) -> tuple[int, str]:
    for words, kind in _CONNECTORS[tokens[start].text]:
        end = start + len(words)
        if tuple(token.text for token in tokens[start:end]) == words:
            follower = tokens[end] if end < len(tokens) else None
            return (len(words), kind) if _connects(words[-1], follower) else (0, "")
    return 0, ""


def _connects(word: str, follower: Token | None) -> bool:
    """Whether a word that may be a connector is one: not "next to", not "jumps once"."""
    if word == "next":
        return follower is None or follower.text != "to"
    if word == "once":
        return follower is not None and (follower.noun or follower.text in _PRONOUNS)
    if word == "having":
        return follower is not None and not follower.noun and follower.text != follower.base
    return True


def _free_of(connectors: list[tuple[int, int, str]], hits: list[Hit]) -> list[Hit]:
    used = {index for first, end, _ in connectors for index in range(first, end)}
    return [hit for hit in hits if hit.first not in used] if used else hits


def _meant(tokens: list[Token], hits: list[Hit], connectors: list[tuple[int, int, str]]) -> list[Hit]:
    """Without what is denied, compared with, or only a reason."""
    boundaries = {hit.last for hit in hits}
    denied = {hit for hit in hits if _is_denied(tokens, hit, boundaries)}
    over = {after for hit, after in pairwise(hits) if hit not in denied and _ends(tokens, hit, after)}
    aside = _in_asides(tokens, hits, {end - 1 for _, end, _ in connectors})
    kept = [_denial(hit) if hit in denied else hit for hit in hits if hit not in over and hit not in aside]
    return [hit for hit in kept if hit.concepts]


def _is_denied(tokens: list[Token], hit: Hit, boundaries: set[int]) -> bool:
    for index in range(hit.first - 1, max(hit.first - 1 - _REACH_OF_NEGATION, -1), -1):
        word = tokens[index].text
        if word in _NEGATORS:
            return True
        if index in boundaries or word in _SOFT or not word[0].isalpha():
            return False
    return False


def _denial(hit: Hit) -> Hit:
    """Who does not walk is idle, if nothing else is said; other movements that are denied say nothing."""
    idle = ("idle",) if hit.action in _TRAVEL else ()
    return Hit(hit.first, hit.last, idle, "idle" if idle else None, _FAINT)


def _ends(tokens: list[Token], hit: Hit, after: Hit) -> bool:
    """Whether a movement is over: "stops walking"."""
    return "stop" in hit.concepts and after.first == hit.last + 1 and tokens[after.first].text.endswith("ing")


def _in_asides(tokens: list[Token], hits: list[Hit], cuts: set[int]) -> set[Hit]:
    """The movements that are compared with or give a reason, up to the next comma, conjunction or connector."""
    aside: set[Hit] = set()
    inside = False
    by_first = {hit.first: hit for hit in hits}
    acted = False
    for index, token in enumerate(tokens):
        hit = by_first.get(index)
        if index in cuts or token.text in _SOFT or token.text[0] in _HARD:
            inside = False
        elif token.text in _ASIDES and hit is None:
            inside = acted
        if hit and hit.action:
            acted = True
            if inside:
                aside.add(hit)
    return aside


def _blocks(tokens: list[Token], connectors: list[tuple[int, int, str]]) -> Iterator[Range]:
    """Ranges between full stops and words such as "then"."""
    cuts = {first: end for first, end, kind in connectors if kind == "then"}
    start = index = 0
    while index < len(tokens):
        end = cuts.get(index) or (index + 1 if tokens[index].text[0] in _HARD else None)
        if end:
            yield start, index
            start = end
        index = end or index + 1
    yield start, len(tokens)


def _in_order(
    tokens: list[Token], hits: list[Hit], connectors: list[tuple[int, int, str]], start: int, end: int
) -> list[Range]:
    """The parts of a range in order of time, as "before" and "after" say."""
    for first, after, kind in connectors:
        if kind == "then" or not start <= first < end:
            continue
        parts = _around(tokens, hits, (start, first), (after, end), kind)
        if parts:
            return [part for one in parts for part in _in_order(tokens, hits, connectors, *one)]
    return [(start, end)]


def _around(tokens: list[Token], hits: list[Hit], left: Range, right: Range, kind: str) -> list[Range] | None:
    """The ranges on both sides of a "before" or "after" in order of time; None if it does not connect two movements."""
    actions = _actions(hits, right)
    if not actions:
        return None
    if _actions(hits, left):
        cut = _comma_between(tokens, actions) if kind == "after" else None
        said = (right[0], cut or right[1])
        rest = [(cut, right[1])] if cut else []
        return [left, said, *rest] if kind == "before" else [said, left, *rest]
    if len(actions) < 2:
        return None
    cut = _comma_between(tokens, actions) or _subject_between(tokens, actions)
    first, second = (right[0], cut), (cut, right[1])
    return [second, first] if kind == "before" else [first, second]


def _actions(hits: list[Hit], part: Range) -> list[Hit]:
    """The movements in a range that stand for themselves, which places and denials do not."""
    return [
        hit
        for hit in hits
        if part[0] <= hit.first < part[1] and hit.action and not hit.beside and hit.weakness not in (_PLACE, _FAINT)
    ]


def _comma_between(tokens: list[Token], actions: list[Hit]) -> int | None:
    """The place after the first comma between two movements."""
    for index in range(actions[0].last + 1, actions[-1].first):
        if tokens[index].text == ",":
            return index + 1
    return None


def _subject_between(tokens: list[Token], actions: list[Hit]) -> int:
    """Where the second of two clauses without a comma starts: "before it eats it walks"."""
    for index in range(actions[1].first - 1, actions[0].last, -1):
        if tokens[index].noun or tokens[index].text in _PRONOUNS:
            return index
    return actions[1].first


def _split_softly(tokens: list[Token], hits: list[Hit], start: int, end: int) -> Iterator[Range]:
    """Cuts a range where one movement ends and another starts: "walks forward and jumps"."""
    actions = _actions(hits, (start, end))
    for index, hit in enumerate(actions[1:], 1):
        previous = actions[index - 1]
        cut = _separator(tokens, previous.last + 1, hit.first)
        main = next(action for action in actions if action.first >= start)
        if cut and not _are_beside(tokens, main, hit, cut):
            yield start, cut[0]
            start = cut[1]
    yield start, end


def _separator(tokens: list[Token], start: int, end: int) -> Range | None:
    """The last run of commas and conjunctions in a range, or "to" at its end; None where "while" and the like stand."""
    if any(tokens[index].text in _TOGETHER for index in range(start, end)):
        return None
    if end > start and tokens[end - 1].text in ("to", "into"):
        return end - 1, end
    for index in range(end - 1, start - 1, -1):
        if tokens[index].text in _SOFT:
            first = index
            while first > start and tokens[first - 1].text in _SOFT:
                first -= 1
            return first, index + 1
    return None


def _are_beside(tokens: list[Token], main: Hit, hit: Hit, cut: Range) -> bool:
    """Whether a movement goes on beside the main one of a phrase, rather than following it."""
    if main.action == hit.action or _joins(main, hit):
        return True
    participle = tokens[main.first].text.endswith("ing") and not tokens[hit.first].text.endswith("ing")
    return participle and tokens[cut[0]].text == "," and cut[1] - cut[0] == 1 and _joins(hit, main)


def _joins(main: Hit, hit: Hit) -> bool:
    if "around" in hit.concepts and hit.action == "turn":
        return False
    return main.action in _BESIDE.get(hit.action or "", ()) and (hit.action != "eat" or main.weakness > 0)


def _merged(hits: list[Hit], ranges: list[Range]) -> list[Phrase]:
    """One phrase per range with a movement; other words go with the phrase before, or after if there is none."""
    found: list[Phrase] = []
    waiting: tuple[Hit, ...] = ()
    for first, end in ranges:
        here = tuple(hit for hit in hits if first <= hit.first < end)
        if any(hit.action for hit in here):
            found.append(Phrase(first, end, waiting + here))
            waiting = ()
        elif found:
            found[-1] = replace(found[-1], hits=found[-1].hits + here)
        else:
            waiting += here
    return found or ([Phrase(0, ranges[-1][1], waiting)] if waiting else [])
