"""Untrusted XML as a plain tree: no entities, no document types, nothing fetched, bounded depth and size."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from xml.parsers import expat

import numpy as np

from kinema.arrays import Floats
from kinema.errors import FormatError

MOST_BYTES = 16 * 1024**2
MOST_ELEMENTS = 100_000
DEEPEST = 1100
LARGEST = 1e6  # of any number, metres or degrees


Color = tuple[float, float, float, float]


@dataclass(eq=False)
class Element:
    """One element: its tag, attributes, children, and the place to name in errors."""

    tag: str
    attributes: dict[str, str]
    path: str
    line: int
    children: list[Element] = field(default_factory=list)

    def named(self, *tags: str) -> Iterator[Element]:
        """Children with one of these tags, in order."""
        return (child for child in self.children if child.tag in tags)

    def first(self, tag: str) -> Element | None:
        return next(self.named(tag), None)

    def error(self, message: str) -> FormatError:
        return FormatError(f"<{self.tag[:40]}> {message}", path=self.path, line=self.line)

    def require(self, ok: object, message: str) -> None:
        if not ok:
            raise self.error(message)

    def get(self, name: str, default: str = "") -> str:
        return self.attributes.get(name, default)

    def need(self, name: str) -> str:
        """An attribute that must be there. FormatError names the line."""
        if name not in self.attributes:
            raise self.error(f"lacks its attribute {name!r}")
        return self.attributes[name]

    def numbers(self, name: str, least: int, most: int | None = None, default: str | None = None) -> Floats:
        """Numbers of an attribute: finite, and as many as needed; required if there is no default."""
        text = self.need(name) if default is None else self.get(name, default)
        words = text.replace(",", " ").split()
        most = least if most is None else most
        try:
            values = [float(word) for word in words[: most + 1]]
        except ValueError:
            values = [math.nan]
        if not all(abs(value) <= LARGEST for value in values):
            raise self.error(f"{name} should be numbers of at most {LARGEST:g}, found {text[:40]!a}")
        if not least <= len(words) <= most:
            due = str(least) if least == most else f"{least} to {most}"
            raise self.error(f"{name} should be {due} numbers, found {len(words)}")
        return np.array(values)

    def number(self, name: str, default: str | None = None) -> float:
        return float(self.numbers(name, 1, default=default)[0])

    def unit(self, name: str, values: Floats) -> Floats:
        """A vector of an attribute at length one."""
        length = float(np.linalg.norm(values))
        if length < 1e-9:
            raise self.error(f"{name} has no length")
        return values / length

    def color(self, name: str, default: str) -> Color:
        """Red, green, blue and opacity, 0 to 1."""
        red, green, blue, alpha = np.clip(self.numbers(name, 4, default=default), 0, 1).tolist()
        return red, green, blue, alpha


def parse(data: bytes, path: str) -> Element:
    """The root element.

    Raises:
        FormatError: not XML, too large or deep, or it declares a document type or entities, which robots do not need
            and attacks use.
    """
    if len(data) > MOST_BYTES:
        raise FormatError(f"has {len(data)} bytes of XML; at most {MOST_BYTES} are read", path=path)
    parser = expat.ParserCreate()
    top: list[Element] = []
    open_elements: list[Element] = []
    count = 0

    def start(tag: str, attributes: dict[str, str]) -> None:
        nonlocal count
        count += 1
        line = parser.CurrentLineNumber
        if count > MOST_ELEMENTS or len(open_elements) >= DEEPEST:
            raise FormatError(
                f"has more than {MOST_ELEMENTS} elements, or {DEEPEST} within each other", path=path, line=line
            )
        element = Element(tag, attributes, path, line)
        (open_elements[-1].children if open_elements else top).append(element)
        open_elements.append(element)

    def refuse(*_: object) -> None:
        raise FormatError(
            "declares a document type or entities, which are never read; remove the declaration",
            path=path,
            line=parser.CurrentLineNumber,
        )

    parser.StartElementHandler = start
    parser.EndElementHandler = lambda _: open_elements.pop()
    parser.StartDoctypeDeclHandler = refuse
    parser.EntityDeclHandler = refuse
    try:
        parser.Parse(data, True)
    except expat.ExpatError as error:
        reason = expat.errors.messages.get(error.code, "broken")
        raise FormatError(f"is not XML: {reason}", path=path, line=error.lineno) from None
    except (ValueError, LookupError) as error:  # an encoding that Python does not know
        raise FormatError(f"is not XML that can be read: {error}", path=path) from None
    return top[0]
