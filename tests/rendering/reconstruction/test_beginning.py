from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from kinema import rotations
from kinema.errors import SceneError
from kinema.rendering.reconstruction.anchoring import Planes
from kinema.rendering.reconstruction.beginning import Around, begun, laid, sky, swept
from kinema.rendering.reconstruction.numbers import Numbers
from kinema.rendering.reconstruction.photos import Capture


def test_cameras_look_at_a_place(capture: Capture) -> None:
    around = Around.of(capture.photos)
    assert np.linalg.norm(around.middle - [0, 0.2, 0]) < 0.3 and 2.5 < around.size < 4.5
    assert around.far(np.asarray([[0, 0, 3.0], [0, 0, 300.0]])).tolist() == [False, True]


def test_pictures_from_one_place_are_refused(capture: Capture) -> None:
    first = capture.photos[0]
    with pytest.raises(SceneError, match="one place"):
        Around.of((first, replace(first, name="b")))


def test_pictures_agree_on_places_near_surfaces(capture: Capture) -> None:
    around = Around.of(capture.photos)
    points, colours = swept(capture, around, 2000, np.random.default_rng(0))
    inside = (np.abs(points[:, [0, 2]]) < 1.8).all(axis=1)
    assert inside.mean() > 0.4 and colours.shape == points.shape
    assert np.mean((points[inside, 1] > -0.15) & (points[inside, 1] < 0.95)) > 0.7


def test_gaussians_are_as_large_as_gaps() -> None:
    grid = np.stack(np.meshgrid(*[np.arange(4.0)] * 3), axis=-1).reshape(-1, 3).astype(np.float32)
    numbers = begun(grid, np.full(grid.shape, 0.25, np.float32), 2, 100.0)
    assert np.allclose(np.exp(numbers.log_scales), 0.7, atol=0.01) and numbers.harmonics.shape == (64, 9, 3)
    assert np.allclose(numbers.scene().colours, 0.25, atol=1e-5)


def test_the_sky_has_the_colour_of_pictures(capture: Capture) -> None:
    around = Around.of(capture.photos)
    dome = sky(capture.photos, around, 0, np.zeros((0, 3), np.float32))
    above = dome.means[:, 1] > -0.15 * np.linalg.norm(dome.means, axis=1)
    assert around.far(dome.means).all() and above.any()
    assert np.abs(dome.scene().colours[above] - [0.6, 0.7, 0.9]).mean() < 0.1


def test_there_is_no_sky_behind_known_points(capture: Capture) -> None:
    around = Around.of(capture.photos)
    floor = np.random.default_rng(0).uniform(-2, 2, (4000, 3)).astype(np.float32) * np.asarray([1, 0, 1], np.float32)
    whole, above = (sky(capture.photos, around, 0, points) for points in (floor[:0], floor))

    def below(dome: Numbers) -> int:
        ways = (dome.means - around.middle) / np.linalg.norm(dome.means - around.middle, axis=1, keepdims=True)
        return int((ways[:, 1] < -0.6).sum())

    assert below(whole) > 10 and below(above) == 0 and len(above) > 0


def test_gaussians_on_known_points_lie_along_surfaces() -> None:
    points = np.random.default_rng(0).uniform(-2, 2, (900, 3)).astype(np.float32) * np.asarray([1, 0, 1], np.float32)
    planes = Planes.through(points)
    numbers = laid(planes, np.full(points.shape, 0.5, np.float32), 0, 4.0)
    sizes = np.exp(numbers.log_scales)
    axes = rotations.to_matrix(numbers.quaternions)
    upward = axes[np.arange(900), 1, sizes.argmin(axis=1)]
    assert (
        planes.flat.mean() > 0.9
        and np.abs(upward[planes.flat]).min() > 0.999
        and np.median(sizes.min(axis=1) / sizes.max(axis=1)) < 0.2
    )
    few = laid(Planes.through(points[:5]), np.full((5, 3), 0.5, np.float32), 0, 4.0)
    assert np.ptp(few.log_scales, axis=1).max() < 1e-6 and np.isfinite(few.log_scales).all()
