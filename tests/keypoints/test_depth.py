"""The network that says how far limbs point towards the viewer."""

from __future__ import annotations

import numpy as np

from kinema.keypoints.depth import COUNT, directions, towards
from kinema.keypoints.proportions import LIMBS, USUAL, index

from .conftest import Filmed


def test_most_limbs_point_where_they_do(filmed: Filmed) -> None:
    truth = np.concatenate([filmed.truth, 0 * filmed.truth[:, :1]], axis=1)
    deep = directions(truth, USUAL)[:, : len(LIMBS), 2]
    guessed = towards(truth[..., :2], USUAL, 30.0)[:, : len(LIMBS)]
    clear = np.abs(deep) > 0.35
    assert clear.sum() > 300 and (np.sign(guessed) == np.sign(deep))[clear].mean() > 0.9


def test_any_number_of_pictures_at_any_rate() -> None:
    flat = np.zeros((1, 21, 2))
    flat[:, index("neck"), 1] = 0.5
    for fps in (12.0, 30.0, 60.0):
        assert towards(np.repeat(flat, 5, axis=0), USUAL, fps).shape == (5, COUNT)
    assert np.isfinite(towards(flat, USUAL, 30.0)).all()
