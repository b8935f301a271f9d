from __future__ import annotations

import numpy as np

from kinema.generation.generator import Generator
from kinema.generation.rig import AnyRig
from kinema.generation.wishes import Wish


def test_a_sample_is_the_same_however_many_are_made(generator: Generator, dog: AnyRig) -> None:
    one = generator.sample(dog, 40, [Wish(action="walk")], seed=5)
    three = generator.sample(dog, 40, [Wish(action="walk")], seed=5, count=3)
    np.testing.assert_allclose(one[0], three[0], atol=1e-5)
    assert np.abs(three[0] - three[1]).max() > 0.1
    other = generator.sample(dog, 40, [Wish(action="walk")], seed=6)
    assert np.abs(one - other).max() > 0.02


def test_what_is_asked_changes_the_sample(generator: Generator, dog: AnyRig) -> None:
    plain = generator.sample(dog, 24, [Wish()], seed=1)
    for wish in (Wish(action="eat"), Wish(speed=3.0), Wish(turn=1.0), Wish("gallops to the left")):
        assert np.abs(generator.sample(dog, 24, [wish], seed=1) - plain).max() > 1e-4


def test_names_and_roles_can_be_withheld(generator: Generator, dog: AnyRig) -> None:
    said, withheld = generator.encode(dog), generator.encode(dog, nameless=True)
    assert float((said.tokens - withheld.tokens).abs().max()) > 1e-4


def test_a_loop_has_no_first_frame(generator: Generator, dog: AnyRig) -> None:
    made = generator.sample(dog, 32, [Wish(action="walk")], seed=1, loop=True)[0]
    assert made.shape == (32, dog.count, 14)
    assert np.isfinite(made).all()


def test_lengths_need_not_be_whole_patches(generator: Generator, dog: AnyRig) -> None:
    assert generator.sample(dog, 13).shape[1] == 13
