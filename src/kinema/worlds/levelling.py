"""Finds the ground of a captured scene as a plane, and stands the scene upright on it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kinema import rotations
from kinema.arrays import Floats
from kinema.errors import SceneError
from kinema.worlds.cleaning import area
from kinema.worlds.gaussians import GaussianScene

_TRIALS = 400
_TILT = np.radians(40.0)  # from upright, at most
_BELOW = 0.06  # share of what is seen that may lie below the ground
_OPAQUE = 0.3
_MOST = 40_000  # Gaussians that are looked at


@dataclass(frozen=True)
class GroundPlane:
    """A plane.

    Attributes:
        up: unit vector `[3]`. height: metres from the origin along it.
        share: of all that is seen, how much lies on it.
    """

    up: Floats
    height: float
    share: float


def ground_plane(scene: GaussianScene, seed: int = 0) -> GroundPlane:
    """The plane that most of what is seen lies on, with next to nothing below it (M. Fischler and R. Bolles, "Random
    Sample Consensus", 1981).

    Args:
        seed: of the samples.

    Raises:
        SceneError: there is no such plane within 40 degrees of level.
    """
    rng = np.random.default_rng(seed)
    opaque = np.flatnonzero(scene.opacities >= _OPAQUE)
    if len(opaque) < 3:
        raise SceneError("the scene has too little that is opaque for a ground")
    share = area(scene)[opaque]
    chosen = rng.choice(opaque, min(_MOST, len(opaque)), p=share / share.sum())  # so that all count the same
    places = scene.means[chosen].astype(np.float64)
    low, high = np.quantile(places, (0.02, 0.98), axis=0)
    near = 0.01 * float(np.linalg.norm(high - low))
    best = GroundPlane(np.asarray([0.0, 1.0, 0.0]), 0.0, 0.0)
    for _ in range(_TRIALS):
        a, b, c = places[rng.integers(len(places), size=3)]
        plane = _through(a, b, c)
        if plane is None:
            continue
        found = _judged(places, *plane, near)
        best = found if found.share > best.share else best
    if best.share == 0.0:
        raise SceneError("no ground was found: nothing within 40 degrees of level has next to nothing below it")
    for _ in range(3):
        on = places[np.abs(places @ best.up - best.height) < near]
        middle = on.mean(axis=0)
        normal = np.linalg.svd(on - middle, full_matrices=False)[2][2]
        normal *= np.sign(normal[1]) or 1.0
        best = _judged(places, normal, float(middle @ normal), near)
    return best


def levelled(scene: GaussianScene, seed: int = 0, plane: GroundPlane | None = None) -> GaussianScene:
    """The scene with its ground at height 0 and level; what is ahead stays ahead.

    Args:
        seed: of the search for the ground. plane: the ground, if it is known.

    Raises:
        SceneError: no ground was found.
    """
    plane = ground_plane(scene, seed) if plane is None else plane
    return scene.moved(rotations.between(plane.up, np.asarray([0.0, 1.0, 0.0])), (0.0, -plane.height, 0.0))


def _through(a: Floats, b: Floats, c: Floats) -> tuple[Floats, float] | None:
    """Normal and height of the plane through three points; None if it is steep, or no plane."""
    normal = np.cross(b - a, c - a)
    size = float(np.linalg.norm(normal))
    if size < 1e-12 or abs(normal[1]) < np.cos(_TILT) * size:
        return None
    normal = normal / size * np.sign(normal[1])
    return normal, float(a @ normal)


def _judged(places: Floats, normal: Floats, height: float, near: float) -> GroundPlane:
    """A plane with the share of places on it: 0 if more than a little lies below."""
    above = places @ normal - height
    share = float((np.abs(above) < near).mean())
    return GroundPlane(normal, height, share if float((above < -near).mean()) <= _BELOW else 0.0)
