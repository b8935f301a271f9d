"""What follows every family: stages that change poses, one after the other, all with one signature."""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from kinema.control.ground import Ground
from kinema.pose import Pose


class Stage(Protocol):
    """One pass over the poses of `n` characters. One instance serves one controller.

    What a stage needs besides the pose and the ground, it is given when it is made. The root of the pose that the last
    stage returns is where the character goes on from.
    """

    def reset(self, count: int) -> None:
        """Start over with `count` characters."""
        ...

    def select(self, keep: NDArray[np.integer], added: int) -> None:
        """Go on with the characters `keep`, in that order, as they are, and `added` new ones after them."""
        ...

    def apply(self, pose: Pose, ground: Ground, dt: float) -> Pose:
        """The poses `[n]` after this stage; `dt` seconds have passed since the last step."""
        ...
