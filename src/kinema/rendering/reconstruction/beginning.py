"""Where the fitting of a scene begins: at points that are known, or at points that pictures agree on."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.ndimage import gaussian_filter, map_coordinates
from scipy.spatial import KDTree

from kinema import rotations
from kinema.arrays import Bools, Floats, Singles
from kinema.errors import SceneError
from kinema.rendering.reconstruction.anchoring import Planes
from kinema.rendering.reconstruction.numbers import Numbers
from kinema.rendering.reconstruction.photos import Capture, Lens, Photo
from kinema.worlds.files.packing import colour_to_harmonic, logit

_OPACITY = 0.6
_LAID, _FLAT = 0.5, 0.15  # opacity of Gaussians on known points; how thick they are, over how wide
_DEPTHS = 64  # that are tried along each ray
_VIEWS = 6  # other pictures that a place is compared in
_NEAREST, _FARTHEST = 0.2, 4.0  # depths that are tried, over the size of the scene
_DISTINCT = 0.5  # how much better than usual the best depth must be
_PARTS = 12  # of the sides of a picture, in which known points hide the sky
_FAR = 6.0  # over the size of the scene: what is farther away is sky
_BLURS = (0.7, 2.0)  # pixels: of what is compared


DOME = 600
"""Gaussians of the sky."""


@dataclass(frozen=True)
class Around:
    """Where cameras are and what they look at.

    Attributes:
        middle: `[3]`: the place nearest to where all of them look. size: how far they are from it, metres.
    """

    middle: Floats
    size: float

    @staticmethod
    def of(photos: tuple[Photo, ...]) -> Around:
        """That of some photos.

        Raises:
            SceneError: all cameras are in one place.
        """
        eyes = np.stack([photo.lens.position for photo in photos])
        ways = np.stack([photo.lens.axes[2] for photo in photos])
        across = np.eye(3) - ways[:, :, None] * ways[:, None]
        matrix = across.sum(axis=0) + 1e-3 * len(photos) * np.eye(3)
        middle = np.linalg.solve(matrix, (across @ eyes[..., None]).sum(axis=0)[:, 0] + 1e-3 * eyes.sum(axis=0))
        spread = float(np.linalg.norm(eyes - eyes.mean(axis=0), axis=1).max())
        if not spread > 1e-9 * max(float(np.abs(eyes).max()), 1e-9):
            raise SceneError("all pictures were taken from one place; a scene is seen from several")
        return Around(middle, max(float(np.median(np.linalg.norm(eyes - middle, axis=1))), spread))

    def far(self, points: Singles) -> Bools:
        """Which points `[P, 3]` are so far away that only their directions count."""
        return np.asarray(np.linalg.norm(points - self.middle, axis=-1) > _FAR * self.size)


def sky(photos: tuple[Photo, ...], around: Around, degree: int, points: Singles) -> Numbers:
    """Large Gaussians all around, far away, in the colours that pictures have in their directions.

    There are none where known points `[P, 3]` are mostly in front of them, so that they do not stand in for a floor.
    """
    number = np.arange(DOME) + 0.5
    height = 1.0 - 2.0 * number / DOME
    angle = np.pi * (1.0 + np.sqrt(5.0)) * number  # a spiral with even gaps
    level = np.sqrt(1.0 - height * height)
    ways = np.stack([level * np.cos(angle), height, level * np.sin(angle)], axis=1)
    places = around.middle + 2.0 * _FAR * around.size * ways
    total, seen, hidden = np.zeros((DOME, 3)), np.zeros((DOME, 1)), np.zeros(DOME)
    for photo in photos:
        pixels = photo.lens.seen(places)
        inside = (pixels[:, 2] > 0) & (pixels[:, :2] > 0).all(axis=1)
        inside &= (pixels[:, :2] < [photo.lens.width, photo.lens.height]).all(axis=1)
        total[inside] += _picked(photo, pixels[inside, :2])
        seen[inside] += 1.0
        hidden[inside] += _covered(photo.lens, points, pixels[inside])
    numbers = begun(
        places.astype(np.float32), np.where(seen > 0, total / np.maximum(seen, 1.0), 0.5).astype(np.float32), degree,
        20.0 * _FAR * around.size,
    )  # fmt: skip
    return numbers.taken((seen[:, 0] > 0) & (hidden <= 0.5 * seen[:, 0]))


def _covered(lens: Lens, points: Singles, pixels: Floats) -> Bools:
    """Which pixels `[N, 3]` of a picture are in a part of it that shows a known point."""
    found = np.zeros((_PARTS, _PARTS), np.bool_)
    size = np.asarray([lens.width, lens.height]) / _PARTS
    seen = lens.seen(points)
    inside = (seen[:, 2] > 0) & (seen[:, :2] > 0).all(axis=1) & (seen[:, :2] < [lens.width, lens.height]).all(axis=1)
    column, row = np.floor(seen[inside, :2] / size).astype(int).T
    found[np.minimum(row, _PARTS - 1), np.minimum(column, _PARTS - 1)] = True
    column, row = np.floor(pixels[:, :2] / size).astype(int).T
    return found[np.minimum(row, _PARTS - 1), np.minimum(column, _PARTS - 1)]


def begun(points: Singles, colours: Singles, degree: int, size: float) -> Numbers:
    """Round Gaussians at points `[P, 3]`, as large as their neighbours are apart.

    Args:
        colours: `[P, 3]`, sRGB. degree: of harmonics. size: of the scene, metres.
    """
    count = len(points)
    near = np.full((count, 1), 0.05 * size)
    if count > 1:
        near = np.atleast_2d(KDTree(points).query(points, min(4, count))[0])[:, 1:]
    away = np.clip(np.sqrt(np.square(near).mean(axis=1)), 1e-4 * size, 0.1 * size)
    coefficients = np.zeros((count, (degree + 1) ** 2, 3), np.float32)
    coefficients[:, 0] = colour_to_harmonic(colours)
    return Numbers(
        np.ascontiguousarray(points, np.float32),
        np.tile(np.asarray([1.0, 0.0, 0.0, 0.0], np.float32), (count, 1)),
        np.repeat(np.log(0.7 * away).astype(np.float32)[:, None], 3, axis=1),
        np.full(count, float(logit(np.asarray([_OPACITY]))[0]), np.float32),
        coefficients,
    )


def laid(planes: Planes, colours: Singles, degree: int, size: float) -> Numbers:
    """Flat Gaussians on known points of surfaces, along the planes around them.

    Args:
        colours: `[P, 3]`, sRGB. degree: of harmonics. size: of the scene, metres.
    """
    numbers = begun(planes.points, colours, degree, size)
    numbers.logits[:] = logit(np.asarray([_LAID]))[0]
    numbers.quaternions[:] = rotations.between(np.asarray([0.0, 0.0, 1.0]), planes.normals)
    wide = np.where(planes.apart > 0.0, planes.apart, np.exp(numbers.log_scales[:, 0]))
    shape = np.where(planes.flat[:, None], [1.0, 1.0, _FLAT], 1.0)
    numbers.log_scales[:] = np.log(0.7 * np.maximum(wide, 1e-4 * size)[:, None] * shape)
    return numbers


def swept(capture: Capture, around: Around, count: int, rng: np.random.Generator) -> tuple[Singles, Singles]:
    """Points and colours `[P, 3]` at depths that pictures agree on, about `count` of them.

    Along rays through random pixels, depths are compared by how similar the pictures around are there (R. Collins, "A
    space-sweep approach to true multi-image matching", 1996). Rays without a distinct depth get
    that of the nearest one that has.
    """
    photos = capture.photos
    each = max(count // len(photos), 1)
    found, shown = [], []
    features = [_features(photo) for photo in photos]
    for number, photo in enumerate(photos):
        pixels = rng.uniform(0, [photo.lens.width, photo.lens.height], (each, 2))
        rays = photo.lens.rays(pixels)
        inverse = np.linspace(1.0 / _NEAREST, 1.0 / _FARTHEST, _DEPTHS) / around.size
        inverse = inverse + rng.uniform(-0.5, 0.5, (each, 1)) * (inverse[0] - inverse[1])
        depths = 1.0 / np.maximum(inverse, 0.25 / (_FARTHEST * around.size))
        places = photo.lens.position + rays[:, None] * depths[..., None]
        own = _sampled(features[number], pixels)
        costs = _costs(own, places, photos, features, _beside(photos, number))
        best = np.argmin(np.where(np.isnan(costs), np.inf, costs), axis=1)
        rows = np.arange(each)
        usual = np.nanmedian(np.where(np.isnan(costs).all(axis=1, keepdims=True), 0.0, costs), axis=1)
        sure: Bools = np.asarray(costs[rows, best] < _DISTINCT * usual)
        depth = np.where(sure, depths[rows, best], around.size * rng.uniform(0.5, 1.5, each))
        if sure.any():
            beside = KDTree(pixels[sure]).query(pixels)[1]
            depth = np.where(sure, depth, depths[rows, best][sure][beside])
        found.append(photo.lens.position + rays * depth[:, None])
        shown.append(_picked(photo, pixels))
    return np.concatenate(found).astype(np.float32), np.concatenate(shown)


def _beside(photos: tuple[Photo, ...], number: int) -> list[int]:
    """Pictures whose cameras are near and look the same way."""
    own = photos[number].lens
    eyes = np.stack([photo.lens.position for photo in photos])
    ways = np.stack([photo.lens.axes[2] for photo in photos])
    away = np.linalg.norm(eyes - own.position, axis=1)
    score = away / max(float(np.median(away)), 1e-9) + 2.0 * (1.0 - ways @ own.axes[2])
    score[number] = np.inf
    return np.argsort(score)[: min(_VIEWS, len(photos) - 1)].tolist()


def _features(photo: Photo) -> Singles:
    """What is compared `[H, W, F]`: colours and how they change, blurred."""
    picture = photo.picture.astype(np.float32) / 255.0
    parts = []
    for blur in _BLURS:
        smooth = gaussian_filter(picture, (blur, blur, 0))
        grey = smooth.mean(axis=-1)
        parts += [smooth, *(2.0 * blur * np.gradient(grey, axis=axis)[..., None] for axis in (0, 1))]
    return np.concatenate(parts, axis=-1)


def _costs(
    own: Floats, places: Floats, photos: tuple[Photo, ...], features: list[Singles], others: list[int]
) -> Floats:
    """How unlike a pixel other pictures are where they see places `[R, D, 3]`: `[R, D]`; NaN if too few do."""
    total, seen = np.zeros(places.shape[:2]), np.zeros(places.shape[:2])
    for other in others:
        lens = photos[other].lens
        pixels = lens.seen(places)
        inside = (pixels[..., 2] > 0) & (pixels[..., :2] > 0).all(axis=-1)
        inside &= (pixels[..., :2] < [lens.width, lens.height]).all(axis=-1)
        there = _sampled(features[other], pixels[inside][:, :2])
        of = np.nonzero(inside)[0]
        total[inside] += np.minimum(np.abs(there - own[of]).mean(axis=-1), 0.2)
        seen += inside
    return np.where(seen >= 2, total / np.maximum(seen, 1), np.nan)


def _sampled(values: Singles, pixels: Floats) -> Floats:
    """Values `[N, F]` at pixels `[N, 2]`."""
    at = pixels[:, ::-1].T - 0.5
    return np.stack(
        [map_coordinates(values[..., part], at, order=1, mode="nearest") for part in range(values.shape[-1])], axis=-1
    )


def _picked(photo: Photo, pixels: Floats) -> Singles:
    """Colours `[N, 3]` of pixels."""
    column, row = np.floor(pixels).astype(int).T
    row, column = np.minimum(row, photo.lens.height - 1), np.minimum(column, photo.lens.width - 1)
    return (photo.picture[row, column] / 255.0).astype(np.float32)
