"""The target of cameras."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from kinema.engine.world import World
from kinema.terrain import Ground, Plane


@dataclass(frozen=True, eq=False)
class CameraTarget:
    """What cameras look at.

    Attributes:
        position: `[3]` position on the ground, metres. heading: radians from +Z toward +X.
        size: metres, usually its height.
        points: `[N, 3]` to keep in the frame.
        lift: height above the ground, metres, that cameras follow.
        ground: what cameras stay above.
        empty: whether there is nothing to look at yet.
    """

    position: NDArray[np.floating]
    heading: float
    size: float
    points: NDArray[np.floating]
    lift: float = 0.0
    empty: bool = False
    ground: Ground = field(default_factory=Plane)

    @staticmethod
    def nothing() -> CameraTarget:
        """Space for one person at the origin."""
        return CameraTarget(np.zeros(3), 0.0, 1.7, np.array([[-0.3, 0.0, -0.3], [0.3, 1.7, 0.3]]), 0.0, True)

    @staticmethod
    def of_world(world: World) -> CameraTarget:
        """All figures of a world; space for one person if there are none."""
        world.regroup_figures()
        batches = [batch.shown.global_positions.reshape(-1, 3) for batch in world.poses.batches]
        if not batches:
            return CameraTarget.nothing()
        points = np.concatenate(batches)
        low, high = points.min(axis=0), points.max(axis=0)
        ground = ground_of(world)
        position = 0.5 * (low + high)
        position[1] = max(float(ground.height(position)), float(low[1])) if world.ground is not None else 0.0
        return CameraTarget(position, 0.0, max(float((high - low).max()), 0.5), points, ground=ground)


def ground_of(world: World) -> Ground:
    """The ground that a world shows now."""
    return Plane() if world.ground is None else world.ground.at(world.time)
