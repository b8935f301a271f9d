"""What one phrase asks for: an action, how fast, and where to."""

from __future__ import annotations

import math
from dataclasses import dataclass

from kinema.mocap.creatures.lexicon import GAITS
from kinema.mocap.creatures.words import concepts_of

# Of several actions of one phrase ("a running jump", "walks and looks around"), the first of these is the main one.
_PRIORITY = ("die", "attack", "eat", "jump", "fly", "glide", "swim", "back", "run", "walk", "turn", "look", "idle")


@dataclass(frozen=True)
class Meaning:
    """What a phrase asks for; None where it says nothing.

    Attributes:
        action: one of `ACTIONS`.
        pace: -1 slow, 1 fast.
        turn: 1 left, -1 right, 0 straight on, 2 around (half a turn or more), -2 around to the right.
        gait: one of `GAITS`.
        direction: in radians from straight ahead, positive to the left: of sideways movement, of movement that is said
            to go forward (0) or backward (pi), and of what a creature looks at.
    """

    action: str | None = None
    pace: int | None = None
    turn: int | None = None
    gait: str | None = None
    direction: float | None = None


def attributes_of(text: str) -> Meaning:
    """What one phrase asks for, such as an item of `phrases(text)`; of a longer text, its words taken together.

    "Trots to the left quickly" gives an action "run", pace 1, turn 1 and gait "trot".
    """
    concepts = concepts_of(text)
    action = next((name for name in _PRIORITY if name in concepts), None)
    side = _side(concepts)
    aside = "sideways" in concepts or action == "look"
    return Meaning(
        action=action,
        pace=_either(concepts, "fast", "slow"),
        turn=None if aside else _turn(concepts, side),
        gait=next((name for name in concepts if name in GAITS), None),
        direction=_direction(concepts, action, side if aside else None),
    )


def _either(concepts: tuple[str, ...], positive: str, negative: str) -> int | None:
    said = (positive in concepts) - (negative in concepts)
    return said or None


def _side(concepts: tuple[str, ...]) -> int | None:
    return _either(concepts, "left", "right")


def _turn(concepts: tuple[str, ...], side: int | None) -> int | None:
    if "around" in concepts:
        return -2 if side == -1 else 2
    return side if side is not None or "forward" not in concepts else 0


def _direction(concepts: tuple[str, ...], action: str | None, side: int | None) -> float | None:
    if side is not None:
        return side * math.pi / 2
    if action == "back":
        return math.pi
    return 0.0 if "forward" in concepts else None
