"""Key points of bodies: where they are, whose left is left, and what is hidden."""

from __future__ import annotations

import numpy as np
import pytest

from kinema import Character, Motion, Skeleton, rotations
from kinema.errors import SkeletonError
from kinema.keypoints.points import BEHIND_BODY, BODY, HIDDEN, LEFT_PUPIL, RIGHT_PUPIL, SEEN, BodyPoints
from kinema.mocap.creatures import make_creature
from kinema.pose import Pose
from kinema.rendering.camera import Camera
from kinema.rendering.conditions.body_points import PointRig, joined, present, seen_by

SIZE = (160, 240)
FRONT = Camera.look_at((0.0, 1.0, 4.0), (0.0, 1.0, 0.0))


def with_joints(skeleton: Skeleton, rows: list[tuple[str, str, tuple[float, float, float]]]) -> Skeleton:
    """A skeleton with more joints: name, parent, offset."""
    names = [*skeleton.names, *(name for name, _, _ in rows)]
    parents = [*skeleton.parents.tolist(), *(names.index(parent) for _, parent, _ in rows)]
    tips = zip(skeleton.tip_joints.tolist(), skeleton.tip_offsets, strict=True)
    return Skeleton.create(names, parents, [*skeleton.rest_translations, *(at for _, _, at in rows)], tips=list(tips))


def with_fingers(skeleton: Skeleton) -> Skeleton:
    rows = []
    for side, sign in (("Left", 1.0), ("Right", -1.0)):
        for number, finger in enumerate(("Thumb", "Index", "Middle", "Ring", "Pinky")):
            at = (sign * 0.08, 0.0, 0.04 - 0.02 * number)
            for step in (1, 2, 3):
                parent = f"{side}Hand" if step == 1 else f"{side}Hand{finger}{step - 1}"
                rows.append((f"{side}Hand{finger}{step}", parent, at if step == 1 else (sign * 0.03, 0.0, 0.0)))
    return with_joints(skeleton, rows)


def points_of(skeleton: Skeleton, pose: Pose | None = None) -> BodyPoints:
    rig = PointRig(Character("someone", skeleton))
    return rig((skeleton.rest_pose if pose is None else pose)[None])[0]


def at(points: BodyPoints, name: str) -> np.ndarray:
    return points.body[BODY.index(name), :3]


def test_points_are_joints_and_the_neck_is_between_the_shoulders(biped: Skeleton) -> None:
    points, joints = points_of(biped), biped.rest_pose.global_positions
    for name, joint in (("left_wrist", "LeftHand"), ("right_knee", "RightLeg"), ("left_hip", "LeftUpLeg")):
        assert np.allclose(at(points, name), joints[biped.index(joint)], atol=1e-5)
    shoulders = joints[[biped.index("LeftArm"), biped.index("RightArm")]]
    assert np.allclose(at(points, "neck"), shoulders.mean(axis=0), atol=1e-5)
    assert present(points.body).all() and np.allclose(points.toes[0, :3], joints[biped.index("LeftToeBase")])


def test_pixels_are_projected_joints_and_left_is_the_persons(biped: Skeleton) -> None:
    points = points_of(biped)
    seen = seen_by(points, FRONT, *SIZE, stature=1.7)
    assert np.allclose(seen.body[:, :2], FRONT.project(points.body[:, :3], *SIZE)[:, :2], atol=1e-3)
    assert (seen.body[:, 2] == SEEN).all()
    for name in ("shoulder", "wrist", "hip", "ankle", "eye", "ear"):  # who faces the camera has left on its right
        left, right = (seen.body[BODY.index(f"{side}_{name}"), 0] for side in ("left", "right"))
        assert left > right, name


def test_the_face_is_on_the_front_of_the_head_and_turns_with_it(biped: Skeleton) -> None:
    rest = points_of(biped)
    head = biped.rest_pose.global_positions[biped.index("Head")]
    nose, ears = at(rest, "nose"), (at(rest, "left_ear") + at(rest, "right_ear")) / 2
    assert 0.05 < nose[2] - ears[2] < 0.15 and abs(nose[0]) < 1e-5
    assert head[1] < nose[1] < at(rest, "left_eye")[1] < head[1] + 0.15  # its tip is 0.15 above it
    turned = np.tile(np.float32([1, 0, 0, 0]), (1, biped.joint_count, 1))
    turned[0, biped.index("Head")] = rotations.from_yaw(np.float32(np.pi / 2))
    motion = Motion.create(biped, turned)
    looking_left = PointRig(Character("someone", biped), motion)(motion[:])[0]
    offset = at(looking_left, "nose") - head
    assert offset[0] > 0.05 and abs(offset[2]) < 0.03


