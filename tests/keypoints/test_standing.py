"""Where a person is: towards the viewer by its size, and over a ground that a camera may look down on."""

from __future__ import annotations

import numpy as np

from kinema.keypoints.proportions import NAMES, USUAL, Proportions, index
from kinema.keypoints.standing import roots

FOCAL = 1.3 * 480


def test_who_comes_nearer_and_jumps_stays_over_the_ground() -> None:
    frames = 120
    away = np.linspace(6.0, 3.0, frames)
    height = 1.0 + 0.4 * np.exp(-(((np.arange(frames) - 60) / 6) ** 2))
    points = np.zeros((frames, len(NAMES), 3))
    points[:, [index("left_ankle"), index("right_ankle")], 1] = -0.9
    points[:, [index("left_toe"), index("right_toe")], 1] = -0.95
    scale = FOCAL / away
    tilt = 1.4 - 0.1 * away  # the ground as a camera sees it that looks down
    middles = np.stack([320 + 0.5 * scale, 240 - (height - tilt) * scale], axis=-1)
    places = roots(points, middles, Proportions(USUAL, scale), 640, 480)
    assert np.allclose(places[-1] - places[0], [0.0, 0.0, 3.0], atol=0.05)
    assert abs(places[60, 1] - places[[10, 110], 1].mean() - 0.4) < 0.06
    assert np.abs(np.delete(places[:, 1], np.arange(45, 76)) - 0.975).max() < 0.06
