"""Text of Acclaim files: words and the numbers of their lines."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from kinema.errors import FormatError

LARGEST = 1e9

BLANKS = bytes.maketrans(b"(),\t\r\v\f", b"       ")  # what separates words


@dataclass(frozen=True)
class AcclaimLine:
    """Words of a line, and what to call it in errors."""

    words: list[str]
    number: int

    def fail(self, message: str) -> FormatError:
        return FormatError(message, line=self.number)

    def require(self, ok: object, message: str) -> None:
        """Raises the error unless `ok`."""
        if not ok:
            raise self.fail(message)

    def numbers(self, start: int, count: int) -> list[float]:
        """Finite numbers from a word on. FormatError where there are fewer, or others."""
        words = self.words[start : start + count]
        try:
            values = [float(word) for word in words]
        except ValueError:
            values = []
        if len(values) == count and all(abs(value) < LARGEST for value in values):
            return values
        needed = f"{count} numbers" if count > 1 else "a number"
        found = " ".join(words)[:60]
        raise self.fail(f"{self.words[0][:40]!a} needs {needed} below {LARGEST:g}, found {found!a}")


def lines_of(data: bytes, first: int = 1) -> Iterator[AcclaimLine]:
    """Lines that hold words, without comments, numbered from `first` on."""
    for number, raw in enumerate(data.translate(BLANKS).split(b"\n"), first):
        words = raw.partition(b"#")[0].decode("latin-1").split()
        if words:
            yield AcclaimLine(words, number)
