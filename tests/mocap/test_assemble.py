"""Fitting clips to one skeleton."""

from __future__ import annotations

import json
from collections.abc import Callable

import numpy as np
import pytest

from kinema import Motion, Skeleton
from kinema.errors import DatabaseError
from kinema.mocap.assemble import make_layout, skeleton_from_json, skeleton_to_json
from kinema.mocap.contacts import leg_length
from kinema.mocap.ingest import ClipInfo, ingest


def clip_of(sway: Callable[..., Motion], skeleton: Skeleton, factor: float = 1.0, seconds: float = 2.0) -> ClipInfo:
    sized = Skeleton.create(skeleton.names, skeleton.parents, factor * skeleton.rest_translations)
    return ingest(sway(skeleton=sized, seconds=seconds), mirror=False)[0].info


def test_the_skeleton_of_most_frames_wins(sway: Callable[..., Motion], biped: Skeleton) -> None:
    stick = Skeleton.create(["a", "b"], [-1, 0], [[0, 1, 0], [0, 1, 0]])
    few, many = clip_of(sway, stick, seconds=1.0), clip_of(sway, biped, seconds=4.0)
    infos = [few, few, few, many]
    layout = make_layout(infos)
    assert layout.skeleton.names == biped.names and layout.refuses(many) is None
    assert "2 joints (a, b)" in (layout.refuses(few) or "")
    assert make_layout([few, few, few, clip_of(sway, biped, seconds=2.0)]).skeleton.names == stick.names


def test_another_rest_pose_is_another_skeleton(sway: Callable[..., Motion], biped: Skeleton) -> None:
    """With an arm that hangs at rest, the same rotations raise it elsewhere: such clips must not be mixed."""
    layout = make_layout([clip_of(sway, biped)])
    hanging = biped.rest_translations.copy()
    arm = biped.index("LeftForeArm")
    hanging[arm] = [0.0, -np.linalg.norm(hanging[arm]), 0.0]
    other = clip_of(sway, Skeleton.create(biped.names, biped.parents, hanging))
    assert "another rest pose: bone 'LeftForeArm'" in (layout.refuses(other) or "")
    assert layout.refuses(clip_of(sway, biped, 1.3)) is None


def test_the_median_proportions_are_taken(sway: Callable[..., Motion], biped: Skeleton) -> None:
    infos = [clip_of(sway, biped, factor) for factor in (1.2, 0.7, 1.0)]
    layout = make_layout(infos)
    assert layout.leg == pytest.approx(leg_length(biped), rel=1e-5)
    assert [layout.scale(info) for info in infos] == pytest.approx([1 / 1.2, 1 / 0.7, 1.0], rel=1e-5)


def test_a_plan_that_is_added_to_keeps_its_skeleton_and_ground(sway: Callable[..., Motion], biped: Skeleton) -> None:
    base = make_layout([clip_of(sway, biped)])
    layout = make_layout([clip_of(sway, biped, 1.5)], base)
    assert layout.skeleton is base.skeleton and layout.clearance == base.clearance
    with pytest.raises(DatabaseError, match="no clip"):
        make_layout([])


def test_every_clip_stands_at_the_clearance(sway: Callable[..., Motion], biped: Skeleton) -> None:
    infos = [clip_of(sway, biped, factor) for factor in (0.8, 1.0, 1.3)]
    layout = make_layout(infos)
    heights = [layout.scale(info) * info.stance_height - layout.ground(info) for info in infos]
    assert heights == pytest.approx([layout.clearance] * 3)


def test_skeletons_survive_json_exactly(biped: Skeleton) -> None:
    again = skeleton_from_json(json.loads(json.dumps(skeleton_to_json(biped))))
    assert again.names == biped.names
    for name in ("parents", "rest_translations", "rest_rotations", "tip_joints", "tip_offsets"):
        assert np.array_equal(getattr(again, name), getattr(biped, name)), name
