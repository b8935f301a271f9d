"""Pictures of Gaussians that are being fitted, and gradients of their numbers from those of the picture."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kinema.arrays import Indices, Ints, Singles
from kinema.rendering.reconstruction import blending, projection, tiles
from kinema.rendering.reconstruction.numbers import Numbers
from kinema.rendering.reconstruction.photos import Lens
from kinema.worlds import harmonics

NEAR = 0.05
"""Of a scene of the size 1, the nearest that is drawn; metres times its size."""


@dataclass(frozen=True, eq=False)
class Drawn:
    """A picture, and what is needed to go back.

    Attributes:
        sums: float32 `[H, W, CHANNELS]`: colours without the background, inverse depth and its square, each times how
            much is covered. clear: float32 `[H, W]`: how much of the background is seen.
    """

    sums: Singles
    clear: Singles
    lens: Lens
    seen: Singles
    named: Indices
    colours: Singles
    lists: tuple[Ints, Ints, Indices]
    smooth: bool

    def over(self, background: Singles) -> Singles:
        """The picture `[H, W, 3]` over a colour `[3]`."""
        return (self.sums[..., :3] + self.clear[..., None] * background).astype(np.float32)


def draw(numbers: Numbers, lens: Lens, near: float, smooth: bool = True) -> Drawn:
    """Draw Gaussians.

    Args:
        near: metres ahead, below which nothing is drawn. smooth: see `rasterise`.
    """
    count = len(numbers)
    seen, who = np.empty((count, projection.COLUMNS), np.float32), np.empty(count, np.int32)
    fixed = numbers.means, numbers.quaternions, numbers.log_scales, numbers.logits, lens.axes, lens.position, _of(lens)
    found = projection.project(*fixed, near, smooth, seen, who)
    order = np.argsort(seen[:found, tiles.DEPTH], kind="stable")
    seen, named = seen[order], who[order]
    ends, counts, lists = tiles.listed(seen, lens.width, lens.height)
    colours = _colours(numbers, named, lens)
    sums = np.empty((lens.height, lens.width, blending.CHANNELS), np.float32)
    clear = np.empty((lens.height, lens.width), np.float32)
    blending.blend(ends, counts, lists, seen, named, colours, 0, counts.size, sums, clear)
    return Drawn(sums, clear, lens, seen, named, colours, (ends, counts, lists), smooth)


def pull(numbers: Numbers, drawn: Drawn, wanted: Singles, of_clear: Singles) -> tuple[Numbers, Singles]:
    """Gradients of the numbers of all Gaussians, and how much each one's place in the picture is pulled `[G]`, pixels.

    Args:
        wanted: float32 `[H, W, CHANNELS]`: gradients of `drawn.sums`. of_clear: `[H, W]`: of `drawn.clear`.
    """
    totals = (drawn.sums * wanted).sum(axis=-1) + drawn.clear * of_clear
    given = np.zeros((len(drawn.named), projection.GRADIENTS), np.float32)
    ends, counts, lists = drawn.lists
    blending.pull(ends, counts, lists, drawn.seen, drawn.named, drawn.colours, 0, counts.size, wanted, totals, given)
    out = numbers.zeros()
    lens = drawn.lens
    shapes = numbers.means, numbers.quaternions, numbers.log_scales, numbers.logits
    parts = out.means, out.quaternions, out.log_scales, out.logits
    projection.pull(*shapes, lens.axes, lens.position, _of(lens), drawn.smooth, drawn.seen, drawn.named, given, *parts)
    _pull_colours(numbers, drawn, given[:, 9:12], out)
    pulled = np.zeros(len(numbers), np.float32)
    pulled[drawn.named] = given[:, 12]
    return out, pulled


def _of(lens: Lens) -> np.ndarray:
    return np.asarray([*lens.focal, *lens.middle, lens.width, lens.height], np.float64)


def _colours(numbers: Numbers, named: Indices, lens: Lens) -> Singles:
    """Colours `[G, 3]` of all Gaussians; only those that are named are set."""
    colours = np.zeros((len(numbers), 3), np.float32)
    if numbers.harmonics.shape[1] == 1:
        colours[named] = np.float32(0.5) + np.float32(harmonics.MEAN) * numbers.harmonics[named, 0]
    else:
        colours[named] = harmonics.colours(numbers.harmonics[named], _toward(numbers, named, lens)[0])
    return np.maximum(colours, 0.0, dtype=np.float32)


def _toward(numbers: Numbers, named: Indices, lens: Lens) -> tuple[Singles, Singles]:
    """Unit directions `[N, 3]` from the camera, and distances `[N, 1]`."""
    toward = numbers.means[named] - lens.position.astype(np.float32)
    away = np.maximum(np.linalg.norm(toward, axis=-1, keepdims=True), 1e-9)
    return toward / away, away


def _pull_colours(numbers: Numbers, drawn: Drawn, given: Singles, out: Numbers) -> None:
    """Add gradients of harmonics, and of means by the direction that they are seen in."""
    named, count = drawn.named, numbers.harmonics.shape[1]
    lit = given * (drawn.colours[named] > 0.0)
    if count == 1:
        out.harmonics[named, 0] = np.float32(harmonics.MEAN) * lit
        return
    toward, away = _toward(numbers, named, drawn.lens)
    out.harmonics[named] = harmonics.basis(toward, count)[..., None] * lit[:, None]
    of_basis = np.einsum("nkc,nc->nk", numbers.harmonics[named], lit)
    step = 1e-3
    slope = np.empty_like(toward)
    for axis in range(3):
        moved = np.zeros(3)
        moved[axis] = step
        change = harmonics.basis(toward + moved, count) - harmonics.basis(toward - moved, count)
        slope[:, axis] = (change * of_basis).sum(axis=-1) / (2.0 * step)
    slope -= (slope * toward).sum(axis=-1, keepdims=True) * toward
    out.means[named] += slope / away
