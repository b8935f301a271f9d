from __future__ import annotations

import numpy as np

from kinema.generation.acceptance import STRETCHED, refusal
from kinema.generation.channels import TRAVEL, encode
from kinema.generation.rig import AnyRig
from kinema.motion import Motion


def test_a_turning_walk_is_of_use(dog: AnyRig, turning: Motion) -> None:
    assert refusal(dog, turning, *encode(dog, turning)) is None


def test_bones_that_change_their_length_are_refused_and_a_little_is_forgiven(dog: AnyRig, turning: Motion) -> None:
    pose = turning[:]
    moved = pose.local_translations.copy()
    moved[:, int(dog.joints[-1])] *= 1.5
    stretched = Motion.create(turning.skeleton, pose.local_rotations, moved, fps=30, name="stretched")
    reason = refusal(dog, stretched, *encode(dog, stretched))
    assert reason is not None
    assert "bones change their length" in reason
    assert repr(dog.skeleton.names[dog.joints[-1]]) in reason
    assert refusal(dog, stretched, *encode(dog, stretched), apart=STRETCHED) is None


def test_jumps_of_the_root_and_short_clips_are_refused(dog: AnyRig, turning: Motion) -> None:
    channels, start = encode(dog, turning)
    fast = turning.replace(local_translations=turning.local_translations.copy())
    fast.local_translations[60:, 0, 0] += 100 * dog.unit
    reason = refusal(dog, fast, *encode(dog, fast))
    assert reason is not None
    assert "jumps" in reason
    short = refusal(dog, turning.cut(0, 5), *encode(dog, turning.cut(0, 5)))
    assert short is not None
    assert "lasts 5 frames" in short
    broken = channels.copy()
    broken[3, 0, TRAVEL] = np.nan
    assert "not finite" in str(refusal(dog, turning, broken, start))
