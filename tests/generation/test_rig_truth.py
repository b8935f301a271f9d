"""The ground truth of a rig: pieces, what is asked for, and what stands."""

import numpy as np
import pytest

from kinema.errors import DatabaseError
from kinema.generation.bridging import gap_error
from kinema.generation.channels import TRAVEL
from kinema.generation.measures import speed_errors, turns_obeyed
from kinema.generation.rig_truth import RigTruth, kind
from kinema.generation.takes import Takes
from kinema.mocap.creatures.acts import ACTIONS


def test_pieces_are_asked_for_with_what_they_do(walks):
    piece = walks.pieces[1]
    idle, walk = piece.wishes
    assert (idle.action, walk.action) == ("idle", "walk")
    assert idle.seconds == pytest.approx(1.0) and walk.seconds == pytest.approx(3.0)
    speeds = np.hypot(*piece.channels[60:, 0, TRAVEL][:, :2].T) * walks.rig.unit
    assert walk.speed == pytest.approx(speeds.mean(), rel=0.1)
    assert [ACTIONS[at] for at in piece.actions[[0, 29, 30, 119]]] == ["idle", "idle", "walk", "walk"]


def test_curves_are_asked_for_to_their_side(walks):
    left, right = (next(piece for piece in walks.pieces if piece.clip == clip) for clip in (3, 4))
    assert left.wishes[1].turn == pytest.approx(0.7, abs=0.15)
    assert right.wishes[1].turn == pytest.approx(-0.7, abs=0.15)


def test_texts_are_asked_for_alone(people):
    (idle, walk) = RigTruth.of(people, 0, 120, 40, texts=True).pieces[1].wishes
    assert (idle.text, walk.text) == ("stands", "walks")
    assert walk.action is walk.speed is walk.turn is None


def test_thinned_clips_still_do_everything(people):
    few = RigTruth.of(people, 0, 60, 5)
    assert len(few.clips) == 5
    assert {kind(clip) for clip in few.clips} == {"idle+idle", "idle+walk", "idle+run"}


def test_a_person_stands_when_idle_and_walking_but_not_when_running(walks):
    assert walks.standing[ACTIONS.index("idle")] and walks.standing[ACTIONS.index("walk")]
    assert not walks.standing[ACTIONS.index("run")] and not walks.standing[ACTIONS.index("fly")]


def test_controls_are_what_the_ground_truth_does(walks):
    asked = walks.controls()
    assert {round(np.sign(turn)) for _, turn in asked} == {-1, 0, 1}
    speeds = [speed for speed, turn in asked if turn == 0]
    assert speeds == sorted(speeds) and speeds[-1] > 1.3 * speeds[0]
    for speed, turn in asked:
        mine = [
            Takes(walks.rig, channels[None, 30:])
            for channels in walks.channels
            if speed_errors(Takes(walks.rig, channels[None, 30:]), np.asarray([speed]))[0] < 25
        ]
        assert mine
        assert not turn or any(turns_obeyed(each, np.asarray([turn]))[0] for each in mine)


def test_gaps_hide_what_is_missing_and_nothing_else(walks):
    request, right, missing = walks.bridges(30, 1, 0)[0]
    assert request.known is not None and request.path is not None
    assert not request.known.channels[missing].any() and not request.known.joints[missing].any()
    assert np.isnan(request.path[missing]).all()
    outside = np.ones(request.frames, np.bool_)
    outside[missing] = False
    np.testing.assert_array_equal(request.known.channels[outside], right.channels[0, outside])
    travel = np.flatnonzero(~request.known.root)
    assert travel.tolist() == list(range(missing.start - 1, missing.stop)), "the way into the gap is not told"
    assert np.isfinite(request.path[outside]).all()
    assert gap_error(right.global_positions[:, missing], right, missing) == 0
    assert walks.bridges(80, 4, 0) == []  # no stretch is long enough


def test_rigs_with_one_clip_are_refused(people):
    people.clips, kept = people.clips[:1], people.clips
    try:
        with pytest.raises(DatabaseError, match="two are needed"):
            RigTruth.of(people, 0, 60, 40)
    finally:
        people.clips = kept
