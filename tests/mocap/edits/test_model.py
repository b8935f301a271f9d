"""What edits may be."""

import dataclasses

import pytest

from kinema.mocap.edits import Contacts, EditError, Edits, Label, Piece
from kinema.mocap.edits.model import LONGEST_TEXT, check_word


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"pieces": (Piece(0, 101),)}, "frames 0 to 101 is not within the 100 frames"),
        ({"pieces": (Piece(5, 5),)}, "frames 5 to 5"),
        ({"pieces": (Piece(0, 50), Piece(40, 60))}, "pieces must not overlap"),
        ({"pieces": (Piece(0, 50, "a\nb"),)}, "name of a piece must be one line"),
        ({"labels": (Label(-1, 4, "walk"),)}, "label of frames -1 to 4"),
        ({"labels": (Label(1, 4, "Walk"),)}, "must be written 'walk'"),
        ({"labels": (Label(1, 4, "a walk"),)}, "must be one word"),
        ({"labels": (Label(1, 4, "walk", "x" * (LONGEST_TEXT + 1)),)}, "text of a label must be one line"),
        ({"labels": (Label(3, 4, "walk"), Label(1, 2, "walk"))}, "labels must go up"),
        ({"contacts": (Contacts("left", ((0, 5), (5, 8))),)}, "with gaps between"),
        ({"contacts": (Contacts("right", ()), Contacts("left", ()))}, "contact points must go up"),
        ({"partners": (("a", "b"), ("b", "c"))}, "is in two pairs"),
        ({"frames": -1}, "whole number of frames"),
        ({"fps": float("nan")}, "positive number of frames per second"),
    ],
)
def test_nonsense_is_refused_in_one_line(changes, said):
    with pytest.raises(EditError, match=said) as caught:
        dataclasses.replace(Edits.none(100, 30.0), **changes)
    assert "\n" not in str(caught.value)


def test_tags_are_one_lower_case_word():
    assert check_word("  Jump-Left ") == "jump-left"
    for bad in ("", "two words", "a.b", "-x", "x" * 41):
        with pytest.raises(EditError, match="must be one word"):
            check_word(bad)


def test_no_edits_keep_the_whole_clip():
    none = Edits.none(100, 30.0)
    assert none.whole and none.empty and none.kept == 100 and none.summary == ""
    assert Edits.none(0, 30.0).pieces == ()
    gone = dataclasses.replace(none, pieces=())
    assert not gone.whole and gone.kept == 0 and gone.summary == "0 pieces (0 of 100 frames)"


def test_summary_says_all_that_was_done():
    edits = Edits(
        100,
        30.0,
        (Piece(0, 20), Piece(30, 40)),
        (Label(0, 9, "walk"), Label(1, 9, "walk", "x")),
        (Contacts("left", ()),),
        False,
        (("a", "b"),),
    )
    assert edits.summary == "2 pieces (30 of 100 frames), walk, contacts, not mirrored, mirror map"
    assert edits.clamp(120, -5) == (0, 100)
    with pytest.raises(EditError, match="hold none of the 100 frames"):
        edits.clamp(100, 130)
