"""The compiled parts against their plain references."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from kinema.formats.bvh import kernels as bvh_kernels


def numbers(text: bytes, columns: int = 1) -> tuple[int, int, list[float]]:
    values = np.full(len(text) // 2 + 1, np.nan)
    status, position, count, _ = bvh_kernels.parse_rows(np.frombuffer(text, np.uint8), 0, columns, values)
    return status, position, values[:count].tolist()


@settings(max_examples=500, deadline=None, derandomize=True)
@given(st.floats(-1e9, 1e9), st.sampled_from(["%r", "%.6f", "%.3e", "%+.17g", "%.25f", "%012.4f", "%g"]))
@example(5e-324, "%r")
@example(1e9, "%.25f")
@example(-0.0, "%r")
@example(123456789.123456789, "%.17e")
def test_numbers_are_read_like_python_reads_them(value: float, how: str) -> None:
    text = (how % value).encode()
    status, _, found = numbers(text)
    if abs(float(text)) <= 1e9:
        assert status == bvh_kernels.DONE
        assert found[0] == pytest.approx(float(text), rel=4e-15, abs=1e-300)  # to some units in the last place


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1", 1),
        ("1.", 1),
        (".5", 0.5),
        ("-.5", -0.5),
        ("+2", 2),
        ("1e2", 100),
        ("1E-2", 0.01),
        ("1.5e+1", 15),
        ("00012.50", 12.5),
        ("0e999999999999", 0),
        ("1e-999999999999", 0),
        ("0." + "0" * 30 + "1e31", 1),
        ("1" + "0" * 30 + "e-30", 1),
    ],
)
def test_odd_numbers(text: str, value: float) -> None:
    status, position, found = numbers(text.encode())
    assert (status, position) == (bvh_kernels.DONE, len(text)) and found == pytest.approx([value], rel=1e-14)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "-",
        "+",
        ".",
        "e5",
        "1e",
        "1e+",
        "--1",
        "1-",
        "1.2.3",
        "0x10",
        "1_0",
        "1,5",
        "nan",
        "inf",
        "1e10",
        "-1000000001",
        "1e400",
        "1\0",
        "\xe9",
    ],
)
def test_what_is_no_number(text: str) -> None:
    status, position, found = numbers(b"7 " + text.encode() + b" 8" if text else b"7")
    assert (status, position) == ((bvh_kernels.BAD_NUMBER, 2) if text else (bvh_kernels.DONE, 1)) and found == [7]


def test_rows_may_be_wrapped_but_lines_may_not_hold_parts_of_two() -> None:
    assert numbers(b"1 2\r\n3\n\n4 5 6\r7", 3) == (bvh_kernels.DONE, 15, [1, 2, 3, 4, 5, 6, 7])
    status, position, _ = numbers(b"1 2\n3 4\n5 6", 3)
    assert (status, position) == (bvh_kernels.ROW_CROSSED, 7)
    assert numbers(b"1 2 3 4", 3)[:2] == (bvh_kernels.ROW_CROSSED, 7)


def test_there_is_room_for_as_many_numbers_as_a_text_may_hold() -> None:
    assert numbers(b"1 2 3 4 5")[2] == [1, 2, 3, 4, 5] and numbers(b"")[2] == [] and numbers(b"7\n")[2] == [7]


@pytest.mark.parametrize("decimals", [0, 1, 6, 8])
def test_text_is_what_python_would_write(rng: np.random.Generator, decimals: int) -> None:
    values = rng.normal(size=(200, 7)) * 10.0 ** rng.integers(-8, 8, size=(200, 7))
    values[0] = [0, -0.0, 1, -1, 999999999, -999999999, 1e-12]
    lines = bvh_kernels.format_rows(values, decimals).tobytes().decode().splitlines()
    assert len(lines) == 200
    for row, line in zip(values, lines, strict=True):
        for value, word in zip(row, line.split(" "), strict=True):
            assert float(word) == pytest.approx(value, abs=0.5000001 * 10.0**-decimals, rel=1e-15)
            assert len(word.partition(".")[2]) == decimals and (float(word) or word[0] != "-")
    assert bvh_kernels.format_rows(np.float64([[1.5, -2]]), 3).tobytes() == b"1.500 -2.000\n"
    assert bvh_kernels.format_rows(np.zeros((0, 3)), 3).size == 0
