"""How far words turn a body: "turns left" is a quarter turn, "turns around" half a one.

Captions of the training say "left" of everything from a third of a quarter turn to half a turn, so a network that hears
no more takes the mean of all, and of both ends of a clip: next to nothing. A rate of turning is obeyed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

import numpy as np

from kinema.errors import SkeletonError
from kinema.generation.cadence import kind_of_rig
from kinema.generation.rig import AnyRig
from kinema.generation.wishes import Wish
from kinema.mocap.creatures.acts import LOCOMOTION
from kinema.mocap.creatures.meaning import attributes_of

_QUARTER = 0.5 * np.pi
_LEAST = 0.5  # radians that a body can turn in any time
_TURNED = LOCOMOTION | {"turn", "glide"}


def with_turns(wishes: Sequence[Wish], rig: AnyRig, seconds: Sequence[float]) -> list[Wish]:
    """Wishes with the turn that their words say; a turn in numbers is left as it is.

    Args:
        seconds: how long each lasts.
    """
    return [
        each if each.turn is not None or not (angle := said_angle(each)) else replace(each, turn=rate(angle, rig, time))
        for each, time in zip(wishes, seconds, strict=True)
    ]


def said_angle(wish: Wish) -> float | None:
    """Radians, positive to the left, by which words turn a body; None if they do not say. A turn without a side is to
    the left."""
    meaning = attributes_of(wish.text)
    action = wish.action or meaning.action
    if action not in _TURNED:
        return None
    quarters = meaning.turn if meaning.turn or action != "turn" else 1
    return None if not quarters else quarters * _QUARTER


def rate(angle: float, rig: AnyRig, seconds: float) -> float:
    """Radians a second of a turn by an angle, or by as much of it as `kinema.perform` has a body turn in the time."""
    most = _most_turn(rig, round(seconds, 2))
    return float(np.clip(angle, -most, most) / seconds)


@lru_cache(maxsize=128)
def _most_turn(rig: AnyRig, seconds: float) -> float:
    try:
        return max(kind_of_rig(rig).pacing.turn_within(seconds, 0.0), _LEAST)
    except SkeletonError:
        return np.inf
