"""Text FBX: one pass over the bytes, without recursion; rows of numbers are parsed as arrays.

The rows of keys of version 6, `Key: 0,1.5,U,s,0,0,n,...`, become arrays, too: their letters are the codes that the
binary form holds in their place.
"""

from __future__ import annotations

import re
import warnings
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kinema.errors import FormatError
from kinema.formats.budget import Budget
from kinema.formats.fbx.records import MAX_DEPTH, Record, Tree, Word

LONG_ROW = 64  # characters of numbers in a row; from here on they become an array
RECORD_COST = 400  # bytes that a record takes in memory, and its time

_SPACE = re.compile(rb"(?:[\s\x00]+|;[^\n\r]*)+")
_BLANK = re.compile(rb"[ \t]*")
_NAME = re.compile(rb"[^\s:;,{}\"]+[ \t]*:")
_NUMBERS = re.compile(rb"[-+0-9.eE,\s]*")
_KEYS = re.compile(rb"\s*[-+0-9.][-+0-9.A-Za-z,\s]*")
_GAP = re.compile(rb"\s*")
_KEY_LETTERS = b"ULCsbaptnlrc"
_TOKEN = re.compile(
    rb"\"(?P<text>[^\"]*)\""
    rb"|(?P<int>[-+]?[0-9]+)(?![0-9.eE#A-Za-z_])"
    rb"|(?P<float>[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?)(?![0-9.#A-Za-z_])"
    rb"|(?P<odd>[-+]?(?:[0-9]\.#[A-Z0-9]+|(?i:[qs]?nan|inf(?:inity|ty)?)\(?[a-z0-9]*\)?)(?![A-Za-z0-9_]))"
    rb"|\*(?P<count>[0-9]+)"
    rb"|(?P<word>[A-Za-z_][A-Za-z0-9_|.-]*)"
)
_PLAIN = re.compile(rb"[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?")
_ODD = re.compile(rb"[-+]?(?:[0-9]\.#[A-Z0-9]+|[qs]?nan[a-z0-9()]*|inf[a-z]*|ind)", re.IGNORECASE)
_COMMENTS = re.compile(rb";[^\n\r]*")
_BREAK = re.compile(rb"[\r\n]")
_LAST = [bytes([sign]) for sign in b"0123456789."]
_ESCAPES = {b"&quot;": b'"', b"&lf;": b"\n", b"&cr;": b"\r"}
_ESCAPE = re.compile(b"|".join(_ESCAPES))
_VERSION = re.compile(rb"FBXVersion:[ \t]*([0-9]{4,5})")
_COMMENT = re.compile(rb"; *FBX +([0-9]+)\.([0-9]+)\.([0-9]+)")


def looks_like(data: bytes) -> bool:
    """Whether the bytes begin like an FBX text: comments, then a name and a colon."""
    text = data[3:] if data.startswith(b"\xef\xbb\xbf") else data
    if b"FBX" not in text[:4096]:
        return False
    found = _SPACE.match(text)
    return _NAME.match(text, found.end() if found else 0) is not None


def parse(data: bytes, path: str, budget: Budget) -> Tree:
    """The tree of a text file. FormatError names the line that is wrong."""
    root = _Reader(data, path, budget).tree()
    found = _VERSION.search(data)
    if found is not None:
        version = int(found[1])
    else:
        comment = _COMMENT.search(data[:4096])
        version = int(b"".join(comment.groups())) * 10 if comment else 0
    if not 1000 <= version < 10000:
        raise FormatError(f"has FBX version {version}; 2000 to 8000 are known", path=path)
    return Tree(root, version, False, budget)


