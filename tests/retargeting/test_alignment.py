"""Frames that mean the same on every skeleton."""

from __future__ import annotations

import numpy as np
import pytest

from kinema import Skeleton, rotations
from kinema.mocap.procedural import humanoid
from kinema.pose import Pose
from kinema.retargeting.alignment import align
from kinema.retargeting.stance import StandingPose, find_stance

X, Y, Z = np.eye(3, dtype=np.float32)


def in_world(skeleton: Skeleton, joint: str, axis: np.ndarray) -> np.ndarray:
    """Where an axis of the imagined standing body lies when the skeleton is at rest."""
    frames = align(skeleton, find_stance(skeleton)).bones
    index = skeleton.index(joint)
    return rotations.rotate(rotations.multiply(skeleton.rest_pose.global_rotations[index], frames[index]), axis)


@pytest.mark.parametrize("arms_down", [0.0, 0.7, 1.3])
def test_arms_hang_along_their_bones_and_elbows_bend_forward(arms_down: float) -> None:
    person = humanoid(arms_down=arms_down)
    placed = person.rest_pose.global_positions
    for side, sign in (("Left", 1), ("Right", -1)):
        bone = placed[person.index(f"{side}ForeArm")] - placed[person.index(f"{side}Arm")]
        assert in_world(person, f"{side}Arm", -Y) @ (bone / np.linalg.norm(bone)) > 0.9999
        assert in_world(person, f"{side}Arm", Z) @ Z > 0.99  # the front of the arm is the front of the body
        assert in_world(person, f"{side}ForeArm", Z) @ Z > 0.99 and in_world(person, f"{side}Hand", Z) @ Z > 0.99
        outward = in_world(person, f"{side}Arm", X) * sign
        assert outward @ np.array([sign * np.sin(arms_down), np.cos(arms_down), 0]) > 0.9


def test_legs_go_down_and_knees_look_ahead_feet_stand_flat(biped: Skeleton) -> None:
    for side in ("Left", "Right"):
        assert in_world(biped, f"{side}UpLeg", Z) @ Z > 0.99
        assert in_world(biped, f"{side}Foot", Y) @ Y > 0.999
        assert in_world(biped, f"{side}Foot", Z) @ Z > 0.98


def test_frames_turn_with_the_joints_own_frames(biped: Skeleton, rebased) -> None:
    other = rebased(biped, 4)
    for name in ("LeftForeArm", "RightFoot", "Head", "LeftHand", "RightUpLeg"):
        for axis in (X, Y, Z):
            assert np.allclose(in_world(biped, name, axis), in_world(other, name, axis), atol=2e-3)


def test_legs_of_people_are_straight(biped: Skeleton) -> None:
    assert align(biped, find_stance(biped)).straight == {"left_leg", "right_leg"}


@pytest.mark.parametrize(("bend", "straight"), [(36.0, True), (48.0, False)])
def test_legs_as_bent_as_an_animals_are_not_straight(biped: Skeleton, bend: float, straight: bool) -> None:
    offsets = biped.rest_translations.copy()
    half = np.radians(0.5 * bend)
    for name, sign in (("Leg", 1), ("Foot", -1)):
        joints = [biped.index(f"{side}{name}") for side in ("Left", "Right")]
        offsets[joints] = 0.4 * np.array([0, -np.cos(half), sign * np.sin(half)])
    bent = Skeleton.create(biped.names, biped.parents, offsets)
    assert align(bent, find_stance(bent)).straight == ({"left_leg", "right_leg"} if straight else set())


def test_measured_soles_are_up_in_every_frame_of_a_foot(biped: Skeleton) -> None:
    """Feet that stand pitched: what is up on them was measured while they stood flat."""
    toes_down = rotations.exp(np.array([0.4, 0, 0], np.float32))
    feet = [biped.index(name) for name in ("LeftFoot", "RightFoot")]
    stood = StandingPose(biped.rest_pose, rotations.identity((), np.zeros(1, np.float32)))
    stood.soles.update({foot: rotations.rotate(toes_down, Y) for foot in feet})
    frames = align(biped, stood)
    for foot in feet:
        for frame in (frames.stance[foot], frames.bones[foot]):
            np.testing.assert_allclose(rotations.rotate(frame, Y), stood.soles[foot], atol=1e-5)


