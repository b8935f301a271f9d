from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from kinema import rotations
from kinema.errors import DatabaseError
from kinema.features import Feature
from kinema.features.frames import Frames, clip_limits


def test_limits_are_the_ends_of_clips(source):
    low, high = clip_limits(source)
    assert (low[69], high[69], low[70], high[70], low[71], high[160]) == (0, 69, 70, 70, 71, 160)


def test_gaps_between_clips_are_refused(source):
    clips = [source.clips[0], dataclasses.replace(source.clips[2])]
    with pytest.raises(DatabaseError, match="without gaps"):
        clip_limits(dataclasses.replace(source, clips=clips))


def test_a_run_inside_a_clip_clamps_to_itself(source):
    run = Frames(source, 65, 75, *clip_limits(source))
    assert run.low.tolist() == [0] * 5 + [5] + [6] * 4
    assert run.high.tolist() == [4] * 5 + [5] + [9] * 4


def test_roots_hold_positions_and_facing_directions(source):
    run = Frames(source, 65, 75, *clip_limits(source))
    yaw = rotations.yaw(source.root_rotations[65:75])
    np.testing.assert_array_equal(run.roots[:, :3], source.root_positions[65:75])
    np.testing.assert_allclose(run.roots[:, 3:], np.stack([np.sin(yaw), np.cos(yaw)], 1), atol=1e-6)


def test_labels_and_tags(source):
    run = Frames(source, 69, 72, *clip_limits(source))
    assert run.label_or_tag("walk").tolist() == [1, 0, 1]
    assert run.label_or_tag("old").tolist() == [0, 1, 1]
    assert run.optional_label("mood") is None
    with pytest.raises(DatabaseError, match="no label 'mood'; its labels: goal, height, height_grid, learned"):
        run.label("mood")


def test_a_tag_of_some_frames_holds_in_these_only(source):
    assert Frames(source, 71, 75, *clip_limits(source)).label_or_tag("old").tolist() == [1, 1, 1, 1]
    at = next(index for index, clip in enumerate(source.clips) if clip.start <= 71 < clip.stop)
    clips = list(source.clips)
    clips[at] = dataclasses.replace(clips[at], labels=((1, 3, "old"), (2, 4, "limps")))
    source = dataclasses.replace(source, clips=clips)
    assert source.clips[at].start == 71
    assert Frames(source, 71, 75, *clip_limits(source)).label_or_tag("old").tolist() == [0, 1, 1, 0]
    assert Frames(source, 73, 77, *clip_limits(source)).label_or_tag("limps").tolist() == [1, 1, 0, 0]
    assert Frames(source, 70, 73, *clip_limits(source)).label_or_tag("old").tolist() == [1, 0, 1]


def test_contacts_fall_to_the_nearest_label_of_the_leg(source):
    run = Frames(source, 0, 3, *clip_limits(source))
    assert run.contact_columns(Feature("c", "contact", ("right_foot", "left_toe"))) == [1, 0]
    with pytest.raises(DatabaseError, match="joint 'Hips'"):
        run.contact_columns(Feature("c", "contact", ("hips",)))
    assert np.asarray(run.contacts).shape == (3, 2)


def test_root_velocities_are_differences_over_time(source):
    """Central ones in metres per second, one-sided at the ends of clips, zero for a single frame."""
    run = Frames(source, 60, 80, *clip_limits(source))
    places = source.root_positions[60:80, [0, 2]].astype(np.float64)
    for frame in range(20):
        first, last = max(frame - 1, run.low[frame]), min(frame + 1, run.high[frame])
        expected = (places[last] - places[first]) * source.fps / max(last - first, 1)
        np.testing.assert_allclose(run.planar_velocities[frame], expected, atol=1e-4)
