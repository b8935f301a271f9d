"""Limits of the leg pass, shared by its reference and its compiled version."""

from __future__ import annotations

import math
from typing import NamedTuple

from kinema.arrays import Singles

HINGE_SHARE = 0.15
"""Sine of the knee's bend below which its hinge outweighs the plane of the leg. A straight leg has no plane."""
EASE = 0.01
"""Distance over which the heel lift is eased in, metres."""
MOST_LIFT = 1.0
"""Radians."""
IN_LINE = 0.92
"""Cosine of the smallest angle between foot and leg that a lift aims for. At 1 the lift would change too fast."""


STEEP = 0.5
"""Sine of the steepest slope on which heels and tips of feet are kept out of the ground."""


class Footing(NamedTuple):
    """Soles and the ground under them.

    Attributes:
        ends: heel and tip of each sole `[C, 2, 2, 3]`; see `kinema.control.leg_reach.sole_ends`.
        floors: heights of the ground under them, `[n, C, 2]`, metres.
        bends: the least angles by which they are lifted, `[n, C, 2]`, radians; changed to those that were needed.
    """

    ends: Singles
    floors: Singles
    bends: Singles


class Limits(NamedTuple):
    """How far legs reach, as fractions of their length.

    Attributes:
        reach: beyond it the heel is lifted about the toe.
        softness: range over which full extension is eased into.
        bending: by how much more heels and tips of feet may be lifted than before, radians.
    """

    reach: float = 0.98
    softness: float = 0.03
    bending: float = math.inf
