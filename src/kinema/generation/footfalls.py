"""Footfalls as they are seen: how long feet stand, how often they step and how far they slide, without any labels.

A foot stands while it is low, and slow beside the body that it carries: the feet of a body that glides along do not.
Feet of several joints roll over their toes, so one stands while any of its joints does.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from kinema.arrays import Bools, Reals
from kinema.mocap.contacts import Thresholds, detect, runs

_LOW, _OFF = 0.06, 0.1  # leg lengths above its place at rest, within which a foot comes to stand, and stands
_SLOW, _FAST = 0.3, 0.5  # shares of the speed of the body
_SHORTEST = 0.05  # seconds


@dataclass(frozen=True)
class Footfalls:
    """Footfalls of a clip.

    Attributes:
        stepping: share of the feet that take a whole stride or more.
        duty: mean share of a stride for which a foot stands; None if no foot takes a stride.
        cadence: mean strides a second of a foot; None if no foot takes a stride.
        skate: mean ground speed of feet that stand, as a share of the speed of the body; None if none ever stands.
    """

    stepping: float
    duty: float | None
    cadence: float | None
    skate: float | None

    @staticmethod
    def of(
        joints: Reals, floor: Reals, leg: float, speed: float, fps: float, feet: Sequence[int] | None = None
    ) -> Footfalls:
        """Measures feet.

        Args:
            joints: `[F, C, 3]` where joints of feet are in the world, metres.
            floor: `[C]` their heights when they stand, metres.
            leg: length of a leg, metres.
            speed: of the body, m/s.
            fps: frames a second.
            feet: `[C]` the foot of each joint, from 0; None where each has a single joint.
        """
        low = standing_joints(joints, floor, leg, speed, fps)
        foot_of = np.arange(low.shape[1]) if feet is None else np.asarray(feet)
        standing = [np.logical_or.reduce(low[:, foot_of == foot], axis=1) for foot in np.unique(foot_of)]
        strides = [stride for foot in standing for stride in _strides(foot)]
        many = [len(_strides(foot)) >= 1 for foot in standing]
        duty = [stood / length for stood, length in strides]
        steps = np.linalg.norm(np.diff(joints[..., [0, 2]], axis=0), axis=-1) * fps
        held = steps[low[1:] & low[:-1]]
        return Footfalls(
            float(np.mean(many)) if many else 0.0,
            float(np.mean(duty)) if duty else None,
            fps / float(np.mean([length for _, length in strides])) if strides else None,
            float(held.mean()) / max(speed, 1e-9) if held.size else None,
        )


def standing_joints(joints: Reals, floor: Reals, leg: float, speed: float, fps: float) -> Bools:
    """Which joints `[F, C]` of feet stand; the arguments are those of `Footfalls.of`."""
    pace = max(speed, 1e-6) / leg
    limits = Thresholds(_SLOW * pace, _FAST * pace, _LOW, _OFF, _SHORTEST)
    return detect(np.asarray(joints, np.float32), fps, np.asarray(floor, np.float32), leg, limits)


def _strides(standing: Bools) -> list[tuple[int, int]]:
    """Frames for which a foot stands, and of the whole stride, of each stride from strike to strike."""
    found = [(start, stop) for start, stop in runs(standing) if start > 0]
    return [(stop - start, later - start) for (start, stop), (later, _) in pairwise(found)]
