"""Made worlds as a capture would have them: with noise and floaters, and the ground that is recovered of them."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np

from kinema.worlds import GaussianScene
from kinema.worlds.grounding import SceneGround, recover_ground
from kinema.worlds.made import MadeWorld, make_world


def captured(world: MadeWorld, spacing: float = 0.08, seed: int = 0) -> GaussianScene:
    """The scene of a world with centres off by 1 cm, opacities that vary, and 2 % of its Gaussians anywhere."""
    rng = np.random.default_rng(seed)
    scene = world.scene(spacing, seed)
    count = len(scene)
    low, high = scene.means.min(axis=0), scene.means.max(axis=0)
    floaters = scene.taken(rng.integers(count, size=count // 50))
    noisy = replace(
        scene,
        means=(scene.means + rng.normal(0.0, 0.01, (count, 3))).astype(np.float32),
        logits=(scene.logits + rng.normal(0.0, 1.0, count)).astype(np.float32),
    )
    return noisy.joined(
        replace(
            floaters,
            means=rng.uniform(low, high, (len(floaters), 3)).astype(np.float32),
            quaternions=rng.normal(0.0, 1.0, (len(floaters), 4)).astype(np.float32),
        )
    )


@cache
def recovered(kind: str, seed: int, spacing: float = 0.08) -> tuple[MadeWorld, SceneGround]:
    """A made world, and its ground as it is recovered of what is captured."""
    world = make_world(kind, seed)
    return world, recover_ground(captured(world, spacing, seed))


def places(ground: SceneGround) -> np.ndarray:
    """x and z of all samples `[Z, X, 2]`."""
    return ground.points_of(np.moveaxis(np.indices(ground.walkable.shape), 0, -1))


def free_of_obstacles(world: MadeWorld, points: np.ndarray, margin: float = 0.0, border: float = 0.0) -> np.ndarray:
    """Which points (x, z) are in the world and farther than margins from its obstacles and its border."""
    inside = (points > np.asarray(world.low) + border) & (points < np.asarray(world.high) - border)
    return inside.all(axis=-1) & ~world.blocked(points, margin)
