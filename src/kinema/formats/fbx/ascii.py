"""Text FBX: one pass over the bytes, without recursion; rows of numbers are parsed as arrays.

The rows of keys of version 6, `Key: 0,1.5,U,s,0,0,n,...`, become arrays, too: their letters are replaced by the codes
that the binary form holds in their place.
"""

from __future__ import annotations

import re
import sys
import warnings
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kinema.arrays import Floats
from kinema.errors import FormatError
from kinema.formats.budget import Budget
from kinema.formats.checks import require
from kinema.formats.fbx.binary import decoded
from kinema.formats.fbx.records import MAX_DEPTH, OLDEST, RECORD_COST, UNSUPPORTED, ParsedFile, Record, Word

LONG_ROW = 64  # characters of numbers in a row, from which on they become an array

_SPACE = re.compile(rb"(?:[\s\x00]+|;[^\n\r]*)*")
_BLANK = re.compile(rb"[ \t]*")
_NAME = re.compile(rb"[^\s:;,{}\"]+[ \t]*:")
_NUMBERS = re.compile(rb"[-+0-9.eE,\s]*")
_KEYS = re.compile(rb"\s*[-+0-9.][-+0-9.A-Za-z,\s]*")
# A line break ends a row of keys unless there is a comma on either side.
_END_OF_KEYS = re.compile(rb"(?<=[^,\s])[^\S\n]*\n(?!\s*,)")
_BEGINNINGS = {bytes([sign]) for sign in b'+-.0123456789"'}
_ENDS = (b"", b"{", b"}")
_COUNT = re.compile(rb"\*([0-9]+)")
_KEY_LETTERS = b"ULCsbaptnlrc"
_TOKEN = re.compile(
    rb"\"(?P<text>[^\"]*)\""
    rb"|(?P<int>[-+]?[0-9]+)(?![0-9.eE#A-Za-z_])"
    rb"|(?P<float>[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?)(?![0-9.#A-Za-z_])"
    rb"|(?P<odd>[-+]?(?:[0-9]\.#[A-Z0-9]+|(?i:[qs]?nan|inf(?:inity|ty)?)\(?[a-z0-9]*\)?)(?![A-Za-z0-9_]))"
    rb"|(?P<word>[A-Za-z_][A-Za-z0-9_|.-]*)"
)
_PLAIN = re.compile(rb"[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?")
_ODD = re.compile(rb"[-+]?(?:[0-9]\.#[A-Z0-9]+|[qs]?nan[a-z0-9()]*|inf[a-z]*|ind)", re.IGNORECASE)
_COMMENTS = re.compile(rb";[^\n\r]*")
_BREAK = re.compile(rb"[\r\n]")
_ESCAPES = {b"&quot;": b'"', b"&lf;": b"\n", b"&cr;": b"\r"}
_ESCAPE = re.compile(b"|".join(_ESCAPES))
_VERSION = re.compile(rb"FBXVersion:[ \t]*([0-9]{4,5})")
_COMMENT = re.compile(rb"; *FBX +([0-9]+)\.([0-9]+)\.([0-9]+)")


def looks_like(data: bytes) -> bool:
    """Whether the bytes begin like an FBX text: comments, then a name and a colon."""
    text = data.removeprefix(b"\xef\xbb\xbf")
    return b"FBX" in text[:4096] and _NAME.match(text, _end(_SPACE, text, 0)) is not None


def parse(data: bytes, budget: Budget) -> ParsedFile:
    """The records of a text file. FormatError names the line that is wrong."""
    found = _VERSION.search(data)
    if found is not None:
        version = int(found[1])
    else:
        comment = _COMMENT.search(data[:4096])
        version = int(b"".join(comment.groups())) * 10 if comment else 0
    require(OLDEST <= version < 10000, UNSUPPORTED.format(version))
    reader = _Reader(data, budget)
    return ParsedFile(reader.tree(), version, reader.warnings, reader.cut)


class _Cut(FormatError):
    """The file ends inside a record."""


