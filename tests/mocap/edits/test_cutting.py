"""Edits applied to a motion."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from kinema import mirroring
from kinema.errors import SkeletonError
from kinema.mocap.edits import Contacts, EditError, Edits, Label, Piece, apply, change, mirror_pairs
from kinema.mocap.edits.cutting import marks_of

from .conftest import FRAMES, random_edits


@pytest.fixture
def none() -> Edits:
    return Edits.none(FRAMES, 60.0)


def test_pieces_hold_their_frames_and_share_memory(stroll, none):
    edits = change.keep(change.keep(none, 10, 40, "start"), 70, 120)
    first, second = apply(stroll, edits)
    assert (first.name, second.name) == ("stroll.start", "stroll.2")
    assert np.array_equal(first.local_rotations, stroll.local_rotations[10:40])
    assert np.array_equal(second.local_translations, stroll.local_translations[70:])
    assert np.shares_memory(first.local_rotations, stroll.local_rotations)
    assert [motion.name for motion in apply(stroll, none)] == ["stroll"]
    assert apply(stroll, change.drop(none, 0, FRAMES)) == []


def test_labels_and_contacts_are_exact_to_the_frame(stroll, none):
    edits = change.label(change.label(none, 30, 50, "walk", "slowly"), 48, 52, "turn")
    edits = change.set_contacts(edits, {"left": [(31, 33)], "right": []})
    (piece,) = apply(stroll, change.keep(edits, 32, 49))
    assert piece.labels["tag.walk"].tolist() == [True] * 17
    assert piece.labels["tag.turn"].tolist() == [False] * 16 + [True]
    assert piece.labels["contact.left"].tolist() == [True] + [False] * 16
    assert not piece.labels["contact.right"].any()
    assert piece.tags == ("park", "walk", "turn")
    assert marks_of(piece) == ((0, 17, "slowly"), (0, 17, "walk"), (16, 17, "turn"))
    assert "tag.walk" not in stroll.labels, "the motion itself is not touched"


def test_a_tag_belongs_to_the_pieces_that_it_touches(stroll, none):
    edits = change.split(change.label(none, 0, 60, "walk"), 60)
    assert [motion.tags for motion in apply(stroll, edits)] == [("park", "walk"), ("park",)]


@pytest.mark.parametrize("seed", range(10))
def test_applying_is_deterministic_and_keeps_what_the_pieces_say(stroll, seed):
    edits = random_edits(seed)[-1]
    once, again = apply(stroll, edits), apply(stroll, edits)
    assert [motion.name for motion in once] == [motion.name for motion in again]
    assert len({motion.name for motion in once}) == len(once), "names are unique"
    assert sum(motion.frames for motion in once) == edits.kept
    for a, b in zip(once, again, strict=True):
        assert a.labels.keys() == b.labels.keys()
        assert all(np.array_equal(a.labels[name], b.labels[name]) for name in a.labels)
        assert np.array_equal(a.local_rotations, b.local_rotations)


def test_edits_of_another_clip_are_refused(stroll, none):
    for wrong in (Edits.none(FRAMES + 1, 60.0), dataclasses.replace(none, fps=30.0)):
        with pytest.raises(EditError, match="edited in another version of the file"):
            apply(stroll, wrong)
    close = dataclasses.replace(none, fps=60.02)  # a header that rounds frame times
    assert len(apply(stroll, close)) == 1


def test_mirror_images_swap_the_sides_in_words(stroll, none):
    edits = change.label(none, 0, 9, "jump-left", "lands on the left foot")
    (piece,) = apply(stroll, edits)
    assert [words for _, _, words in marks_of(piece.mirror())] == ["jump-right", "lands on the right foot"]
    assert piece.mirror().tags == ("park", "jump-right")


def test_an_override_of_the_mirror_map_is_its_own_inverse(stroll, none, biped):
    assert mirror_pairs(biped, none) is None
    pairs = mirror_pairs(biped, change.set_partner(none, "LeftHand", "LeftHand"))
    assert pairs is not None
    left, right = biped.index("LeftHand"), biped.index("RightHand")
    assert (pairs[left], pairs[right]) == (left, right)
    assert np.array_equal(pairs[pairs], np.arange(biped.joint_count))
    assert np.array_equal(np.delete(pairs, [left, right]), np.delete(biped.mirror_map, [left, right]))
    with pytest.raises(SkeletonError, match="no joint is named 'Tail'"):
        mirror_pairs(biped, change.set_partner(none, "LeftHand", "Tail"))


def test_arms_that_stay_in_their_place_are_not_exchanged(stroll, none, biped):
    edits = none
    for joint in ("Shoulder", "Arm", "ForeArm", "Hand"):
        edits = change.set_partner(edits, f"Left{joint}", f"Left{joint}")
    hands = [biped.index("LeftHand"), biped.index("RightHand")]
    usual = stroll.mirror()[:].global_positions[:, hands, 1].mean(axis=0)
    kept = mirroring.mirror_motion(stroll, mirror_pairs(biped, edits))[:].global_positions[:, hands, 1].mean(axis=0)
    assert usual[1] > usual[0] + 0.2, "the raised left arm is a raised right arm in the mirror"
    assert np.abs(kept[1] - usual[0]) < 0.05, "and with the override the right arm stays down"


def test_labels_of_the_file_give_way_to_those_of_the_edits(stroll):
    marked = stroll.replace(labels={"tag.run": np.ones(FRAMES, bool), "phase": np.zeros(FRAMES)})
    contacts = (Contacts("left", ()), Contacts("right", ()))
    edits = Edits(FRAMES, 60.0, (Piece(0, FRAMES),), (Label(0, 5, "walk"),), contacts)
    (piece,) = apply(marked, edits)
    assert set(piece.labels) == {"tag.walk", "phase", "contact.left", "contact.right"}
    (same,) = apply(marked, Edits.none(FRAMES, 60.0))
    assert set(same.labels) == {"tag.run", "phase"}


@pytest.mark.parametrize("contacts", [{"left": [(0, 5)]}, {"left": [], "rigth": []}, {}])
def test_contacts_of_other_points_than_the_skeleton_has_are_refused(contacts, stroll, none):
    with pytest.raises(EditError, match="has the contact points left, right: all of them are needed"):
        apply(stroll, change.set_contacts(none, contacts))
