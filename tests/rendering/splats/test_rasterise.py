"""The rasteriser against formulas and against every Gaussian in every pixel, written out."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from kinema import rotations
from kinema.errors import SceneError
from kinema.rendering.camera import Camera
from kinema.rendering.splats.kernels import LEAST, LOW_PASS, MOST
from kinema.rendering.splats.rasterise import rasterise
from kinema.worlds import GaussianScene, harmonics

from ...worlds.conftest import drawn

CAMERA = Camera.look_at([1.0, 2.0, 9.0], [0.0, 0.5, 0.0], fov=0.8)


def single(opacity: float = 0.8, scale: float = 0.3, place: tuple[float, float, float] = (0, 0, 0)) -> GaussianScene:
    return GaussianScene(
        np.asarray([place], np.float32),
        np.asarray([[1, 0, 0, 0]], np.float32),
        np.full((1, 3), np.log(scale), np.float32),
        np.asarray([np.log(opacity / (1 - opacity))], np.float32),
        np.asarray([[[1.0, 0.0, -1.0]]], np.float32),
    )


def by_hand(scene: GaussianScene, camera: Camera, width: int, height: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Colour, alpha and depth, in double precision, without tiles and without an early end."""
    axes = np.stack([-camera.left, -camera.up, camera.ahead])
    seen = (scene.means.astype(float) - camera.position) @ axes.T
    scale = height / 2 / camera.half_height
    middle = np.asarray([width / 2, height / 2])
    colour, clear, far = np.zeros((height, width, 3)), np.ones((height, width)), np.zeros((height, width))
    grid = np.stack(np.meshgrid(np.arange(width) + 0.5, np.arange(height) + 0.5), axis=-1)
    turns = rotations.to_matrix(scene.quaternions.astype(float) / np.linalg.norm(scene.quaternions, axis=-1)[:, None])
    for n in np.argsort(seen[:, 2], kind="stable"):
        x, y, z = seen[n]
        if z < camera.near:
            continue
        limits = 1.3 * middle / scale
        tx, ty = np.clip([x / z, y / z], -limits, limits)
        jacobian = np.concatenate([scale / z * np.asarray([[1, 0, -tx], [0, 1, -ty]]), [[0, 0, 1]]])
        covariance = turns[n] @ np.diag(np.exp(2.0 * scene.log_scales[n].astype(float))) @ turns[n].T
        whole = jacobian @ axes @ covariance @ axes.T @ jacobian.T
        flat = whole[:2, :2] + LOW_PASS * np.eye(2)
        away = grid - middle - scale / z * np.asarray([x, y])
        power = 0.5 * np.einsum("...i,ij,...j", away, np.linalg.inv(flat), away)
        share = np.minimum(scene.opacities[n] * np.exp(-power), MOST)
        share = np.where(share < LEAST, 0.0, share)
        toward = scene.means[n] - camera.position
        seen_colour = harmonics.colours(scene.harmonics[n], toward / np.linalg.norm(toward)).clip(0)
        colour += (clear * share)[..., None] * seen_colour
        far += clear * share * z / np.maximum(1.0 - away @ np.linalg.inv(flat) @ whole[:2, 2] / z, 0.1)
        clear *= 1 - share
    return colour, 1 - clear, far


@pytest.mark.parametrize("coefficients", [1, 16])
def test_it_is_what_the_formulas_say(coefficients: int) -> None:
    scene = replace(drawn(60, coefficients), log_scales=np.full((60, 3), -1.0, np.float32) - drawn(60).log_scales / 4)
    picture = rasterise(scene, CAMERA, 70, 45)
    colour, alpha, far = by_hand(scene, CAMERA, 70, 45)
    assert alpha.max() > 0.9
    np.testing.assert_allclose(picture.colour, colour, atol=2e-3)
    np.testing.assert_allclose(picture.alpha, alpha, atol=2e-3)
    covered = alpha > 0.05
    np.testing.assert_allclose(picture.depth[covered], (far / np.maximum(alpha, 1e-9))[covered], rtol=5e-3)


def test_one_gaussian_is_where_and_as_wide_as_it_should_be() -> None:
    camera = Camera.look_at([0, 0, 10], [0, 0, 0], fov=0.5)
    picture = rasterise(single(0.6, 0.4, (1.0, 0.5, 0.0)), camera, 201, 151)
    x, y, depth = camera.project([1.0, 0.5, 0.0], 201, 151)
    row, column = np.unravel_index(picture.alpha.argmax(), picture.alpha.shape)
    assert abs(column + 0.5 - x) < 0.6 and abs(row + 0.5 - y) < 0.6
    assert picture.alpha.max() == pytest.approx(0.6, abs=0.01)
    assert picture.depth[row, column] == pytest.approx(depth, rel=1e-3)
    pixels = 151 / 2 / np.tan(0.25) / 10 * 0.4
    wide = (picture.alpha[row] > 0.6 * np.exp(-0.5)).sum() / 2
    assert wide == pytest.approx(pixels, rel=0.05)
    np.testing.assert_allclose(
        picture.colour[row, column] / picture.alpha.max(), 0.5 + harmonics.MEAN * np.asarray([1, 0, -1]), atol=1e-3
    )


