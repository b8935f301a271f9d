"""What a controller does under commands, as moments of clips."""

from __future__ import annotations

import numpy as np
import pytest

import kinema
from kinema.footage.cast import hire, recruit
from kinema.footage.steered import steer, steered_frames, told
from kinema.footage.takes import STEERED, gather_motions, take


@pytest.mark.parametrize(
    "script, named",
    [
        (kinema.Segment("idle", 3.0), "idle"),
        (kinema.Segment("walk", 3.0, 1.2), "walk"),
        (kinema.Segment("run", 3.0, 3.8), "run"),
        (kinema.Segment("backward", 3.0, 1.0), "backward"),
        (kinema.Segment("strafe", 3.0, 1.0, direction=0.5 * np.pi), "strafe"),
        (kinema.Segment("turn", 1.5, turn=2.2), "turn_left"),
    ],
)
def test_frames_are_named_by_where_somebody_goes(script: kinema.Segment, named: str) -> None:
    names = steered_frames(kinema.perform(script=[kinema.Segment("idle", 0.5), script], fps=30))
    assert max(set(names) - {"idle"} or {"idle"}, key=names.count) == named


def test_words_follow_the_order_and_leave_out_what_is_short() -> None:
    assert told(("idle",) * 8 + ("walk",) * 8) == "stands, then walks"
    assert told(("walk",) * 15 + ("jog",)) == "walks"
    assert told(("walk",) * 8 + ("jog",) + ("walk",) * 8) == "walks"
    assert told(("turn_left",)) == "turns to the left"


def test_a_person_of_clips_is_steered() -> None:
    pytest.importorskip("torch", reason="torch is not installed: pip install 'kinema[learn]'")
    first, again, other = (steer(1.0, np.random.default_rng(seed)) for seed in (3, 3, 4))
    assert first.frames == 60 and first.fps == 60.0
    np.testing.assert_array_equal(first.local_rotations, again.local_rotations)
    assert not np.array_equal(first.local_rotations, other.local_rotations)
    person, source = hire(recruit(["people"], 1, 3)[0]), gather_motions([STEERED], 1.0)[0][0]
    for seed in range(2):
        done = take(person, source, 12, 12.0, np.random.default_rng(seed))
        assert done.motion.frames == len(done.actions) == 12 and done.action in done.actions
        assert done.motion.skeleton.joint_count == person.skeleton.joint_count
        assert abs(float(person.lowest(done.motion[:]).min()) - done.floor) < 0.05
        assert done.origin.licence_class == "generated"
