"""Scenes from surfaces: triangles are covered with flat discs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from kinema import rotations
from kinema.arrays import Floats, Ints, Singles
from kinema.errors import SceneError
from kinema.worlds.files.packing import colour_to_harmonic, logit
from kinema.worlds.gaussians import GaussianScene

MOST = 10_000_000
"""Gaussians that a scene is made of at most."""

_WIDE, _FLAT = 0.75, 0.05  # standard deviations of a disc along and across its surface, over the spacing
_OPACITY, _LEAST = 0.97, 0.01
_LEVELS = 12  # of halved triangles: 16 million places in each


@dataclass(frozen=True, eq=False)
class ColouredSurface:
    """Triangles with a colour at each corner.

    Attributes:
        corners: `[T, 3, 3]`: positions of the three corners, metres; counter-clockwise seen from outside.
        colours: `[T, 3, 3]`: of the corners, sRGB, 0 to 1.
    """

    corners: Singles
    colours: Singles

    @staticmethod
    def of(vertices: ArrayLike, triangles: ArrayLike, colours: ArrayLike) -> ColouredSurface:
        """From vertices `[V, 3]` and triangles `[T, 3]`.

        Args:
            colours: one `[3]` for all, one for each vertex `[V, 3]`, or one for each triangle `[T, 3]`.

        Raises:
            SceneError: there are as many colours as neither.
        """
        places, faces = np.asarray(vertices, np.float32), np.asarray(triangles)
        given = np.asarray(colours, np.float32)
        if given.ndim == 1:
            shown = np.broadcast_to(given, (len(faces), 3, 3))
        elif len(given) == len(places):
            shown = given[faces]
        elif len(given) == len(faces):
            shown = np.broadcast_to(given[:, None], (len(faces), 3, 3))
        else:
            raise SceneError(f"{len(given)} colours for {len(places)} vertices and {len(faces)} triangles")
        return ColouredSurface(places[faces], np.asarray(shown, np.float32))

    def joined(self, *others: ColouredSurface) -> ColouredSurface:
        """All surfaces as one."""
        every = (self, *others)
        return ColouredSurface(
            np.concatenate([each.corners for each in every]), np.concatenate([each.colours for each in every])
        )

    @property
    def normals(self) -> Floats:
        """Unit normals `[T, 3]`; 0 for triangles without an area."""
        a, b, c = self.corners.astype(np.float64).transpose(1, 0, 2)
        found = np.cross(b - a, c - a)
        return found / np.maximum(np.linalg.norm(found, axis=-1, keepdims=True), 1e-30)

    @property
    def areas(self) -> Floats:
        """Areas `[T]`, square metres."""
        a, b, c = self.corners.astype(np.float64).transpose(1, 0, 2)
        return 0.5 * np.linalg.norm(np.cross(b - a, c - a), axis=-1)


Paint = Callable[[Ints, Floats], Floats]
"""Colours `[N, 3]`, or with opacities `[N, 4]`, for the numbers `[N]` of triangles and barycentric places `[N, 3]`."""


def surfels(surface: ColouredSurface, spacing: float, seed: int = 0, paint: Paint | None = None) -> GaussianScene:
    """A scene of discs that cover a surface, their colours blended between corners.

    Args:
        spacing: of neighbouring discs, metres.
        seed: of their places in triangles that are smaller than a disc.
        paint: gives the colour of each disc, sRGB, instead of the corners; discs it makes invisible are left out.

    Raises:
        SceneError: the spacing is not positive, or more than `MOST` discs would be needed.
    """
    if not 0 < spacing < np.inf:
        raise SceneError(f"discs are a positive number of metres apart, not {spacing}")
    areas = surface.areas
    needed = areas / spacing**2
    if needed.sum() > MOST:
        least = float(np.sqrt(areas.sum() / MOST))
        raise SceneError(
            f"{needed.sum():.3g} discs would be needed, and up to {MOST:.0e} are made; space them {least:.2g} m apart"
        )
    of, shares = _spread(needed, np.random.default_rng(seed))
    colours = np.einsum("nk,nkc->nc", shares, surface.colours[of]) if paint is None else paint(of, shares)
    opacities = _OPACITY * (colours[:, 3] if colours.shape[1] == 4 else np.ones(len(of)))
    seen = opacities > _LEAST
    of, shares, colours, opacities = of[seen], shares[seen], colours[seen, :3], opacities[seen]
    normals = surface.normals[of]
    count = len(of)
    scales = np.log(np.asarray([_WIDE, _WIDE, _FLAT], np.float32) * np.float32(spacing))
    return GaussianScene(
        np.einsum("nk,nkc->nc", shares, surface.corners[of]).astype(np.float32),
        rotations.between(np.asarray([0.0, 0.0, 1.0]), normals).astype(np.float32),
        np.tile(scales, (count, 1)),
        logit(opacities),
        colour_to_harmonic(colours)[:, None],
    )


def _spread(needed: Floats, rng: np.random.Generator) -> tuple[Ints, Floats]:
    """The triangle `[N]` of each disc, and its barycentric place `[N, 3]`, evenly spread.

    A number that is no whole one is rounded up as often as it takes. Places follow a sequence that halves triangles
    over and over (K. Basu and A. Owen, "Low Discrepancy Constructions in the Triangle", 2015).
    """
    counts = np.floor(needed + rng.random(len(needed))).astype(np.int64)
    of = np.repeat(np.arange(len(needed)), counts)
    number = np.arange(len(of)) - np.repeat(np.cumsum(counts) - counts, counts)
    places = np.full((len(of), 3), 1.0 / 3.0)
    size = np.ones(len(of))
    for level in range(_LEVELS):
        part = ((number >> (2 * level)) + rng.integers(4, size=len(needed))[of]) % 4  # 3 is the middle
        size *= 0.5
        corner = part < 3
        places -= (size * corner / 3.0)[:, None]
        places[corner, part[corner]] += size[corner]
        size[~corner] *= -1.0
    return of, places