class _Reader:
    def __init__(self, data: bytes, path: str, budget: Budget) -> None:
        self.data, self.path, self.budget = data, path, budget
        self.no_run = 0  # up to here rows are known to hold more than numbers

    def error(self, message: str, offset: int) -> FormatError:
        return FormatError(message, path=self.path, line=self.data.count(b"\n", 0, offset) + 1)

    def skip(self, offset: int) -> int:
        """Behind white space and comments."""
        found = _SPACE.match(self.data, offset)
        return found.end() if found else offset

    def tree(self) -> Record:
        data, size = self.data, len(self.data)
        root = Record("", [], [])
        stack = [root]
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
                raise self.error(f"expected a name and a colon, found {_shown(data, offset)}", offset)
            record = Record(_decoded(found[0][:-1].rstrip()), [], [])
            self.budget.charge(RECORD_COST, None)
            stack[-1].children.append(record)
            offset = self.values(record, found.end())
            if offset < size and data[offset] == 0x7B:  # {
                if len(stack) > MAX_DEPTH:
                    raise self.error(f"records are nested more than {MAX_DEPTH} deep", offset)
                stack.append(record)
                offset = self.skip(offset + 1)
        if len(stack) > 1:
            raise self.error(f"ends inside {stack[-1].name[:40]!r}; the file is cut short", size)
        return root

    def values(self, record: Record, offset: int) -> int:
        """Reads the values behind a colon into the record; where it ends."""
        data, size, values = self.data, len(self.data), record.values
        if record.name == "Key" and (keys := self.keys(offset)) is not None:
            values.append(keys[0])
            return self.skip(keys[1])
        offset = _BLANK.match(data, offset).end()  # type: ignore[union-attr]
        if offset >= size or data[offset] in b"\r\n;":
            offset = self.skip(offset)
            # The values, too, may begin on the next line; a name never begins like these.
            if offset >= size or data[offset] not in b'+-.0123456789"':
                return offset
        if data[offset] == 0x2C:  # some writers begin with a comma
            offset = self.skip(offset + 1)
        while offset < size and data[offset] not in b"{}":
            run = self.run(offset)
            if run is not None:
                values.append(run[0])
                offset = run[1]
            else:
                found = _TOKEN.match(data, offset)
                if found is None:
                    raise self.error(f"expected a value, found {_shown(data, offset)}", offset)
                offset = found.end()
                if found.lastgroup == "count":
                    return self.array(record, int(found["count"][:18]), self.skip(offset))
                values.append(_value(found))
                self.budget.charge(40, None)
            behind = self.skip(offset)
            if behind < size and data[behind] == 0x2C:
                offset = self.skip(behind + 1)
                continue
            if behind < size and data[behind] not in b"{}" and not _BREAK.search(data, offset, behind):
                raise self.error(f"expected a comma or a line break, found {_shown(data, behind)}", behind)
            offset = behind
            break
        if len(values) > 1 and any(isinstance(value, np.ndarray) for value in values):
            plain = [value.tolist() if isinstance(value, np.ndarray) else [value] for value in values]
            record.values = [value for row in plain for value in row]
            self.budget.charge(40 * len(record.values), None)
        return offset

    def keys(self, offset: int) -> tuple[NDArray[np.float64], int] | None:
        """A row of keys with the codes of its letters, and where it ends; None where it is something else."""
        found = _KEYS.match(self.data, offset)
        if found is None:
            return None
        data, end = self.data, found.end()
        line = data.find(b"\n", _GAP.match(data, offset).end(), end)  # type: ignore[union-attr]
        while line >= 0:  # a line break ends the row unless there is a comma on either side
            behind = _GAP.match(data, line).end()  # type: ignore[union-attr]
            if data[behind : behind + 1] != b"," and not data[max(line - 40, offset) : line].rstrip().endswith(b","):
                end = line
                break
            line = data.find(b"\n", behind, end)
        text = b"".join(data[offset:end].split()) + b","
        if len(text) < LONG_ROW or text.endswith(b",,"):
            return None
        for letter in _KEY_LETTERS:
            for _ in range(2):  # neighbours share a comma
                text = text.replace(b",%c," % letter, b",%d," % letter)
        row = _numbers(text[:-1], self.budget)
        return None if row is None else (row.astype(np.float64), end)

    def run(self, offset: int) -> tuple[NDArray[Any], int] | None:
        """A long row of plain numbers as an array, and where it ends; None where there is none."""
        data = self.data
        near = _NUMBERS.match(data, offset, offset + LONG_ROW)
        if offset < self.no_run or near is None or near.end() < offset + LONG_ROW:
            return None
        found = _NUMBERS.match(data, offset)
        text = found[0] if found else b""
        # The row may have swallowed the comma in front of a letter, or the E of the next record's name.
        text = text[: max(text.rfind(sign) for sign in _LAST) + 1]
        values = _numbers(text, self.budget) if text.count(b",") >= 2 else None
        if values is None:
            self.no_run = offset + len(text)  # looked through once, not again for each of its numbers
            return None
        return values, offset + len(text)

    def array(self, record: Record, count: int, offset: int) -> int:
        """An array of version 7: `*3 { a: 1,2,3 }`."""
        data = self.data
        if data[offset : offset + 1] != b"{":
            raise self.error(f"expected {{ behind the size of an array, found {_shown(data, offset)}", offset)
        start = self.skip(offset + 1)
        found = _NAME.match(data, start)
        if data[start : start + 1] == b"}":
            record.values.append(np.zeros(0))
            return self.skip(start + 1)
        if found is None:
            raise self.error(f"expected the values of an array, found {_shown(data, start)}", start)
        end = data.find(b"}", found.end())
        if end < 0:
            raise self.error(f"ends inside the array of {record.name[:40]!r}; the file is cut short", start)
        text = data[found.end() : end]
        values = _numbers(text, self.budget)
        if values is None:
            values = self.slow_array(found.end(), end)
        if len(values) != count:
            raise self.error(f"an array of {count} numbers holds {len(values)}", start)
        record.values.append(values)
        return self.skip(end + 1)

    def slow_array(self, start: int, end: int) -> NDArray[Any]:
        """An array with comments, infinities or numbers that are none in it."""
        words = _COMMENTS.sub(b"", self.data[start:end]).split(b",")
        self.budget.charge(40 * len(words), None)
        found: list[float] = []
        for word in words:
            text = word.strip()
            number = _PLAIN.fullmatch(text)
            odd = None if number else _ODD.fullmatch(text)
            if number is None and odd is None:
                raise self.error(f"expected a number, found {text[:20].decode('latin-1')!r}", start)
            found.append(float(text) if odd is None else _odd(text))
        return np.array(found)


def _numbers(text: bytes, budget: Budget) -> NDArray[Any] | None:
    """Numbers between commas, `[N]` int64 or float64; None where there is anything else."""
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
    kind = found.lastgroup
    if kind == "text":
        raw = found["text"]
        return _decoded(_ESCAPE.sub(lambda m: _ESCAPES[m[0]], raw) if b"&" in raw else raw)
    if kind == "int":
        digits = found["int"]
        return int(digits) if len(digits) < 20 else float(digits)
    if kind == "float":
        return float(found["float"])
    if kind == "odd":
        return _odd(found["odd"])
    return Word(_decoded(found[0]))


def _odd(text: bytes) -> float:
    """Infinities and numbers that are none, as the many C libraries spell them."""
    size = float("inf") if b"inf" in text.lower() else float("nan")
    return -size if text.startswith(b"-") else size


def _decoded(raw: bytes) -> str:
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        return raw.decode("latin-1")


def _shown(data: bytes, offset: int) -> str:
    return repr(data[offset : offset + 20].decode("latin-1")) if offset < len(data) else "the end of the file"