def test_eyes_of_a_rig_are_its_own(biped: Skeleton) -> None:
    eyes = [("LeftEye", "Head", (0.04, 0.07, 0.09)), ("RightEye", "Head", (-0.04, 0.07, 0.09))]
    skeleton = with_joints(biped, eyes)
    points, joints = points_of(skeleton), skeleton.rest_pose.global_positions
    assert np.allclose(at(points, "left_eye"), joints[skeleton.index("LeftEye")], atol=1e-5)
    assert np.allclose(points.face[RIGHT_PUPIL, :3], joints[skeleton.index("RightEye")], atol=1e-5)
    assert present(points.face).sum() == 2 and present(points.face)[LEFT_PUPIL]


def test_a_rig_without_fingers_has_no_hands_and_one_with_fingers_has_21_points(biped: Skeleton) -> None:
    bare = points_of(biped)
    assert not present(bare.left_hand).any() and not present(bare.right_hand).any() and not present(bare.face).any()
    skeleton = with_fingers(biped)
    points, joints = points_of(skeleton), skeleton.rest_pose.global_positions
    assert present(points.left_hand).all() and present(points.right_hand).all()
    assert np.allclose(points.left_hand[0, :3], joints[skeleton.index("LeftHand")], atol=1e-5)
    assert np.allclose(points.left_hand[5, :3], joints[skeleton.index("LeftHandIndex1")], atol=1e-5)
    assert np.allclose(points.right_hand[17, :3], joints[skeleton.index("RightHandPinky1")], atol=1e-5)
    outward = np.diff(points.left_hand[[1, 2, 3, 4], 0])
    assert (outward > 0).all()  # from the base of the thumb to its tip


def test_what_is_behind_something_is_less_certain(biped: Skeleton) -> None:
    points = points_of(biped)
    depth = FRONT.project(points.body[:, :3], *SIZE)[:, 2].min()
    open_air, wall = np.full(SIZE[::-1], np.inf, np.float32), np.full(SIZE[::-1], depth - 1.0, np.float32)
    nobody, body = np.zeros(SIZE[::-1], np.int32), np.ones(SIZE[::-1], np.int32)
    assert (seen_by(points, FRONT, *SIZE, 1.7, open_air, nobody).body[:, 2] == SEEN).all()
    assert (seen_by(points, FRONT, *SIZE, 1.7, wall, nobody).body[:, 2] == np.float32(HIDDEN)).all()
    behind = seen_by(points, FRONT, *SIZE, 1.7, wall, body).body[:, 2]
    assert behind[BODY.index("left_wrist")] == BEHIND_BODY
    assert behind[BODY.index("nose")] == np.float32(HIDDEN)  # no face shines through the back of a head


def test_points_outside_of_the_picture_are_absent(biped: Skeleton) -> None:
    near = Camera.look_at((0.0, 1.6, 1.0), (0.0, 1.6, 0.0))
    seen = seen_by(points_of(biped), near, *SIZE, stature=1.7).body
    assert (seen[BODY.index("left_ankle")] == 0).all() and seen[BODY.index("nose"), 2] == SEEN
    behind = Camera.look_at((0.0, 1.0, 4.0), (0.0, 1.0, 8.0))
    assert (seen_by(points_of(biped), behind, *SIZE, stature=1.7).body == 0).all()


def test_pictures_can_be_joined(biped: Skeleton) -> None:
    one = points_of(biped)
    both = joined([one, one])
    assert both.body.shape == (2, 18, 4) and np.array_equal(both[1].body, one.body)


def test_a_quadruped_is_refused_and_told_what_works() -> None:
    wolf = make_creature("wolf").skeleton
    with pytest.raises(SkeletonError, match=r"wolf: its plan is 'quadruped'.*--maps depth"):
        PointRig(Character("wolf", wolf))
