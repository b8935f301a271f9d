"""Estimates the light that a scene was captured in: a sun, and light from above, from the side and from below."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.ndimage import binary_dilation, label
from scipy.optimize import nnls
from scipy.spatial import KDTree

from kinema import rotations
from kinema.arrays import Floats, Ints
from kinema.errors import SceneError
from kinema.worlds.cleaning import FAINT, area
from kinema.worlds.gaussians import GaussianScene

_MOST = 20_000  # Gaussians that are looked at
_MOST_PAIRS = 40_000
_LEAST_PAIRS = 100
_NEAR = 40  # neighbours among which pairs are sought
_FLAT = 0.5  # smallest over second axis, at most: thicker ones have no normal
_TURNED = float(np.cos(np.radians(20.0)))  # normals of a pair differ by more
_OPPOSITE = -0.5  # cosine of what is rather a sheet, of which one side was taken for the other
_SAME, _CLOSE = float(np.cos(np.radians(30.0))), 8  # of so many neighbours half face the same way, or it is noise
_SAME_HUE = 0.2  # how far logarithms of ratios of channels of a pair may differ: the sun is that much warmer than a sky
_DARK, _BRIGHT = 0.01, 0.97  # linear: what is outside says nothing
_GAMMA = 2.2
_ALBEDO = 0.3  # of the middle Gaussian: that of soil, wood and painted walls
_DIRECTIONS = 400
_ROUNDS = 6  # of weights that make squares absolute values
_LEAST_SHARE, _LEAST_GAIN = 0.15, 0.05  # of a sun that is worth a shadow, and of what it explains
_APART = 3.0  # cells from a Gaussian to what is looked at before and behind it
_LEVEL = 0.7  # upward part of a normal: 45 degrees


@dataclass(frozen=True)
class SceneLight:
    """The light of a scene; colours are linear red, green and blue.

    A surface with the unit normal `n` and the albedo `a` is about as bright as `a` times `irradiance(n)`.

    Attributes:
        toward: unit vector `[3]` toward the sun, in the scene; straight up if there is none.
        sun: `[3]`: light of the sun on a surface that faces it; 0 if there is none.
        above, side, below: `[3]`: all other light on surfaces that face up, sideways and down.
        sun_share: which part of the light on a surface that faces the sun comes from it, 0 to 1; 0 if there is none.
        confidence: 0 to 1: how much smaller the differences between neighbours get by the sun, in the middle.
    """

    toward: Floats
    sun: Floats
    above: Floats
    side: Floats
    below: Floats
    sun_share: float
    confidence: float

    def irradiance(self, normals: Floats) -> Floats:
        """Light `[..., 3]` on surfaces with unit normals `[..., 3]`."""
        facing = np.maximum(normals @ self.toward, 0.0)[..., None]
        upward = 0.5 + 0.5 * normals[..., 1:2]
        return facing * self.sun + upward * self.above + (1.0 - upward) * self.below


def estimate_light(scene: GaussianScene, seed: int = 0) -> SceneLight:
    """The light of a level scene, from the brightness of flat Gaussians and the way that they face.

    Neighbours of the same hue that face different ways are taken to be of the same material, so the ratio of their
    brightness is that of the light on them (J. Lambert, 1760, with light from a hemisphere). The sun is where these
    ratios are explained best, by the sum of absolute differences. It is not known how bright the scene was: a level
    surface in the open is taken to be lit by white light, and the middle Gaussian to have an albedo of 0.3.

    Shadows that the sun casts are not modelled; they count as other materials, as what is off. Gaussians do not say
    which of their sides is outside: it is the one toward the empty space that most of them border on.

    Args:
        seed: of the choice of Gaussians and pairs.

    Raises:
        SceneError: too few Gaussians are flat, lie beside others of the same hue, and face another way.
    """
    rng = np.random.default_rng(seed)
    surfaces = _looked_at(scene, rng)
    pairs = _pairs(surfaces, rng)
    if len(pairs) < _LEAST_PAIRS:
        raise SceneError("the light cannot be told: too few neighbours of the same colour face different ways")
    grey = surfaces.colours.mean(axis=-1)
    none, without = _fit(surfaces.normals, grey, pairs, None)
    toward, parts, left = _sun(surfaces.normals, grey, pairs)
    gain = 1.0 - left / max(without, 1e-12)
    share = parts[0] / max(parts[0] + _ambient(toward, parts), 1e-12)
    if share < _LEAST_SHARE or gain < _LEAST_GAIN:
        toward, parts, share, gain = np.asarray([0.0, 1.0, 0.0]), none, 0.0, 0.0
    channels = np.stack(
        [_fit(surfaces.normals, surfaces.colours[:, c], pairs, toward if share else None)[0] for c in range(3)], axis=-1
    )
    channels /= channels[0] * toward[1] + channels[1]  # white on a level surface
    sun, above, below = channels * _exposure(surfaces, toward, channels)
    return SceneLight(toward, sun, above, 0.5 * (above + below), below, float(share), float(gain))


@dataclass(frozen=True)
class _Surfaces:
    """Places, unit normals and linear colours `[S, 3]` of flat Gaussians."""

    places: Floats
    normals: Floats
    colours: Floats


def _looked_at(scene: GaussianScene, rng: np.random.Generator) -> _Surfaces:
    """Some flat Gaussians that are neither dark nor overexposed, the larger the likelier."""
    scales = np.sort(scene.scales.astype(np.float64), axis=-1)
    colours = np.clip(scene.colours.astype(np.float64), 0.0, 1.0) ** _GAMMA
    fit = (scales[:, 0] <= _FLAT * scales[:, 1]) & (scene.opacities >= FAINT)
    fit &= (colours.min(axis=-1) > _DARK) & (colours.max(axis=-1) < _BRIGHT)
    weight = area(scene) * fit
    count = min(_MOST, int((weight > 0).sum()))
    if count < 3:
        raise SceneError("the light cannot be told: too few Gaussians of the scene are flat")
    chosen = rng.choice(len(scene), count, replace=False, p=weight / weight.sum())
    some = scene.taken(chosen)
    axes = rotations.to_matrix(some.rotations.astype(np.float64))
    normals = axes[np.arange(count), :, some.scales.argmin(axis=-1)]
    places = some.means.astype(np.float64)
    outward = _outward(scene, places, normals)
    told = outward != 0.0
    return _Surfaces(places[told], (normals * outward[:, None])[told], colours[chosen][told])


def _outward(scene: GaussianScene, places: Floats, normals: Floats) -> Floats:
    """1 or -1 `[S]`: on which side of Gaussians is the empty space that most of them border on.

    Where that is on both sides, it is above what is level; what is upright is 0, as is what does not border on it.
    """
    seen = scene.means[scene.opacities >= 0.5].astype(np.float64)
    low, high = np.quantile(seen if len(seen) else places, (0.002, 0.998), axis=0)
    cell = max(float((high - low).max()) / 256.0, 2.0 * float(np.median(scene.scales.max(axis=-1))), 1e-6)
    low, high = low - 4.0 * cell, high + 4.0 * cell  # air all around
    shape = np.ceil((high - low) / cell).astype(np.int64) + 1
    full = np.zeros(shape, np.bool_)
    inside = ((seen >= low) & (seen <= high)).all(axis=-1)
    full[tuple(np.rint((seen[inside] - low) / cell).astype(np.int64).T)] = True
    spaces = label(np.logical_not(binary_dilation(full)))
    assert isinstance(spaces, tuple)
    at, away = (places - low) / cell, _APART * normals
    before, behind = (_looked_up(np.asarray(spaces[0], np.int64), at + offset) for offset in (away, -away))
    counts = np.bincount(np.concatenate([before, behind]))
    counts[0] = 0
    open_space = counts.argmax()
    sheet = (before == open_space) & (behind == open_space) & (np.abs(normals[:, 1]) > _LEVEL)
    side = np.sign((before == open_space) - 1.0 * (behind == open_space))
    return np.where(sheet, np.sign(normals[:, 1]), side)


def _looked_up(cells: Ints, places: Floats) -> Ints:
    """Values `[S]` of the cells `[X, Y, Z]` nearest to places `[S, 3]`, in cells; 0 outside."""
    at = np.rint(places).astype(np.int64)
    last = np.asarray(cells.shape) - 1
    return cells[tuple(np.clip(at, 0, last).T)] * ((at >= 0) & (at <= last)).all(axis=-1)


def _pairs(surfaces: _Surfaces, rng: np.random.Generator) -> Ints:
    """Pairs `[P, 2]` of neighbours of the same hue that face different ways."""
    near = min(_NEAR + 1, len(surfaces.places))
    if near < 2:
        return np.empty((0, 2), np.int64)
    _, beside = KDTree(surfaces.places).query(surfaces.places, near)
    beside = np.asarray(beside)[:, 1:]
    cosines = np.einsum("sc,snc->sn", surfaces.normals, surfaces.normals[beside])
    part = (cosines[:, :_CLOSE] > _SAME).mean(axis=-1) >= 0.5
    turned = (cosines < _TURNED) & (cosines > _OPPOSITE) & part[:, None] & part[beside]
    first, second = np.nonzero(turned)
    pairs = np.stack([first, beside[first, second]], axis=-1)
    hue = np.log(surfaces.colours[:, [0, 2]] / surfaces.colours[:, 1:2])
    alike = np.abs(hue[pairs[:, 0]] - hue[pairs[:, 1]]).max(axis=-1) < _SAME_HUE
    pairs = pairs[alike]
    return pairs[rng.permutation(len(pairs))[:_MOST_PAIRS]]


def _sun(normals: Floats, grey: Floats, pairs: Ints) -> tuple[Floats, Floats, float]:
    """The direction toward the sun that explains the brightness of pairs best, its light, and what is left."""
    some = pairs[: _MOST_PAIRS // 8]
    toward = _spiral(_DIRECTIONS)
    toward = toward[int(np.argmin([_fit(normals, grey, some, way)[1] for way in toward]))]
    for spread in (0.1, 0.05, 0.02):
        ring = np.random.default_rng(0).normal(0.0, spread, (24, 3))
        ways = np.concatenate([toward[None], toward + ring])
        ways[:, 1] = np.maximum(ways[:, 1], 0.02)
        ways /= np.linalg.norm(ways, axis=-1, keepdims=True)
        toward = ways[int(np.argmin([_fit(normals, grey, some, way)[1] for way in ways]))]
    return toward, *_fit(normals, grey, pairs, toward)


def _spiral(count: int) -> Floats:
    """Even directions `[N, 3]` in the upper hemisphere (D. Vogel, 1979)."""
    number = np.arange(count) + 0.5
    height, angle = number / count, number * np.pi * (3.0 - np.sqrt(5.0))
    wide = np.sqrt(1.0 - height**2)
    return np.stack([wide * np.sin(angle), height, wide * np.cos(angle)], axis=-1)


def _fit(normals: Floats, brightness: Floats, pairs: Ints, toward: Floats | None) -> tuple[Floats, float]:
    """Light of the sun, from above and from below `[3]`, up to a factor, and the mean difference of pairs that is left.

    It is the difference over the sum of what the two would be as bright as if each had the other's light.
    """
    facing = np.zeros(len(normals)) if toward is None else np.maximum(normals @ toward, 0.0)
    basis = np.stack([facing, 0.5 + 0.5 * normals[:, 1], 0.5 - 0.5 * normals[:, 1]], axis=-1)
    one, other = (brightness[side][:, None] * basis[rest] for side, rest in (pairs.T, pairs[:, ::-1].T))
    apart, both = one - other, one + other
    mean = both.mean(axis=0) / both.mean()
    parts = np.full(3, 1.0 / 3.0)
    for _ in range(_ROUNDS):
        total = np.maximum(both @ parts, 1e-12)
        relative = np.abs(apart @ parts) / total
        weight = 1.0 / (total**2 * np.maximum(relative, 0.01))
        square = (apart * weight[:, None]).T @ apart
        values, vectors = np.linalg.eigh(square / np.trace(square))
        rows = np.sqrt(np.maximum(values, 0.0))[:, None] * vectors.T
        parts, _ = nnls(np.concatenate([rows, 100.0 * mean[None]]), np.asarray([0.0, 0.0, 0.0, 100.0]))
    return parts, float((np.abs(apart @ parts) / np.maximum(both @ parts, 1e-12)).mean())


def _ambient(toward: Floats, parts: Floats) -> float:
    """Light that is not of the sun on a surface that faces it."""
    return float((0.5 + 0.5 * toward[1]) * parts[1] + (0.5 - 0.5 * toward[1]) * parts[2])


def _exposure(surfaces: _Surfaces, toward: Floats, channels: Floats) -> float:
    """The factor of the light for which the middle Gaussian has the albedo `_ALBEDO`."""
    facing = np.maximum(surfaces.normals @ toward, 0.0)
    upward = 0.5 + 0.5 * surfaces.normals[:, 1]
    light = np.stack([facing, upward, 1.0 - upward], axis=-1) @ channels
    return float(np.median(surfaces.colours.mean(axis=-1) / np.maximum(light.mean(axis=-1), 1e-12))) / _ALBEDO
