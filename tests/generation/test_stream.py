from __future__ import annotations

import numpy as np
import pytest
import torch

from kinema.generation.channels import CHANNELS
from kinema.generation.conditions import patch_seconds
from kinema.generation.generator import Generator
from kinema.generation.rig import AnyRig
from kinema.generation.sampling import SamplingSettings, shifted
from kinema.generation.stream import CONTEXT, Stream
from kinema.generation.wishes import Wish


def test_each_step_gives_a_patch_and_the_same_seed_the_same_motion(generator: Generator, dog: AnyRig) -> None:
    streams = [Stream(generator, dog, seed=4) for _ in range(2)]
    made = [[stream.next(Wish(action="walk")) for _ in range(5)] for stream in streams]
    assert all(each.shape == (generator.patch, dog.count, CHANNELS) for each in made[0])
    np.testing.assert_array_equal(np.concatenate(made[0]), np.concatenate(made[1]))


def test_a_wish_changes_what_comes(generator: Generator, dog: AnyRig) -> None:
    one, other = (Stream(generator, dog, seed=4) for _ in range(2))
    for _ in range(3):
        np.testing.assert_array_equal(one.next(Wish(action="idle")), other.next(Wish(action="idle")))
    later = [np.abs(one.next(Wish(action="idle")) - other.next(Wish(action="run"))).mean() for _ in range(5)]

    assert min(later) > 1e-4


def test_an_act_is_told_how_long_it_goes_on_however_it_is_steered(generator: Generator, dog: AnyRig) -> None:
    stream = Stream(generator, dog, Wish(action="walk", speed=1.0))
    began = stream._since[CONTEXT]
    for step in range(3):
        stream.next(Wish(action="walk", speed=1.0 + 0.1 * step))
    assert stream._since[CONTEXT] == pytest.approx(began + 3 * patch_seconds(generator.patch))
    stream.next(Wish(action="attack"))
    np.testing.assert_allclose(stream._since[CONTEXT:], patch_seconds(generator.patch) * (np.arange(4) + 0.5))
    stream.next(Wish(action="attack", text=""))
    assert stream._since[CONTEXT] == pytest.approx(1.5 * patch_seconds(generator.patch))


def test_patches_are_cleaned_as_often_as_there_are_steps(generator: Generator, dog: AnyRig) -> None:
    stream = Stream(generator, dog, settings=SamplingSettings(steps=3, guidance=1.0))
    np.testing.assert_allclose(stream._time[0, -3:], shifted(torch.tensor([2 / 3, 1 / 3, 0.0])), atol=1e-6)
    np.testing.assert_array_equal(stream._then[0, -2:], stream._time[0, -3:-1])
    assert float(stream._time[0, :-3].min()) == 1.0
