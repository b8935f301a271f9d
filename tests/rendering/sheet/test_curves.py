"""Loss curves."""

from __future__ import annotations

import numpy as np
import pytest
from PIL import Image

from kinema.learn import journal
from kinema.rendering.sheet import curves


def test_the_log_becomes_a_picture(tmp_path):
    for step in range(50, 1050, 50):
        journal.append(tmp_path, {"step": step, "loss": 3.0 * 0.997**step})
        if step % 250 == 0:
            journal.append(tmp_path, {"step": step, "validation": 4.0 * 0.998**step})
    training, held = curves.read_losses(tmp_path)
    assert len(training[0]) == 20 and held[0].tolist() == [250, 500, 750, 1000]
    with Image.open(curves.save_losses(tmp_path)) as picture:
        pixels = np.asarray(picture.convert("RGB"))
    assert (np.abs(pixels.astype(int) - curves.TRAINING).sum(-1) < 30).sum() > 500
    assert (np.abs(pixels.astype(int) - curves.HELD_OUT).sum(-1) < 30).sum() > 300


def test_a_falling_loss_falls_on_the_page():
    steps = np.array([0.0, 500.0, 1000.0])
    nothing = (np.zeros(0), np.zeros(0))
    pixels = np.asarray(curves.draw_losses((steps, np.array([1.0, 0.1, 0.01])), nothing)).astype(int)
    rows, columns = np.nonzero(np.abs(pixels - curves.TRAINING).sum(-1) < 30)
    drawn = columns[rows > 60]  # below the legend
    heights = rows[rows > 60]
    left, right = heights[drawn < 120].mean(), heights[drawn > 900].mean()
    assert right - left > 300


@pytest.mark.parametrize("count", [0, 1])
def test_short_logs_are_drawn_too(count):
    one = (np.full(count, 50.0), np.full(count, 0.5))
    nothing = (np.zeros(0), np.zeros(0))
    assert curves.draw_losses(one, nothing).size == (1000, 560)


def test_marks_are_round():
    assert curves._decades(-1.1, 0.4) == pytest.approx([0.1, 0.2, 0.5, 1.0, 2.0])
    assert curves._decades(-4.0, 1.0) == pytest.approx([1e-4, 1e-3, 1e-2, 0.1, 1.0, 10.0])
