"""AMC rows, right and wrong."""

from __future__ import annotations

import numpy as np
import pytest

from kinema.errors import FormatError
from kinema.formats.acclaim import motion as room
from kinema.formats.acclaim.motion import parse_motion
from kinema.formats.acclaim.skeleton import AcclaimSkeleton, parse_skeleton

ASF = b""":units
angle deg
:bonedata
begin
name a
direction 0 1 0
length 1
dof rx rz
end
begin
name b
direction 0 1 0
length 1
dof ry
end
:hierarchy
root a
a b
"""
AMC = b"# head\n:FULLY-SPECIFIED\n:DEGREES\n1\nroot 1 2 3 4 5 6\nB 9\na 7 8\n2\nroot 0 0 0 0 0 0\nb 1e1\nA -7 .5\n"


@pytest.fixture
def figure() -> AcclaimSkeleton:
    return parse_skeleton(ASF)


def test_rows_go_to_their_bones_in_any_order_and_case(figure: AcclaimSkeleton):
    warnings: list[str] = []
    motion = parse_motion(AMC, figure, warnings)
    assert motion.frames == 2 and motion.degrees and not warnings
    assert {bone: values.tolist() for bone, values in motion.values.items()} == {
        0: [[1, 2, 3, 4, 5, 6], [0, 0, 0, 0, 0, 0]],
        1: [[7, 8], [-7, 0.5]],
        2: [[9], [10]],
    }
    assert not parse_motion(AMC.replace(b"DEGREES", b"RADIANS"), figure, warnings).degrees


def test_brackets_and_commas_separate_numbers(figure: AcclaimSkeleton):
    bracketed = AMC.replace(b"root 1 2 3 4", b"root (1,2 3),4")
    values = parse_motion(bracketed, figure, []).values
    assert values[0][0].tolist() == [1, 2, 3, 4, 5, 6]


def test_a_cut_frame_is_dropped_and_still_bones_said(figure: AcclaimSkeleton):
    warnings: list[str] = []
    assert parse_motion(AMC[:-9], figure, warnings).frames == 1
    assert warnings == ["the last frame has 2 of 3 bones and was dropped: the file is cut short"]
    warnings.clear()
    motion = parse_motion(b"1\nroot 1 2 3 4 5 6\n2\nroot 1 2 3 4 5 6\n", figure, warnings)
    assert motion.frames == 2 and list(motion.values) == [0] and warnings == ["bones without motion stay at rest: a, b"]


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (AMC, b":DEGREES\n", "has no frames"),
        (b"B 9", b"C 9", "line 6: moves a bone 'C'"),
        (b"B 9", b"B 9 9", "line 6: the bone 'B' has 1 channels in the skeleton, 2 here"),
        (b"B 9", b"a 1 2", "line 4: the first frame moves a bone twice"),
        (b"b 1e1", b"b x", "line 10: 'b' needs a number below 1e.09, found 'x'"),
        (b"b 1e1", b"b nan", "line 10: 'b' needs a number"),
        (b"b 1e1", b"b 1 2", "line 10: expected 'b' and 1 numbers, as in the first frame, found 'b 1 2'"),
        (b"b 1e1", b"c 1", "line 10: expected 'b' and 1 numbers"),
        (b"\n2\n", b"\nx\n", "line 8: moves a bone 'x'"),
        (b"A -7 .5\n", b"A -7 .5 3\n", "line 11: expected 'a' and 2 numbers, as in the first frame"),
        (b"A -7 .5\n", b"A -7 x\n", "line 11: 'A' needs 2 numbers below 1e.09, found '-7 x'"),
    ],
)
def test_refusals_name_the_line(figure: AcclaimSkeleton, old: bytes, new: bytes, said: str):
    with pytest.raises(FormatError, match=said):
        parse_motion(AMC.replace(old, new), figure, [])


def test_words_and_values_are_bounded(figure: AcclaimSkeleton, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(room, "MOST_WORDS", 10)
        with pytest.raises(FormatError, match="at most 10 of a motion"):
            parse_motion(AMC, figure, [])
    monkeypatch.setattr(room, "MOST_VALUES", 10)
    with pytest.raises(FormatError, match="2 frames of 3 bones, more than are read"):
        parse_motion(AMC, figure, [])


def test_ten_minutes_are_read(figure: AcclaimSkeleton):
    frame = b"root 1 2 3 4 5 6\nB 9\na 7 8\n"
    data = b"".join(b"%d\n%s" % (number, frame) for number in range(1, 72_001))
    values = parse_motion(data, figure, []).values
    assert values[0].shape == (72_000, 6) and np.array_equal(values[1][-1], [7, 8]) and values[2][-1] == 9
