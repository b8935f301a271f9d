from __future__ import annotations

import numpy as np

from kinema.generation.edits import longer, whole, without
from kinema.generation.filling import fill
from kinema.generation.generator import Generator
from kinema.generation.rig import AnyRig
from kinema.motion import Motion


def test_what_is_kept_is_there_and_the_rest_is_new(generator: Generator, dog: AnyRig, turning: Motion) -> None:
    kept = longer(without(whole(dog, turning), 0.5, 1.0), 1.0)
    made = fill(generator, dog, kept, count=2, seed=3)
    assert made.shape == (2, *kept.channels.shape)
    still = kept.joints[:, 0]
    np.testing.assert_allclose(made[:, still, :, :10], np.stack([kept.channels[still, :, :10]] * 2), atol=1e-5)
    assert np.abs(made[0, ~still] - made[1, ~still]).max() > 0.01


def test_nothing_is_made_where_everything_is_kept(generator: Generator, dog: AnyRig, turning: Motion) -> None:
    kept = whole(dog, turning)
    np.testing.assert_array_equal(fill(generator, dog, kept)[0], kept.channels)
