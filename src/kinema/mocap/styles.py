"""Styles: how a clip is moved, apart from where it goes and how fast."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from kinema.arrays import Ints
from kinema.mocap.database import Clip

_WORDS = """
walk walks walking stroll strolling jog jogs jogging run runs running dash sprint sprinting gallop trot
stand stands standing idle turn turns turning pivot start starts stop stops strafe strafing sidestep step steps
acceleration deceleration left right forward forwards fwd back backward backwards bwd side sideways spot place
circle circles snake eight slow fast speed locomotion motion dataset clip take loop cycle generated mirrored
normal neutral a and at free from in of on out outof range roam the to with
"""
PLAIN = frozenset(_WORDS.split())
"""Words that say where a clip goes and how fast, but not how."""


def style_of(clip: Clip) -> str:
    """The style of a clip: its tags without those that are `PLAIN`, sorted; empty if none are left."""
    return " ".join(sorted(tag for tag in clip.tags if tag not in PLAIN))


def style_numbers(clips: Sequence[Clip]) -> Ints:
    """A number `[n]` for each clip, the same for clips of one style."""
    numbers: dict[str, int] = {}
    return np.asarray([numbers.setdefault(style_of(clip), len(numbers)) for clip in clips], np.int64)