def test_what_is_nearer_hides_what_is_behind_and_says_so() -> None:
    near, far = single(0.995, 0.5, (0, 0, 1)), single(0.995, 0.5, (0, 0, -1))
    blue = replace(near, harmonics=-near.harmonics)
    camera = Camera.look_at([0, 0, 10], [0, 0, 0])
    picture = rasterise(far.joined(blue), camera, 32, 32)
    assert picture.owner[16, 16] == 1
    assert picture.colour[16, 16, 2] > picture.colour[16, 16, 0]
    behind = rasterise(far.joined(blue), Camera.look_at([0, 0, -10], [0, 0, 0]), 32, 32)
    assert behind.owner[16, 16] == 0
    assert rasterise(near, Camera.look_at([0, 0, 10], [0, 0, 20]), 32, 32).owner.max() == -1


def test_the_background_shows_where_nothing_is() -> None:
    picture = rasterise(single(), Camera.look_at([0, 0, 30], [0, 0, 0]), 40, 40, background=(0.2, 0.4, 0.6))
    np.testing.assert_allclose(picture.colour[0, 0], [0.2, 0.4, 0.6], atol=1e-6)
    assert np.isinf(picture.depth[0, 0]) and picture.owner[0, 0] == -1


def test_the_depth_of_a_disc_is_that_of_its_plane() -> None:
    """A floor of one flat disc, seen from above at a slant."""
    disc = replace(single(0.98, 2.0), log_scales=np.log(np.asarray([[2.0, 0.002, 2.0]], np.float32)))
    camera = Camera.look_at([0, 3, 6], [0, 0, 0], fov=0.3)
    picture = rasterise(disc, camera, 90, 60)
    x, y = np.meshgrid(np.arange(90) + 0.5, np.arange(60) + 0.5)
    slopes = 2.0 * camera.half_height / 60
    rays = camera.ahead + slopes * ((45 - x)[..., None] * camera.left + (30 - y)[..., None] * camera.up)
    true = camera.position[1] / -rays[..., 1]
    np.testing.assert_allclose(picture.depth, true, rtol=0.005)
    assert true.max() / true.min() > 1.3


def test_what_is_hidden_is_not_drawn() -> None:
    """A wall with something before and something behind; where the wall is, it shows its own colour."""
    scene = single(0.995, 0.3, (-1.5, 0, 1)).joined(single(0.995, 0.3, (1.5, 0, -1)))
    camera = Camera.look_at([0, 0, 10], [0, 0, 0])
    wall = np.zeros((60, 60, 3), np.float32)
    wall[:] = (0.1, 0.9, 0.1)
    free = rasterise(scene, camera, 60, 60)
    cut = rasterise(scene, camera, 60, 60, background=wall, hidden=np.full((60, 60), 10.0, np.float32))
    left, right = free.owner == 0, free.owner == 1
    np.testing.assert_allclose(cut.alpha[left], free.alpha[left], atol=1e-6)
    assert left.sum() > 30 and right.sum() > 30
    assert not cut.alpha[right & ~left].any()
    np.testing.assert_allclose(cut.colour[right & ~left], wall[right & ~left], atol=1e-6)


def test_rows_from_the_bottom_up_are_the_same_rows() -> None:
    scene, rng = drawn(3000, 4), np.random.default_rng(3)
    hidden, behind = rng.uniform(4, 12, (45, 70)).astype(np.float32), rng.uniform(0, 1, (45, 70, 3)).astype(np.float32)
    down = rasterise(scene, CAMERA, 70, 45, hidden=hidden, background=behind)
    up = rasterise(scene, CAMERA, 70, 45, hidden=hidden[::-1], background=behind[::-1], upward=True)
    np.testing.assert_allclose(up.light[::-1], down.light, atol=1e-4)
    assert (up.owner[::-1] == down.owner).mean() > 0.995 and np.ptp(down.owner) > 100


def test_threads_and_the_place_of_a_picture_change_nothing() -> None:
    scene = drawn(30_000, 4)
    one, more = (rasterise(scene, CAMERA, 120, 90, threads=threads) for threads in (1, 3))
    for name in ("colour", "alpha", "depth", "owner"):
        np.testing.assert_array_equal(getattr(one, name), getattr(more, name))


def test_orthographic_pictures_do_not_grow_with_nearness() -> None:
    camera = Camera.look_at([0, 0, 10], [0, 0, 0], height=4.0)
    wide = [(rasterise(single(0.8, 0.3, (0, 0, z)), camera, 80, 80).alpha > 0.3).sum() for z in (-3.0, 0.0, 5.0)]
    assert wide[0] == wide[1] == wide[2] > 50


def test_small_gaussians_become_faint_instead_of_large() -> None:
    camera = Camera.look_at([0, 0, 10], [0, 0, 0])
    tiny = single(0.9, 0.002)
    plain, fainter = (rasterise(tiny, camera, 32, 32, smooth=smooth).alpha.sum() for smooth in (False, True))
    assert plain > 1.0 > 0.2 > fainter


def test_pictures_without_a_size_are_refused() -> None:
    with pytest.raises(SceneError, match="0 by 10 pixels"):
        rasterise(single(), CAMERA, 0, 10)
