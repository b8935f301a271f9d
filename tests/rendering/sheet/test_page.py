"""The page."""

import numpy as np

from kinema.rendering.sheet.page import Page

INK = (200, 0, 0)


def test_shapes_cover_what_they_should():
    page = Page(60, 40, (255, 255, 255))
    page.box(10, 10, 20, 30, INK)
    page.line([(30, 5), (50, 5)], (0, 0, 200), 2)
    pixels = np.asarray(page.image())
    assert pixels[20, 15].tolist() == [200, 0, 0] and pixels[20, 25].tolist() == [255, 255, 255]
    assert pixels[4:7, 40, 0].min() < 90 and pixels[12, 40].tolist() == [255, 255, 255]


def test_arrow_points_where_it_should():
    page = Page(60, 60, (255, 255, 255))
    page.arrow(30, 30, (1, 0), INK, 40)
    inked = np.asarray(page.image())[..., 1] < 128
    column = inked.sum(axis=0)
    assert column[48] < column[20] and inked[30, 40] and not inked[10, 45]


def test_text_scales_with_the_page():
    small, large = Page(60, 20, (255, 255, 255)), Page(120, 40, (255, 255, 255), 2.0)
    assert 1.8 < large.text_width("speed", 14) / small.text_width("speed", 14) < 2.2
    small.text(2, 2, "speed", 14, INK)
    assert (np.asarray(small.image())[..., 1] < 128).sum() > 30


def test_pictures_lie_below_shapes():
    page = Page(20, 20, (255, 255, 255))
    page.box(0, 0, 10, 20, INK)
    page.paste(np.zeros((20, 20, 3), np.uint8), 0, 0)
    pixels = np.asarray(page.image())
    assert pixels[10, 5].tolist() == [200, 0, 0] and pixels[10, 15].tolist() == [0, 0, 0]
