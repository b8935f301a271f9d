"""Live figures."""

import numpy as np
import pytest

from kinema.viewer.figures import Figures


def rows_of(figures: Figures, now: float = 0.0, **diagnostics: float) -> dict[str, str]:
    return dict(figures.rows(now, diagnostics))


def test_speed_and_skate_are_measured_on_the_ground():
    figures = Figures(60.0)
    for frame in range(30):
        x = frame / 60
        feet = np.array([[0.5 * x, 9.0 * frame, 0.0], [77.0 * x, 0.0, 0.0]])
        figures.moved(np.array([2 * x, 0, 0]), feet, np.array([1.0, 0.0]), 1 / 60)
    rows = rows_of(figures)
    assert rows["speed"] == "2.00 m/s"
    assert rows["foot skate"] == "50.0 cm/s"  # only the foot that touches, only along the ground


def test_a_jump_is_not_measured():
    figures = Figures(60.0)
    figures.moved(np.zeros(3), np.zeros((2, 3)), np.ones(2), 1 / 60)
    figures.restarted()
    figures.moved(np.full(3, 100.0), np.full((2, 3), 100.0), np.ones(2), 1 / 60)
    assert rows_of(figures)["speed"] == "0.00 m/s"


def test_counts_become_rates_and_units_are_named():
    figures = Figures(60.0)
    rows_of(figures, 0.0, transitions=10)
    rows = rows_of(figures, 2.0, transitions=16, tracking_cm=3.21, search_us=41.7, own_figure=1.0)
    assert rows["transitions"] == "3.0 /s"
    assert rows["tracking"] == "3.2 cm" and rows["search"] == "42 µs" and rows["own figure"] == "1.00"
    assert rows_of(figures, 3.0, transitions=0)["transitions"] == "0.0 /s"  # a reset does not count backwards


def test_step_time_and_frame_rate():
    figures = Figures(60.0)
    for frame in range(10):
        figures.stepped(0.002)
        figures.drew(frame / 50)
    assert figures.step_ms == pytest.approx(2.0)
    assert figures.frames_per_second == pytest.approx(50.0)
