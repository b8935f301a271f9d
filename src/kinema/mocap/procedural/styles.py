"""Styles of movement as named numbers: presets, and any blend between them."""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass

from kinema.errors import ControlError


@dataclass(frozen=True)
class Style:
    """A way of moving. Factors are relative to neutral; angles are radians; lengths are shares of the leg's length.

    Attributes:
        name: one lower-case word, which becomes a tag.
        cadence: factor on step frequency; the step length gives way.
        step_width: factor on the lateral distance of the feet.
        crouch: how much lower the hips are carried.
        trunk_pitch, head_pitch: added forward lean of the trunk; of the head, against the horizon.
        arm_swing: factor; 0 holds the arms still.
        elbow: added bend.
        arm_spread: added angle of the arms away from the body.
        limp: 0 to 1; shortens the stance of the right leg and throws the trunk over it.
        bounce: factor on the rise and fall of the hips.
        clearance: factor on the height of the swinging foot.
        sway: factor on the shift of the hips over the standing foot.
        twist: factor on the counter-rotation of hips and shoulders.
        foot_roll: factor on heel strike and toe-off.
        lean: factor on leaning into accelerations.
        max_speed: metres per second for a leg of 0.9 m (scaled with the square root of the leg's length).
    """

    name: str = "neutral"
    cadence: float = 1.0
    step_width: float = 1.0
    crouch: float = 0.0
    trunk_pitch: float = 0.0
    head_pitch: float = 0.0
    arm_swing: float = 1.0
    elbow: float = 0.0
    arm_spread: float = 0.0
    limp: float = 0.0
    bounce: float = 1.0
    clearance: float = 1.0
    sway: float = 1.0
    twist: float = 1.0
    foot_roll: float = 1.0
    lean: float = 1.0
    max_speed: float = 9.0

    def __post_init__(self) -> None:
        if not all(map(math.isfinite, self._numbers)) or self.cadence < 0 or self.max_speed < 0:
            raise ControlError(f"a style needs finite numbers and no negative cadence or max_speed: {self}")

    def lerp(self, other: Style, amount: float) -> Style:
        """A blend of two styles: `amount` 0 is this one, 1 is `other`. It has the name of the nearer one."""
        numbers = zip(self._numbers, other._numbers, strict=True)
        name = self.name if amount < 0.5 else other.name
        return Style(name, *((1 - amount) * mine + amount * theirs for mine, theirs in numbers))

    @property
    def _numbers(self) -> tuple[float, ...]:
        return dataclasses.astuple(self)[1:]


# Columns: cadence, step_width, crouch; trunk_pitch, head_pitch, arm_swing, elbow, arm_spread; limp, bounce, clearance,
# sway, twist; foot_roll, lean, max_speed.
_PRESETS = {
    "neutral": ( 1.0,  1.0,   0.0,  0.0,   0.0,  1.0,   0.0,  0.0, 0.0,  1.0,  1.0,  1.0,  1.0,  1.0,  1.0, 9.0),
    "injured": (0.92,  1.0, 0.015, 0.14,  0.12, 0.45,  0.35,  0.0, 1.0,  1.0, 0.75,  1.7,  1.0,  0.7,  1.0, 2.6),
    "stealth": (0.86, 1.25,  0.17, 0.42, -0.05,  0.4,  0.85, 0.12, 0.0, 0.25,  1.9,  1.2,  1.0, 0.45,  1.0, 3.0),
    "sprint":  (1.08,  1.0,   0.0, 0.13,  0.05, 1.35,   0.2,  0.0, 0.0, 0.85,  1.2,  1.0, 1.25,  1.0, 1.25, 9.0),
    "old":     (1.12, 1.45, 0.045, 0.33,   0.2,  0.4,  0.45,  0.0, 0.0,  0.6, 0.65, 1.35,  0.5, 0.55,  1.0, 2.0),
    "proud":   (0.94, 0.95,   0.0, -0.1, -0.13,  1.3, -0.08, 0.13, 0.0,  1.3, 1.15,  1.0,  1.3,  1.1,  1.0, 9.0),
    "tired":   (0.87, 1.15,  0.03, 0.22,  0.38,  0.6, -0.12,  0.0, 0.0,  0.8,  0.6,  1.6,  0.8, 0.75,  1.0, 3.2),
}  # fmt: skip

STYLES: dict[str, Style] = {name: Style(name, *numbers) for name, numbers in _PRESETS.items()}
"""The presets by name."""


def style_of(style: str | Style) -> Style:
    """A style by its preset's name, or the style itself.

    Raises:
        ControlError: there is no such preset.
    """
    if isinstance(style, Style):
        return style
    if style not in STYLES:
        raise ControlError(f"no style is named {style!r}; the presets are: {', '.join(STYLES)}")
    return STYLES[style]
