"""How far words turn a body: "turns left" is a quarter turn, "turns around" half a one.

Captions of the training say "left" of a tenth of a turn and of half a turn alike. A network that hears no more hardly
turns a body, but it obeys a rate of turning.
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
from kinema.mocap.creatures.course import Pacing
from kinema.mocap.creatures.meaning import attributes_of

_QUARTER = 0.5 * np.pi
_LEAST = 0.5  # radians that a body can turn in any time
_TURNED = LOCOMOTION | {"turn", "glide"}


def with_turns(wishes: Sequence[Wish], rig: AnyRig, seconds: Sequence[float]) -> list[Wish]:
    """Wishes with the turn that their words say; a turn in numbers is left as it is.

    Args:
        seconds: how long each lasts.
    """
    angles = [said_angle(wish) if wish.turn is None else None for wish in wishes]
    return [
        wish if angle is None else replace(wish, turn=rate(angle, rig, time))
        for wish, angle, time in zip(wishes, angles, seconds, strict=True)
    ]


def said_angle(wish: Wish) -> float | None:
    """Radians, positive to the left, by which words turn a body; None if they say nothing of it.

    A turn without a side is to the left.
    """
    meaning = attributes_of(wish.text)
    action = wish.action or meaning.action
    if action not in _TURNED:
        return None
    quarters = meaning.turn or (1 if action == "turn" else 0)
    return quarters * _QUARTER if quarters else None


def rate(angle: float, rig: AnyRig, seconds: float) -> float:
    """Radians a second of a turn by an angle, or by as much of it as `kinema.perform` has a body turn in the time."""
    pacing = _pacing(rig)
    most = np.inf if pacing is None else max(pacing.turn_within(seconds, 0.0), _LEAST)
    return float(np.clip(angle, -most, most) / seconds)


@lru_cache(maxsize=128)
def _pacing(rig: AnyRig) -> Pacing | None:
    """The tempo of a body; None of one of which nothing is known."""
    try:
        return kind_of_rig(rig).pacing
    except SkeletonError:
        return None
