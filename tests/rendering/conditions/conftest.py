"""A short walk of the mannequin, filmed small."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import kinema
from kinema.rendering.film.camera_work import CameraWork
from kinema.rendering.film.film import Film, FilmSettings
from kinema.rendering.film.performance import Shot
from kinema.rendering.renderer import Renderer

SMALL = (128, 192)


@pytest.fixture(scope="package")
def walk() -> Film:
    """Five pictures from the front."""
    motion = kinema.perform(script=[kinema.Segment("walk", 1.5)], fps=30.0, name="walk")
    settings = FilmSettings(*SMALL, 8.0, stop=0.625, camera=CameraWork("front"))
    return Film(Shot("walk", motion.skeleton, motion), settings)


@pytest.fixture(scope="package")
def studio(driver: str) -> Iterator[Renderer]:
    with Renderer(*SMALL, "draft") as made:
        yield made
