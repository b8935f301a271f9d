"""Intervals against sets of frames."""

import itertools

import numpy as np
import pytest

from kinema.mocap.contacts import runs
from kinema.mocap.edits.spans import to_mask, union, without


def frames_of(spans):
    return {frame for start, stop in spans for frame in range(start, stop)}


@pytest.mark.parametrize("seed", range(20))
def test_algebra_is_that_of_sets_of_frames(seed):
    rng = np.random.default_rng(seed)
    spans = [tuple(rng.integers(0, 40, 2).tolist()) for _ in range(6)]
    joined = union(spans)
    assert frames_of(joined) == frames_of(spans)
    assert all(a[1] < b[0] for a, b in itertools.pairwise(joined)), "gaps between them"
    start, stop = sorted(rng.integers(0, 40, 2).tolist())
    assert frames_of(without(joined, start, stop)) == frames_of(joined) - set(range(start, stop))
    assert tuple(runs(to_mask(joined, 40))) == joined


def test_masks_end_at_the_clip():
    assert to_mask([(-2, 1), (3, 9)], 5).tolist() == [True, False, False, True, True]
