from __future__ import annotations

import numpy as np
import pytest

from kinema.generation.edits import longer, whole, without
from kinema.generation.filling import fill, timed
from kinema.generation.generator import Generator
from kinema.generation.rig import AnyRig
from kinema.generation.wishes import Wish
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


def test_what_is_said_is_done_where_it_is_new(generator: Generator, dog: AnyRig, turning: Motion) -> None:
    kept, patch = whole(dog, turning), generator.patch
    wishes = [Wish("turns left", "turn"), Wish("walks", "walk")]
    first, last = timed(wishes, dog, longer(kept, 4.0), patch)
    assert first.seconds == pytest.approx(turning.seconds + 2.0, abs=0.1)
    assert last.seconds == pytest.approx(2.0, abs=0.1)
    assert first.turn == pytest.approx(0.5 * np.pi / 2.0, rel=0.05), "not slower for what is kept before"
    assert last.turn is None
    gap = without(kept, 0.4, 1.4)
    first, last = timed(wishes, dog, gap, patch)
    assert first.turn is None, "the other side decides"
    assert first.seconds == pytest.approx(0.9, abs=0.05)
    assert last.seconds == pytest.approx(turning.seconds - 0.9, abs=0.1)
    (only,) = timed(wishes[:1], dog, gap, patch)
    assert only.seconds == pytest.approx(turning.seconds, abs=0.1)
    assert timed([], dog, gap, patch) == []
