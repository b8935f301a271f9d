"""What cameras look at."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from kinema.engine.world import World


@dataclass(frozen=True, eq=False)
class CameraTarget:
    """What cameras look at.

    Attributes:
        place: `[3]`, where it stands on the ground, metres.
        heading: where it faces, radians from +Z toward +X.
        size: metres, mostly its height.
        points: `[N, 3]` that belong in the picture.
        lift: height in metres above the place of a part that moves smoothly; cameras rise and sink with it.
        empty: whether there is nothing to look at yet.
    """

    place: NDArray[np.floating]
    heading: float
    size: float
    points: NDArray[np.floating]
    lift: float = 0.0
    empty: bool = False

    @staticmethod
    def nothing() -> CameraTarget:
        """Room for one person at the origin."""
        return CameraTarget(np.zeros(3), 0.0, 1.7, np.array([[-0.3, 0.0, -0.3], [0.3, 1.7, 0.3]]), 0.0, True)

    @staticmethod
    def of_world(world: World) -> CameraTarget:
        """All figures of a world together; room for one person where there are none."""
        world.regroup_figures()
        batches = [batch.global_positions.reshape(-1, 3) for batch in world.poses.batches]
        if not batches:
            return CameraTarget.nothing()
        points = np.concatenate(batches)
        low, high = points.min(axis=0), points.max(axis=0)
        place = 0.5 * (low + high) * np.array([1, 0, 1])
        return CameraTarget(place, 0.0, max(float((high - low).max()), 0.5), points)
