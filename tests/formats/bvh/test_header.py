"""The HIERARCHY section."""

from __future__ import annotations

import pytest

from kinema.errors import FormatError
from kinema.formats.bvh import header
from kinema.formats.bvh.header import find_motion, line_at, parse_hierarchy

TEXT = (
    b"HIERARCHY\nROOT a {\nOFFSET 1 2 3\nCHANNELS 2 Yrotation Zposition\n"
    b"JOINT b\n{ OFFSET 0 1 0\nEnd Site { OFFSET 0 0 4 }\n}}"
)


def test_joints_channels_and_tips() -> None:
    found = parse_hierarchy(TEXT)
    assert (found.names, found.parents, found.offsets) == (["a", "b"], [-1, 0], [(1, 2, 3), (0, 1, 0)])
    assert found.channels == [[("rotation", 1), ("position", 2)], []] and found.channel_count == 2
    assert found.tips == [(1, (0, 0, 4))] and found.warnings == []


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b"\n", b"\r\n"),
        (b"\n", b"\r"),
        (b"\n", b"\n\n"),
        (b"\n", b"  \n\t"),
        (b"OFFSET", b"offset"),
        (b"ROOT", b"Root"),
        (b"rotation", b"ROTATION"),
        (b"End Site", b"End"),
        (b"End Site", b"END SITE"),
        (b"End Site", b"End Site hand tip"),
        (b"HIERARCHY", b"\xef\xbb\xbfHierarchy"),
        (b"2 Y", b"2\nY"),
        (b"1 2 3", b"+1 2.0\n3e0"),
    ],
)
def test_spellings(old: bytes, new: bytes) -> None:
    assert vars(parse_hierarchy(TEXT.replace(old, new))) == vars(parse_hierarchy(TEXT))


def test_unclosed_and_empty() -> None:
    for end in range(len(TEXT)):
        with pytest.raises(FormatError) as caught:
            parse_hierarchy(TEXT[:end])
        assert caught.value.line is not None
    with pytest.raises(FormatError, match="has no ROOT"):
        parse_hierarchy(b"HIERARCHY\n")
    with pytest.raises(FormatError, match="expected ROOT or MOTION, found '}'"):
        parse_hierarchy(TEXT + b"}")


def test_motion_is_a_line_of_its_own() -> None:
    assert find_motion(b"ROOT MOTION\n{}\nMOTION\nFrames") == 15
    assert find_motion(b"}\r\tmotion\rFrames") == 3
    assert find_motion(b"} MOTION") == 2
    assert find_motion(b"ROOT MOTION\nJOINT MOTIONS") is None


def test_lines_are_counted_for_every_kind_of_line_end() -> None:
    assert [line_at(text, len(text)) for text in (b"", b"a", b"a\n", b"a\r\nb", b"a\rb\rc", b"\n\r")] == [
        1,
        1,
        2,
        2,
        3,
        3,
    ]


def test_a_hierarchy_without_an_end_is_refused_before_it_is_taken_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(header, "MOST_BYTES", 100)
    text = b"HIERARCHY" + b" " * 100 + b"\nMOTION\n"
    assert find_motion(text) is None
    with pytest.raises(FormatError, match=r"^has no line MOTION in its first 100 bytes"):
        parse_hierarchy(text)
