"""Tables on standard output."""

from __future__ import annotations

import math
import shutil
import sys
import textwrap
from collections.abc import Mapping, Sequence
from typing import Any

from kinema.errors import one_line

PIPE_WIDTH = 160
"""Characters in a line where standard output is not a terminal."""

_LEAST = 8  # characters that a column keeps when others need room
_GAP = "  "


def print_table(columns: Sequence[str], rows: Sequence[Sequence[object]], title: str | None = None) -> None:
    """Print a table. Columns of numbers are aligned to the right, cells that are too long continue in a new line."""
    from rich.cells import cell_len  # rich loads on first use, not with the help

    cells = [[format_cell(value) for value in row] for row in rows]
    widths = [max(map(cell_len, column)) for column in zip(columns, *cells, strict=True)]
    widths = _shrunk(widths, (shutil.get_terminal_size().columns if sys.stdout.isatty() else PIPE_WIDTH) - 3)
    right = [_is_numeric([row[index] for row in rows]) for index in range(len(columns))]
    lines = [] if title is None else [one_line(title)]
    lines += _folded(list(columns), widths, right)
    lines.append(_GAP[:1] + "─" * (sum(widths) + len(_GAP) * (len(widths) - 1) + 2))
    for row in cells:
        lines += _folded(row, widths, right)
    print("\n".join(["", *lines, ""]))


def print_metrics(rows: Sequence[Mapping[str, Any]], keys: Sequence[str]) -> None:
    """Print rows that have a `name` as a table with a line for each key and a column for each row.

    What a row does not have is left open.
    """
    cells = [[key, *(row.get(key) for row in rows)] for key in keys]
    print_table(["metric", *(str(row["name"]) for row in rows)], cells)


def format_cell(value: object) -> str:
    """Text of a cell: `-` for what does not apply, four significant digits for fractions, grouped digits."""
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return "-"
    if isinstance(value, float):
        return f"{value:,.0f}" if abs(value) >= 10_000 else f"{value:.4g}"
    if isinstance(value, int) and not isinstance(value, bool):
        return f"{value:,}"
    return one_line(str(value))


def _is_numeric(values: Sequence[object]) -> bool:
    known = [value for value in values if value is not None]
    return bool(known) and all(isinstance(value, (int, float)) for value in known)


def _shrunk(widths: list[int], room: int) -> list[int]:
    """Widths that fit a line: the widest columns give way."""
    room -= len(_GAP) * (len(widths) - 1)
    widths = list(widths)
    while sum(widths) > room and max(widths) > _LEAST:
        widest = widths.index(max(widths))
        others = sorted(widths)[-2] if len(widths) > 1 else 0
        widths[widest] = max(widths[widest] - (sum(widths) - room), min(others, widths[widest] - 1), _LEAST)
    return widths


def _folded(cells: Sequence[str], widths: Sequence[int], right: Sequence[bool]) -> list[str]:
    """The lines of a row."""
    parts = [_wrapped(cell, width) for cell, width in zip(cells, widths, strict=True)]
    lines = []
    for number in range(max(map(len, parts))):
        texts = [part[number] if number < len(part) else "" for part in parts]
        lines.append(_GAP[:1] + " " + _GAP.join(map(_padded, texts, widths, right)).rstrip())
    return lines


def _wrapped(text: str, width: int) -> list[str]:
    from rich.cells import cell_len, chop_cells  # rich loads on first use, not with the help

    if cell_len(text) <= width:
        return [text]
    return textwrap.wrap(text, width) if cell_len(text) == len(text) else chop_cells(text, width)


def _padded(text: str, width: int, right: bool) -> str:
    from rich.cells import cell_len  # rich loads on first use, not with the help

    space = " " * (width - cell_len(text))
    return space + text if right else text + space
