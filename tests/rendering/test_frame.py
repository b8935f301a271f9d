"""Frames without area."""

import numpy as np

from kinema.rendering.frame import BUFFERS, empty_frame


def test_empty_frames_have_shapes_and_only_what_was_asked_for():
    frame = empty_frame(0, 7, BUFFERS)
    assert frame.color is not None and frame.color.shape == (7, 0, 4) and frame.color.dtype == np.uint8
    assert frame.motion is not None and frame.motion.shape == (7, 0, 2)
    assert empty_frame(3, 0, ("depth",)).normals is None