@pytest.mark.parametrize("side", ["Left", "Right"])
def test_palms_are_level_along_the_row_of_the_knuckles(rig: Skeleton, side: str) -> None:
    """The knuckles of each hand lie in a row from front to back."""
    across = np.cross(Z, in_world(rig, f"{side}Hand", -Y))
    np.testing.assert_allclose(in_world(rig, f"{side}Hand", X), across / np.linalg.norm(across), atol=1e-3)


@pytest.mark.parametrize("degrees", [0.0, 60.0, 120.0])
def test_palms_follow_their_knuckles_and_not_the_elbow(rig: Skeleton, degrees: float) -> None:
    """Hands turned about their forearms at rest: the flat of the hand is where the row of its knuckles is."""
    local = rig.rest_rotations.copy()
    for side in ("Left", "Right"):
        bone = rotations.normalize_vector(rig.rest_translations[rig.index(f"{side}Hand")])
        turn = rotations.from_axis_angle(bone, np.float32(np.radians(degrees)))
        local[rig.index(f"{side}Hand")] = rotations.multiply(turn, local[rig.index(f"{side}Hand")])
    tips = list(zip(rig.tip_joints.tolist(), rig.tip_offsets, strict=True))
    turned = Skeleton.create(rig.names, rig.parents, rig.rest_translations, local, tips)
    placed = turned.rest_pose.global_positions
    for side in ("Left", "Right"):
        row = placed[turned.index(f"{side}HandIndex1")] - placed[turned.index(f"{side}HandRing1")]
        hand, across = in_world(turned, f"{side}Hand", -Y), in_world(turned, f"{side}Hand", X)
        assert abs(across @ rotations.normalize_vector(row)) < 0.05 and abs(across @ hand) < 1e-3
        before = in_world(rig, f"{side}Hand", X)
        assert before @ across == pytest.approx(np.cos(np.radians(degrees)), abs=0.05)
        finger = in_world(turned, f"{side}HandIndex1", X)
        assert finger @ across > 0.95, "fingers bend as the hand lies"


def test_feet_that_point_down_look_to_the_front(biped: Skeleton) -> None:
    """Toes straight below the ankle show no front: it is that of the body."""
    offsets = biped.rest_translations.copy()
    for side in ("Left", "Right"):
        offsets[biped.index(f"{side}ToeBase")] = [0.001, -0.14, -0.001]
    hanging = Skeleton.create(biped.names, biped.parents, offsets)
    for side in ("Left", "Right"):
        assert in_world(hanging, f"{side}Foot", Z) @ Z > 0.999 and in_world(hanging, f"{side}Foot", Y) @ Y > 0.999


def test_arms_that_point_ahead_bend_in_an_upright_plane(biped: Skeleton) -> None:
    """Where the front of the body cannot tell what is in front of the arm."""
    local = biped.rest_rotations.copy()
    for side, sign in (("Left", -1), ("Right", 1)):
        ahead = rotations.from_axis_angle(Y, np.float32(sign * np.pi / 2))
        local[biped.index(f"{side}Arm")] = ahead
    reaching = Skeleton.create(biped.names, biped.parents, biped.rest_translations, local)
    for side in ("Left", "Right"):
        assert in_world(reaching, f"{side}Arm", -Y) @ Z > 0.99
        assert abs(in_world(reaching, f"{side}Arm", Z) @ Y) > 0.99


def test_frames_are_rotations_that_do_not_depend_on_the_size(rig: Skeleton) -> None:
    frames = align(rig, find_stance(rig))
    large = Skeleton.create(
        rig.names,
        rig.parents,
        20 * rig.rest_translations,
        rig.rest_rotations,
        list(zip(rig.tip_joints.tolist(), 20 * rig.tip_offsets, strict=True)),
    )
    others = align(large, find_stance(large))
    for name in ("stance", "bones", "directions"):
        np.testing.assert_allclose(getattr(others, name), getattr(frames, name), atol=1e-3)
    np.testing.assert_allclose(np.linalg.norm(frames.stance, axis=-1), 1, atol=1e-5)
    np.testing.assert_allclose(np.linalg.norm(frames.bones, axis=-1), 1, atol=1e-5)


