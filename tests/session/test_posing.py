"""Posing a character by hand: where handles are, what follows them, what is refused."""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np
import pytest

from kinema import Motion, Skeleton, ik, rotations
from kinema.errors import ControlError, KinemaError
from kinema.rendering.camera import Camera
from kinema.session import posing
from kinema.session.clips import ClipSession
from kinema.session.posing import Rig
from kinema.skeleton import Hinge

from .conftest import library_file, walk

CAMERA = Camera.look_at((0, 1, 4), (0, 1, 0))
NAMES = {"hips", "left_foot", "right_foot", "left_hand", "right_hand", "head", "gaze"}


def until(session: ClipSession, ready: Callable[[], object]) -> None:
    end = time.monotonic() + 300  # the solver may have to be compiled
    while not ready():
        session.update(0.0)
        assert time.monotonic() < end
        time.sleep(0.002)


def with_handles(motion: Motion, frame: int = 20) -> ClipSession:
    session = ClipSession([library_file("a", motion)])
    session.wait()
    session.seek(frame)
    session.posing.switch(True)
    until(session, lambda: session.posing.places)
    return session


@pytest.fixture
def session(biped: Skeleton) -> ClipSession:
    return with_handles(walk(biped))


def shown(session: ClipSession) -> np.ndarray:
    session.update(0.0)
    return session.view(CAMERA).instances[0].pose.global_positions[0].copy()


def moved(session: ClipSession, before: dict[str, np.ndarray], name: str) -> float:
    return float(np.linalg.norm(session.posing.places[name] - before[name]))


def test_a_hand_goes_where_it_is_dragged_and_the_feet_stay(session: ClipSession, biped: Skeleton):
    clip = session.shown.motion.local_rotations.copy()
    before, frame = dict(session.posing.places), shown(session)
    assert before.keys() == NAMES
    np.testing.assert_allclose(before["left_hand"], frame[biped.index("LeftHand")], atol=1e-5)
    target = before["left_hand"] + [0, 0, 0.2]
    session.posing.drag("left_hand", tuple(target))
    after = shown(session)
    assert np.linalg.norm(after[biped.index("LeftHand")] - target) < 0.01
    for toe in ("LeftFoot", "RightFoot", "LeftToeBase", "RightToeBase"):
        assert np.linalg.norm(after[biped.index(toe)] - frame[biped.index(toe)]) < 0.01
    assert np.linalg.norm(after[biped.index("LeftForeArm")] - frame[biped.index("LeftForeArm")]) > 0.02, (
        "the arm follows"
    )
    assert np.array_equal(session.shown.motion.local_rotations, clip)


def test_the_whole_body_follows_a_hand_that_goes_to_the_ground(session: ClipSession):
    before = dict(session.posing.places)
    target = before["hips"] * [1, 0, 1] + [0.1, 0.1, 0.5]
    session.posing.drag("left_hand", tuple(target))
    shown(session)
    assert np.linalg.norm(session.posing.places["left_hand"] - target) < 0.01
    assert moved(session, before, "hips") > 0.05
    assert max(moved(session, before, foot) for foot in ("left_foot", "right_foot")) < 0.01


@pytest.mark.parametrize("name", ["left_hand", "right_foot", "hips", "head", "gaze"])
def test_out_of_reach_the_body_stays_whole_and_the_other_feet_stay(session: ClipSession, biped: Skeleton, name: str):
    before, frame = dict(session.posing.places), shown(session)
    session.posing.drag(name, (900.0, 500.0, -900.0))
    after = shown(session)
    assert np.isfinite(after).all()
    bones = [np.linalg.norm((one - one[biped.parents])[1:], axis=-1) for one in (frame, after)]
    np.testing.assert_allclose(bones[1], bones[0], atol=1e-3)
    assert all(moved(session, before, foot) < 0.01 for foot in {"left_foot", "right_foot"} - {name})


def test_a_handle_that_is_put_on_its_own_joint_keeps_the_pose_finite(session: ClipSession):
    session.posing.drag("gaze", tuple(session.posing.places["head"]))
    assert np.isfinite(shown(session)).all()


