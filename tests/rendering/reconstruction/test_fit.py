from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from kinema.errors import FormatError, SceneError, UsageError
from kinema.rendering.reconstruction.fit import FitRecipe, decibels_of, fitted
from kinema.rendering.reconstruction.numbers import NAMES
from kinema.rendering.reconstruction.similarity import decibels

from .conftest import captured

QUICK = FitRecipe(steps=250, splats=1500, seed=3)


def test_views_that_were_not_seen_are_foretold() -> None:
    fit = fitted(captured(), QUICK)
    unseen = captured(5, 48, 0.2).photos
    mean = np.mean([photo.picture for photo in captured().photos], axis=(0, 1, 2)) / 255
    flat = np.mean([decibels(np.broadcast_to(mean, photo.picture.shape), photo.picture / 255) for photo in unseen])
    assert decibels_of(fit, unseen) > flat + 5.0
    assert fit.losses[-40:].mean() < 0.5 * fit.losses[:40].mean()
    assert len(fit.scene) + len(fit.sky) <= QUICK.splats


def test_the_same_seed_fits_the_same_scene_and_it_may_end_early() -> None:
    steps: list[int] = []

    def step(done: int, loss: float) -> bool:
        steps.append(done)
        return done < 6

    first, again = (fitted(captured(), QUICK, step) for _ in range(2))
    assert first.steps == 6 and steps == [1, 2, 3, 4, 5, 6] * 2
    assert np.array_equal(first.scene.means, again.scene.means)
    other = fitted(captured(), replace(QUICK, seed=4), step)
    assert not np.array_equal(first.losses, other.losses)


@pytest.mark.slow
def test_a_fit_that_goes_on_ends_as_if_it_had_not_been_interrupted() -> None:
    recipe, states = FitRecipe(steps=130, splats=900, seed=3, degree=1), []
    whole = fitted(captured(), recipe)
    part = fitted(captured(), recipe, lambda done, loss: done < 105, keep=states.append)
    assert part.steps == 105 and [state.steps for state in states] == [105]
    told: list[int] = []
    again = fitted(captured(), recipe, lambda done, loss: told.append(done) is None, begin=states[0])
    assert told == list(range(106, 131)) and again.steps == 130
    assert np.array_equal(again.losses, whole.losses)
    for name in NAMES:
        assert np.array_equal(getattr(again.scene, name), getattr(whole.scene, name))


def test_a_state_that_is_not_whole_is_refused() -> None:
    recipe, states = FitRecipe(steps=9, splats=300), []
    fitted(captured(), recipe, lambda done, loss: done < 2, keep=states.append)
    (state,) = states
    without = {name: array for name, array in state.arrays.items() if name != "first.means"}
    shorter = {**state.arrays, "met": state.arrays["met"][1:]}
    flatter = {**state.arrays, "numbers.means": state.arrays["numbers.means"][:, :2]}
    for arrays in (without, shorter, flatter):
        with pytest.raises(FormatError, match="begin anew"):
            fitted(captured(), recipe, begin=replace(state, arrays=arrays))


def test_it_begins_at_points_that_are_known() -> None:
    points = np.random.default_rng(0).uniform(-1, 1, (2500, 3)).astype(np.float32)
    capture = replace(captured(), points=points, colours=np.full_like(points, 0.5))
    fit = fitted(capture, replace(QUICK, steps=1, degree=1, splats=4000))
    assert fit.scene.degree == 1 and np.abs(fit.scene.means).max() < 1.1


def test_masked_pixels_do_not_count() -> None:
    capture = captured()
    blank = np.zeros((48, 48), np.bool_)
    hidden = tuple(replace(photo, mask=blank) for photo in capture.photos)
    fit = fitted(replace(capture, photos=hidden), replace(QUICK, steps=3))
    assert np.abs(fit.losses).max() < 1e-6


def test_what_cannot_be_fitted_is_refused() -> None:
    with pytest.raises(SceneError, match="two pictures"):
        fitted(replace(captured(), photos=captured().photos[:1]))
    for wrong in ({"steps": 0}, {"splats": 0}, {"degree": 4}, {"flat": -1.0}):
        with pytest.raises(UsageError, match="a fit needs"):
            replace(QUICK, **wrong)


def test_a_floor_stays_where_known_points_are() -> None:
    rng = np.random.default_rng(0)
    floor = rng.uniform(-2, 2, (700, 3)) * [1, 0, 1] + rng.normal(0, 0.01, (700, 3))
    points = np.concatenate([floor, rng.uniform([-2, 0, -2], [2, 2, 2], (15, 3))]).astype(np.float32)
    capture = replace(captured(), points=points, colours=np.full(points.shape, 0.5, np.float32))
    scene = fitted(capture, QUICK).scene
    beside = (np.abs(scene.means[:, [0, 2]]) < 1.8).all(axis=1) & (scene.means[:, 2] < -0.5)
    area = scene.opacities * np.sort(scene.scales, axis=1)[:, 1:].prod(axis=1)
    on = np.abs(scene.means[:, 1]) < 0.02
    assert area[beside & on].sum() > 0.9 * area[beside].sum()
