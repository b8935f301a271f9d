"""Training the classifier: it learns actions, on rigs that it never saw, too, and says how well."""

import numpy as np
import pytest

from kinema.errors import LearningError
from kinema.generation.classifier_task import ActionTask, Spots, accuracy, held_clips
from kinema.learn.folder import load_model
from kinema.learn.recipe import Recipe
from kinema.learn.run import start_run
from kinema.learn.training import Training
from kinema.mocap.creatures.acts import ACTIONS


@pytest.mark.slow
def test_it_learns_to_tell_actions_of_rigs_it_never_saw(people, tmp_path):
    recipe = Recipe(steps=35, batch=16, warmup=5, validate_every=35)
    report = Training(start_run(tmp_path / "run", ActionTask, people, {}, recipe)).go()
    figures = {row["name"]: row["accuracy_percent"] for row in report.rows}
    assert figures["held-out clips"] > 85 and figures["held-out rigs"] > 85
    model = load_model(tmp_path / "run", task=ActionTask).model
    assert accuracy(model, people, unseen=True) == figures["held-out rigs"]


def test_windows_are_balanced_over_actions(people):
    sight = Spots(people, people.clips).draw(300, np.random.default_rng(0))
    shares = np.bincount(sight.action.numpy(), minlength=len(ACTIONS)) / 300
    assert shares[[ACTIONS.index(name) for name in ("idle", "walk", "run")]] == pytest.approx(1 / 3, abs=0.1)


def test_windows_lie_within_one_stretch(people):
    for spot in Spots(people, people.clips).spots:
        part = next(part for part in spot.clip.stretches if part.start <= spot.start < part.stop)
        assert part.start <= spot.start <= spot.stop and spot.stop + 32 <= part.stop
        assert ACTIONS[spot.action] == part.action


def test_held_out_clips_are_of_the_group_that_is_asked_for(people):
    assert {clip.rig for clip in held_clips(people, True)} == {2}
    assert {clip.rig for clip in held_clips(people, False)} == {0, 1}


def test_too_short_stretches_are_an_error(people):
    with pytest.raises(LearningError, match="no stretch"):
        Spots(people, [])
