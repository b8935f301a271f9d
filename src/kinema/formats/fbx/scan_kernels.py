"""Compiled search for the records of a binary FBX file. A plain version is in its test."""

# pyright: reportIndexIssue=false, reportReturnType=false, reportArgumentType=false

from __future__ import annotations

import numpy as np

from kinema.arrays import Bytes, Ints
from kinema.compiled import njit
from kinema.kernels import assign

CLOSED, OPEN, CUT, IN_HEAD, PAST_END, TOO_DEEP = 0, 1, 2, 3, 4, 5
"""How a search ended: at the record that closes the file, at the end of the file without it, at the end of the file
inside a record, or at damage."""

NAME, START, COUNT, LENGTH, AFTER = 0, 1, 2, 3, 4
"""Columns of the table: where the name begins, where the values begin, their number and bytes, and the row after the
last record inside."""

_HUGE = 1 << 62


@njit
def _number(data: Bytes, offset: int, width: int, big: bool) -> int:
    """An unsigned number; `_HUGE` where it is larger."""
    found = 0
    for place in range(width):
        byte = np.int64(data[offset + (place if big else width - 1 - place)])
        if found >> 54:
            return _HUGE
        found = found << 8 | byte
    return found


@njit
def scan(data: Bytes, begin: int, width: int, big: bool, most_depth: int) -> tuple[Ints, int, int, int, int, int]:
    """All records of a file, in file order.

    Args:
        data: `[N]`, the file.
        begin: offset of the first record.
        width: bytes of an offset.
        big: whether the most significant byte comes first.
        most_depth: of records in records.

    Returns:
        The table `[R, 5]` with a row a record, how the search ended, and for damage: the offset, the row of the
        record that it is in (-1 for the file), where the damaged record ends and where it should at the latest.
        A file that is cut short has its complete records down to the second level, and the top-level record (-1 for
        none) that it ends in.
    """
    head, size = 3 * width + 1, data.size
    table = np.empty((size // 64 + 16, 5), np.int64)
    owners, ends = np.empty(most_depth + 2, np.int64), np.empty(most_depth + 2, np.int64)
    owners[0], ends[0], depth = -1, size, 0
    offset, rows, end = begin, 0, size
    while offset + head <= end or depth > 0:
        if end > size and offset + head > size:
            break
        if offset + head > end and offset < end:
            return table[:rows], IN_HEAD, offset, owners[depth], 0, end
        stop = _number(data, offset, width, big) if offset < end else 0
        if stop == 0:  # the empty record that closes a list
            if depth == 0:
                return table[:rows], CLOSED, offset, -1, 0, end
            table[owners[depth], AFTER] = rows
            depth -= 1
            offset, end = end, ends[depth]
            continue
        length = _number(data, offset + 2 * width, width, big)
        name = offset + head
        start = name + np.int64(data[name - 1])
        if depth == 0 and stop > size:
            end = stop  # the file ends before the record does
        if stop > end or start + length > stop:
            return table[:rows], PAST_END, offset, owners[depth], stop, end
        if start + length > size:
            break
        if rows == len(table):
            grown = np.empty((2 * rows, 5), np.int64)
            assign(grown[:rows], table)
            table = grown
        table[rows, NAME], table[rows, START], table[rows, LENGTH] = name, start, length
        table[rows, COUNT], table[rows, AFTER] = _number(data, offset + width, width, big), rows + 1
        offset = start + length
        if offset < stop:
            depth += 1
            if depth > most_depth:
                return table[:rows], TOO_DEEP, offset, rows, stop, end
            owners[depth], ends[depth], end = rows, stop, stop
        rows += 1
    if offset <= size and end <= size:
        return table[:rows], OPEN, offset, -1, 0, end
    if depth > 1:
        rows = owners[2]
    if depth > 0:
        table[owners[1], AFTER] = rows
    return table[:rows], CUT, offset, owners[1] if depth > 0 else -1, 0, end
