"""The compiled search for records finds what a plain one in Python finds."""

from __future__ import annotations

from typing import Any

import numpy as np

from kinema.formats.fbx.scan_kernels import CLOSED, CUT, IN_HEAD, OPEN, PAST_END, TOO_DEEP, scan

from .test_binary import file, maker, value


def plain_scan(data: bytes, begin: int, width: int, big: bool, most_depth: int) -> tuple[list[list[int]], int]:
    """What `scan` finds, by recursion: the table, and how the search ended."""
    head, order = 3 * width + 1, "big" if big else "little"
    table: list[list[int]] = []

    def number(offset: int) -> int:
        return min(int.from_bytes(data[offset : offset + width], order), 1 << 62)

    def inside(offset: int, end: int, depth: int) -> int:
        """Reads the records of one list up to `end`; how it ended."""
        while True:
            if offset > len(data) or (end > len(data) and offset + head > len(data)):
                return CUT
            if offset + head > end:
                return OPEN if depth == 0 else CLOSED if offset >= end else IN_HEAD
            stop = number(offset)
            if stop == 0:
                return CLOSED
            name = offset + head
            start, length = name + data[name - 1], number(offset + 2 * width)
            if (stop > end and depth > 0) or start + length > stop:
                return PAST_END
            if start + length > len(data):
                return CUT
            row = [name, start, number(offset + width), length, 0]
            offset = stop
            table.append(row)
            if start + length < stop:
                if depth == most_depth:
                    table.pop()
                    return TOO_DEEP
                ending = inside(start + length, stop, depth + 1)
                if ending == CUT and depth == 1:
                    del table[table.index(row) :]
                if ending == CUT and depth == 0:
                    row[4] = len(table)
                if ending != CLOSED:
                    return ending
            row[4] = len(table)

    return table, inside(begin, len(data), 0)


def grown(rng: np.random.Generator, depth: int, wide: bool, order: str) -> Any:
    inner = [grown(rng, depth - 1, wide, order) for _ in range(rng.integers(4))] if depth else []
    values = [value("I", int(rng.integers(1000)), order) for _ in range(rng.integers(3))]
    return maker("N" * int(rng.integers(9)), values, inner, wide, order)


def test_the_search_for_records_is_that_in_python(rng: np.random.Generator):
    endings: set[int] = set()
    for trial in range(1000):
        wide, big = bool(rng.integers(2)), bool(rng.integers(2))
        order, version = ">" if big else "<", 7700 if wide else 7400
        whole = file([grown(rng, int(rng.integers(5)), wide, order) for _ in range(4)], version, order)
        data = bytearray(whole[: len(whole) - (int(rng.integers(len(whole) - 28)) if trial % 2 else 0)])
        for _ in range(rng.integers(3)):
            data[int(rng.integers(27, len(data)))] = int(rng.choice([0, 1, 40, 255, rng.integers(256)]))
        table, ending, *_ = scan(np.frombuffer(bytes(data), np.uint8), 27, 8 if wide else 4, big, 3)
        expected, end = plain_scan(bytes(data), 27, 8 if wide else 4, big, 3)
        assert ending == end
        if ending in (CLOSED, OPEN, CUT):
            assert table.tolist() == expected
        endings.add(ending)
    assert endings == {CLOSED, OPEN, CUT, IN_HEAD, PAST_END, TOO_DEEP}
