"""Sentences with the symbols that they mean, as numbers: what the network is trained with, and how it is varied."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from kinema.errors import LearningError, UsageError
from kinema.instructions.grammar.noun_phrases import COLOURS
from kinema.instructions.grammar.spelling import word_set
from kinema.instructions.learned.faithful import invents
from kinema.instructions.learned.notation import END, REFUSED, SAID, SCALES, SYMBOLS, THEN, written
from kinema.instructions.learned.tokens import MOST_WORDS, number_of, tokens_of
from kinema.instructions.rows import from_rows

MOST_SYMBOLS = 80
"""Symbols of a programme that are learned."""

_JOINED = 48  # words, or symbols, of sentences that are joined
_UNITS: Mapping[str, tuple[str, ...]] = {
    "minutes": ("minute", "minutes", "min", "mins"),
    "hours": ("hour", "hours"),
    "centimetres": ("cm", "centimetres", "centimeters", "centimetre", "centimeter"),
    "kilometres": ("km", "kilometres", "kilometers", "kilometre", "kilometer"),
    "feet": ("ft", "feet", "foot"),
    "yards": ("yd", "yds", "yard", "yards"),
}
_COLOURS = tuple(symbol.removeprefix("colour ") for symbol in SYMBOLS if symbol.startswith("colour "))
_LINKS = tuple(
    tuple(link.split())
    for link in (
        *(",", ".", ", then", "and then", ". then", "then", ". after that ,"),
        *(", and then", ". next ,", ";", "and after that", ". finally ,"),
    )
)
_SYLLABLES = sorted(word_set("ba ken lo mi tor sa ru pel din ga ster fo nel ki mor ta wick by ram hu ler pon"))
_DROPPED = ("the", "a", "an", ",", ".", "and", "please")
_OPENINGS = tuple(
    tuple(opening.split())
    for opening in (
        *("ok so", "right ,", "hi ,", "hey ,", "hello ,", "please :", "so ,", "well ,", "alright ,", "listen ,"),
        *("my idea :", "here is my idea :", "the idea :", "what i am picturing :", "what i want :", "what i need :"),
        *("here is what i want :", "here is what happens :", "this is the plan :", "the plan :", "picture this :"),
        *("imagine this :", "scene :", "next scene :", "the shot :", "animation :", "task :", "request :", "to do :"),
        *("for my film :", "for the trailer :", "for the game :", "next clip :", "so in my head it goes like this :"),
    )
)
_ENDINGS = tuple(
    tuple(ending.split())
    for ending in (
        *(", please", ", thanks", ". thanks !", ", thank you", ". that is all .", ", that is it", ". that is it ."),
        *(", ok ?", ". cheers", ", if you can", ", will you ?", ". done .", ", and that is all", ". the end ."),
    )
)
_SHARES = {"renamed": 0.6, "joined": 0.12, "recoloured": 0.5, "numbered": 0.5, "worn": 0.15, "framed": 0.12}
"""How often: other things, two sentences in a row, other colours, other numbers, broken words, courtesies."""


@dataclass(frozen=True)
class Sentence:
    """Words, and the symbols that they mean; a sentence that is to be refused means `REFUSED`."""

    words: tuple[str, ...]
    symbols: tuple[str, ...]


def read_sentences(path: Path) -> list[Sentence]:
    """Sentences of a file of JSON lines: `{"steps": [...], "said": [...]}`, or `{"refused": [...]}`.

    Sentences that do not name a thing as their programme does, or do not say an angle or a view of it, are left out.

    Raises:
        LearningError: it is no such file.
    """
    found: list[Sentence] = []
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise LearningError(f"{path}: cannot be read ({error})") from None
    for number, line in enumerate(lines, 1):
        try:
            row = json.loads(line)
            if "refused" in row:
                found += [Sentence(tuple(tokens_of(said)), (REFUSED, END)) for said in row["refused"]]
                continue
            symbols = written(from_rows(row["steps"]))
        except (ValueError, KeyError, TypeError, UsageError) as error:
            raise LearningError(f"{path}: line {number} is no programme with its sentences ({error})") from None
        found += [each for said in row["said"] if (each := _fitted(tokens_of(said), symbols)) is not None]
    return [each for each in found if 0 < len(each.words) <= MOST_WORDS and len(each.symbols) <= MOST_SYMBOLS]


def _fitted(words: Sequence[str], symbols: Sequence[str]) -> Sentence | None:
    """A sentence whose symbols can be said of its words: numbers in the units that are said; None if some cannot."""
    symbols = _in_order_of_mention(words, symbols)
    known, numbers = set(words), {number for word in words if (number := number_of(word)) is not None}
    fitted: list[str] = []
    for symbol in symbols:
        if symbol.startswith("=") and symbol[1:] not in known:
            return None
        if not symbol.startswith("#"):
            fitted.append(symbol)
            continue
        value = float(symbol[1:])
        ways = [(value, "")] if value in numbers else []
        ways += [(round(value / SCALES[unit], 6), unit) for unit, said in _UNITS.items() if known & set(said)]
        ways += [(value, "")]
        number, unit = next(((n, u) for n, u in ways if n in numbers or n in SAID), (None, ""))
        if number is None:
            return None
        fitted += [f"#{number:.10g}", unit] if unit else [f"#{number:.10g}"]
    return None if invents(words, fitted) else Sentence(tuple(words), tuple(fitted))


def _in_order_of_mention(words: Sequence[str], symbols: Sequence[str]) -> list[str]:
    """Symbols with the two things of each "between" in the order in which the sentence names them first."""
    found = list(symbols)
    for at in (at for at, symbol in enumerate(found) if symbol == "place between"):
        middle = _thing_end(found, at + 1)
        end = _thing_end(found, middle)
        one, other = found[at + 1 : middle], found[middle:end]
        places = [_first_mention(words, each) for each in (one, other)]
        if places[1] < places[0]:
            found[at + 1 : end] = [*other, *one]
    return found


def _first_mention(words: Sequence[str], thing: Sequence[str]) -> int:
    named = [symbol[1:] for symbol in thing if symbol.startswith("=") and symbol[1:] in words]
    return min((words.index(word) for word in named), default=0)


def _thing_end(symbols: Sequence[str], start: int) -> int:
    """Where the thing that starts at a place ends; it may have another in it."""
    depth = 0
    for at in range(start, len(symbols)):
        depth += (symbols[at] == "<") - (symbols[at] == ">")
        if depth == 0:
            return at + 1
    return len(symbols)


class Varied:
    """Draws sentences, each time with other things, colours and numbers, some joined and some with missing words."""

    def __init__(self, sentences: Sequence[Sentence]) -> None:
        self.sentences = list(sentences)
        self.names = sorted({name for each in sentences for name in names_of(each.symbols)})
        words = {word for name in self.names for word in name if word.isalpha() and len(word) > 2}
        self.words = sorted(words - COLOURS)

    def draw(self, at: int, rng: np.random.Generator) -> Sentence:
        """A sentence, varied by chance."""
        found = self._once(at, rng)
        while rng.random() < _SHARES["joined"] and found.symbols[0] != REFUSED:
            other = self._once(int(rng.integers(len(self.sentences))), rng)
            words = (*_open(found.words), *_LINKS[rng.integers(len(_LINKS))], *other.words)
            symbols = (*found.symbols[:-1], THEN, *other.symbols)
            if other.symbols[0] == REFUSED:
                symbols = (REFUSED, END)
            if len(words) > _JOINED or len(symbols) > _JOINED:
                break
            found = Sentence(words, symbols)
        found = _framed(found, rng) if rng.random() < _SHARES["framed"] else found
        return _worn(found, rng) if rng.random() < _SHARES["worn"] else found

    def _once(self, at: int, rng: np.random.Generator) -> Sentence:
        found = self.sentences[at]
        if rng.random() < _SHARES["renamed"]:
            found = self._renamed(found, rng)
        if rng.random() < _SHARES["recoloured"]:
            found = _recoloured(found, rng)
        return _numbered(found, rng) if rng.random() < _SHARES["numbered"] else found

    def _coined(self, rng: np.random.Generator) -> tuple[str, ...]:
        """A name of one to three words that nobody has joined like this, some of which nobody knows."""
        unknown = ("".join(rng.choice(_SYLLABLES, int(rng.integers(2, 4)))) for _ in range(3))
        joined = [each if rng.random() < 0.4 else str(rng.choice(self.words)) for each in unknown]
        return tuple(dict.fromkeys(joined[: int(rng.choice((1, 2, 2, 3)))]))

    def _renamed(self, sentence: Sentence, rng: np.random.Generator) -> Sentence:
        words, symbols = list(sentence.words), list(sentence.symbols)
        for name in sorted(names_of(symbols), key=len, reverse=True):
            if rng.random() < 0.3:
                continue
            other = self._coined(rng) if rng.random() < 0.5 else self.names[rng.integers(len(self.names))]
            if not set(other) & set(words):
                words = _replaced(words, name, other)
                marked = [f"={word}" for word in name]
                symbols = _replaced(symbols, ("<", *marked), ("<", *(f"={word}" for word in other)))
                symbols = _replaced(symbols, (*marked, ">"), (*(f"={word}" for word in other), ">"))
        known = set(words)
        if any(symbol[1:] not in known for symbol in symbols if symbol.startswith("=")):
            return sentence
        return Sentence(tuple(words), tuple(symbols))


def names_of(symbols: Sequence[str]) -> set[tuple[str, ...]]:
    """The names of things, as their words."""
    found, name, quality = set(), [], False
    for symbol in symbols:
        if symbol.startswith("=") and not quality:
            name.append(symbol[1:])
        elif name:
            found.add(tuple(name))
            name = []
        quality = symbol == "quality"
    return found


def _replaced(values: Sequence[str], old: Sequence[str], new: Sequence[str]) -> list[str]:
    found, at = [], 0
    while at < len(values):
        if tuple(values[at : at + len(old)]) == tuple(old):
            found += new
            at += len(old)
        else:
            found.append(values[at])
            at += 1
    return found


def _recoloured(sentence: Sentence, rng: np.random.Generator) -> Sentence:
    words, symbols = list(sentence.words), list(sentence.symbols)
    for colour in {symbol.removeprefix("colour ") for symbol in symbols if symbol.startswith("colour ")}:
        other = str(rng.choice(_COLOURS))
        if colour in words and other not in words:
            words = _replaced(words, (colour,), (other,))
            symbols = _replaced(symbols, (f"colour {colour}",), (f"colour {other}",))
    return Sentence(tuple(words), tuple(symbols))


def _numbered(sentence: Sentence, rng: np.random.Generator) -> Sentence:
    """Another number for each that is written in digits and means just one thing."""
    words, symbols = list(sentence.words), list(sentence.symbols)
    for symbol in sorted({symbol for symbol in symbols if symbol.startswith("#")}):
        value = float(symbol[1:])
        at = [place for place, word in enumerate(words) if number_of(word) == value]
        before = symbols[symbols.index(symbol) - 1]
        if len(at) != 1 or symbols.count(symbol) != 1 or before == "degrees":
            continue
        whole = before in ("steps", "times")
        other = float(rng.integers(2, 13 if whole else 30)) if whole or rng.random() < 0.8 else _half(rng)
        said = f"{other:g}"
        if said not in words and symbol not in (f"#{other:g}",) and f"#{other:g}" not in symbols:
            words[at[0]] = said
            symbols[symbols.index(symbol)] = f"#{said}"
    return Sentence(tuple(words), tuple(symbols))


def _half(rng: np.random.Generator) -> float:
    return float(rng.integers(1, 12)) + float(rng.choice([0.25, 0.5, 0.75, 0.2]))


def _open(words: Sequence[str]) -> Sequence[str]:
    return words[:-1] if words[-1] in (".", ",", "!", "?", ";") else words


def _framed(sentence: Sentence, rng: np.random.Generator) -> Sentence:
    """A sentence with something before or behind it that asks for nothing."""
    if rng.random() < 0.6:
        words = (*_OPENINGS[rng.integers(len(_OPENINGS))], *sentence.words)
    else:
        words = (*_open(sentence.words), *_ENDINGS[rng.integers(len(_ENDINGS))])
    return Sentence(words, sentence.symbols) if len(words) <= MOST_WORDS else sentence


def _worn(sentence: Sentence, rng: np.random.Generator) -> Sentence:
    """A sentence with some small words left out, and perhaps a typing error."""
    kept = {symbol[1:] for symbol in sentence.symbols if symbol.startswith("=")}
    words = [word for word in sentence.words if word in kept or word not in _DROPPED or rng.random() < 0.4]
    at = int(rng.integers(len(words))) if words else 0
    if words and rng.random() < 0.5 and len(words[at]) > 4 and words[at] not in kept and words[at].isalpha():
        word, place = words[at], int(rng.integers(1, len(words[at]) - 1))
        broken = (
            word[:place] + word[place + 1 :],
            word[:place] + word[place + 1] + word[place] + word[place + 2 :],
            word[:place] + word[place] + word[place:],
        )
        words[at] = str(rng.choice(broken))
    return Sentence(tuple(words), sentence.symbols) if words else sentence
