"""Compiled parts of the BVH reader and writer: numbers from text, numbers to text, Euler angles to quaternions.

The plain references are Python's `float`, its `%` formatting, and `reader.rotations_reference`.
"""

# pyright: reportIndexIssue=false

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

LARGEST = 1e9  # as in the header: beyond this a number is no length or angle
DONE, FULL, BAD_NUMBER, ROW_CROSSED = 0, 1, 2, 3

# Exact in float64, and so is a mantissa below 2^53: one rounding for the numbers that files hold. Longer mantissas and
# exponents below -22 cost a few more, still far below what float32 keeps.
_TENS = 10.0 ** np.arange(23)
_RADIANS = np.pi / 180.0
_S3, _S5, _S7, _S9, _S11, _S13 = ((-1) ** (n // 2) / math.factorial(n) for n in range(3, 14, 2))
_C2, _C4, _C6, _C8, _C10, _C12, _C14 = ((-1) ** (n // 2) / math.factorial(n) for n in range(2, 15, 2))


def _compiled(function: Callable[..., Any]) -> Callable[..., Any]:
    """`njit` with the machine code kept on disk; where no cache folder can be written, compiled per process."""
    try:
        return njit(cache=True, error_model="numpy")(function)
    except RuntimeError:
        return njit(error_model="numpy")(function)


@_compiled
def parse_rows(
    text: NDArray[np.uint8], position: int, columns: int, values: NDArray[np.float64], count: int, line_start: int
) -> tuple[int, int, int, int]:
    """Reads whitespace-separated numbers into a flat array.

    Args:
        text: the whole file.
        position: where to go on.
        columns: numbers in a row. A row may be wrapped over lines; a line may not hold parts of two rows.
        values: float64, filled from `count` on.
        count: numbers read so far.
        line_start: numbers read before the current line.

    Returns:
        status, position, count, line_start. FULL: `values` has no room, call again with a larger copy. BAD_NUMBER:
        the token at `position`. ROW_CROSSED: the line that ends at `position`.
    """
    size = text.size
    room = values.size
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
        if count == room:
            return FULL, position, count, line_start
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


@_compiled
def euler_to_quaternions(
    values: NDArray[np.float64], starts: NDArray[np.int64], axes: NDArray[np.int64], columns: NDArray[np.int64]
) -> NDArray[np.float32]:
    """Local rotations `[F, J, 4]` wxyz from rows of Euler angles.

    Args:
        values: rows `[F, C]`, angles in degrees.
        starts: `[J + 1]`: joint j turns about `axes[starts[j]:starts[j + 1]]` (0 to 2), first channel outermost.
        axes, columns: `[R]`: axis and column of each rotation channel.
    """
    frames, joints, turns = values.shape[0], starts.size - 1, axes.size
    out = np.empty((frames, joints, 4), np.float32)
    sines = np.empty(turns)
    cosines = np.empty(turns)
    angles = np.empty(turns)
    for f in range(frames):
        for r in range(turns):
            angles[r] = values[f, columns[r]]
        for r in range(turns):
            # Sine and cosine of half the angle, branch-free so that it vectorises: reduced to within 45 degrees in
            # degrees, where the reduction is exact, then Taylor (error below 1e-13).
            half = 0.5 * angles[r]
            quarter = np.floor(half * (1.0 / 90.0) + 0.5)
            x = (half - 90.0 * quarter) * _RADIANS
            y = x * x
            s = x * (1.0 + y * (_S3 + y * (_S5 + y * (_S7 + y * (_S9 + y * (_S11 + y * _S13))))))
            c = 1.0 + y * (_C2 + y * (_C4 + y * (_C6 + y * (_C8 + y * (_C10 + y * (_C12 + y * _C14))))))
            turn = np.int64(quarter) & 3
            odd = (turn & 1) == 1
            a = c if odd else s
            b = s if odd else c
            sines[r] = -a if turn >= 2 else a
            cosines[r] = -b if turn == 1 or turn == 2 else b
        for j in range(joints):
            w, x, y, z = 1.0, 0.0, 0.0, 0.0
            for r in range(starts[j], starts[j + 1]):
                c, s, axis = cosines[r], sines[r], axes[r]
                if axis == 0:
                    w, x, y, z = w * c - x * s, x * c + w * s, y * c + z * s, z * c - y * s
                elif axis == 1:
                    w, x, y, z = w * c - y * s, x * c - z * s, y * c + w * s, z * c + x * s
                else:
                    w, x, y, z = w * c - z * s, x * c + y * s, y * c - x * s, z * c + w * s
            out[f, j, 0], out[f, j, 1], out[f, j, 2], out[f, j, 3] = w, x, y, z
    return out


@_compiled
def format_rows(values: NDArray[np.float64], decimals: int) -> NDArray[np.uint8]:
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
