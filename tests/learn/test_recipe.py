"""Recipes: the learning rate over time, and what is refused."""

from __future__ import annotations

import math
from itertools import pairwise

import pytest

from kinema.errors import LearningError
from kinema.learn.recipe import Recipe


def test_cosine_rises_then_falls_once():
    recipe = Recipe(steps=1000, warmup=99, rate=2.0)
    rates = [recipe.rate_at(step) for step in range(1000)]
    assert rates[0] == pytest.approx(0.02, rel=1e-3)
    assert max(range(1000), key=rates.__getitem__) == 99
    assert all(a > b for a, b in pairwise(rates[99:]))
    assert rates[500] == pytest.approx(2.0 * (0.01 + 0.99 * 0.5)) and rates[-1] == pytest.approx(0.02, rel=0.01)


def test_restarts_begin_again_after_periods_that_double():
    recipe = Recipe(steps=1000, warmup=0, rate=1.0, schedule="restarts", period=100)
    starts = [step for step in range(1, 1000) if recipe.rate_at(step) > 2 * recipe.rate_at(step - 1)]
    assert starts == [100, 300, 700]
    assert recipe.rate_at(300) == 1.0 and recipe.rate_at(200) == pytest.approx(0.01 + 0.99 * 0.5)


def test_it_survives_json():
    recipe = Recipe(steps=7, ema=0.5, schedule="restarts")
    assert Recipe.from_dict(recipe.to_dict()) == recipe
    with pytest.raises(LearningError, match="a recipe has no speed"):
        Recipe.from_dict({"speed": 1})


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("steps", 0),
        ("rate", math.nan),
        ("rate", math.inf),
        ("ema", 1.0),
        ("held_out", -0.1),
        ("seed", -1),
        ("seed", 2**32),
        ("accumulate", 0),
    ],
)
def test_numbers_out_of_range_are_named(name, value):
    with pytest.raises(LearningError, match=f"^{name} is {value}"):
        Recipe(**{name: value})


def test_an_unknown_schedule_lists_those_there_are():
    with pytest.raises(LearningError, match="no schedule is named 'step'; the schedules are: cosine, restarts"):
        Recipe(schedule="step")
    with pytest.raises(LearningError, match="no precision is named 'int8'; the precisions are: no, bf16, fp16"):
        Recipe(precision="int8")


def test_the_rate_of_an_optimizer_follows_the_same_schedule():
    recipe = Recipe(steps=100, warmup=9)
    assert all(recipe.rate_at(step, 4 * recipe.rate) == 4 * recipe.rate_at(step) for step in range(100))


def test_samples_of_a_step_are_those_of_all_batches_and_processes():
    assert Recipe(batch=8, accumulate=3, processes=2).samples == 48


def test_the_running_mean_begins_short_and_reaches_its_decay() -> None:
    recipe = Recipe(ema=0.99)
    decays = [recipe.ema_at(step) for step in (0, 10, 100, 5000)]
    assert decays[0] == 0.1
    assert decays == sorted(decays)
    assert decays[-1] == 0.99
    assert Recipe().ema_at(50) == 0