@pytest.mark.parametrize(("degrees", "bends", "straight"), [(50, {}, True), (57, {}, False), (57, {1.0}, True)])
def test_legs_that_stand_out_to_the_side_are_not_straight(
    biped: Skeleton, degrees: float, bends: set[float], straight: bool
) -> None:
    """Those of a spider, unless motion shows that they get straight."""
    local = biped.rest_rotations.copy()
    for side, sign in (("Left", 1), ("Right", -1)):
        local[biped.index(f"{side}UpLeg")] = rotations.from_axis_angle(Z, np.float32(sign * np.radians(degrees)))
    stood = StandingPose(Pose(biped, local), rotations.identity((), np.zeros(1, np.float32)))
    stood.bends.update({biped.index(f"{side}UpLeg"): bend for side in ("Left", "Right") for bend in bends})
    assert align(biped, stood).straight == ({"left_leg", "right_leg"} if straight else set())


def test_legs_bent_at_rest_are_straight_where_motion_shows_it(biped: Skeleton) -> None:
    stood = find_stance(biped)
    stood.bends.update({biped.index(f"{side}UpLeg"): float(np.cos(np.radians(48))) for side in ("Left", "Right")})
    assert align(biped, stood).straight == frozenset()


def test_legs_without_feet_are_not_straight(biped: Skeleton) -> None:
    """Nothing shows how such a leg stands on the ground."""
    kept = [j for j, name in enumerate(biped.names) if not name.endswith(("Foot", "ToeBase"))]
    parents = [-1 if biped.parents[j] < 0 else kept.index(int(biped.parents[j])) for j in kept]
    pegs = Skeleton.create([biped.names[j] for j in kept], parents, biped.rest_translations[kept])
    assert pegs.roles.chain("left_leg") is not None
    assert align(pegs, find_stance(pegs)).straight == frozenset()


@pytest.mark.parametrize(
    ("digits", "towards"),
    [
        (("Thumb", "Index", "Middle", "Ring"), "Middle"),
        (("Thumb", "Index", "Ring"), "Index"),
        (("Thumb", "Ring", "Pinky"), "Ring"),
        (("Thumb", "Pinky"), "Pinky"),
        (("Thumb",), "Thumb"),
    ],
)
def test_hands_point_to_their_middle_finger_or_the_nearest_to_it(
    biped: Skeleton, digits: tuple[str, ...], towards: str
) -> None:
    names, parents, offsets = list(biped.names), biped.parents.tolist(), biped.rest_translations.tolist()
    places = {"Thumb": 0.05, "Index": 0.03, "Middle": 0.01, "Ring": -0.01, "Pinky": -0.03}
    for side, sign in (("Left", 1), ("Right", -1)):
        for digit in digits:
            for joint in (1, 2, 3):
                parents.append(biped.index(f"{side}Hand") if joint == 1 else len(names) - 1)
                names.append(f"{side}Hand{digit}{joint}")
                offsets.append([0.08 * sign, 0.0, places[digit]] if joint == 1 else [0.03 * sign, 0.0, 0.0])
    body = Skeleton.create(names, parents, offsets)
    wanted = rotations.normalize_vector(np.float32([0.08, 0.0, places[towards]]))
    np.testing.assert_allclose(align(body, find_stance(body)).directions[body.index("LeftHand")], wanted, atol=1e-5)


def test_bones_point_to_the_next_joint_or_the_tip_or_as_the_one_before(biped: Skeleton) -> None:
    directions = align(biped, find_stance(biped)).directions
    np.testing.assert_allclose(directions[biped.index("LeftToeBase")], Z, atol=1e-5)  # its tip
    np.testing.assert_allclose(directions[biped.index("Head")], Y, atol=1e-5)
    np.testing.assert_allclose(directions[biped.index("LeftHand")], X, atol=1e-5)  # as the forearm
    toe = rotations.normalize_vector(np.float32([0, -0.06, 0.13]))
    np.testing.assert_allclose(directions[biped.index("RightFoot")], toe, atol=1e-5)
