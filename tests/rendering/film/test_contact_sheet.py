"""Grids of pictures."""

import numpy as np
import pytest

from kinema.errors import KinemaError
from kinema.rendering.film.contact_sheet import columns_for, contact_sheet

COLORS = [(200, 0, 0), (0, 200, 0), (0, 0, 200), (200, 200, 0), (0, 200, 200)]


def tiles(alpha: bool = False) -> list[np.ndarray]:
    made = [np.tile(np.uint8([*color, 255] if alpha else color), (60, 80, 1)) for color in COLORS]
    if alpha:
        for tile in made:
            tile[:30, :, 3] = 0
    return made


def test_all_are_there_in_reading_order_with_a_label_each():
    sheet = contact_sheet(tiles(), ["a", "b", "c", "d", "e"], columns=3)
    middles = []
    for color in COLORS:
        rows, columns = np.nonzero((np.abs(sheet.astype(int) - color) < 2).all(axis=-1))
        assert len(rows) == 60 * 80
        middles.append((rows.mean(), columns.mean()))
        below = sheet[rows.max() + 1 : rows.max() + 14, columns.min() : columns.max()]
        assert (below < 160).any(), "no label"
    assert [row for row, _ in middles[:3]] == [middles[0][0]] * 3 and middles[3][0] > middles[0][0]
    assert middles[0][1] < middles[1][1] < middles[2][1] and middles[3][1] == middles[0][1]


def test_transparent_pictures_stand_on_paper_or_on_nothing():
    labels = ["x"] * 5
    on_paper = contact_sheet(tiles(alpha=True), labels)
    on_nothing = contact_sheet(tiles(alpha=True), labels, transparent=True)
    assert on_paper.shape[2] == 3 and on_nothing.shape[2] == 4
    assert on_nothing[0, 0, 3] == 0 and (on_nothing[..., 3] == 255).sum() >= 5 * 30 * 80
    assert tuple(on_paper[12, 12]) == (249, 249, 247)


@pytest.mark.parametrize(
    ("count", "aspect", "columns"), [(1, 1.5, 1), (12, 4 / 3, 4), (4, 0.5, 4), (9, 16 / 9, 3), (3, 1.5, 3)]
)
def test_grids_are_well_proportioned(count: int, aspect: float, columns: int):
    assert columns_for(count, aspect) == columns


def test_what_does_not_fit_is_refused():
    for pictures, labels in (([], []), (tiles(), ["a"]), ([*tiles(), tiles()[0][:-1]], ["a"] * 6)):
        with pytest.raises(KinemaError, match="contact sheet"):
            contact_sheet(pictures, labels)
