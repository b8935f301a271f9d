from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import kinema
from kinema.errors import UsageError
from kinema.generation.channels import CONTACT, HEIGHT, ground_path
from kinema.generation.edits import CONTEXT, longer, only_at, stretches, whole, without, without_joints
from kinema.generation.filling import fill
from kinema.generation.generator import Generator, Known
from kinema.generation.meeting import met
from kinema.generation.rig import AnyRig
from kinema.motion import Motion
from kinema.skeleton import Skeleton


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


def test_a_new_beginning_leads_to_what_follows(generator: Generator, dog: AnyRig, turning: Motion) -> None:
    kept = without(whole(dog, turning), 0.0, 1.5)
    made = fill(generator, dog, kept, seed=1)[0]
    places = ground_path(kept.channels, dog, kept.start)
    channels, start = met(dog, made, kept.root, places, kept.start)
    path, heading = ground_path(channels, dog, start)
    true_path, true_heading = ground_path(kept.channels, dog, kept.start)
    np.testing.assert_allclose(path[45:], true_path[45:], atol=1e-3)
    np.testing.assert_allclose(heading[45:], true_heading[45:], atol=1e-3)


def test_only_the_surroundings_of_a_gap_are_made(dog: AnyRig, turning: Motion) -> None:
    everything = whole(dog, turning)
    long = replace(
        everything,
        channels=np.tile(everything.channels, (10, 1, 1)),
        joints=np.tile(everything.joints, (10, 1)),
        root=np.tile(everything.root, 10),
    )
    assert stretches(long, 8) == []
    assert stretches(without(long, 20.0, 21.0), 8) == [slice(600 - 8 * CONTEXT, 630 + 8 * CONTEXT)]


def test_motion_above_the_origin_has_its_ground_below_it(generator: Generator, dog: AnyRig) -> None:
    raised = dog.skeleton.rest_translations.copy()
    raised[0, 1] += 300.0
    skeleton = Skeleton.create(dog.skeleton.names, dog.skeleton.parents, raised, dog.skeleton.rest_rotations)
    still = Motion.create(skeleton, np.tile(skeleton.rest_rotations, (30, 1, 1)), fps=30)
    rig = AnyRig.of(skeleton)
    kept = whole(rig, still)
    assert np.abs(kept.channels[:, 0, HEIGHT]).max() < 1e-3
    made = kinema.edit(still, more=0.5, steps=1, model=generator)[0]
    assert made[:].global_positions[..., 1].min() > 298


def test_feet_of_files_without_labels_are_planted(dog: AnyRig, turning: Motion) -> None:
    bare = turning.replace(labels={})
    assert whole(dog, bare).channels[..., CONTACT].mean() > 0.01


@pytest.mark.parametrize("times", [[99.0], [-4.0, 1.0], [float("nan")], [1e30]])
def test_keys_outside_of_a_clip_are_refused(dog: AnyRig, turning: Motion, times: list[float]) -> None:
    with pytest.raises(UsageError, match=r"no pose at .*the clip lasts 4 s"):
        only_at(whole(dog, turning), times)


@pytest.mark.parametrize("times", [(float("nan"), 1.0), (1.0, float("nan")), (2.0, 1.0), (1.0, 1.0)])
def test_gaps_of_nothing_are_refused(dog: AnyRig, turning: Motion, times: tuple[float, float]) -> None:
    with pytest.raises(UsageError, match="no frame between"):
        without(whole(dog, turning), *times)