def test_hips_bend_the_knees_and_a_second_handle_leaves_the_first_where_it_was_put(
    session: ClipSession, biped: Skeleton
):
    before = dict(session.posing.places)
    hips, hand = before["hips"] - [0, 0.3, 0], before["right_hand"] + [0.1, -0.2, 0.2]
    session.posing.drag("hips", tuple(hips))
    shown(session)
    session.posing.drag("right_hand", tuple(hand))
    shown(session)
    assert np.linalg.norm(session.posing.places["hips"] - hips) < 0.01
    assert np.linalg.norm(session.posing.places["right_hand"] - hand) < 0.01
    assert max(moved(session, before, foot) for foot in ("left_foot", "right_foot")) < 0.01


def test_a_foot_keeps_its_orientation_and_the_other_one_stays(session: ClipSession, biped: Skeleton):
    before = dict(session.posing.places)
    foot = session.world.poses.of(session.figure).global_rotations[biped.index("LeftFoot")]
    session.posing.drag("left_foot", tuple(before["left_foot"] + [0.05, 0.15, 0.2]))
    shown(session)
    assert abs(moved(session, before, "left_foot") - np.linalg.norm([0.05, 0.15, 0.2])) < 0.01
    assert moved(session, before, "right_foot") < 0.01
    turned = session.world.poses.of(session.figure).global_rotations[biped.index("LeftFoot")]
    assert rotations.angle(rotations.relative(foot, turned)) < 0.05


def test_the_head_looks_at_its_gaze(session: ClipSession, biped: Skeleton):
    target = session.posing.places["gaze"] + [0.4, 0.1, 0]
    session.posing.drag("gaze", tuple(target))
    pose = (shown(session), session.world.poses.of(session.figure))[1]
    head = biped.index("Head")
    sight = rotations.rotate(pose.global_rotations[head], np.float32([0, 0, 1]))
    wanted = target - pose.global_positions[head]
    assert sight @ wanted / np.linalg.norm(wanted) > np.cos(np.deg2rad(1))


def test_the_pose_belongs_to_a_frame_and_reset_returns_to_it(session: ClipSession):
    posing, frame = session.posing, shown(session)
    posing.drag("left_hand", tuple(posing.places["left_hand"] + [0, 0.1, 0.2]))
    assert np.abs(shown(session) - frame).max() > 0.05
    assert not session.playhead.playing and session.still
    posing.reset()
    np.testing.assert_allclose(shown(session), frame, atol=1e-6)
    posing.drag("left_hand", tuple(posing.places["left_hand"] + [0, 0.1, 0.2]))
    shown(session)
    session.seek(21)
    shown(session)
    session.seek(20)
    np.testing.assert_allclose(shown(session), frame, atol=1e-6)
    posing.drag("left_hand", tuple(posing.places["left_hand"] + [0, 0.1, 0.2]))
    shown(session)
    posing.switch(False)
    np.testing.assert_allclose(shown(session), frame, atol=1e-6)
    assert not posing.places
    session.toggle_play()
    session.update(0.2)
    assert session.playhead.time > 20 / 30


def test_dragging_pauses(session: ClipSession):
    session.toggle_play()
    session.update(0.1)
    session.posing.drag("hips", tuple(session.posing.places["hips"] - [0, 0.1, 0]))
    frame = session.playhead.time
    session.update(0.1)
    assert session.playhead.time == frame and "hips" in session.posing.put


def test_a_handle_that_is_let_go_stays_where_the_body_reached(session: ClipSession):
    posing = session.posing
    posing.drag("left_hand", tuple(posing.places["left_hand"] + [0, 0, 5.0]))
    shown(session)
    reached = posing.places["left_hand"]
    posing.release("left_hand")
    shown(session)
    assert np.linalg.norm(posing.places["left_hand"] - reached) < 0.02
    np.testing.assert_array_equal(posing.put["left_hand"], reached)
    posing.release("right_hand")
    assert "right_hand" not in posing.put, "it was not dragged"


@pytest.mark.parametrize("name", ["", "nope", "left_hand\0", "__class__", "x" * 5000])
def test_unknown_handles_are_refused(session: ClipSession, name: str):
    with pytest.raises(ControlError, match="no handle"):
        session.posing.drag(name, (0.0, 1.0, 0.0))
    assert not session.posing.put


