"""Frames without area."""

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from kinema.rendering.frame import BUFFERS, Frame, covered, empty_frame


def test_empty_frames_have_shapes_and_only_what_was_asked_for():
    frame = empty_frame(0, 7, BUFFERS)
    assert frame.color is not None and frame.color.shape == (7, 0, 4) and frame.color.dtype == np.uint8
    assert frame.motion is not None and frame.motion.shape == (7, 0, 2)
    assert empty_frame(3, 0, ("depth",)).normals is None


@pytest.mark.parametrize("parts", [1, 4])
def test_a_scene_covers_buffers_where_it_is_opaque(parts: int):
    """The scene is drawn twice as large as the frame; its right half is before a body."""
    depth, light = np.zeros((4, 8, parts), np.float32), np.zeros((4, 8, 4), np.float32)
    depth[:, 4:, 0], light[:, 4:, 3] = 0.9 * 2.0, 0.9
    textures = (SimpleNamespace(read=each[::-1].tobytes) for each in (light, depth))
    layer: Any = SimpleNamespace(size=(8, 4), **dict(zip(("light", "depth"), textures, strict=True)))
    ones = np.ones((2, 4), np.int32)
    normals = np.ones((2, 4, 3), np.float32)
    frame = Frame(depth=np.full((2, 4), 5.0, np.float32), entities=ones, parts=3 * ones, normals=normals)
    found = covered(frame, layer)
    assert found.color is None and found.motion is None
    np.testing.assert_allclose(found.depth, [[5, 5, 2, 2]] * 2, rtol=1e-6)
    np.testing.assert_array_equal(found.entities, [[1, 1, 0, 0]] * 2)
    np.testing.assert_array_equal(found.parts, [[3, 3, 0, 0]] * 2)
    np.testing.assert_array_equal(found.normals[..., 1], [[1, 1, 0, 0]] * 2)
