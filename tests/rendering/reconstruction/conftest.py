"""A floor with a pattern and a box on it, and pictures of both."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from kinema.rendering.camera import Camera
from kinema.rendering.reconstruction.numbers import Numbers
from kinema.rendering.reconstruction.photos import Capture, Lens, Photo
from kinema.rendering.splats.rasterise import rasterise
from kinema.worlds.gaussians import GaussianScene
from kinema.worlds.shapes import box, relief
from kinema.worlds.surfels import surfels


@cache
def place() -> GaussianScene:
    """Four by four metres."""

    def colour(x: np.ndarray, z: np.ndarray) -> np.ndarray:
        odd = (np.floor(2 * x) + np.floor(2 * z)) % 2
        return np.stack([0.3 + 0.4 * odd, 0.5 + 0.1 * x, 0.5 - 0.1 * z], axis=-1)

    floor = relief(lambda x, z: 0.0 * x, colour, (-2, -2), (2, 2), 0.1)
    return surfels(floor.joined(box((0.3, 0.4, 0.2), (0.8, 0.8, 0.6), (0.8, 0.2, 0.2), 0.4)), 0.06)


def cameras(count: int, turn: float = 0.0) -> list[Camera]:
    angles = turn + 2 * np.pi * np.arange(count) / count
    return [
        Camera.look_at((3 * np.sin(a), 1.8 + 0.5 * (n % 2), 3 * np.cos(a)), (0, 0.2, 0), 0.9)
        for n, a in enumerate(angles)
    ]


def photographed(camera: Camera, size: int) -> Photo:
    drawn = rasterise(place(), camera, 2 * size, 2 * size, background=(0.6, 0.7, 0.9)).colour
    drawn = drawn.reshape(size, 2, size, 2, 3).mean(axis=(1, 3))
    return Photo("", np.rint(255 * np.clip(drawn, 0, 1)).astype(np.uint8), Lens.of(camera, size, size))


@cache
def captured(count: int = 20, size: int = 48, turn: float = 0.0) -> Capture:
    nothing = np.zeros((0, 3), np.float32)
    return Capture(tuple(photographed(camera, size) for camera in cameras(count, turn)), nothing, nothing)


@pytest.fixture
def capture() -> Capture:
    return captured()


def few(count: int = 5, coefficients: int = 1, seed: int = 0) -> Numbers:
    """Gaussians around the origin, so large that none ends within a picture of four by three pixels."""
    rng = np.random.default_rng(seed)
    normal = [
        rng.normal(0, 1, (count, *shape)).astype(np.float32) for shape in ((3,), (4,), (3,), (), (coefficients, 3))
    ]
    return Numbers(0.15 * normal[0], normal[1], 0.2 * normal[2] - np.float32(0.7), normal[3], 0.5 * normal[4])
