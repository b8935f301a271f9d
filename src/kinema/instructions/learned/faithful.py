"""Whether symbols say what the words of a sentence say: nothing is left out, and nothing is made up.

A network may do both. These are checks of single facts: a sentence that passes them may still be misread.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

from kinema.instructions.grammar.amounts import MANNERS
from kinema.instructions.grammar.noun_phrases import COLOURS, SAME_COLOURS
from kinema.instructions.grammar.spelling import word_set
from kinema.instructions.learned.notation import SYMBOLS
from kinema.instructions.learned.tokens import LISTING, number_of

_RANKS = ("st", "nd", "rd", "th")
_HANDS = ("hands", "arms", "fists", "feet")
_UNITS = {
    **dict.fromkeys(("degree", "degrees"), "degrees"),
    **dict.fromkeys(("metre", "metres", "meter", "meters", "m"), "metres"),
    **dict.fromkeys(("seconds", "secs", "sec"), "seconds"),
}

_STANDS_FOR: Mapping[str, frozenset[str]] = {
    **{side: frozenset(each for each in SYMBOLS if side in each.split()) for side in ("left", "right")},
    **{colour: frozenset({f"colour {SAME_COLOURS.get(colour, colour)}"}) for colour in COLOURS},
    **{word: frozenset({f"manner {manner}"}) for word, manner in MANNERS.items() if word.endswith("ly")},
    **{word: frozenset({unit}) for word, unit in _UNITS.items()},
    "wide": frozenset({"framing wide"}),
    "camera": frozenset({"camera"}),
}
"""Symbols one of which a word stands for, if it is no part of a name."""

_SAID_BY = {
    "degrees": word_set(
        "degree degrees quarter quarters half eighth full whole complete completely around round about back angle "
        "circle spin spins spinning spun twirl twirls pirouette revolve revolves revolution rotation reverse reverses "
        "face faces facing faced opposite heel heels way 45 90 180 270 360"
    ),
    "view above": word_set(
        "above overhead bird birds top topdown high height aerial down over overlooking drone crane helicopter sky "
        "skywards ceiling roof up god"
    ),
    "view below": word_set(
        "below low lower under beneath underneath bottom ground floor worm worms frog knee ankle up upward upwards down"
    ),
    "view behind": word_set("behind back backs rear rearview over shoulder heels tail tailing follow follows after"),
    "view front": word_set("front face faces facing ahead head frontal frontally forward before"),
    "view side": word_set(
        "side sides sideways sidelong sideon profile flank flanks lateral laterally alongside abreast parallel beside "
        "left right"
    ),
}
"""Words one of which says a symbol."""


def leaves_out(words: Sequence[str], symbols: Sequence[str]) -> bool:
    """Whether a number, unit, side, colour, manner or camera that is said is not in symbols."""
    given = set(symbols)
    for word, following in pairwise([*words, ""]):
        wanted = _STANDS_FOR.get(word, frozenset())
        number = number_of(word)
        if number is not None and following not in (*_RANKS, *LISTING):
            wanted = frozenset({f"#{number:.10g}", f"number {number:g}"})
        if word == "both" and following in _HANDS:
            wanted = frozenset({"side both"})
        if wanted and not given & {*wanted, f"={word}"}:
            return True
    return False


def forgets(words: Sequence[str], symbols: Sequence[str]) -> bool:
    """Whether something is named less often in symbols than in the words; it may be more often, for pronouns."""
    named = {symbol for symbol in symbols if symbol.startswith("=")}
    return any(symbols.count(name) < words.count(name[1:]) for name in named)


def invents(words: Sequence[str], symbols: Sequence[str]) -> bool:
    """Whether symbols have an angle or a view that no word says."""
    return any(symbol in symbols and said.isdisjoint(words) for symbol, said in _SAID_BY.items())
