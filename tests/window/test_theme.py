"""Two themes and the typefaces."""

from __future__ import annotations

import pytest

from kinema.window import theme

from .conftest import Bench


def luminance(color: theme.Color) -> float:
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in color[:3]]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("look", [theme.DARK, theme.LIGHT], ids=lambda look: look.name)
def test_text_can_be_read(look: theme.Theme):
    def contrast(one: theme.Color, other: theme.Color) -> float:
        high, low = sorted((luminance(one), luminance(other)), reverse=True)
        return (high + 0.05) / (low + 0.05)

    assert contrast(look.ink, look.panel) > 7
    for color in (look.muted, look.accent, look.left, look.right, look.good, look.bad):
        assert contrast(color, look.panel) > 3


def test_sizes_follow_the_scale_and_do_not_add_up(bench: Bench):
    imgui, implot = bench.gui.imgui._imgui, bench.gui.implot
    for _ in range(3):
        theme.apply(imgui, implot, theme.LIGHT, 2.0)
    assert imgui.get_style().window_padding.x == pytest.approx(24)
    theme.apply(imgui, implot, theme.DARK, 1.0)
    assert imgui.get_style().window_padding.x == pytest.approx(12)
    color = imgui.get_style().color_(imgui.Col_.window_bg)
    assert color.x == pytest.approx(theme.DARK.panel[0], abs=1e-3)


def test_icons_have_words_for_want_of_a_typeface(bench: Bench):
    assert bench.gui.icon("play") in theme.ICONS["play"] and theme.ICONS["play"][1] == "Play"
    assert theme.rgb("ff8000") == pytest.approx((1.0, 0.502, 0.0, 1.0), abs=1e-3)
