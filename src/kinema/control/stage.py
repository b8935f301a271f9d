"""Stages: passes that change poses after every family, one after the other, with one signature."""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from kinema.pose import Pose
from kinema.terrain import Ground


class Stage(Protocol):
    """One pass over the poses of `n` characters. One instance serves one controller.

    Anything else that a stage needs is passed to its constructor. The root of the pose that the last stage returns is
    where the character continues from.
    """

    def reset(self, count: int) -> None:
        """Restart with `count` characters."""
        ...

    def select(self, keep: NDArray[np.integer], added: int) -> None:
        """Keep the characters `keep`, in that order, unchanged. Add `added` new ones after them."""
        ...

    def apply(self, pose: Pose, ground: Ground, dt: float) -> Pose:
        """The poses `[n]` after this stage. `dt` seconds have passed since the last step."""
        ...