class _Reader:
    def __init__(self, data: bytes, budget: Budget) -> None:
        self.data, self.budget = data, budget
        self.warnings: list[str] = []
        self.cut = ""
        self.no_run = 0  # up to here rows are known to hold more than numbers
        self.gaps = 0  # the last line that was reported for gaps
        self.cost = 0  # bytes that were not charged yet

    def error(self, message: str, offset: int) -> FormatError:
        return FormatError(message, line=self.line(offset))

    def unexpected(self, wanted: str, offset: int) -> FormatError:
        """The error for something else than what is wanted; half of it in the last line, or half a text, are a cut."""
        half = self.data[offset : offset + 1] == b'"' or not _BREAK.search(self.data, offset)
        message = f"expected {wanted}, found {_shown(self.data, offset)}"
        return (_Cut if half else FormatError)(message, line=self.line(offset))

    def line(self, offset: int) -> int:
        return self.data.count(b"\n", 0, offset) + 1

    def spend(self, cost: int) -> None:
        """Charges the budget, in large sums because single ones are many."""
        self.cost += cost
        if self.cost > 1 << 20:
            self.budget.charge(self.cost, None)
            self.cost = 0

    def skip(self, offset: int) -> int:
        """Behind white space and comments."""
        return _end(_SPACE, self.data, offset)

    def tree(self) -> Record:
        """All records; of a file that is cut short those that are complete down to the second level."""
        stack = [Record("", [], [])]
        try:
            self.read(stack)
        except _Cut:
            section = f" inside {stack[1].name[:40]!r}" if len(stack) > 1 else ""
            self.cut = f"in line {self.line(len(self.data))}{section}"
            if len(stack) > 2:
                stack[1].children.pop()
        return stack[0]

    def read(self, stack: list[Record]) -> None:
        """Reads all records into the first of the stack, which holds those that are open."""
        data, size = self.data, len(self.data)
        offset = self.skip(3 if data.startswith(b"\xef\xbb\xbf") else 0)
        while offset < size:
            if data[offset] == 0x7D:  # }
                if len(stack) == 1:
                    raise self.error("a } closes nothing", offset)
                stack.pop()
                offset = self.skip(offset + 1)
                continue
            found = _NAME.match(data, offset)
            if found is None:
                raise self.unexpected("a name and a colon", offset)
            record = Record(decoded(found[0][:-1].rstrip()), [], [])
            self.spend(RECORD_COST)
            offset = self.values(record, found.end())
            if offset == size and len(stack) > 1 and not data[-1:].isspace():
                raise _Cut("a value may be longer")
            stack[-1].children.append(record)
            if offset < size and data[offset] == 0x7B:  # {
                if len(stack) > MAX_DEPTH:
                    raise self.error(f"records are nested more than {MAX_DEPTH} deep", offset)
                stack.append(record)
                offset = self.skip(offset + 1)
        if len(stack) > 1:
            raise _Cut("a record is open")

    def values(self, record: Record, offset: int) -> int:
        """Reads the values behind a colon into the record; where it ends."""
        data, values = self.data, record.values
        if record.name == "Key" and (keys := self.keys(offset)) is not None:
            values.append(keys[0])
            return self.skip(keys[1])
        offset, more = self.first_value(offset)
        while more and (sign := data[offset : offset + 1]) not in _ENDS:
            if sign == b"*":
                return self.array(record, offset)
            if sign == b",":
                values.append(np.nan)
                self.report_gap(offset)
                offset = self.skip(offset + 1)
                continue
            value, offset = self.run(offset) or self.value(offset)
            values.append(value)
            offset, more = self.separator(offset)
        if len(values) > 1:
            self.flatten(values)
        return offset

    def flatten(self, values: list[Any]) -> None:
        """Replaces rows among other values by their numbers."""
        if any(isinstance(value, np.ndarray) for value in values):
            rows = [value.tolist() if isinstance(value, np.ndarray) else [value] for value in values]
            values[:] = chain.from_iterable(rows)
            self.spend(40 * len(values))

    def first_value(self, offset: int) -> tuple[int, bool]:
        """Where the first value behind a colon is, and whether there is one."""
        offset = _end(_BLANK, self.data, offset)
        if self.data[offset : offset + 1] in (b"", b"\r", b"\n", b";"):
            offset = self.skip(offset)
            # The values may also begin on the next line; a name never begins like these.
            if self.data[offset : offset + 1] not in _BEGINNINGS:
                return offset, False
        comma = self.data[offset : offset + 1] == b","  # some writers begin with one
        return self.skip(offset + 1) if comma else offset, True

    def value(self, offset: int) -> tuple[Any, int]:
        """A single value, and where it ends."""
        found = _TOKEN.match(self.data, offset)
        if found is None:
            raise self.unexpected("a value", offset)
        self.spend(40)
        return _value(found), found.end()

    def separator(self, offset: int) -> tuple[int, bool]:
        """Where the next value or record begins, and whether it is a value."""
        data, behind = self.data, self.skip(offset)
        following = data[behind : behind + 1]
        if following == b",":
            return self.skip(behind + 1), True
        if following not in _ENDS and not _BREAK.search(data, offset, behind):
            raise self.unexpected("a comma or a line break", behind)
        return behind, False

    def keys(self, offset: int) -> tuple[Floats, int] | None:
        """A row of keys with the codes of its letters, and where it ends; None if it is something else."""
        found = _KEYS.match(self.data, offset)
        if found is None:
            return None
        end = found.end()
        stop = _END_OF_KEYS.search(self.data, offset + len(found[0]) - len(found[0].lstrip()), end)
        end = end if stop is None else stop.start()
        text = b"".join(self.data[offset:end].split()) + b","
        if len(text) < LONG_ROW or text.endswith(b",,"):
            return None
        for letter in _KEY_LETTERS:
            for _ in range(2):  # neighbours share a comma
                text = text.replace(b",%c," % letter, b",%d," % letter)
        row = _numbers(text[:-1], self.budget)
        return None if row is None else (row.astype(np.float64), end)

    def run(self, offset: int) -> tuple[NDArray[Any], int] | None:
        """A long row of plain numbers as an array, and where it ends; None if there is none."""
        data = self.data
        if offset < self.no_run or _end(_NUMBERS, data, offset, offset + LONG_ROW) < offset + LONG_ROW:
            return None
        # The row may have swallowed the comma in front of a letter, or the E of the next record's name.
        text = data[offset : _end(_NUMBERS, data, offset)].rstrip(b"+-eE, \t\n\r\v\f")
        values = _numbers(text, self.budget) if text.count(b",") >= 2 else None
        if values is None:
            self.no_run = offset + len(text)  # looked through once, not again for each of its numbers
            return None
        return values, offset + len(text)

    def array(self, record: Record, offset: int) -> int:
        """Reads an array of version 7 into the record: `*3 { a: 1,2,3 }`; where it ends."""
        data, found = self.data, _COUNT.match(self.data, offset)
        if found is None:
            raise self.unexpected("a value", offset)
        offset = self.skip(found.end())
        if data[offset : offset + 1] != b"{":
            raise self.unexpected("{ behind the size of an array", offset)
        start = self.skip(offset + 1)
        if data[start : start + 1] == b"}":
            record.values.append(np.zeros(0))
            return self.skip(start + 1)
        name = _NAME.match(data, start)
        if name is None:
            raise self.unexpected("the values of an array", start)
        end = data.find(b"}", name.end())
        if end < 0:
            raise _Cut("an array is open")
        values = _numbers(data[name.end() : end], self.budget)
        if values is None:
            values = self.slow_array(name.end(), end)
        count = int(found[1][:18])
        if len(values) != count:
            self.warnings.append(f"line {self.line(start)}: an array of {count} numbers holds {len(values)}")
        record.values.append(values)
        return self.skip(end + 1)

    def report_gap(self, offset: int) -> None:
        if self.gaps != (line := self.line(offset)):
            self.gaps = line
            self.warnings.append(f"line {line}: an array has gaps, which were taken as missing numbers")

    def slow_array(self, start: int, end: int) -> NDArray[Any]:
        """An array with comments, gaps, infinities or NaN in it."""
        words = [word.strip() for word in _COMMENTS.sub(b"", self.data[start:end]).split(b",")]
        self.budget.charge(40 * len(words), None)
        if not words[-1]:
            words.pop()
        if b"" in words:
            self.report_gap(start)
        found: list[float] = []
        for word in words:
            if _PLAIN.fullmatch(word):
                found.append(float(word))
            elif not word or _ODD.fullmatch(word):
                found.append(_odd(word))
            else:
                raise self.error(f"expected a number, found {word[:20].decode('latin-1')!r}", start)
        return np.array(found)


