"""Feet that stand in a video."""

from __future__ import annotations

import numpy as np
import pytest

from kinema.keypoints.motions import lifted
from kinema.keypoints.proportions import NAMES, Proportions
from kinema.keypoints.still_feet import standing
from kinema.mocap.contacts import detect
from kinema.motion import Motion

from .conftest import film

FPS = 30.0


def truth_of(stroll: Motion) -> np.ndarray:
    roles = stroll.skeleton.roles
    toes = stroll[:].global_positions[:, [leg.toe for leg in roles.legs]]
    return detect(toes, stroll.fps, np.quantile(toes[..., 1], 0.02, axis=0))


@pytest.mark.parametrize("azimuth", [0.0, 0.8, 1.5])
def test_feet_that_stand_are_found_and_hardly_slide(stroll: Motion, azimuth: float) -> None:
    filmed = film(stroll, azimuth)
    person, stands = lifted(filmed.seen, FPS), truth_of(stroll)
    found = standing(person.flat, person.points, person.motion[:].global_positions[:, 0], person.body, FPS)
    assert (found & stands).sum() > 0.6 * stands.sum()
    assert (found & stands).sum() > 0.75 * found.sum()
    skeleton = person.motion.skeleton
    toes = person.motion[:].global_positions[:, [skeleton.index(f"{side}ToeBase") for side in ("Left", "Right")]]
    speeds = np.linalg.norm(np.diff(toes[..., [0, 2]], axis=0), axis=-1) * FPS / skeleton.height
    assert (speeds[stands[1:] & stands[:-1]] > 0.1).mean() < 0.25


def test_too_few_pictures_show_nobody_stand() -> None:
    body, points = Proportions(np.ones(9), np.ones(2)), np.zeros((2, len(NAMES), 3))
    assert not standing(points[..., :2], points, np.zeros((2, 3)), body, FPS).any()


def test_a_foot_in_the_air_does_not_stand_though_it_is_still() -> None:
    body, points = Proportions(np.ones(9), np.full(30, 200.0)), np.zeros((30, len(NAMES), 3))
    points[:, [NAMES.index("left_ankle"), NAMES.index("left_toe")], 1] = 0.4
    flat = np.zeros((30, len(NAMES), 2))
    assert standing(flat, points, np.zeros((30, 3)), body, FPS).all(axis=0).tolist() == [False, True]
    flat[:, [NAMES.index("right_ankle"), NAMES.index("right_toe")], 0] = 10.0 * np.arange(30)[:, None]
    assert not standing(flat, points, np.zeros((30, 3)), body, FPS).any(), "1.5 m/s"
