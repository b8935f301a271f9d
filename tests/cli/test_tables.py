"""Tables: widths, alignment, folding."""

from __future__ import annotations

import time

import pytest

from kinema.cli.tables import PIPE_WIDTH, format_cell, print_metrics, print_table


def test_table_keeps_square_brackets_and_long_names(capsys) -> None:
    name = "a/very/long/path/" * 6 + "[bold]walk.bvh"
    print_table(("path", "value"), [[name, 12345], ["x", None]])
    out = capsys.readouterr().out
    assert "[bold]walk.bvh" in out and "12,345" in out and "-" in out


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "-"),
        (float("nan"), "-"),
        (0.123456, "0.1235"),
        (30_123_456.7, "30,123,457"),
        (1234, "1,234"),
        ("x", "x"),
        (True, "True"),
    ],
)
def test_cells(value, text) -> None:
    assert format_cell(value) == text


def test_numbers_stand_at_the_right_and_words_at_the_left(capsys) -> None:
    print_table(("name", "count"), [["walk", 7], ["run", 1234], ["日本", None]], title="clips")
    lines = capsys.readouterr().out.splitlines()
    assert lines[1:3] == ["clips", "  name  count"]
    assert lines[4:] == ["  walk      7", "  run   1,234", "  日本      -", ""]


def test_wide_tables_fold_their_widest_cells_at_words(capsys) -> None:
    reason = "the file ends in the middle of a row " * 12
    print_table(("file", "reason"), [["walk.bvh", reason], ["  indented", "short"]])
    out = capsys.readouterr().out
    assert max(map(len, out.splitlines())) <= PIPE_WIDTH
    assert " ".join(out.split()).count("middle of a row") == 12 and "walk.bvh    the file ends" in out
    assert "    indented  short" in out


def test_a_table_of_many_columns_keeps_all_of_them(capsys) -> None:
    print_table([f"column {n}" for n in range(40)], [["x" * 30] * 40])
    out = capsys.readouterr().out
    assert out.count("x") == 30 * 40


def test_ten_thousand_rows_are_quick(capsys) -> None:
    began = time.process_time()
    print_table(("joint", "part", "sure"), [[f"joint {n}", "helper", f"{n % 100} %"] for n in range(10_000)])
    assert time.process_time() - began < 5.0
    assert capsys.readouterr().out.count("helper") == 10_000


def test_a_row_without_a_figure_leaves_it_open(capsys) -> None:
    print_metrics([{"name": "model", "jerk": 1.5}, {"name": "frozen", "skate": 2.0}], ["jerk", "skate"])
    jerk, skate = capsys.readouterr().out.strip().splitlines()[-2:]
    assert jerk.split() == ["jerk", "1.5", "-"] and skate.split() == ["skate", "-", "2"]
