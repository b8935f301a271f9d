"""Text records: values as the many writers put them, long rows, and texts that are broken."""

from __future__ import annotations

import math
import time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kinema.errors import FormatError
from kinema.formats.fbx.objects import parse
from kinema.formats.fbx.records import Record, Word

HEAD = "; FBX 7.7.0 project file\nFBXHeaderExtension: {\nFBXVersion: 7700\n}\n"


def read(text: str) -> Record:
    return parse((HEAD + text).encode()).root


def test_values_of_every_kind():
    found = read('A: "text", -5, 2.5, 1e-3, Y, "", 123456789012345678, .5\n').children[1].values
    assert found == ["text", -5, 2.5, 1e-3, "Y", "", 123456789012345678, 0.5]
    assert isinstance(found[4], Word) and not isinstance(found[0], Word) and isinstance(found[1], int)


def test_escapes_comments_and_names_with_colons():
    root = read('; a comment {\nA: "say &quot;hi&quot;&lf;; no comment" ; one\nP: "mixamorig:Hips" {;x\nB: 1\n}\n')
    assert root.children[1].values == ['say "hi"\n; no comment']
    assert root.children[2].values == ["mixamorig:Hips"] and root.children[2].children[0].name == "B"


def test_values_go_on_over_lines_behind_commas_and_may_begin_on_the_next_one():
    root = read("A: 1,2\n  ,3,\n  4\nB:\n   5,L,6\nC:\nD: {\nE: \n}\n")
    assert [child.values for child in root.children[1:]] == [[1, 2, 3, 4], [5, "L", 6], [], []]
    assert [child.name for child in root.children[4].children] == ["E"]


def test_long_rows_become_arrays_and_end_before_the_next_name():
    row = ",".join(str(number) for number in range(60))
    root = read(f"Vertices: {row}\nEdges: {row},0.5\n\t,7\nE: 3\n")
    np.testing.assert_array_equal(root.children[1].numbers(np.int64), np.arange(60))
    assert root.children[1].values[0].dtype == np.int64
    np.testing.assert_array_equal(root.children[2].numbers(), [*range(60), 0.5, 7])
    assert [child.name for child in root.children[1:]] == ["Vertices", "Edges", "E"]


def test_rows_with_letters_in_between_stay_in_order():
    keys = ",".join(f"{k * 100000000000},{k}.123456789012345678901234567,U,s,0.1,0.2,n" for k in range(30))
    root = read(f"Row: {keys}\nKey: {keys}\n   ,5\nB: 1\n")
    values = root.children[1].values
    assert len(values) == 210 and values[7:11] == [100000000000, 1.1234567890123457, "U", "s"]
    (row,) = root.children[2].values  # keys hold the codes of letters, as the binary form does
    assert row[7:11].tolist() == [100000000000, 1.1234567890123457, 85, 115] and row[-2:].tolist() == [110, 5]
    assert root.children[3].values == [1]


def test_arrays_with_numbers_that_are_none():
    root = read("A: *7 { a: 1,nan,-inf, 1.#IND,-1.#INF ; no\n,snan,infty }\nB: *0 { }\nC: *0 {a: }\n")
    found = root.children[1].numbers()
    assert found[0] == 1 and found[2] == found[4] == -math.inf and found[6] == math.inf
    assert np.isnan(found[[1, 3, 5]]).all()
    assert len(root.children[2].numbers()) == len(root.children[3].numbers()) == 0


def test_gaps_and_wrong_sizes_of_arrays_are_reported():
    found = parse((HEAD + "A: *3 { a: 1,,3 }\nB: *4 { a: 1,2 }\nC: *2 { a: 1,2, }\n").encode())
    a, b, c = (record.numbers() for record in found.root.children[1:])
    assert a[[0, 2]].tolist() == [1, 3] and np.isnan(a[1]) and b.tolist() == c.tolist() == [1, 2]
    assert found.warnings == [
        "line 5: an array has gaps, which were taken as missing numbers",
        "line 6: an array of 4 numbers holds 2",
    ]


@pytest.mark.parametrize("count", [2, 40])
def test_gaps_in_rows_of_version_6_are_missing_numbers(count: int):
    row = ",".join(["1.5"] * count)
    found = parse((HEAD + f"A: {row},,,{row}\nB: 7\n").encode())
    a, b = (record.numbers() for record in found.root.children[1:])
    np.testing.assert_array_equal(a, [*[1.5] * count, np.nan, np.nan, *[1.5] * count])
    assert b.tolist() == [7]
    assert found.warnings == ["line 5: an array has gaps, which were taken as missing numbers"]


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1, max_size=60))
def test_doubles_come_back_as_they_were(values: list[float]):
    text = ",".join(map(repr, values))
    root = read(f"A: *{len(values)} {{ a: {text} }}\nB: {text}\n")
    assert root.children[1].numbers().tolist() == root.children[2].numbers().tolist() == values


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("}\n", "line 5: a } closes nothing"),
        ("A: 1 2\n", "expected a comma or a line break"),
        ("A: ?\n", "expected a value"),
        ("A 1\n", "expected a name and a colon"),
        ("A: *2 { a: 1,x }\n", "expected a number, found 'x'"),
        ("A: *2\nB: 3\n", "expected {"),
        ("A: " + "{ B: " * 40 + "}" * 40, "nested more than 32 deep"),
        ('A: ?"open\n', "expected a value"),
    ],
)
def test_broken_texts_are_refused_with_their_line(text: str, message: str):
    with pytest.raises(FormatError) as caught:
        read(text)
    assert message in str(caught.value) and "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "rest",
    [
        "",
        "C",
        "C: 1",
        "C: 1,2,",
        "C: *3",
        "C: *3 {\na: 1,2\n",
        'C: "te',
        'C: "te\n',
        "C: {\nD: {\nE: 3\n",
        "C: {\n}\nD: 5",
    ],
)
def test_a_text_that_is_cut_short_keeps_the_records_that_are_whole(rest: str):
    found = parse((HEAD + "A: {\nB: 1\nB: 2\n" + rest).encode())
    assert [child.name for child in found.root.children] == ["FBXHeaderExtension", "A"]
    kept = found.root.children[1].children
    assert [child.values for child in kept] == ([[1], [2], []] if "}" in rest else [[1], [2]])
    assert "inside 'A'" in found.cut


def test_a_text_that_ends_where_it_should_is_not_cut_short():
    whole = HEAD + "A: {\nB: 1\n}\nC: 5"
    assert parse(whole.encode()).cut == ""
    assert parse((whole + ', "').encode()).cut == "in line 8"


def test_the_version_may_stand_in_the_first_comment_alone():
    assert parse(b"; FBX 6.1.0 project file\nObjects: {\n}\n").version == 6100
    with pytest.raises(FormatError, match="has FBX version 0"):
        parse(b"; FBX\nObjects: {\n}\n")


def test_a_broken_row_is_looked_through_once():
    row = ",".join(["1,1e5,3.25"] * 20000)
    start = time.process_time()
    assert len(read(f"A: {row},0x\n".replace(",0x", ',"x"') + "B: 1\n").children[1].values) == 60001
    with pytest.raises(FormatError, match="expected a value"):
        read(f"A: {row},?,{row}\n")
    assert time.process_time() - start < 5
