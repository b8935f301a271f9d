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
        numbers = [getattr(self, field.name) for field in dataclasses.fields(self) if field.name != "name"]
        if not all(map(math.isfinite, numbers)) or self.cadence < 0 or self.max_speed < 0:
            raise ControlError(f"a style needs finite numbers and no negative cadence or max_speed: {self}")

    def lerp(self, other: Style, amount: float) -> Style:
        """A blend of two styles: `amount` 0 is this one, 1 is `other`. It has the name of the nearer one."""
        mixed = {
            field.name: (1 - amount) * getattr(self, field.name) + amount * getattr(other, field.name)
            for field in dataclasses.fields(self)
            if field.name != "name"
        }
        return Style(name=self.name if amount < 0.5 else other.name, **mixed)


STYLES: dict[str, Style] = {
    style.name: style
    for style in (
        Style(),
        Style(
            "injured",
            cadence=0.92,
            crouch=0.015,
            trunk_pitch=0.14,
            head_pitch=0.12,
            arm_swing=0.45,
            elbow=0.35,
            limp=1.0,
            clearance=0.75,
            sway=1.7,
            foot_roll=0.7,
            max_speed=2.6,
        ),
        Style(
            "stealth",
            cadence=0.86,
            step_width=1.25,
            crouch=0.17,
            trunk_pitch=0.42,
            head_pitch=-0.05,
            arm_swing=0.4,
            elbow=0.85,
            arm_spread=0.12,
            bounce=0.25,
            clearance=1.9,
            sway=1.2,
            foot_roll=0.45,
            max_speed=3.0,
        ),
        Style(
            "sprint",
            cadence=1.08,
            trunk_pitch=0.13,
            head_pitch=0.05,
            arm_swing=1.35,
            elbow=0.2,
            bounce=0.85,
            clearance=1.2,
            twist=1.25,
            lean=1.25,
        ),
        Style(
            "old",
            cadence=1.12,
            step_width=1.45,
            crouch=0.045,
            trunk_pitch=0.33,
            head_pitch=0.2,
            arm_swing=0.4,
            elbow=0.45,
            bounce=0.6,
            clearance=0.65,
            sway=1.35,
            twist=0.5,
            foot_roll=0.55,
            max_speed=2.0,
        ),
        Style(
            "proud",
            cadence=0.94,
            step_width=0.95,
            trunk_pitch=-0.1,
            head_pitch=-0.13,
            arm_swing=1.3,
            elbow=-0.08,
            arm_spread=0.13,
            bounce=1.3,
            clearance=1.15,
            twist=1.3,
            foot_roll=1.1,
        ),
        Style(
            "tired",
            cadence=0.87,
            step_width=1.15,
            crouch=0.03,
            trunk_pitch=0.22,
            head_pitch=0.38,
            arm_swing=0.6,
            elbow=-0.12,
            bounce=0.8,
            clearance=0.6,
            sway=1.6,
            twist=0.8,
            foot_roll=0.75,
            max_speed=3.2,
        ),
    )
}
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
