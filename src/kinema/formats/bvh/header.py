"""The HIERARCHY section of a BVH file: joints, offsets and channels, without recursion."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field

from kinema.errors import FormatError
from kinema.skeleton import MAX_JOINTS

LARGEST = 1e9
"""Numbers beyond this are no length or angle; the motion rows have the same limit."""

MOST_BYTES = 64 * 1024**2
"""A HIERARCHY section that is longer is refused: as many joints as we take fit in easily."""

_WORD = re.compile(r"\s*([{}]|[^\s{}]+)")
_NAME = re.compile(r"[^\S\n]*([^\n{}]*)")
_CHANNEL = re.compile(r"([XYZ])(position|rotation)\Z", re.IGNORECASE)
_MOTION = re.compile(rb"(?:\A|(?<=[\r\n}]))[ \t]*MOTION(?=[\s:]|\Z)", re.IGNORECASE)


@dataclass
class Hierarchy:
    """Joints in file order, parents first; lengths in the file's own unit.

    `channels` holds, per joint, pairs of kind ("position" or "rotation") and axis (0 to 2) in file order.
    """

    names: list[str] = field(default_factory=list)
    parents: list[int] = field(default_factory=list)
    offsets: list[tuple[float, float, float]] = field(default_factory=list)
    channels: list[list[tuple[str, int]]] = field(default_factory=list)
    tips: list[tuple[int, tuple[float, float, float]]] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)

    @property
    def channel_count(self) -> int:
        """Values in one row of the motion."""
        return sum(len(channels) for channels in self.channels)


def find_motion(data: bytes) -> int | None:
    """Offset of the MOTION keyword (on a line of its own, so that a joint may bear that name), or None."""
    found = _MOTION.search(data, 0, MOST_BYTES)
    return None if found is None else found.end() - len(b"MOTION")


def line_at(data: bytes, offset: int) -> int:
    """Line number, from 1, of a byte; any kind of line end."""
    head = data[:offset]
    return 1 + head.count(b"\n") + head.count(b"\r") - head.count(b"\r\n")


def parse_hierarchy(data: bytes, path: str) -> Hierarchy:
    """Reads the bytes before MOTION. FormatError names the line of whatever cannot be understood."""
    if len(data) > MOST_BYTES:
        raise FormatError(f"has no line MOTION in its first {MOST_BYTES} bytes", path=path)
    try:
        text, notes = data.decode("utf-8-sig"), []
    except UnicodeDecodeError:
        text, notes = data.decode("latin-1"), ["joint names are not UTF-8, read as Latin-1"]
    reader = _Reader(re.sub(r"\r\n?", "\n", text), path)
    reader.hierarchy.warnings.extend(notes)
    reader.read()
    hierarchy = reader.hierarchy
    hierarchy.names, repeated = unique_names(hierarchy.names)
    if repeated:
        shown = ", ".join(repr(name) for name in repeated[:5]) + (", ..." if len(repeated) > 5 else "")
        hierarchy.warnings.append(f"joint names used more than once were given numbers: {shown}")
    return hierarchy


def unique_names(names: list[str]) -> tuple[list[str], list[str]]:
    """Names with later repeats numbered (`Hand`, `Hand_2`), and the names that were repeated."""
    taken, used, numbers = set(names), set(), {}
    unique, repeated = [], []
    for name in names:
        if name in used:
            if name not in numbers:
                repeated.append(name)
            number = numbers.get(name, 2)
            while f"{name}_{number}" in taken:
                number += 1
            numbers[name] = number + 1
            name = f"{name}_{number}"
            taken.add(name)
        used.add(name)
        unique.append(name)
    return unique, repeated


@dataclass
class _Block:
    """An open `{`: a joint, or the end site of one."""

    joint: int
    is_tip: bool
    start: int
    has_offset: bool = False
    has_channels: bool = False


class _Reader:
    def __init__(self, text: str, path: str) -> None:
        self.text, self.path, self.position = text, path, 0
        self.hierarchy = Hierarchy()

    def fail(self, message: str, position: int | None = None) -> FormatError:
        at = self.position if position is None else position
        return FormatError(message, path=self.path, line=1 + self.text.count("\n", 0, at))

    def peek(self) -> str | None:
        found = _WORD.match(self.text, self.position)
        return None if found is None else found.group(1)

    def word(self, expected: str) -> str:
        found = _WORD.match(self.text, self.position)
        if found is None:
            raise FormatError(
                f"the HIERARCHY section ends where {expected} should be",
                path=self.path,
                line=1 + self.text.rstrip().count("\n"),
            )
        self.position = found.end()
        return found.group(1)

    def number(self, expected: str) -> float:
        word = self.word(expected)
        try:
            value = float(word)
        except ValueError:
            value = math.nan
        if not abs(value) <= LARGEST:
            raise self.fail(f"expected {expected}, found {_short(word)}")
        return value

    def read(self) -> None:
        if self.peek() is None:
            raise FormatError("is empty; a BVH file starts with HIERARCHY", path=self.path, line=1)
        word = self.word("HIERARCHY")
        if word.upper() != "HIERARCHY":
            raise self.fail(f"a BVH file starts with HIERARCHY, found {_short(word)}")
        open_blocks: list[_Block] = []
        while open_blocks or self.peek() is not None:
            if not open_blocks:
                self.open_joint(open_blocks, "ROOT", -1)
            else:
                self.statement(open_blocks)
        if not self.hierarchy.names:
            raise self.fail("the HIERARCHY section has no ROOT")

    def open_joint(self, open_blocks: list[_Block], keyword: str, parent: int) -> None:
        word = self.word(keyword)
        start = self.position - len(word)
        if word.upper() != keyword:
            raise self.fail(f"expected {keyword} or MOTION, found {_short(word)}")
        found = _NAME.match(self.text, self.position)
        name = found.group(1).strip() if found else ""
        if not name:
            raise self.fail(f"{keyword} has no name")
        self.position = found.end() if found else self.position
        if self.word("{") != "{":
            raise self.fail(f"expected {{ after joint {name!r}")
        hierarchy = self.hierarchy
        if len(hierarchy.names) >= MAX_JOINTS:
            raise self.fail(f"more than {MAX_JOINTS} joints")
        open_blocks.append(_Block(len(hierarchy.names), False, start))
        hierarchy.names.append(name)
        hierarchy.parents.append(parent)
        hierarchy.offsets.append((0.0, 0.0, 0.0))
        hierarchy.channels.append([])

    def statement(self, open_blocks: list[_Block]) -> None:
        block = open_blocks[-1]
        name = self.hierarchy.names[block.joint]
        where = f"the end site of {name!r}" if block.is_tip else f"joint {name!r}"
        word = self.word(f"the closing }} of {where}").upper()
        before = self.position - len(word)
        if word == "}":
            if not block.has_offset:
                raise self.fail(f"{where} has no OFFSET", block.start)
            open_blocks.pop()
        elif word == "OFFSET" and not block.has_offset:
            block.has_offset = True
            x, y, z = (self.number(f"three numbers for the OFFSET of {where}") for _ in range(3))
            if block.is_tip:
                self.hierarchy.tips.append((block.joint, (x, y, z)))
            else:
                self.hierarchy.offsets[block.joint] = (x, y, z)
        elif word == "CHANNELS" and not block.is_tip and not block.has_channels:
            block.has_channels = True
            self.hierarchy.channels[block.joint] = self.channels(where)
        elif word == "JOINT" and not block.is_tip:
            self.position = before
            self.open_joint(open_blocks, "JOINT", block.joint)
        elif word == "END" and not block.is_tip:
            self.position = _end_of_name(self.text, self.position)
            if self.word("{") != "{":
                raise self.fail(f"expected {{ after End Site of {name!r}")
            open_blocks.append(_Block(block.joint, True, before))
        elif word in ("OFFSET", "CHANNELS") and not (block.is_tip and word == "CHANNELS"):
            raise self.fail(f"{where} has a second {word}")
        else:
            allowed = "OFFSET or }" if block.is_tip else "OFFSET, CHANNELS, JOINT, End Site or }"
            raise self.fail(f"expected {allowed} in {where}, found {_short(word)}")

    def channels(self, where: str) -> list[tuple[str, int]]:
        word = self.word(f"the number of CHANNELS of {where}")
        if not (word.isascii() and word.isdigit() and len(word) <= 2):
            raise self.fail(f"expected the number of CHANNELS of {where}, found {_short(word)}")
        channels: list[tuple[str, int]] = []
        for _ in range(int(word)):
            name = self.word(f"{word} channel names of {where}")
            found = _CHANNEL.match(name)
            if found is None:
                raise self.fail(
                    f"unknown channel {_short(name)} of {where}, which announces {word}; there are "
                    "Xposition, Yposition, Zposition, Xrotation, Yrotation and Zrotation"
                )
            channel = (found.group(2).lower(), "XYZ".index(found.group(1).upper()))
            if channel in channels:
                raise self.fail(f"{where} has channel {_short(name)} twice")
            channels.append(channel)
        return channels


def _end_of_name(text: str, position: int) -> int:
    found = _NAME.match(text, position)
    return position if found is None else found.end()


def _short(word: str) -> str:
    """A token for a message: one line, printable, not too long."""
    return ascii(word if len(word) <= 30 else word[:30] + "...")
