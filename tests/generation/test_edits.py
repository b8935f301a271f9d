from __future__ import annotations

import numpy as np
import pytest

from kinema.errors import UsageError
from kinema.generation.channels import encode
from kinema.generation.edits import joined, longer, only_at, whole, without, without_joints
from kinema.generation.generator import Generator, Known
from kinema.generation.rig import AnyRig
from kinema.motion import Motion


def test_the_gap_of_an_edit_depends_on_what_is_around_it(generator: Generator, dog: AnyRig, turning: Motion) -> None:
    kept = without(whole(dog, turning), 1.0, 2.0)
    made = generator.sample(dog, len(kept.root), known=Known(kept.channels, kept.joints, kept.travel), seed=2)[0]
    gap = ~kept.joints[:, 0]
    np.testing.assert_allclose(made[~gap][..., :10], kept.channels[~gap][..., :10], atol=1e-5)
    changed = kept.channels.copy()
    changed[:30, 3, :6] += 0.5
    other = generator.sample(dog, len(kept.root), known=Known(changed, kept.joints, kept.travel), seed=2)[0]
    assert np.abs(made[gap] - other[gap]).max() > 1e-3


def test_joints_that_are_kept_stay_and_the_named_ones_are_new(
    generator: Generator, dog: AnyRig, turning: Motion
) -> None:
    kept = without_joints(whole(dog, turning), dog, ["head"])
    loose = ~kept.joints[0]
    assert 0 < loose.sum() < dog.count / 2
    made = generator.sample(dog, len(kept.root), known=Known(kept.channels, kept.joints, kept.travel), seed=2)[0]
    np.testing.assert_allclose(made[:, ~loose], kept.channels[:, ~loose], atol=1e-5)
    assert np.abs(made[:, loose, :6] - kept.channels[:, loose, :6]).max() > 0.05


def test_travel_meets_the_other_side_of_a_gap(dog: AnyRig, turning: Motion) -> None:
    from kinema.generation.channels import ground_path

    kept = without(whole(dog, turning), 1.0, 2.5)
    wrong = kept.channels.copy()
    wrong[29:75, 0, 10:] = 0.3
    made, start = joined(dog, wrong, kept)
    path, heading = ground_path(made, dog, start)
    true_path, true_heading = ground_path(encode(dog, turning)[0], dog, kept.start)
    np.testing.assert_allclose(path[75:], true_path[75:], atol=1e-3)
    np.testing.assert_allclose(heading[75:], true_heading[75:], atol=1e-3)
    assert np.abs(path[50] - true_path[50]).max() > 0.01


def test_key_poses_and_continuations_keep_what_they_say(dog: AnyRig, turning: Motion) -> None:
    everything = whole(dog, turning)
    keys = only_at(everything, [0.0, 1.0, 3.9])
    assert np.flatnonzero(keys.root).tolist() == [0, 30, 117]
    assert not keys.travel[:-1].any()
    more = longer(everything, 2.0)
    assert len(more.root) == len(everything.root) + 60
    assert not more.joints[-60:].any()


def test_what_is_not_there_is_named(dog: AnyRig, turning: Motion) -> None:
    kept = whole(dog, turning)
    with pytest.raises(UsageError, match="no frame between 9 s"):
        without(kept, 9.0, 10.0)
    with pytest.raises(UsageError, match="no joint has the name or role 'horn'"):
        without_joints(kept, dog, ["horn"])
