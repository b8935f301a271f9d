"""Each change, against what it means for single frames."""

from __future__ import annotations

import numpy as np
import pytest

from kinema.mocap.edits import EditError, Edits, Label, Piece, change

NONE = Edits.none(100, 30.0)


def kept(edits: Edits) -> set[int]:
    return {frame for piece in edits.pieces for frame in range(piece.start, piece.stop)}


def test_the_first_piece_replaces_the_clip_and_later_ones_are_added():
    one = change.keep(NONE, 20, 40, "start")
    assert one.pieces == (Piece(20, 40, "start"),)
    two = change.keep(one, 30, 60)
    assert two.pieces == (Piece(20, 30, "start"), Piece(30, 60))
    assert change.keep_all(two).pieces == NONE.pieces


@pytest.mark.parametrize("seed", range(10))
def test_dropped_frames_are_gone_and_no_others(seed):
    rng = np.random.default_rng(seed)
    edits = change.keep(change.keep(NONE, 5, 30), 50, 90)
    start, stop = sorted(rng.choice(101, 2, replace=False).tolist())
    assert kept(change.drop(edits, start, stop)) == kept(edits) - set(range(start, stop))
    assert kept(change.split(edits, start)) == kept(edits)


def test_split_parts_in_front_of_the_frame_and_not_at_an_end():
    assert change.split(NONE, 40).pieces == (Piece(0, 40), Piece(40, 100))
    assert change.split(NONE, 0) == NONE == change.split(NONE, 100)
    dropped = change.drop(NONE, 30, 50)
    assert change.split(dropped, 40) == dropped


def test_a_piece_stops_at_its_neighbours_and_never_vanishes():
    edits = change.drop(NONE, 40, 60)
    first, second = edits.pieces
    assert change.reshape(edits, first, Piece(-9, 80)).pieces == (Piece(0, 60), second)
    assert change.reshape(edits, second, Piece(70, 65, "end")).pieces == (first, Piece(70, 71, "end"))
    with pytest.raises(EditError, match="not there any more"):
        change.reshape(edits, Piece(1, 2), Piece(1, 3))


def test_equal_labels_that_touch_become_one_and_others_overlap():
    edits = change.label(change.label(NONE, 10, 20, "Walk"), 20, 30, "walk ")
    assert edits.labels == (Label(10, 30, "walk"),)
    edits = change.label(edits, 25, 40, "walk", "limps")
    assert edits.labels == (Label(10, 30, "walk"), Label(25, 40, "walk", "limps"))
    moved = change.relabel(edits, edits.labels[1], Label(90, 130, "jump"))
    assert moved.labels == (Label(10, 30, "walk"), Label(90, 100, "jump"))
    assert change.unlabel(moved, moved.labels[0]).labels == (Label(90, 100, "jump"),)
    with pytest.raises(EditError, match="not there any more"):
        change.unlabel(moved, edits.labels[1])


def test_cutting_and_labelling_commute():
    a = change.label(change.drop(change.keep(NONE, 10, 60), 20, 30), 15, 40, "walk")
    b = change.drop(change.keep(change.label(NONE, 15, 40, "walk"), 10, 60), 20, 30)
    assert a == b


def test_painting_fixes_all_points_as_they_are_and_changes_one():
    current = {"left": ((0, 10), (20, 30)), "right": ((40, 50),)}
    painted = change.paint(NONE, "left", 8, 22, True, current)
    assert painted.contact_spans("left") == ((0, 30),)
    assert painted.contact_spans("right") == ((40, 50),)
    erased = change.paint(painted, "left", 5, 7, False, {"left": (), "right": ()})
    assert erased.contact_spans("left") == ((0, 5), (7, 30)), "what was painted counts, not what is found now"
    assert change.set_contacts(erased, None).contacts is None
    with pytest.raises(EditError, match="no contact point 'tail'; there are left, right"):
        change.paint(NONE, "tail", 0, 3, True, current)


def test_a_joint_has_one_partner():
    edits = change.set_partner(change.set_partner(NONE, "b", "a"), "c", "c")
    assert edits.partners == (("a", "b"), ("c", "c"))
    assert change.set_partner(edits, "a", "c").partners == (("a", "c"),)
    assert change.set_partner(edits, "b", None).partners == (("c", "c"),)
    assert not change.set_mirror(edits, False).mirror
