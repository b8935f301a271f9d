"""A skeleton of a person's proportions, and poses in which no limb is stretched."""

from __future__ import annotations

import numpy as np

from kinema.keypoints.body import posed, skeleton_of
from kinema.keypoints.proportions import LIMBS, NAMES, USUAL, Proportions, index

from .conftest import Filmed

JOINTS = {
    "neck": "Neck", "left_shoulder": "LeftArm", "left_elbow": "LeftForeArm", "left_wrist": "LeftHand",
    "right_shoulder": "RightArm", "right_elbow": "RightForeArm", "right_wrist": "RightHand", "left_hip": "LeftUpLeg",
    "left_knee": "LeftLeg", "left_ankle": "LeftFoot", "left_toe": "LeftToeBase", "right_hip": "RightUpLeg",
    "right_knee": "RightLeg", "right_ankle": "RightFoot", "right_toe": "RightToeBase",
}  # fmt: skip
BODY = Proportions(USUAL * np.array([1, 1, 1, 0.8, 0.9, 0.7, 0.7, 0.8, 1.2]), np.full(3, 100.0))


def test_the_skeleton_is_a_person_who_stands_on_the_ground() -> None:
    skeleton = skeleton_of(BODY)
    roles, places = skeleton.roles, skeleton.rest_pose.global_positions
    assert roles.plan == "biped" and [leg.side for leg in roles.legs] == ["left", "right"] and len(roles.arms) == 2
    assert places[skeleton.index("LeftArm"), 0] > 0 and 0 < places[skeleton.index("LeftToeBase"), 1] < 0.05
    thigh = np.linalg.norm(places[skeleton.index("LeftLeg")] - places[skeleton.index("LeftUpLeg")])
    assert np.isclose(thigh, 0.7 * 0.42, atol=1e-4)


def test_a_pose_goes_through_the_points_and_stretches_nothing(filmed: Filmed) -> None:
    truth = np.concatenate([filmed.truth, 0 * filmed.truth[:, :1]], axis=1)
    lengths = USUAL.copy()
    for number, part in enumerate(("trunk", "shoulder", "hip", "upper_arm", "forearm", "thigh", "shin", "foot")):
        of = [np.linalg.norm(truth[:, index(b)] - truth[:, index(a)], axis=-1).mean() for p, a, b in LIMBS if p == part]
        lengths[number] = np.mean(of)
    skeleton = skeleton_of(Proportions(lengths, np.ones(len(truth))))
    motion = posed(skeleton, truth, np.zeros((len(truth), 3)), 30.0, "walk")
    places = motion[:].global_positions.astype(np.float64)
    at = {joint: places[:, skeleton.index(joint)] for joint in skeleton.names}
    away = [np.linalg.norm(at[joint] - truth[:, NAMES.index(name)], axis=-1).mean() for name, joint in JOINTS.items()]
    assert max(away) < 0.05 and np.mean(away) < 0.02
    long = np.linalg.norm(places[:, 1:] - places[:, skeleton.parents[1:]], axis=-1)
    assert np.allclose(long, long[0], atol=1e-5)
    knee = at["LeftLeg"] - (at["LeftUpLeg"] + at["LeftFoot"]) / 2
    hips = truth[:, index("left_hip")] - truth[:, index("right_hip")]
    assert (np.einsum("na,na->n", knee, np.cross(hips, [0.0, 1.0, 0.0])) > -0.01).all()
