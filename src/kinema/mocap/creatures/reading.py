"""Finds the words of movement in a text: tokens, and the longest phrases of the lexicon among them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import product

from kinema.mocap.creatures.animals import AMBIGUOUS_ANIMALS, ANIMAL_WORDS
from kinema.mocap.creatures.common_words import ARTICLE_WORDS, FILLERS, FUNCTION_WORDS, word_set
from kinema.mocap.creatures.inflections import WRITTEN_PAST, forms
from kinema.mocap.creatures.lexicon import ACTIONS, IGNORED, NOUNS, OTHERS, VERBS
from kinema.mocap.creatures.spelling import SHORTEST, Speller
from kinema.mocap.creatures.thesaurus import (
    BACKWARD,
    BACKWARD_VERBS,
    OBSTACLES,
    PARTICLE_VERBS,
    PARTICLES,
    THESAURUS,
    VICTIM_VERBS,
    VICTIMS,
)


@dataclass(frozen=True, slots=True)
class Token:
    """A word or a mark of punctuation, and where the text has it.

    Attributes:
        text: lower case; all marks of one kind read the same.
        base: the base form if the lexicon has the word, else `text`.
        start, end: the range of characters.
        noun: an article or possessive stands before it.
    """

    text: str
    base: str
    start: int
    end: int
    noun: bool = False


@dataclass(frozen=True, slots=True)
class Hit:
    """A phrase of the lexicon in a text.

    Attributes:
        first, last: its first and last token.
        concepts: what it stands for, the action first.
        action: its action, or None.
        weakness: 0 to 4; how easily the action gives way to others in the same phrase.
        beside: it only accompanies what else is said, as in "walks home, dreaming of running"; it counts for more than
            a verb of any movement, and for less than others.
    """

    first: int
    last: int
    concepts: tuple[str, ...]
    action: str | None
    weakness: int = 0
    beside: bool = False

    @property
    def rank(self) -> float:
        """The hits of the lowest rank in a phrase say what is done."""
        return max(self.weakness, 2.5) if self.beside else self.weakness


@dataclass(frozen=True, slots=True)
class _Entry:
    concepts: tuple[str, ...]
    action: str | None
    weakness: int


ARTICLES = frozenset(ARTICLE_WORDS.split())
"""Words that phrases of the lexicon and texts are read without."""

_FUNCTION_WORDS = frozenset(FUNCTION_WORDS.split())

# Inflected words that do not mean what their base does: the noun "back" is no retreat, the killed do not kill, and
# eyes are seen more often than somebody who eyes something.
_EXACT = word_set("backs backing backed killed hurried eyeing eyed studies studying studied dreaming sampling")

_TOKEN = re.compile(
    r"[^\W\d_]+(?:'[^\W\d_]+)*|\d+|->|=>|→|[.!?;:\n|]+|[,()\[\]/\"…]+|(?<=\s)[-\u2013\u2014]+(?=\s)|[\u2013\u2014]+|--+|[&+>]"
)
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z][a-z])")
_MARKS = {
    "/": ",",
    "-": ",",
    "\u2013": ",",
    "\u2014": ",",
    "--": ",",
    "&": "and",
    "+": "and",
    "->": "then",
    "=>": "then",
    "→": "then",
    ">": "then",
}
_CONTRACTED = {"won't": "will", "can't": "can", "shan't": "shall", "ain't": "is"}
# Words that may stand inside a phrase of the lexicon: "turns slowly around", "takes a big bite".
_FILLERS = frozenset(FILLERS.split())
_MOST_SKIPPED = 2
_PREPOSITIONS = frozenset({"at", "in", "on", "with"} | set(re.findall(r"\w+", PARTICLES)))


def _entry(key: str) -> _Entry:
    names = key.split()
    concepts = tuple(name.lstrip("~") for name in names)
    actions = [(name.lstrip("~"), name.count("~")) for name in names if name.lstrip("~") in ACTIONS]
    action, weakness = actions[0] if actions else (None, 0)
    return _Entry(concepts, action, weakness)


def _listed(phrases: str) -> list[list[str]]:
    """The words of comma-separated phrases, read as texts are."""
    return [_words_of(phrase) for phrase in " ".join(phrases.split()).split(", ")]


def _words_of(phrase: str) -> list[str]:
    """Without articles, and without the "something" of "pounce on something", which may be anything."""
    words = [word for word in re.findall(r"[a-z0-9]+", phrase.replace("'s", "")) if word not in ARTICLES] or [phrase]
    return words[:-1] if words[-1] == "something" and len(words) > 2 else words


def _all_phrases() -> list[tuple[list[str], _Entry]]:
    tables = [(key, phrases) for key, groups in VERBS.items() for phrases in groups.values()]
    # What names an event means it more surely than a verb does, so nouns do not overrule verbs.
    tables = [*_composed(), *THESAURUS.items(), ("", IGNORED.strip()), *NOUNS.items(), *OTHERS.items(), *tables]
    found = [(words, _entry(_with_forward(key, words))) for key, phrases in tables for words in _listed(phrases)]
    pasts = [([WRITTEN_PAST[words[0]], *words[1:]], entry) for words, entry in found if words[0] in WRITTEN_PAST]
    return [*found, *((words, entry) for words, entry in pasts if len(words) > 1)]


def _composed() -> Iterator[tuple[str, str]]:
    """Verbs of motion with each particle, and others that mean something together."""
    for key, verbs in PARTICLE_VERBS.items():
        yield key, _products(verbs, PARTICLES)
    yield "back", _products(BACKWARD_VERBS, BACKWARD)
    yield "jump", _products("clear", OBSTACLES)
    yield "attack", _products(VICTIM_VERBS, VICTIMS)


def _products(verbs: str, followers: str) -> str:
    split = (" ".join(table.split()).split(", ") for table in (verbs, followers))
    return ", ".join(f"{verb} {follower}" for verb, follower in product(*split))


def _with_forward(key: str, words: list[str]) -> str:
    """ "Charges forward" and "leaps forward" go forward without a row of their own in the table."""
    return f"{key} forward" if key and "forward" in words and "forward" not in key else key


def _known_forms(words: set[str]) -> dict[str, str]:
    """The base form by word, inflected or not; "walking" of "walking animation" has the base "walk"."""
    inflected = {
        form: word
        for word in sorted(words - _FUNCTION_WORDS - _EXACT)
        for form in forms(word)[1:]
        if form not in _EXACT
    }
    return {word: inflected.get(word, word) for word in words} | inflected


def _trie(phrases: list[tuple[list[str], _Entry]], bases: dict[str, str]) -> dict:
    root: dict = {}
    for words, entry in phrases:
        node = root
        for word in words:
            node = node.setdefault(bases[word], {})
        node[None] = entry
    return root


def _means_alone(base: str) -> bool:
    entry = _TRIE.get(base, {}).get(None)
    long_enough = len(base) > 3 or base in ACTIONS
    return long_enough and entry is not None and bool(entry.concepts) and entry.weakness < 3


_OFTEN_MISSPELLED = frozenset({"around", "through", "surroundings", "ground", "backward", "backwards"})
_PHRASES = _all_phrases()
_BASES = _known_forms({word for words, _ in _PHRASES for word in words})
_TRIE = _trie(_PHRASES, _BASES)
# Only words that mean something by themselves are worth a guess.
_CORRECTABLE = {form: base for form, base in _BASES.items() if base in _OFTEN_MISSPELLED or _means_alone(base)}


@cache
def _speller() -> Speller:
    """Made with the first unknown word."""
    return Speller(_CORRECTABLE, ANIMAL_WORDS | _BASES.keys())


def tokens_of(text: str) -> list[Token]:
    """The words and marks of a text in order, without articles and possessives."""
    found: list[Token] = []
    noun = False
    for match in _TOKEN.finditer(_spaced(text)):
        start = match.start()
        for piece in _CAMEL.split(match.group()):
            word, end = piece.lower(), start + len(piece)
            if word not in ARTICLES:
                found += [Token(part, _base(part), start, end, noun) for part in _parts(word)]
            noun = word in ARTICLES
            start = end
    return found


def _spaced(text: str) -> str:
    """A text of the same length in which hyphens, underscores and typographic apostrophes are what reading expects."""
    plain = text.replace("\u2019", "'").replace("\u2018", "'").replace("_", " ")
    if not plain.isascii():
        plain = "".join(_unaccented(character) for character in plain)
    return plain


def _unaccented(character: str) -> str:
    base = unicodedata.normalize("NFKD", character)[:1]
    return base if base and base.isascii() and base.isalnum() else character


def _parts(word: str) -> tuple[str, ...]:
    """A word of a text as words of the lexicon: "doesn't" is "does not", "horse's" is "horse"."""
    if "'" not in word:
        return (_MARKS.get(word, word),)
    if word.endswith("n't"):
        return _CONTRACTED.get(word, word[:-3]), "not"
    return (word.split("'")[0],)


def _base(word: str) -> str:
    base = _BASES.get(word)
    if base is None and len(word) >= SHORTEST:
        base = _speller().corrected(word)
    return base or word


def hits_of(tokens: list[Token]) -> list[Hit]:
    """The phrases of the lexicon among tokens, longest first at each place, without names of animals."""
    taken = [False] * len(tokens)
    hits = []
    for index in range(len(tokens)):
        if not taken[index]:
            entry, used = _longest(tokens, index, taken)
            for position in used:
                taken[position] = True
            if entry and entry.concepts:
                hits.append(Hit(index, used[-1], entry.concepts, entry.action, entry.weakness))
    return _without_animals(tokens, hits)


def _longest(tokens: list[Token], start: int, taken: list[bool]) -> tuple[_Entry | None, list[int]]:
    """The longest phrase from a token on, with the tokens that it uses."""
    matches = _matches(tokens, start, taken)
    if matches and len(matches[-1][1]) > 1 and _begins_another(tokens, matches[-1][1][-1], taken):
        entry, used = matches[-1]
        return matches[-2] if len(matches) > 1 else (entry, used[:-1])
    return matches[-1] if matches else (None, [])


def _matches(tokens: list[Token], start: int, taken: list[bool]) -> list[tuple[_Entry, list[int]]]:
    """All phrases from a token on, each longer than the one before."""
    node, used, skipped = _TRIE, [], 0
    matches = []
    for index in range(start, len(tokens)):
        child = None if taken[index] else node.get(tokens[index].base)
        if child is not None:
            node, used, skipped = child, [*used, index], 0
            if None in node:
                matches.append((node[None], used))
        elif not used or skipped == _MOST_SKIPPED or not _is_filler(tokens[index].text):
            break
        else:
            skipped += 1
    return matches


def _begins_another(tokens: list[Token], last: int, taken: list[bool]) -> bool:
    """Whether the "at" of "springs at" belongs to "at full speed", the "through" of "zips through" to "the air"."""
    if tokens[last].text not in _PREPOSITIONS:
        return False
    return any(entry.concepts and len(used) > 1 for entry, used in _matches(tokens, last, taken))


def _is_filler(word: str) -> bool:
    return word.endswith("ly") or word in _FILLERS


def _without_animals(tokens: list[Token], hits: list[Hit]) -> list[Hit]:
    """Without the hits that are names of animals: "a fly walks", "bat, attack"; but "the duck" alone stays a hit."""
    doubtful = [hit for hit in hits if hit.first == hit.last and tokens[hit.first].text in AMBIGUOUS_ANIMALS]
    if not doubtful or not any(hit.action for hit in hits if hit not in doubtful):
        return hits
    return [hit for hit in hits if hit not in doubtful or not _is_animal(tokens, hit, hits)]


def _is_animal(tokens: list[Token], hit: Hit, hits: list[Hit]) -> bool:
    if hit.first > 0:
        before = tokens[hit.first - 1]
        return tokens[hit.first].noun or before.noun or before.text == "of"
    if tokens[0].noun:
        return True
    follower = next((other for other in hits if other.first == 1), None)
    return follower is not None and follower.action is not None and tokens[1].text != tokens[1].base
