"""The stream of samples."""

from __future__ import annotations

import numpy as np

from kinema.learn.stream import Shuffled


def test_every_pass_has_every_sample_once_in_an_order_of_its_own():
    samples = np.array([3, 5, 8, 13, 21, 34, 55])
    passes = Shuffled(samples, seed=1)(range(35)).reshape(5, 7)
    assert all(sorted(each) == samples.tolist() for each in passes.tolist())
    assert len({tuple(each) for each in passes.tolist()}) == 5


def test_a_position_has_the_same_sample_whoever_asks():
    whole = Shuffled(np.arange(7), seed=2)(range(100)).tolist()
    parts = Shuffled(np.arange(7), seed=2)
    assert [parts(range(at, at + 4)).tolist() for at in (96, 5, 40)] == [whole[at : at + 4] for at in (96, 5, 40)]
    assert Shuffled(np.arange(7), seed=3)(range(100)).tolist() != whole
