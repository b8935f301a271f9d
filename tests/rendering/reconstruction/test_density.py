from __future__ import annotations

import numpy as np

from kinema.rendering.reconstruction.beginning import Around
from kinema.rendering.reconstruction.density import grown, thinned

from .conftest import few


def test_those_that_are_pulled_most_are_split_along_their_longest_axis() -> None:
    numbers = few(6)
    pulls = np.asarray([0.1, 3.0, 0.0, 0.2, 2.0, 0.3], np.float32)
    more, of = grown(numbers, pulls, 2)
    assert of.tolist() == [0, 1, 2, 3, 4, 5, 1, 4] and len(more) == 8
    assert np.allclose(0.5 * (more.means[1] + more.means[6]), numbers.means[1], atol=1e-6)
    longest = numbers.log_scales[1].argmax()
    assert np.exp(more.log_scales[1, longest] - numbers.log_scales[1, longest]) < 0.7
    apart = np.linalg.norm(more.means[1] - more.means[6])
    assert 0.5 < apart / np.exp(numbers.log_scales[1, longest]) < 2.0
    assert np.array_equal(more.means[0], numbers.means[0])
    assert len(grown(numbers, np.zeros(6, np.float32), 3)[0]) == 6


def test_what_is_faint_or_fog_goes_and_the_sky_stays() -> None:
    numbers = few(4)
    numbers.logits[:] = [0.0, -9.0, 0.0, 0.0]
    numbers.log_scales[2:] = np.log(3.0)
    numbers.means[3] = [50.0, 0.0, 0.0]
    assert thinned(numbers, Around(np.zeros(3), 2.0)).tolist() == [0, 3]
