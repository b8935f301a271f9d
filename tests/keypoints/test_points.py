"""Names and arrays of key points."""

from __future__ import annotations

import numpy as np

from kinema.keypoints.points import BODY, BODY_COUNT, FACE_COUNT, HAND_COUNT, TOES, BodyPoints


def test_names_are_openpose_s_and_pictures_are_taken_out_of_all_arrays() -> None:
    assert BODY[:3] == ("nose", "neck", "right_shoulder") and len(set(BODY)) == BODY_COUNT == 18
    counts = (BODY_COUNT, HAND_COUNT, HAND_COUNT, FACE_COUNT, len(TOES))
    points = BodyPoints(
        *(np.arange(5.0, dtype=np.float32)[:, None, None] * np.ones((count, 3), "f4") for count in counts)
    )
    assert [array.shape for array in points[2].arrays] == [(count, 3) for count in counts]
    assert all((array == 2).all() for array in points[2].arrays) and points[2][None].body.shape == (1, 18, 3)
