from __future__ import annotations

import numpy as np
import pytest

from kinema.rendering.camera import Camera
from kinema.rendering.splats import kernels, seeing
from kinema.rendering.splats.rasterise import shapes_of
from kinema.worlds import GaussianScene, harmonics

from ...worlds.conftest import drawn

CAMERA = Camera.look_at([1.0, 2.0, 9.0], [0.0, 0.5, 0.0], fov=0.8)
SIZE = 70, 45
NOTHING = np.empty(0, np.float32)


def axes_of(camera: Camera) -> tuple[np.ndarray, np.ndarray]:
    axes = np.stack([-camera.left, -camera.up, camera.ahead])
    return axes.astype(np.float32), camera.position.astype(np.float32)


def see(scene: GaussianScene, first: int, stop: int) -> tuple[np.ndarray, ...]:
    """Rows, numbers, order, boxes and counts of tiles."""
    half = np.asarray(SIZE, np.float32) / 2
    lens = *axes_of(CAMERA), np.float32(half[1] / CAMERA.half_height), half, np.float32(CAMERA.near), False
    seen, boxes = np.zeros((len(scene), seeing.WIDTH), np.float32), np.zeros((len(scene), 4), np.int16)
    who, order = np.zeros(len(scene), np.int32), np.zeros(len(scene), np.int32)
    counts = np.zeros((6, 9), np.int64)
    data = *shapes_of(scene), scene.harmonics, NOTHING, *lens, False
    end = seeing.see(*data, first, stop, seen, who, order, boxes, counts)
    return seen[first:end], who[first:end], order[first:end], boxes[first:end], counts


def test_what_is_seen_comes_in_order_with_its_boxes_and_counts() -> None:
    scene = drawn(900, 4)
    seen, who, order, boxes, counts = see(scene, 200, 700)
    assert 100 < len(who) < 500 and (np.diff(who) > 0).all() and who.min() >= 200 and who.max() < 700
    depths = (scene.means[who] - CAMERA.position) @ CAMERA.ahead
    np.testing.assert_allclose(seen[:, kernels.DEPTH], depths, rtol=1e-5)
    np.testing.assert_array_equal(order - 200, np.argsort(seen[:, kernels.DEPTH], kind="stable"))
    places = np.asarray(CAMERA.project(scene.means[who], *SIZE))[..., :2]
    np.testing.assert_allclose(seen[:, :2], places, atol=1e-2)
    expected = np.zeros_like(counts)
    for left, right, top, bottom in boxes:
        expected[top:bottom, left:right] += 1
    np.testing.assert_array_equal(counts, expected)
    assert counts.sum() > len(who)


def test_lists_of_tiles_keep_the_order() -> None:
    seen, _, order, boxes, counts = see(drawn(900, 1), 0, 900)
    ends = np.cumsum(counts).reshape(counts.shape)
    begins, lists = ends - counts, np.full(int(counts.sum()), -1, np.int32)
    at = begins.copy()
    seeing.list_tiles(order, boxes, at, lists)
    np.testing.assert_array_equal(at, ends)
    for row, column in np.ndindex(counts.shape):
        mine = lists[begins[row, column] : ends[row, column]]
        inside = (boxes[:, 0] <= column) & (column < boxes[:, 1]) & (boxes[:, 2] <= row) & (row < boxes[:, 3])
        np.testing.assert_array_equal(mine, order[inside[order]])
        assert (np.diff(seen[mine, kernels.DEPTH]) >= 0).all()


@pytest.mark.parametrize("coefficients", [1, 4, 9, 16])
def test_colours_are_those_of_the_functions(coefficients: int) -> None:
    scene = drawn(300, coefficients)
    axes, position = axes_of(CAMERA)
    dimmed = np.random.default_rng(0).uniform(0, 1, 300).astype(np.float32)
    which, out = np.arange(0, 300, 2, dtype=np.int32), np.full((300, 4), 7.0, np.float32)
    toward = scene.means - position
    for flat, directions in (
        (False, toward / np.linalg.norm(toward, axis=-1, keepdims=True)),
        (True, np.broadcast_to(CAMERA.ahead, (300, 3))),
    ):
        seeing.colours_seen(shapes_of(scene)[0], scene.harmonics, dimmed, axes, position, flat, which, out)
        expected = harmonics.colours(scene.harmonics, directions).clip(0) * dimmed[:, None] ** (1 / 2.2)
        np.testing.assert_allclose(out[which, :3], expected[which], atol=1e-5)
    assert (out[1::2] == 7.0).all() and (out[:, 3] == 7.0).all()