@pytest.mark.parametrize(
    "position",
    [
        (float("nan"), 1.0, 0.0),
        (0.0, float("inf"), 0.0),
        (0.0, -1e30, 0.0),
        (0.0, 1001.0, 0.0),
        (0.0, 2**70, 0.0),
        (0.0, 1.0),
        (0.0, 1.0, 0.0, 0.0),
        ("0", "1", "2"),
        "abc",
        b"abc",
        (True, False, True),
        (None, None, None),
        ([1.0], [2.0], [3.0]),
        {"x": 1, "y": 2, "z": 3},
        {1.0, 2.0, 3.0},
        None,
        7,
    ],
)
def test_positions_that_are_none_are_refused(session: ClipSession, position: object):
    before = shown(session)
    with pytest.raises(ControlError, match="three numbers"):
        session.posing.drag("left_hand", position)
    assert not session.posing.put
    assert np.array_equal(shown(session), before)


def test_there_are_no_handles_to_drag_while_they_are_off(biped: Skeleton):
    session = ClipSession([library_file("a", walk(biped))])
    session.wait()
    session.update(0.0)
    assert session.playhead.playing and not session.posing.on
    with pytest.raises(ControlError):
        session.posing.drag("left_hand", (0.0, 1.0, 0.0))


def test_settings_switch_and_reset(session: ClipSession):
    handles, reset = session.posing.settings()
    session.posing.drag("hips", (0.0, 0.5, 0.0))
    reset.act()
    assert not session.posing.put
    handles.put(False)
    session.update(0.0)
    assert not session.posing.on and not session.posing.places
    with pytest.raises(ControlError):
        handles.put("yes")


@pytest.mark.parametrize("pairs", [2, 4])
def test_every_foot_of_any_body_has_a_handle(crawler: Callable[..., Motion], pairs: int):
    session = with_handles(crawler(pairs), 3)
    feet = sorted(Rig.of(session.shown.motion.skeleton).feet)
    before = dict(session.posing.places)
    assert len(feet) == 2 * pairs and set(feet) < before.keys()
    target = before[feet[0]] + [0.03, 0.06, 0.03]
    session.posing.drag(feet[0], tuple(target))
    shown(session)
    assert np.linalg.norm(session.posing.places[feet[0]] - target) < 0.01
    assert all(moved(session, before, foot) < 0.01 for foot in feet[1:])


def test_hinges_keep_their_limits(biped: Skeleton):
    hinges = [Hinge(biped.index(name), (1.0, 0.0, 0.0), 0.0, 2.4) for name in ("LeftLeg", "RightLeg")]
    robot = biped.with_hinges(hinges)
    rig, pose = Rig.of(robot), walk(robot)[20]
    posed = rig.solve(pose, {"hips": rig.places(pose)["hips"] - [0, 0.25, 0]})
    assert np.asarray(ik.limits.excess(posed, hinges)).max() < 1e-3
    assert np.linalg.norm(rig.places(posed)["hips"] - rig.places(pose)["hips"]) > 0.2


def test_a_body_without_limbs_has_a_handle_at_its_hips():
    stick = Skeleton.create(["a", "b"], [-1, 0], [[0, 0, 0], [0, 1, 0]])
    session = with_handles(Motion.create(stick, np.tile(stick.rest_rotations, (9, 1, 1)), fps=30.0), 3)
    (name,) = session.posing.places
    session.posing.drag(name, (0.2, 0.1, 0.0))
    shown(session)
    np.testing.assert_allclose(session.posing.places[name], [0.2, 0.1, 0.0], atol=0.01)


def test_what_cannot_be_prepared_is_said_once(biped: Skeleton, monkeypatch: pytest.MonkeyPatch):
    def fail(pose: object) -> Rig:
        raise KinemaError("no such body")

    monkeypatch.setattr(posing, "_ready", fail)
    session = ClipSession([library_file("a", walk(biped))])
    session.wait()
    session.posing.switch(True)
    until(session, lambda: session.log.lines)
    for _ in range(3):
        session.update(0.0)
    assert [(line.text, line.count) for line in session.log.lines] == [("no such body", 1)]
    assert not session.posing.on


def test_another_clip_starts_from_its_own_pose(biped: Skeleton):
    session = ClipSession([library_file("a", walk(biped), walk(biped, name="again"))])
    session.wait()
    session.seek(0)
    session.posing.switch(True)
    until(session, lambda: session.posing.places)
    session.posing.drag("hips", tuple(session.posing.places["hips"] - [0, 0.2, 0]))
    shown(session)
    first = session.shown
    session.step_clip(1)
    until(session, lambda: session.shown is not first and session.posing.places)
    assert not session.posing.put
    np.testing.assert_allclose(shown(session), session.shown.motion[0].global_positions, atol=1e-5)
