"""Motions of people in videos: on the ground, where they are, with limbs of one length, whatever detectors miss."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from kinema.errors import FormatError
from kinema.keypoints.files import PointTracks
from kinema.keypoints.motions import lifted, planted
from kinema.keypoints.points import BODY, BodyPoints
from kinema.keypoints.proportions import NAMES

from .conftest import Filmed
from .test_body import JOINTS


def test_a_walk_is_near_the_truth_and_seen_where_it_was(filmed: Filmed) -> None:
    person = lifted(filmed.seen, 30.0, "walk")
    motion, skeleton = person.motion, person.motion.skeleton
    assert motion.name == "walk" and motion.frames == len(filmed.exact)
    places = motion[:].global_positions.astype(np.float64)
    hips = places[:, [skeleton.index("LeftUpLeg"), skeleton.index("RightUpLeg")]].mean(axis=1, keepdims=True)
    found = (places - hips)[:, [skeleton.index(joint) for joint in JOINTS.values()]]
    numbers = [NAMES.index(name) for name in JOINTS]
    truth = filmed.truth[:, numbers]
    scale = (found * truth).sum() / (found * found).sum()
    assert 100 * np.linalg.norm(scale * found - truth, axis=-1).mean() < 9.5
    pixels = found[..., :2] * [1, -1] * person.body.scale[:, None, None] + person.flat[:, -1:]
    assert np.linalg.norm(pixels - filmed.exact[:, numbers], axis=-1).mean() < 4.0
    long = np.linalg.norm(places[:, 1:] - places[:, skeleton.parents[1:]], axis=-1)
    assert np.abs(long / long[0] - 1).max() < 1e-4
    toes = places[:, [skeleton.index("LeftToeBase"), skeleton.index("RightToeBase")], 1]
    assert toes.min() > -0.12 and 0.0 < np.median(toes.min(axis=1)) < 0.08


def test_detectors_without_toes_and_a_face_still_make_a_person(filmed: Filmed) -> None:
    whole = lifted(filmed.seen, 30.0).motion
    body = filmed.seen.points.body.copy()
    body[:, [BODY.index(name) for name in ("nose", "right_eye", "left_eye", "right_ear", "left_ear")]] = 0.0
    points = replace(filmed.seen.points, body=body, toes=np.zeros_like(filmed.seen.points.toes))
    motion = lifted(replace(filmed.seen, points=points), 30.0).motion
    apart = motion[:].global_positions - whole[:].global_positions
    legs = [motion.skeleton.index(name) for name in ("LeftLeg", "RightLeg", "LeftHand", "RightHand")]
    assert np.median(np.linalg.norm((apart - apart[:, :1])[:, legs], axis=-1)) < 0.12


def test_somebody_whose_hips_are_never_seen_is_refused(filmed: Filmed) -> None:
    body = filmed.seen.points.body.copy()
    body[:, [BODY.index("left_hip"), BODY.index("right_hip"), BODY.index("left_shoulder")]] = 0.0
    with pytest.raises(FormatError, match=r"shoulders and hips are seen in 2\d% of 75 pictures"):
        lifted(replace(filmed.seen, points=replace(filmed.seen.points, body=body)), 30.0)
    empty = PointTracks(BodyPoints(*(array[:0] for array in filmed.seen.points.arrays)))
    with pytest.raises(FormatError, match="of 0 pictures"):
        lifted(empty)


def test_few_pictures_are_enough(filmed: Filmed) -> None:
    for count in (1, 2, 3, 5):
        points = BodyPoints(*(array[:count] for array in filmed.seen.points.arrays))
        assert lifted(replace(filmed.seen, points=points)).motion.frames == count


def test_feet_that_stand_are_held(filmed: Filmed) -> None:
    motion = lifted(filmed.seen, 30.0).motion
    stands = np.zeros((motion.frames, 2), np.bool_)
    stands[20:26, 1] = True
    again = planted(motion, stands)
    assert again.frames == motion.frames and again.skeleton.names == motion.skeleton.names
    toes = [again.skeleton.index(f"{side}ToeBase") for side in ("Left", "Right")]
    moved = np.ptp(again[:].global_positions[20:26, toes], axis=0)
    assert moved[1].max() < 1e-3 < moved[0].max()