def _end(pattern: re.Pattern[bytes], data: bytes, offset: int, stop: int = sys.maxsize) -> int:
    """Where a match that may be empty ends."""
    found = pattern.match(data, offset, stop)
    return found.end() if found else offset


def _numbers(text: bytes, budget: Budget) -> NDArray[Any] | None:
    """Numbers between commas, `[N]` int64 or float64; None if there is anything else."""
    text = text.rstrip().removesuffix(b",")  # NumPy would add a zero
    if not text.strip():
        return np.zeros(0)
    count = text.count(b",") + 1
    budget.charge(8 * count, None)
    whole = not any(sign in text for sign in (b".", b"e", b"E", b"n", b"N", b"#"))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            values = np.fromstring(text, dtype=np.int64 if whole else np.float64, sep=",")  # type: ignore[call-overload]
        except (DeprecationWarning, ValueError, OverflowError):
            return None
    return values if len(values) == count else None


def _value(found: re.Match[bytes]) -> Any:
    match found.lastgroup, found[0]:
        case "text", _:
            raw = found["text"]
            return decoded(_ESCAPE.sub(lambda escape: _ESCAPES[escape[0]], raw) if b"&" in raw else raw)
        case "int", digits:
            return int(digits) if len(digits) < 20 else float(digits)
        case "float", digits:
            return float(digits)
        case "odd", word:
            return _odd(word)
        case _, word:
            return Word(decoded(word))


def _odd(text: bytes) -> float:
    """Infinities and NaN as the many C libraries spell them."""
    size = float("inf") if b"inf" in text.lower() else float("nan")
    return -size if text.startswith(b"-") else size


def _shown(data: bytes, offset: int) -> str:
    return repr(data[offset : offset + 20].decode("latin-1")) if offset < len(data) else "the end of the file"
