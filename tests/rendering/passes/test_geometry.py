"""The G-buffer's targets, and what stands in them."""

import types

import numpy as np

from kinema.rendering.camera import Camera
from kinema.rendering.passes.geometry import layout
from kinema.rendering.view import Floor, View


def test_extra_targets_are_counted_from_two():
    one = object()
    assert layout(types.SimpleNamespace(glow=None, ids=None, motion=None)) == {}
    assert layout(types.SimpleNamespace(glow=one, ids=None, motion=one)) == {"GLOW_AT": 2, "MOTION": 1, "MOTION_AT": 3}
    assert layout(types.SimpleNamespace(glow=None, ids=one, motion=one))["MOTION_AT"] == 3


def test_grid_lines_are_where_the_cells_end_and_thin_out_without_flicker(renderer):
    camera = Camera.look_at((0, 4, 0.001), (0, 0, 0), height=2.2)
    near = View(camera, floor=Floor(cell=0.5, fade=500))
    shade = renderer.render(near).color[..., 0].astype(int)
    dark = np.flatnonzero(np.minimum.reduce(shade[66:80], axis=0) < np.median(shade) - 6)
    metres = (dark + 0.5 - 80) * 2.2 / 120
    assert len(dark) >= 5 and np.abs(metres - np.round(metres / 0.5) * 0.5).max() < 0.03
    far = View(Camera.look_at((0, 60, 0.001), (0, 0, 0), height=100.0), floor=Floor(cell=0.5, fade=5000))
    assert np.ptp(renderer.render(far).color[..., 0].astype(int)) <= 6  # lines far below a pixel: an even tone
