"""Compiled parts of the BVH reader and writer: numbers from text and numbers to text.

The plain references are Python's `float` and its `%` formatting.
"""

# pyright: reportIndexIssue=false

from __future__ import annotations

import numpy as np

from kinema.arrays import Bytes, Floats
from kinema.compiled import njit
from kinema.formats.bvh.header import LARGEST

DONE, BAD_NUMBER, ROW_CROSSED = 0, 1, 2

# Exact in float64, and so is a mantissa below 2^53: one rounding for the numbers that files hold. Longer mantissas and
# exponents below -22 cost a few more, still far below what float32 keeps.
_TENS = 10.0 ** np.arange(23)


# One function although it is long: taken apart, it takes half as long again.
@njit(error_model="numpy")
def parse_rows(text: Bytes, position: int, columns: int, values: Floats) -> tuple[int, int, int, int]:
    """Reads whitespace-separated numbers into a flat array.

    Args:
        text: the whole file.
        position: where to begin.
        columns: numbers in a row. A row may be wrapped over lines; a line may not hold parts of two rows.
        values: float64, filled from the beginning; as long as there may be numbers: half the text and one.

    Returns:
        status, position, numbers read, numbers read before the current line. BAD_NUMBER: the token at `position`.
        ROW_CROSSED: the line that ends at `position`.
    """
    size = text.size
    count, line_start = 0, 0
    while position < size:
        c = text[position]
        if c == 32 or c == 9 or c == 11 or c == 12:
            position += 1
            continue
        if c == 10 or c == 13:
            if count > line_start and line_start // columns != (count - 1) // columns:
                return ROW_CROSSED, position, count, line_start
            line_start = count
            position += 1
            continue
        start = position
        negative = c == 45
        if negative or c == 43:
            position += 1
        mantissa = np.int64(0)
        exponent = 0
        first = position
        while position < size:
            digit = np.int64(text[position]) - 48
            if digit < 0 or digit > 9:
                break
            if mantissa < 100_000_000_000_000_000:
                mantissa = mantissa * 10 + digit
            else:
                exponent += 1
            position += 1
        digits = position - first
        if position < size and text[position] == 46:
            position += 1
            first = position
            while position < size:
                digit = np.int64(text[position]) - 48
                if digit < 0 or digit > 9:
                    break
                if mantissa < 100_000_000_000_000_000:
                    mantissa = mantissa * 10 + digit
                    exponent -= 1
                position += 1
            digits += position - first
        if digits == 0:
            return BAD_NUMBER, start, count, line_start
        if position < size and (text[position] == 101 or text[position] == 69):
            position += 1
            down = False
            if position < size and (text[position] == 45 or text[position] == 43):
                down = text[position] == 45
                position += 1
            first = position
            power = 0
            while position < size:
                digit = np.int64(text[position]) - 48
                if digit < 0 or digit > 9:
                    break
                power = min(power * 10 + digit, 9999)
                position += 1
            if position == first:
                return BAD_NUMBER, start, count, line_start
            exponent += -power if down else power
        if position < size:
            c = text[position]
            if not (c == 32 or (c >= 9 and c <= 13)):
                return BAD_NUMBER, start, count, line_start
        value = np.float64(mantissa)
        if exponent < 0:
            if exponent >= -22:
                value /= _TENS[-exponent]
            else:
                value = value / _TENS[22] * 10.0 ** (exponent + 22)
        elif exponent > 0 and mantissa > 0:
            value = value * _TENS[exponent] if exponent <= 22 else np.inf
        if not value <= LARGEST:
            return BAD_NUMBER, start, count, line_start
        values[count] = -value if negative else value
        count += 1
    if count > line_start and line_start // columns != (count - 1) // columns:
        return ROW_CROSSED, position, count, line_start
    return DONE, position, count, line_start


@njit(error_model="numpy")
def format_rows(values: Floats, decimals: int) -> Bytes:
    """Rows `[F, C]` as text with a fixed number of decimals, a space between numbers and a newline after each row.

    Values must be finite and below 1e9 in size; the caller checks.
    """
    frames, columns = values.shape
    power = np.int64(1)
    for _ in range(decimals):
        power *= 10
    text = np.empty(frames * columns * (13 + decimals), np.uint8)
    digits = np.empty(24, np.uint8)
    end = 0
    for f in range(frames):
        for c in range(columns):
            scaled = np.int64(np.rint(np.abs(values[f, c]) * power))
            if values[f, c] < 0 and scaled > 0:
                text[end] = 45
                end += 1
            count = 0
            while scaled > 0 or count <= decimals:
                digits[count] = 48 + scaled % 10
                scaled //= 10
                count += 1
            for d in range(count - 1, -1, -1):
                text[end] = digits[d]
                end += 1
                if d == decimals and decimals > 0:
                    text[end] = 46
                    end += 1
            text[end] = 32 if c + 1 < columns else 10
            end += 1
    return text[:end]
