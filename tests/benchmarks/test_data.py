"""Inputs of the benchmarks."""

from __future__ import annotations

import numpy as np

from kinema.benchmarks import data
from kinema.roles import require_biped


def test_body_is_a_person_of_27_joints() -> None:
    skeleton = data.body()
    assert skeleton.joint_count == data.JOINTS
    assert require_biped(skeleton).is_biped


def test_wandering_is_smooth_and_repeatable() -> None:
    motion = data.wander(200)
    assert np.array_equal(motion.local_rotations, data.wander(200).local_rotations)
    assert not np.array_equal(motion.local_rotations, data.wander(200, seed=2).local_rotations)
    steps = np.linalg.norm(np.diff(motion[:].global_positions, axis=0), axis=-1)
    assert steps.max() < 0.3
    assert steps.mean() > 0.001


def test_locomotion_has_the_frames_asked_for_and_all_styles_in_turn() -> None:
    takes = data.locomotion(4_000)
    assert 4_000 <= sum(take.frames for take in takes) < 8_000
    assert len({take.local_rotations.tobytes() for take in takes}) == len(takes)
