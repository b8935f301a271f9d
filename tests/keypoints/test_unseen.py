"""Points that are never seen."""

from __future__ import annotations

import numpy as np

from kinema.keypoints.proportions import HEAD, NAMES, USUAL, Proportions, index
from kinema.keypoints.unseen import finished, hanging

BODY = Proportions(USUAL, np.full(4, 100.0))


def never(*names: str) -> np.ndarray:
    return np.isin(NAMES, names)


def test_legs_hang_down_and_what_is_seen_stays() -> None:
    flat = np.full((4, len(NAMES), 2), 50.0)
    found = hanging(flat, never("left_knee", "left_ankle", "nose"), BODY)
    assert np.allclose(found[:, index("left_ankle")], [50.0, 50.0 + 41.5 + 42.0])
    assert (found[:, index("right_ankle")] == 50.0).all() and (found[:, index("nose")] == 50.0).all()


def test_feet_and_faces_point_where_the_body_faces() -> None:
    points = np.zeros((4, len(NAMES), 3))
    points[:, index("neck"), 1] = 0.5
    for side, z in (("left", -0.1), ("right", 0.1)):  # facing to the right in the picture
        points[:, index(f"{side}_hip"), 2] = points[:, index(f"{side}_shoulder"), 2] = z
    found = finished(points, never(*HEAD, "left_toe", "right_toe"), BODY)
    assert (found[:, index("left_toe"), 0] > 0.1).all() and (found[:, index("nose"), 0] > 0.1).all()
    assert (found[:, index("left_ear"), 2] < found[:, index("right_ear"), 2]).all()
    assert (finished(points, never(), BODY) == points).all()
