"""The header and the parameter section of a C3D file, in the number formats of three kinds of processor.

After the format's own manual (c3d.org): blocks of 512 bytes; a header; groups of parameters, each a small array; data.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kinema.arrays import Singles
from kinema.errors import FormatError
from kinema.formats.checks import require

BLOCK = 512
INTEL, DEC, MIPS = 84, 85, 86
MOST_PARAMETERS = 20_000

_TYPES = (-1, 1, 2, 4)  # of values: text, bytes, integers, floats


@dataclass(frozen=True)
class Header:
    """The first block; the parameters repeat most of it and come first if they differ."""

    points: int
    analog: int  # values per frame, of all channels
    first: int
    last: int
    scale: float
    data_block: int
    rate: float


@dataclass(frozen=True)
class Parameters:
    """Parameters by "GROUP:NAME" in capitals: byte strings (rows of text) or numbers, flat."""

    processor: int
    values: dict[str, NDArray[Any] | list[bytes]]

    def numbers(self, name: str) -> list[float]:
        """All numbers of a parameter that are finite; none where it is missing or text."""
        found = self.values.get(name)
        if not isinstance(found, np.ndarray):
            return []
        return [value for value in found.astype(np.float64).tolist() if math.isfinite(value)]

    def number(self, name: str) -> float | None:
        return next(iter(self.numbers(name)), None)

    def texts(self, name: str) -> list[str]:
        """Rows of text, without the blanks that fill them up; none where the parameter is missing or numbers."""
        found = self.values.get(name)
        if not isinstance(found, list):
            return []
        return [readable(row) for row in found]


def readable(raw: bytes) -> str:
    """Text of a fixed field up to the first zero, without outer blanks; Latin-1 if it is not UTF-8."""
    raw = raw.split(b"\0", 1)[0].strip()
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        return raw.decode("latin-1")


def floats(data: bytes, processor: int) -> Singles:
    """32-bit floating point numbers of a kind of processor; VAX numbers of DEC have other exponents and word order."""
    if processor == MIPS:
        return np.frombuffer(data, ">f4").astype(np.float32)
    if processor != DEC:
        return np.frombuffer(data, "<f4").astype(np.float32)
    words = np.frombuffer(data, "<u2").reshape(-1, 2).astype(np.uint32)
    bits = words[:, 0] << 16 | words[:, 1]
    small = (bits & 0x7F800000) == 0  # exponent 0 is zero with any fraction
    return np.where(small, np.float32(0), bits.view(np.float32) / np.float32(4))


def integers(data: bytes, processor: int) -> NDArray[np.int16]:
    """Signed 16-bit integers of a kind of processor."""
    return np.frombuffer(data, ">i2" if processor == MIPS else "<i2").astype(np.int16)


def read_start(data: bytes) -> tuple[Header, Parameters]:
    """Header and parameters.

    Raises:
        FormatError: not a C3D file, or cut off before its parameters end.
    """
    if len(data) < 2 * BLOCK or data[1] != 0x50:
        raise FormatError("is not a C3D file: its second byte must be 0x50, and two blocks of 512 bytes lead it")
    at = BLOCK * (max(data[0], 1) - 1)
    require(at + 4 <= len(data), f"its parameters should start at byte {at}, behind the end")
    processor = data[at + 3]
    if processor not in (INTEL, DEC, MIPS):
        raise FormatError(
            f"is of an unknown kind of processor ({processor}); known are {INTEL} (Intel), {DEC} (DEC) "
            f"and {MIPS} (MIPS)"
        )
    words = integers(data[:24], processor).view(np.uint16).tolist()
    scale, rate = float(floats(data[12:16], processor)[0]), float(floats(data[20:24], processor)[0])
    header = Header(words[1], words[2], words[3], words[4], scale, words[8], rate)
    return header, Parameters(processor, _parameters(data, at + 4, processor))


def _parameters(data: bytes, at: int, processor: int) -> dict[str, NDArray[Any] | list[bytes]]:
    """Values by "GROUP:NAME" out of a chain of records: groups (negative id) and their parameters, in any order."""
    groups: dict[int, str] = {}
    found: list[tuple[int, str, NDArray[Any] | list[bytes]]] = []
    for _ in range(MOST_PARAMETERS):
        length, identity = _signed(data, at), _signed(data, at + 1)
        length = abs(length)  # negative where the parameter is locked
        link = at + 2 + length
        if length == 0 or identity == 0 or link + 2 > len(data):
            break
        name = readable(data[at + 2 : link]).upper()
        step = int(integers(data[link : link + 2], processor).view(np.uint16)[0])
        if identity < 0:
            groups.setdefault(-identity, name)
        else:
            found.append((identity, name, _value(data, link + 2, processor, f"parameter {name!a}")))
        if step == 0:
            break
        at = link + step
    else:
        raise FormatError(f"has more than {MOST_PARAMETERS} parameters")
    values: dict[str, NDArray[Any] | list[bytes]] = {}
    for group, name, value in found:
        values.setdefault(f"{groups.get(group, group)}:{name}", value)
    return values


def _signed(data: bytes, at: int) -> int:
    return int.from_bytes(data[at : at + 1], "little", signed=True)


def _value(data: bytes, at: int, processor: int, shown: str) -> NDArray[Any] | list[bytes]:
    require(at + 2 <= len(data), "is cut off", node=shown)
    kind, dimensions = _signed(data, at), data[at + 1]
    start = at + 2 + dimensions
    if kind not in _TYPES or dimensions > 7:
        raise FormatError(
            f"has type {kind} and {dimensions} dimensions; types are -1, 1, 2 and 4, dimensions at most 7", node=shown
        )
    shape = list(data[at + 2 : start])
    size = math.prod(shape) * abs(kind)
    left = f"has {size} bytes by its dimensions, more than are left in the file"
    require(start + size <= len(data), left, node=shown)
    raw = data[start : start + size]
    if kind == -1:
        width = shape[0] if shape else 1
        return [raw[row : row + width] for row in range(0, size, width or 1)]
    return np.frombuffer(raw, np.uint8) if kind == 1 else (floats if kind == 4 else integers)(raw, processor)
