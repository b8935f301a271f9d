"""Lengths and scale from flat points."""

from __future__ import annotations

import numpy as np

from kinema.keypoints.proportions import NAMES, PARTS, USUAL, index, limb_ends, limb_parts, measure

from .conftest import Filmed


def test_lengths_and_scale_are_those_of_the_person(filmed: Filmed) -> None:
    hips = filmed.exact[:, [index("left_hip"), index("right_hip")]].mean(axis=1, keepdims=True)
    points = np.concatenate([filmed.exact, hips], axis=1)
    body = measure(points, np.ones(points.shape[:2]), 30.0)
    truth = np.concatenate([filmed.truth, 0 * filmed.truth[:, :1]], axis=1)
    ends, parts = limb_ends(), limb_parts()
    long = np.linalg.norm(truth[:, ends[:, 1]] - truth[:, ends[:, 0]], axis=-1).mean(axis=0)
    size = float((body.scale / filmed.scale).mean())
    for part in ("trunk", "upper_arm", "forearm", "thigh", "shin"):
        own = long[parts == PARTS.index(part)].mean()
        assert abs(body.length(part) * size / own - 1) < 0.06, part
    assert np.abs(body.scale / filmed.scale / size - 1).max() < 0.05


def test_a_child_is_told_from_an_adult() -> None:
    """A person who stands in the picture plane, with legs of two thirds of the usual length."""
    places = np.zeros((30, len(NAMES), 2))
    lengths = USUAL * np.where(np.isin(PARTS, ("thigh", "shin")), 0.66, 1.0)
    for limb, (one, other) in enumerate(limb_ends().tolist()):
        sideways = limb_parts()[limb] in (1, 2)
        step = np.array([1.0, 0.0]) if sideways else np.array([0.0, -1.0 if limb == 0 else 1.0])
        places[:, other] = places[:, one] + step * lengths[limb_parts()[limb]] * 100
    places[:, [index("left_ear"), index("right_ear")]] = places[:, [index("neck")]] - [0.0, 22.0]
    body = measure(places, np.ones(places.shape[:2]), 30.0)
    assert np.isclose(body.length("thigh") / body.length("trunk"), lengths[5] / lengths[0], rtol=0.02)
    assert np.isclose(sum(body.length(part) for part in ("trunk", "thigh", "shin", "head")), USUAL[[0, 5, 6, 8]].sum())
