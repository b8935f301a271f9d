"""Flat points with another body's proportions."""

from __future__ import annotations

import numpy as np

from kinema.keypoints.fitted import fitted, lengths_of
from kinema.keypoints.motions import lifted
from kinema.keypoints.points import BodyPoints
from kinema.keypoints.proportions import PARTS, USUAL, index, limb_ends, limb_parts

from .conftest import Filmed


def test_limbs_keep_their_directions_and_have_the_other_s_lengths(filmed: Filmed) -> None:
    person = lifted(filmed.seen, 30.0)
    giant = USUAL * np.array([1.3, 1.2, 1.0, 1.4, 1.3, 0.9, 1.1, 1.0, 1.0])
    points = fitted(person, giant)
    places = np.concatenate([points.body, points.toes], axis=1)[..., :2].astype(np.float64)
    hips = places[:, [index("left_hip"), index("right_hip")]].mean(axis=1, keepdims=True)
    places, ends = np.concatenate([places, hips], axis=1), limb_ends()
    limbs = places[:, ends[:, 1]] - places[:, ends[:, 0]]
    space = person.points[:, ends[:, 1]] - person.points[:, ends[:, 0]]
    flat = space[..., :2] * [1, -1]
    cosine = (limbs * flat).sum(-1) / (np.linalg.norm(limbs, axis=-1) * np.linalg.norm(flat, axis=-1))
    clear = np.linalg.norm(flat, axis=-1) > 0.1
    assert (cosine[clear] > 0.999).all()
    shown = np.linalg.norm(limbs, axis=-1) / (np.linalg.norm(flat, axis=-1) / np.linalg.norm(space, axis=-1))
    ratios = shown / person.body.scale[:, None] / giant[limb_parts()]
    middle = np.median(ratios[clear])
    for part in ("trunk", "upper_arm", "forearm", "thigh", "shin"):
        own = ratios[:, limb_parts() == PARTS.index(part)][clear[:, limb_parts() == PARTS.index(part)]]
        assert abs(np.median(own) / middle - 1) < 0.01, part


def test_lengths_of_a_body_in_space(filmed: Filmed) -> None:
    sure = np.concatenate([filmed.truth[0], np.ones((20, 1))], axis=-1).astype(np.float32)
    empty = [np.zeros((count, 4), np.float32) for count in (21, 21, 70)]
    found = lengths_of(BodyPoints(sure[:18], *empty, sure[18:]))
    thighs = [filmed.truth[0, index(f"{s}_knee")] - filmed.truth[0, index(f"{s}_hip")] for s in ("left", "right")]
    assert np.isclose(found[PARTS.index("thigh")], np.mean([np.linalg.norm(thigh) for thigh in thighs]), atol=1e-4)
