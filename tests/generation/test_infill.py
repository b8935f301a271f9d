"""Retargeting by constraint: what was retargeted stays as it is, the rest moves."""

from __future__ import annotations

import pickle
from pathlib import Path

import numpy as np
import pytest

import kinema
from kinema.errors import LearningError
from kinema.generation.infill import Infill, filled, loose_joints
from kinema.generation.model import AnySkeletonModel
from kinema.generation.rig import AnyRig
from kinema.generation.sampling import SamplingSettings
from kinema.generation.task import AnySkeletonTask, Options
from kinema.learn.folder import save_model
from kinema.mocap.creatures import Act, make_creature, perform
from kinema.motion import Motion
from kinema.retargeting.retargeter import Retargeter
from kinema.retargeting.transfer import KEEP


@pytest.fixture(scope="module")
def folder(model: AnySkeletonModel, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("weights")
    save_model(path, "any-skeleton", AnySkeletonTask(Options("XS")), model, {})
    return path


@pytest.fixture(scope="module")
def person() -> Motion:
    return perform(make_creature("person"), [Act("walk", 2.0)], seed=1).replace(fps=60.0)


def test_the_tail_moves_and_nothing_else_changes(folder: Path, person: Motion) -> None:
    target = make_creature("trex").skeleton
    plain = kinema.retarget(person, target)
    moved = kinema.retarget(person, target, fill=pickle.loads(pickle.dumps(Infill(str(folder), seed=3, steps=2))))
    changed = np.abs(plain.motion.local_rotations - moved.motion.local_rotations).max(axis=(0, 2)) > 1e-6
    names = {target.names[joint] for joint in np.flatnonzero(changed)}
    assert names == {"jaw", *(name for name in target.names if name.startswith("tail"))}
    np.testing.assert_array_equal(plain.motion.local_translations, moved.motion.local_translations)
    assert moved.motion.fps == 60.0
    assert moved.report.unmatched == ()
    assert set(plain.report.unmatched) == names
    assert "8 joints" in moved.report.warnings[-1] or "7 joints" in moved.report.warnings[-1]
    again = kinema.retarget(person, target, fill=Infill(str(folder), seed=3, steps=2))
    np.testing.assert_array_equal(again.motion.local_rotations, moved.motion.local_rotations)


def test_what_is_known_changes_what_is_made(folder: Path, person: Motion) -> None:
    """The tail depends on how the body moves: it is not made apart from it."""
    target = make_creature("trex").skeleton
    still = perform(make_creature("person"), [Act("idle", 2.0)], seed=1).replace(fps=60.0)
    tails = [
        kinema.retarget(motion, target, fill=Infill(str(folder), steps=2)).motion.local_rotations[:, -6:]
        for motion in (person, still)
    ]
    frames = min(map(len, tails))
    assert np.abs(tails[0][:frames] - tails[1][:frames]).max() > 1e-3


def test_joints_that_carry_moved_ones_stay(dog: AnyRig) -> None:
    skeleton = dog.skeleton
    moved = np.ones(skeleton.joint_count, np.bool_)
    shoulder, ear = skeleton.index("front_leg_left_shoulder_1"), skeleton.index("ear_left")
    moved[[shoulder, ear]] = False
    assert skeleton.names[int(dog.joints[np.flatnonzero(loose_joints(dog, moved))[0]])] == "ear_left"
    assert loose_joints(dog, moved).sum() == 1
    assert not loose_joints(dog, ~moved & moved)[0], "the hips are known even if nothing is"


def test_where_everything_is_matched_nothing_is_made(folder: Path, person: Motion) -> None:
    setup = Retargeter(person.skeleton, person.skeleton)
    result = setup(person)
    assert (setup.transfer.ops != KEEP).any()
    unread = Infill(str(folder / "gone"))
    assert unread(setup, result) is result
    dog = make_creature("dog").skeleton
    with pytest.raises(LearningError, match="no trained model there"):
        kinema.retarget(person, dog, fill=unread)


def test_rates_are_kept(generator, dog: AnyRig, turning: Motion) -> None:
    fast = turning.replace(fps=48.0)
    loose = np.zeros(dog.count, np.bool_)
    loose[np.flatnonzero(dog.joints == dog.skeleton.index("tail_4"))] = True
    made = filled(dog, fast, loose, generator, 0, SamplingSettings(2, 1.0))
    assert (made.frames, made.fps) == (fast.frames, 48.0)
    changed = np.abs(made.local_rotations - fast.local_rotations).max(axis=(0, 2)) > 1e-6
    assert np.flatnonzero(changed).tolist() == [dog.skeleton.index("tail_4")]
