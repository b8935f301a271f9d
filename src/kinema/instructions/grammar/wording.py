"""Sentences as plain words: lower case, without courtesies, with numbers as digits and one spelling for set phrases."""

from __future__ import annotations

import re

from kinema.errors import UsageError, one_line
from kinema.instructions.grammar.phrases import PHRASES
from kinema.instructions.grammar.spelling import spelled
from kinema.instructions.grammar.verbs import form_of, word_set

MOST_CHARACTERS = 2000
"""Characters of a text that are read."""

STOP = "."
"""The token of the end of a sentence; "," is that of a pause."""

_UNITS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen"
)
_NUMBERS = {word: value for value, word in enumerate(f"{_UNITS} eighteen nineteen".split())}
_TENS_SAID = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_TENS = dict(zip(_TENS_SAID, range(20, 100, 10), strict=True))

_CONTRACTIONS = (
    (r"(\w)n't\b", r"\1 not"),
    (r"\b(can)not\b", r"\1 not"),
    (r"\blet's\b", "let us"),
    (r"\b(she|he|it|that|who|there|what|camera|character)'s\b", r"\1 is"),
    (r"'re\b", " are"),
    (r"'ll\b", " will"),
    (r"'d\b", " would"),
    (r"'ve\b", " have"),
    (r"'m\b", " am"),
    (r"'s\b", " s"),
)

_PARTS = "(?:step|beat|part|stage|phase|action|move|item|shot)"
_COUNTED = "(?:one|two|three|four|five|six|seven|eight|nine|ten|\\d{1,2})"
_ORDERED = "(?:first|second|third|fourth|fifth|sixth|next|last|final)"
_LABEL = re.compile(
    rf"(?:^|(?<=[.,;:!?\u2014-])) *(?:(?:and|then),? )?(?:{_PARTS} (?:number )?{_COUNTED}|(?:the )?{_ORDERED} {_PARTS})"
    r" *(?:is(?: that| to)?\b|[,:.)\u2013\u2014-])"
)

_DROPPED = word_set(
    "please pls kindly very really quite super extremely rather just simply exactly again too also ok okay now "
    "hey hi "
    "hello alright thanks thank somewhat slightly own suddenly actually there here "
    "maybe literally basically fully completely entirely "
)
_GLUED = re.compile(r"(?<![\w.])(\d+(?:\.\d+)?)(?=[a-z°])(?!(?:st|nd|rd|th)\b)")
_KNOWN = re.compile(r"[a-z\d.,'-]+")
_TABLE = str.maketrans(
    {
        "\u2019": "'",
        "\u2018": "'",
        "`": "'",
        "\u2013": ",",
        "\u2014": ",",
        "\u2026": ".",
        "\u2022": ".",
        "@": " at ",
        "\u201c": " ",
        "\u201d": " ",
        '"': " ",
    }
)
_COMPILED = tuple((re.compile(rf"(?<!\S)(?:{pattern})(?!\S)"), reply) for pattern, reply in PHRASES)


def words_of(text: str) -> list[str]:
    """The words of a text, with "," and "." for what separates them.

    Raises:
        UsageError: the text is empty, too long, or has characters that no English sentence has.
    """
    if not isinstance(text, str):
        raise UsageError(f"instructions are text, such as 'walk to the tree', not {type(text).__name__}")
    if len(text) > MOST_CHARACTERS:
        raise UsageError(f"instructions have at most {MOST_CHARACTERS} characters, not {len(text)}; split them up")
    plain = " ".join(without_labels(" ".join(text.lower().split())).translate(_TABLE).split())
    if not re.search(r"[^\W_]", plain):
        raise UsageError("there are no instructions; say something such as 'walk to the tree, then wave'")
    for pattern, reply in _CONTRACTIONS:
        plain = re.sub(pattern, reply, plain)
    if negative := re.search(r"(?<![\w])-\d[\w. ]{0,20}", plain):
        raise UsageError(
            f"{one_line(negative[0])!r} is negative; say a direction instead, such as 'five metres backwards'"
        )
    plain = re.sub(r"(?<!\w)[x\u00d7](?=\d)", "x ", re.sub(r"(?<=\d)\u00d7", " x ", plain))
    plain = _GLUED.sub(r"\1 ", plain).replace("°", " degrees ").replace("&", " and ")
    plain = re.sub(r"(?<=\d),(?=\d)", ".", plain)
    plain = re.sub(r"\bcamera:", "camera", re.sub(r"[-=]?>|→", ", then ", plain))
    plain = re.sub(r"(?:^|(?<=\s))\d{1,2}[.)]\s+(?=[a-z])", ". ", plain)  # numbers of a list
    plain = re.sub(r"[!?;]|\.(?!\d)", " . ", plain)
    plain = re.sub(r",(?!\d)|:|\(|\)|/|\+", " , ", plain)
    plain = re.sub(r"(?<=[a-z\d])-(?=[a-z\d])", " ", plain).replace("-", " ")
    words = plain.split()
    for word in words:
        if not _KNOWN.fullmatch(word):
            raise UsageError(f"{one_line(word[:40])!r} is no English word; say something such as 'walk to the tree'")
    joined = " ".join(with_digits(spelled(words, lambda word: form_of(word) is not None)))
    for pattern, reply in _COMPILED:
        joined = " ".join(pattern.sub(reply, joined).split())
    joined = re.sub(r"(?:(?<=^)|(?<=[.,] ))well (?=[.,]|[a-z])", "", joined)
    return [word for word in joined.split() if word not in _DROPPED]


def without_labels(text: str) -> str:
    """A text in lower case without what only counts its parts, such as "step one:" and "the second beat is"."""
    return _LABEL.sub(" . ", text)


def quoted(words: list[str]) -> str:
    """Words as they are quoted in a message, not too many of them."""
    said = " ".join(words[:8]).replace(" ,", ",").replace(" .", ".").strip(" ,.").replace("-", " ")
    return repr(one_line(said[:60]))


def with_digits(words: list[str]) -> list[str]:
    """Numbers in words as digits; "one" stays, since it may be a pronoun."""
    found: list[str] = []
    for at, word in enumerate(words):
        before = words[at - 1] if at else ""
        if word in _TENS:
            found.append(str(_TENS[word]))
        elif before in _TENS and 0 < _NUMBERS.get(word, 0) < 10:
            found[-1] = str(_TENS[before] + _NUMBERS[word])
        elif word in _NUMBERS and word != "one":
            found.append(str(_NUMBERS[word]))
        elif word == "half" and found[-1:] == ["a"] and found[-2:-1] == ["and"] and _is_number(found[-3:-2]):
            found[-3:] = [f"{float(found[-3].replace('one', '1')) + 0.5:g}"]
        else:
            found.append(word)
    return found


def _is_number(words: list[str]) -> bool:
    return bool(words) and (words[0] == "one" or words[0].replace(".", "", 1).isdigit())
