"""Settings check what is put into them."""

from __future__ import annotations

import pytest

from kinema.errors import ControlError
from kinema.session.settings import LONGEST_TEXT, Choice, Pad, Slider, Switch, WordsSetting, attribute_slider, switches


class Owner:
    speed = 1.0


def test_switches_take_truth_values_only():
    values = {"Body": True}
    (switch,) = switches("Show", values, values.__setitem__)
    switch.put(False)
    assert values == {"Body": False} and switch.get() is False
    with pytest.raises(ControlError, match="Body is on or off, not 1"):
        switch.put(1)


@pytest.mark.parametrize("wrong", [float("nan"), float("inf"), True, "1", None, [1.0]])
def test_sliders_take_finite_numbers_only(wrong: object):
    slider: Slider = attribute_slider(Owner(), "speed", "Time", "speed", 0.1, 2.0, 0.1, "%.1f")
    slider.put(5)
    assert slider.get() == 2.0
    with pytest.raises(ControlError, match="speed is a number from 0"):
        slider.put(wrong)
    assert slider.get() == 2.0


def test_choices_take_options_by_place_or_name():
    chosen = [0]
    choice = Choice(
        "Clip", "Clip", "", lambda: chosen[0], lambda value: chosen.__setitem__(0, value), lambda: ("a", "b")
    )
    choice.put("b")
    assert chosen == [1]
    choice.put(0)
    assert chosen == [0]
    for wrong in (2, -1, True, "c", 0.5, None):
        with pytest.raises(ControlError, match="Clip has no option"):
            choice.put(wrong)


def test_pads_take_points_of_the_square_only():
    chosen = [(0.0, 0.0)]
    pad = Pad("Drive", "mix", "", lambda: chosen[0], lambda value: chosen.__setitem__(0, value))
    pad.put([0.25, 7])
    assert chosen == [(0.25, 1.0)]
    for wrong in ((0.5,), (0.5, float("nan")), ("0.5", 0.5), (True, 0.5), {"x": 1}, None, 0.5):
        with pytest.raises(ControlError, match="mix is a point of two numbers"):
            pad.put(wrong)
    assert chosen == [(0.25, 1.0)]


def test_settings_do_nothing_unless_told():
    assert Switch("a", "b").get() is False and Slider("a", "b").get() == 0.0


def test_words_are_texts_of_some_length():
    said: list[str] = []
    text = WordsSetting("Drive", "text", "", lambda: "", said.append)
    text.put(" walks ")
    assert said == ["walks"]
    for value in (3, None, "x" * (LONGEST_TEXT + 1)):
        with pytest.raises(ControlError, match="text is a text of at most 400 characters"):
            text.put(value)
