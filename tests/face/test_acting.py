from __future__ import annotations

import numpy as np
import pytest

import kinema
from kinema.errors import SceneError, UsageError
from kinema.face.acting import Acted, act, act_out
from kinema.mocap.creatures import make_creature
from kinema.worlds.gaussians import GaussianScene
from kinema.worlds.itinerary import SceneAct, StagedGesture
from kinema.worlds.made import make_world


@pytest.fixture(scope="module")
def park() -> GaussianScene:
    return make_world("park", 3).scene(spacing=0.25)


@pytest.fixture(scope="module")
def acted(park: GaussianScene) -> Acted:
    return act("walk to the tree, wave, then run back while the camera circles", park)


def test_somebody_does_what_is_said(acted: Acted, park: GaussianScene) -> None:
    motion = acted.motion
    places, _ = motion.root_frame()
    level = places[:, [0, 2]]
    trees = [thing for thing in park.things if thing.names[0] == "tree"]
    near = np.min([tree.distances(level) for tree in trees], axis=0)
    assert near.min() < 1.0, "it comes to a tree"
    assert np.linalg.norm(level[-1] - level[0]) < 0.6, "and back"
    arm = next(arm for arm in motion.skeleton.roles.arms if arm.side == "right")
    pose = motion[:]
    raised = pose.global_positions[:, arm.hand, 1] > pose.global_positions[:, arm.upper, 1] + 0.1
    assert 0.8 < raised.sum() / motion.fps < 3.0, "and waves"
    assert near[raised].max() < 1.5, "there"
    speed = np.linalg.norm(np.diff(level, axis=0), axis=1) * motion.fps
    last = np.flatnonzero(raised)[-1]
    assert np.quantile(speed[:last], 0.9) < 2.0 < np.quantile(speed[last:], 0.9), "it walks there and runs back"


def test_the_camera_is_told_when(acted: Acted) -> None:
    (cue,) = acted.cues
    assert cue.move.move == "circle" and 3.0 < cue.time < acted.motion.seconds


def test_nothing_jumps_where_gestures_begin_and_end(acted: Acted) -> None:
    hands = [arm.hand for arm in acted.motion.skeleton.roles.arms]
    path = acted.motion[:].global_positions[:, hands]
    assert np.linalg.norm(np.diff(path, axis=0), axis=-1).max() * acted.motion.fps < 9.0


def test_feet_stand_while_hands_wave(acted: Acted) -> None:
    feet = [leg.foot for leg in acted.motion.skeleton.roles.legs]
    pose = acted.motion[:]
    arm = next(arm for arm in acted.motion.skeleton.roles.arms if arm.side == "right")
    raised = pose.global_positions[:, arm.hand, 1] > pose.global_positions[:, arm.upper, 1] + 0.1
    path = pose.global_positions[raised][:, feet]
    assert np.ptp(path, axis=0).max() < 0.03


@pytest.mark.slow
def test_turns_come_before_what_is_done_there() -> None:
    still = np.zeros((0, 2))
    made = act_out([SceneAct(still, heading=np.pi / 2, seconds=2.4, staying=(StagedGesture("wave"),))]).motion
    _, headings = made.root_frame()
    ahead = kinema.rotations.rotate(headings[-1], np.asarray([0.0, 0.0, 1.0], np.float32))
    assert ahead[0] > 0.9


def test_what_cannot_be_done_is_refused(park: GaussianScene) -> None:
    with pytest.raises(SceneError, match="there is no volcano here"):
        act("walk to the volcano", park)
    with pytest.raises(UsageError, match="was not understood"):
        act("blorp the tree", park)
    horse = kinema.Character("horse", make_creature("horse").skeleton)
    with pytest.raises(UsageError, match="only bodies with two legs can wave"):
        act("walk to the tree and wave", park, character=horse)
