from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch

from kinema.errors import LearningError
from kinema.face.models import train
from kinema.generation.collection import MotionCollection
from kinema.generation.generator import Generator
from kinema.generation.rig import AnyRig
from kinema.generation.task import AnySkeletonTask, Options
from kinema.generation.wishes import Wish
from kinema.learn.recipe import Recipe


@pytest.mark.slow
def test_it_is_trained_by_the_loop_and_resumed_to_the_same_weights(
    collection: MotionCollection, tmp_path: Path, dog: AnyRig
) -> None:
    recipe = {"batch": 2, "validate_every": 4, "ema": 0.9, "options": {"size": "XS"}}
    whole = train("any-skeleton", collection.path, tmp_path / "whole", steps=4, **recipe)
    assert whole.finished
    model = Generator.load(tmp_path / "whole")
    made = model.sample(dog, 16, [Wish(action="walk")])
    assert np.isfinite(made).all()


@pytest.mark.slow
def test_fine_tuning_keeps_the_scales_of_the_weights(
    collection: MotionCollection, people: MotionCollection, tmp_path: Path
) -> None:
    recipe = {"batch": 2, "validate_every": 2, "steps": 2, "options": {"size": "XS"}}
    train("any-skeleton", collection.path, tmp_path / "zoo", **recipe)
    train("any-skeleton", people.path, tmp_path / "people", start_from=tmp_path / "zoo", **recipe)
    base, tuned = (Generator.load(tmp_path / each).model.scales.value for each in ("zoo", "people"))
    assert torch.equal(base, tuned), "the weights mean nothing with other scales"
    with pytest.raises(LearningError, match=r"another shape .*they were trained with --set size=XS"):
        train("any-skeleton", people.path, tmp_path / "other", start_from=tmp_path / "zoo", options={"size": "S"})


def test_batches_follow_from_their_positions(collection: MotionCollection) -> None:
    task = AnySkeletonTask(Options("XS"))
    one, other = (task.data(collection, Path(), Recipe(batch=2)) for _ in range(2))
    for a, b in zip(one.batch(range(4, 6)), other.batch(range(4, 6)), strict=True):
        np.testing.assert_array_equal(a, b)
    held = one.held_batch(range(0, 4))
    assert len(held.channels) >= 2


def test_plans_are_chosen(collection: MotionCollection) -> None:
    data = AnySkeletonTask(Options("XS", "spider")).data(collection, Path(), Recipe(batch=2))
    assert {collection.rigs[clip.rig].plan for clip in data.windows.clips} == {"spider"}
    assert data.origin()["plans"] == ["spider"]
    with pytest.raises(LearningError, match="size is 'XXL'"):
        Options("XXL")


def test_actions_are_chosen(collection: MotionCollection) -> None:
    data = AnySkeletonTask(Options("XS", actions="walk", told=0.0)).data(collection, Path(), Recipe(batch=2))
    assert not data.batch(range(0, 8)).told.any()
    with pytest.raises(LearningError, match="actions has 'dance'; the actions are: idle"):
        Options("XS", actions="walk,dance")
    with pytest.raises(LearningError, match=r"told is 1\.5; it must be a share from 0 to 1"):
        Options("XS", told=1.5)


def test_body_plans_that_are_not_there_are_named(collection: MotionCollection) -> None:
    with pytest.raises(LearningError, match="no skeleton has the body plan 'dragons'; there are: biped"):
        AnySkeletonTask(Options("XS", "biped,dragons")).data(collection, Path(), Recipe(batch=2))
