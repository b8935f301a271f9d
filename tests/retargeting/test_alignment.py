"""Frames that mean the same on every skeleton."""

from __future__ import annotations

import numpy as np
import pytest

from kinema import Skeleton, rotations
from kinema.mocap.procedural import humanoid
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
