"""Steps and drawn charts."""

import numpy as np
import pytest

from kinema.rendering.sheet import charts
from kinema.rendering.sheet.page import Page

WHITE = (255, 255, 255)


@pytest.mark.parametrize("length", [0.03, 0.7, 3.9, 12.96, 20.0, 33.0, 599.0])
def test_steps_are_round_and_not_too_many(length: float):
    step = charts.even_step(length, 12)
    assert 6 <= length / step <= 11.001
    assert step / 10.0 ** np.floor(np.log10(step) + 1e-9) == pytest.approx(
        round(step / 10.0 ** np.floor(np.log10(step) + 1e-9) * 2) / 2
    )


def test_nothing_has_a_step_too():
    assert charts.even_step(0.0, 12) == 1.0


def test_numbers_are_short():
    assert [charts.short_number(value) for value in (0.0, 2.0, 1.5, 0.125, 120.0)] == ["0", "2", "1.5", "0.125", "120"]


def test_bars_stand_where_the_state_holds():
    page = Page(100, 20, WHITE)
    state = np.zeros(11, bool)
    state[3:6] = True
    charts.bars(page, 5, 10, state, 10.0, charts.LEFT, lambda time: 100 * time)
    row = np.asarray(page.image())[10, :, 0] < 128
    assert row[32:58].all() and not row[:29].any() and not row[62:].any()


def test_graph_puts_the_curve_at_its_value():
    page = Page(200, 120, WHITE)
    values = np.full(5, 3.0)
    line = [(values, charts.RIGHT, False)]
    charts.graph(page, (40, 20, 190, 110), "speed", np.arange(5.0), line, lambda t: 40 + 30 * t, 4.5)
    pixels = np.asarray(page.image(), int)
    rows = np.flatnonzero(np.abs(pixels[:, 100] - charts.RIGHT).max(axis=-1) < 60)
    assert rows.mean() == pytest.approx(20 + 90 / 3, abs=1)


def test_plan_keeps_proportions_and_up():
    page = Page(300, 300, WHITE)
    path = np.array([[0.0, 0], [4, 0], [4, 2]])
    charts.top_view(page, (0, 0, 300, 300), path, None, 1.0)
    image = np.abs(np.asarray(page.image(), int) - charts.TRAVELLED).max(axis=-1) < 30
    rows, columns = np.nonzero(image)
    assert np.ptp(columns) / np.ptp(rows) == pytest.approx(2.0, abs=0.2)
    assert rows[columns > columns.max() - 3].min() < rows[columns < columns.min() + 3].min() - 50


def test_plan_of_a_character_in_place_is_a_dot():
    page = Page(300, 300, WHITE)
    charts.top_view(page, (0, 0, 300, 300), np.array([[0.0, 0], [0.02, 0]]), None, 1.0)
    image = np.abs(np.asarray(page.image(), int) - charts.TRAVELLED).max(axis=-1) < 30
    assert 40 < image.sum() < 120
