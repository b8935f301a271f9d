"""The HIERARCHY section of a BVH file: joints, offsets and channels, without recursion."""

from __future__ import annotations

import math
import re
from collections import Counter
from dataclasses import dataclass, field

from kinema.errors import FormatError, listed
from kinema.formats.checks import require
from kinema.formats.trees import unique_names
from kinema.skeleton import MAX_JOINTS

LARGEST = 1e9
"""Numbers beyond this are not a length or an angle; the motion rows have the same limit."""

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


def parse_hierarchy(data: bytes) -> Hierarchy:
    """Reads the bytes before MOTION. FormatError names the line that is wrong."""
    require(len(data) <= MOST_BYTES, f"has no line MOTION in its first {MOST_BYTES} bytes")
    try:
        text, notes = data.decode("utf-8-sig"), []
    except UnicodeDecodeError:
        text, notes = data.decode("latin-1"), ["joint names are not UTF-8, read as Latin-1"]
    reader = _Reader(re.sub(r"\r\n?", "\n", text))
    reader.hierarchy.warnings.extend(notes)
    reader.read()
    hierarchy = reader.hierarchy
    repeated = [name for name, count in Counter(hierarchy.names).items() if count > 1]
    hierarchy.names = unique_names(hierarchy.names, "_", 2)
    if repeated:
        hierarchy.warnings.append(f"joint names used more than once were given numbers: {listed(repeated)}")
    return hierarchy


@dataclass
class _Block:
    """An open `{`: a joint, or the end site of one, which starts at `start`; `seen` are the statements in it."""

    joint: int
    is_tip: bool
    where: str
    start: int
    seen: set[str] = field(default_factory=set)


class _Reader:
    def __init__(self, text: str) -> None:
        self.text, self.position = text, 0
        self.hierarchy = Hierarchy()

    def fail(self, message: str, position: int | None = None) -> FormatError:
        at = self.position if position is None else position
        return FormatError(message, line=1 + self.text.count("\n", 0, at))

    def require(self, ok: object, message: str, position: int | None = None) -> None:
        if not ok:
            raise self.fail(message, position)

    def peek(self) -> str | None:
        found = _WORD.match(self.text, self.position)
        return None if found is None else found.group(1)

    def word(self, expected: str) -> str:
        found = _WORD.match(self.text, self.position)
        if found is None:
            last = 1 + self.text.rstrip().count("\n")
            raise FormatError(f"the HIERARCHY section ends where {expected} should be", line=last)
        self.position = found.end()
        return found.group(1)

    def number(self, expected: str) -> float:
        word = self.word(expected)
        try:
            value = float(word)
        except ValueError:
            value = math.nan
        self.require(abs(value) <= LARGEST, f"expected {expected}, found {_short(word)}")
        return value

    def read(self) -> None:
        if self.peek() is None:
            raise FormatError("is empty; a BVH file starts with HIERARCHY", line=1)
        word = self.word("HIERARCHY")
        self.require(word.upper() == "HIERARCHY", f"a BVH file starts with HIERARCHY, found {_short(word)}")
        open_blocks: list[_Block] = []
        while open_blocks or self.peek() is not None:
            if not open_blocks:
                self.open_joint(open_blocks, "ROOT", -1)
            else:
                self.statement(open_blocks)
        self.require(self.hierarchy.names, "the HIERARCHY section has no ROOT")

    def open_joint(self, open_blocks: list[_Block], keyword: str, parent: int) -> None:
        word = self.word(keyword)
        start = self.position - len(word)
        self.require(word.upper() == keyword, f"expected {keyword} or MOTION, found {_short(word)}")
        at = self.position
        name = self.name()
        self.require(name, f"{keyword} has no name", at)
        self.require(self.word("{") == "{", f"expected {{ after joint {name!r}")
        hierarchy = self.hierarchy
        self.require(len(hierarchy.names) < MAX_JOINTS, f"more than {MAX_JOINTS} joints")
        open_blocks.append(_Block(len(hierarchy.names), False, f"joint {name!r}", start))
        hierarchy.names.append(name)
        hierarchy.parents.append(parent)
        hierarchy.offsets.append((0.0, 0.0, 0.0))
        hierarchy.channels.append([])

    def statement(self, open_blocks: list[_Block]) -> None:
        block = open_blocks[-1]
        word = self.word(f"the closing }} of {block.where}").upper()
        before = self.position - len(word)
        match word:
            case "}":
                self.require("OFFSET" in block.seen, f"{block.where} has no OFFSET", block.start)
                open_blocks.pop()
            case "OFFSET":
                self.once(block, word)
                self.offset(block)
            case "CHANNELS" if not block.is_tip:
                self.once(block, word)
                self.hierarchy.channels[block.joint] = self.channels(block.where)
            case "JOINT" if not block.is_tip:
                self.position = before
                self.open_joint(open_blocks, "JOINT", block.joint)
            case "END" if not block.is_tip:
                self.open_tip(open_blocks, block.joint, before)
            case _:
                allowed = "OFFSET or }" if block.is_tip else "OFFSET, CHANNELS, JOINT, End Site or }"
                raise self.fail(f"expected {allowed} in {block.where}, found {_short(word)}")

    def once(self, block: _Block, word: str) -> None:
        self.require(word not in block.seen, f"{block.where} has a second {word}")
        block.seen.add(word)

    def offset(self, block: _Block) -> None:
        x, y, z = (self.number(f"three numbers for the OFFSET of {block.where}") for _ in range(3))
        if block.is_tip:
            self.hierarchy.tips.append((block.joint, (x, y, z)))
        else:
            self.hierarchy.offsets[block.joint] = (x, y, z)

    def open_tip(self, open_blocks: list[_Block], joint: int, start: int) -> None:
        name = self.hierarchy.names[joint]
        self.name()
        self.require(self.word("{") == "{", f"expected {{ after End Site of {name!r}")
        open_blocks.append(_Block(joint, True, f"the end site of {name!r}", start))

    def name(self) -> str:
        """The rest of the line, up to a brace."""
        found = _NAME.match(self.text, self.position)
        if found is None:
            return ""
        self.position = found.end()
        return found.group(1).strip()

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
            self.require(channel not in channels, f"{where} has channel {_short(name)} twice")
            channels.append(channel)
        return channels


def _short(word: str) -> str:
    """A token for a message: one line, printable, not too long."""
    return ascii(word if len(word) <= 30 else word[:30] + "...")
