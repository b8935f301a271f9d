import dataclasses

import pytest

from kinema.errors import ControlError
from kinema.mocap.procedural import STYLES, Style
from kinema.mocap.procedural.styles import style_of


def test_presets_are_named_after_themselves_and_differ():
    assert set(STYLES) == {"neutral", "injured", "stealth", "sprint", "old", "proud", "tired"}
    assert all(name == style.name for name, style in STYLES.items())
    assert len({dataclasses.replace(style, name="") for style in STYLES.values()}) == len(STYLES)


def test_lerp_meets_both_ends_and_halves_between():
    a, b = STYLES["neutral"], STYLES["old"]
    assert a.lerp(b, 0.0) == a
    assert a.lerp(b, 1.0) == b
    half = a.lerp(b, 0.5)
    assert half.trunk_pitch == pytest.approx((a.trunk_pitch + b.trunk_pitch) / 2)
    assert half.name == "old" and a.lerp(b, 0.4).name == "neutral"


def test_style_of_takes_names_and_styles():
    own = Style("drunk", sway=3.0)
    assert style_of(own) is own
    assert style_of("tired") is STYLES["tired"]
    with pytest.raises(ControlError, match=r"'sneaky'.*neutral"):
        style_of("sneaky")


@pytest.mark.parametrize("numbers", [{"cadence": float("nan")}, {"limp": float("inf")}, {"max_speed": -1.0}])
def test_numbers_that_nobody_can_move_by_are_refused(numbers):
    with pytest.raises(ControlError, match="style needs finite numbers"):
        Style(**numbers)
