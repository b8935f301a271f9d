"""Letters in the atlas and on the line."""

import numpy as np
import pytest

from kinema.rendering.glyphs import LINE, GlyphAtlas


def test_letters_stand_side_by_side_and_are_what_the_atlas_shows():
    atlas = GlyphAtlas()
    layout, scale = atlas.layout("Hip", 16)
    assert scale == 1.0 and len(layout.boxes) == 3
    assert (np.diff(layout.boxes[:, 0]) > 0).all() and layout.boxes[-1, 2] <= layout.width + 6
    for box, (left, top, right, bottom) in zip(layout.boxes, layout.glyphs.astype(int), strict=True):
        np.testing.assert_array_equal(box[2:] - box[:2], [right - left, bottom - top])
        picture = atlas.picture[top:bottom, left:right]
        assert picture[..., 0].max() > 200
        assert (picture[..., 1] >= picture[..., 0]).all(), "the halo is fatter"
        assert not picture[[0, -1]].any() and not picture[:, [0, -1]].any(), "neighbours do not bleed in"


def test_lines_stand_below_each_other():
    layout, _ = GlyphAtlas().layout("I\nI", 20)
    assert layout.height == pytest.approx(2 * LINE * 20)
    assert layout.boxes[1, 1] - layout.boxes[0, 1] == pytest.approx(LINE * 20, abs=1)
    assert layout.boxes[1, 0] == layout.boxes[0, 0]


def test_sizes_between_are_scaled_and_blanks_have_no_picture():
    atlas = GlyphAtlas()
    layout, scale = atlas.layout("a b", 50)
    assert scale == pytest.approx(50 / 64) and len(layout.boxes) == 2
    assert atlas.layout("", 16)[0].width == 0


def test_the_atlas_grows_and_keeps_what_it_has():
    atlas = GlyphAtlas()
    before, _ = atlas.layout("W", 16)
    left, top, right, bottom = before.glyphs[0].astype(int)
    kept = atlas.picture[top:bottom, left:right].copy()
    atlas.layout("".join(chr(code) for code in range(33, 127)), 96)
    assert atlas.picture.shape[0] > 256
    np.testing.assert_array_equal(atlas.picture[top:bottom, left:right], kept)
    assert atlas.layout("W", 16)[0] is before
