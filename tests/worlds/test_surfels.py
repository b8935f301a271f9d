from __future__ import annotations

import numpy as np
import pytest

from kinema import rotations
from kinema.errors import SceneError
from kinema.rendering.camera import Camera
from kinema.rendering.splats.rasterise import rasterise
from kinema.worlds.surfels import ColouredSurface, surfels

SQUARE = np.asarray([[-1, 0, -1], [-1, 0, 1], [1, 0, 1], [1, 0, -1]], float)
FACES = np.asarray([[0, 1, 2], [0, 2, 3]])


def test_discs_lie_on_the_surface_evenly_and_face_as_it_does() -> None:
    surface = ColouredSurface.of(SQUARE, FACES, (0.2, 0.4, 0.6))
    scene = surfels(surface, 0.05)
    assert len(scene) == pytest.approx(1600, abs=3)
    np.testing.assert_allclose(scene.means[:, 1], 0.0, atol=1e-6)
    axes = rotations.rotate(scene.quaternions, np.asarray([0, 0, 1.0], np.float32)[None])
    np.testing.assert_allclose(axes, np.tile([0, 1, 0], (len(scene), 1)), atol=1e-6)
    counts = np.histogram2d(scene.means[:, 0], scene.means[:, 2], bins=8, range=[[-1, 1], [-1, 1]])[0]
    assert counts.min() > 17 and counts.max() < 33  # 25 each; at random, 12 to 40
    np.testing.assert_allclose(scene.colours, np.tile([0.2, 0.4, 0.6], (len(scene), 1)), atol=1e-3)


def test_a_covered_surface_is_opaque_and_has_its_colours() -> None:
    corners = np.asarray([[1, 0, 0], [1, 0, 0], [0, 0, 1], [0, 0, 1]], float)
    scene = surfels(ColouredSurface.of(SQUARE, FACES, corners), 0.04)
    picture = rasterise(scene, Camera.look_at([0, 5, 0.01], [0, 0, 0], fov=0.5), 80, 80)
    inside = picture.alpha[15:65, 15:65]
    assert inside.min() > 0.95 and picture.alpha[2, 2] < 0.01
    assert picture.depth[40, 40] == pytest.approx(5.0, abs=0.02)
    left, right = picture.colour[40, 22], picture.colour[40, 58]
    red, blue = (left, right) if left[0] > right[0] else (right, left)
    assert red[0] > 0.6 > 0.4 > red[2] and blue[2] > 0.6 > 0.4 > blue[0]


def test_triangles_smaller_than_a_disc_get_their_share() -> None:
    rng = np.random.default_rng(0)
    places = rng.uniform(-1, 1, (3000, 1, 3)) + rng.uniform(-0.01, 0.01, (3000, 3, 3))
    surface = ColouredSurface.of(places.reshape(-1, 3), np.arange(9000).reshape(-1, 3), (1, 1, 1))
    expected = surface.areas.sum() / 0.02**2
    assert len(surfels(surface, 0.02)) == pytest.approx(expected, rel=0.1)


def test_what_cannot_be_made_is_refused() -> None:
    surface = ColouredSurface.of(SQUARE, FACES, (1, 1, 1))
    with pytest.raises(SceneError, match="positive number"):
        surfels(surface, 0.0)
    with pytest.raises(SceneError, match=r"space them 0\.00063 m apart"):
        surfels(surface, 1e-5)
    with pytest.raises(SceneError, match="5 colours for 4 vertices"):
        ColouredSurface.of(SQUARE, FACES, np.zeros((5, 3)))
    both = surface.joined(surface)
    assert both.areas.sum() == pytest.approx(8.0)


def test_discs_are_painted_where_they_are_and_invisible_ones_left_out() -> None:
    surface = ColouredSurface.of(SQUARE, FACES, (1, 1, 1))

    def paint(of: np.ndarray, shares: np.ndarray) -> np.ndarray:
        places = np.einsum("nk,nkc->nc", shares, surface.corners[of])
        seen = (places[:, 0] > 0).astype(float)
        return np.stack([0.5 + 0.5 * places[:, 0], np.zeros(len(of)), np.zeros(len(of)), seen], axis=-1)

    scene = surfels(surface, 0.05, paint=paint)
    assert len(scene) == pytest.approx(800, abs=30) and scene.means[:, 0].min() > 0
    np.testing.assert_allclose(scene.colours[:, 0], 0.5 + 0.5 * scene.means[:, 0], atol=1e-5)
