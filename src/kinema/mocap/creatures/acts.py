"""Scripts of creatures: what they do, one stretch after the other."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kinema.errors import ControlError

ACTIONS = (
    "idle", "walk", "run", "turn", "back", "jump", "look", "attack", "eat", "die", "fly", "glide", "swim"
)  # fmt: skip
"""Kinds of act; the label `action` holds indices into this tuple."""

LOCOMOTION = frozenset(("walk", "run", "back", "fly", "swim"))
"""Those by which a body gets on."""


@dataclass(frozen=True)
class Act:
    """One stretch of a script. The change from the act before begins at its first moment.

    Attributes:
        kind: one of `ACTIONS`.
        seconds: how long it lasts.
        pace: -1 (slow) to 1 (fast), relative to the kind's own speed for this body; strength for acts on the spot.
        speed: metres per second; overrides the pace.
        turn: change of facing at the start, radians, positive to the left.
        curve: steady turning, radians per second, positive to the left.
        direction: travel relative to facing, radians, positive to the left; None is the body's own, and snakes, fish
            and centipedes know no other.
        gait: name of a gait such as "trot"; None chooses by speed.
    """

    kind: str
    seconds: float = 2.0
    pace: float = 0.0
    speed: float | None = None
    turn: float = 0.0
    curve: float = 0.0
    direction: float | None = None
    gait: str | None = None

    def __post_init__(self) -> None:
        if self.kind not in ACTIONS:
            raise ControlError(f"no act is named {self.kind!r}; there are: {', '.join(ACTIONS)}")
        given = (self.seconds, self.pace, self.speed, self.turn, self.curve, self.direction)
        numbers = [value for value in given if value is not None]
        if not np.isfinite(numbers).all() or self.seconds <= 0 or (self.speed or 0) < 0 or abs(self.pace) > 1:
            raise ControlError(
                f"an act needs finite numbers, positive seconds, a pace of -1 to 1 and no negative speed: {self}"
            )
