"""Limits of the leg pass, for its plain and its compiled form."""

from __future__ import annotations

from typing import NamedTuple

HINGE_SHARE = 0.15
"""Sine of the knee's bend below which its hinge outweighs the plane of the leg, which a straight leg does not have."""
EASE = 0.01
"""Metres over which the lifting of a heel is eased in."""
MOST_LIFT = 1.0
"""Radians."""
IN_LINE = 0.92
"""Cosine of the least angle between foot and leg that a lift aims for; at 1 the lift would change infinitely fast."""


class Limits(NamedTuple):
    """How far legs reach, as shares of their length.

    Attributes:
        reach: beyond it the heel is lifted about the toe.
        strain: beyond it a leg is strained.
        softness: over which full extension is eased into.
    """

    reach: float = 0.98
    strain: float = 1.0
    softness: float = 0.03
