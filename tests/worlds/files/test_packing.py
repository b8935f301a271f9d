from __future__ import annotations

import numpy as np
import pytest

from kinema.errors import FormatError
from kinema.worlds.files.packing import (
    check_unpacked,
    colour_to_harmonic,
    harmonic_to_colour,
    logit,
    smallest_three,
    with_largest,
)


def test_packed_rotations_are_the_same_or_negated() -> None:
    turns = np.random.default_rng(0).normal(size=(500, 4)).astype(np.float32)
    turns /= np.linalg.norm(turns, axis=-1, keepdims=True)
    largest, others = smallest_three(turns)
    assert np.abs(others).max() <= np.sqrt(0.5) + 1e-6
    assert set(largest.tolist()) == {0, 1, 2, 3}
    found = with_largest(largest, others)
    np.testing.assert_allclose(np.abs((found * turns).sum(axis=-1)), 1.0, atol=1e-5)


def test_opacities_and_colours_there_and_back() -> None:
    opacities = np.asarray([0.0, 0.2, 0.5, 1.0])
    np.testing.assert_allclose(1 / (1 + np.exp(-logit(opacities))), opacities, atol=2e-6)
    assert np.isfinite(logit(opacities)).all()
    colours = np.asarray([[0.0, 0.5, 1.0]])
    np.testing.assert_allclose(harmonic_to_colour(colour_to_harmonic(colours)), colours, atol=1e-6)


def test_what_unpacks_to_far_too_much_is_refused_and_what_is_small_is_not() -> None:
    check_unpacked(16 * 1024**2, 1)
    check_unpacked(200 * 10**6, 10**6)
    with pytest.raises(FormatError, match="1000000 packed bytes, more than 200 times"):
        check_unpacked(201 * 10**6, 10**6)
