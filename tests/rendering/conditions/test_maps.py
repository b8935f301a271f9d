"""Maps: which way is white, red and up, and that all of them are of the same body."""

from __future__ import annotations

import numpy as np
import pytest

from kinema.rendering.camera import Camera
from kinema.rendering.conditions import maps
from kinema.rendering.frame import Frame
from kinema.rendering.parts import PARTS
from kinema.rendering.view import Floor, Sky, View

CAMERA = Camera.look_at((0.0, 0.0, 4.0), (0.0, 0.0, 0.0))


@pytest.fixture(scope="module")
def ball(shapes, renderer) -> Frame:
    """A ball of 0.5 m in the middle of a picture of 160 x 120, before nothing."""
    view = View(CAMERA, (shapes.rest(shapes.ball()),), floor=None, sky=Sky(backdrop=(0, 0, 0, 1)))
    return renderer.render(view, ("color", "depth", "normals", "entities", "parts"))


def test_near_is_white_and_nothing_is_black() -> None:
    depth = np.array([[2.0, 3.0, 6.0, 9.0, np.inf, 1.0]], np.float32)
    grey = maps.depth_map(depth, 2.0, 6.0)[0, :, 0]
    assert grey.tolist() == pytest.approx([255, 127.5, 0, 0, 0, 255], abs=1)  # 1/3 is in the middle between 1/2 and 1/6


def test_a_ball_is_white_in_its_middle(ball: Frame) -> None:
    assert ball.depth is not None
    grey = maps.depth_map(ball.depth, 3.5, 5.0)[..., 0]
    assert grey[60, 80] > 250 and grey[60, 80] > grey[60, 100] > 0 and grey[2, 2] == 0


def test_red_is_left_green_is_up_blue_faces_the_viewer(ball: Frame) -> None:
    assert ball.normals is not None
    colors = maps.normals_map(ball.normals, CAMERA).astype(int)
    half = 22  # pixels from the middle, within the ball
    assert colors[60, 80 - half, 0] > 170 and colors[60, 80 + half, 0] < 85
    assert colors[60 - half, 80, 1] > 170 and colors[60 + half, 80, 1] < 85
    assert colors[60, 80].tolist() == pytest.approx([128, 128, 255], abs=6)
    assert tuple(colors[2, 2]) == maps.FLAT


def test_normals_are_the_cameras_and_not_the_worlds(shapes, renderer) -> None:
    camera = Camera.look_at((4.0, 0.0, 0.0), (0.0, 0.0, 0.0))
    view = View(camera, (shapes.rest(shapes.ball()),), floor=None)
    normals = renderer.render(view, ("normals",)).normals
    assert maps.normals_map(normals, camera)[60, 80].tolist() == pytest.approx([128, 128, 255], abs=6)


def test_mask_depth_parts_and_body_agree_to_the_pixel(ball: Frame) -> None:
    assert ball.entities is not None and ball.depth is not None and ball.parts is not None and ball.color is not None
    mask = maps.mask_map(ball.entities)[..., 0] > 0
    assert 1000 < mask.sum() < 3000
    assert np.array_equal(mask, np.isfinite(ball.depth))
    assert np.array_equal(mask, maps.parts_map(ball.parts).any(axis=-1))
    assert np.array_equal(mask, maps.depth_map(ball.depth, 3.5, 5.0)[..., 0] > 0)
    body = maps.body_map(ball.color, ball.entities)
    assert not body[~mask].any() and np.array_equal(body[mask], ball.color[mask][:, :3])


def test_the_edge_of_a_mask_is_an_edge_of_the_picture(ball: Frame) -> None:
    from scipy.ndimage import binary_dilation, binary_erosion

    assert ball.entities is not None and ball.color is not None
    edges, mask = maps.edges_map(ball.color)[..., 0] > 0, ball.entities > 0
    rim = mask & ~binary_erosion(mask)
    assert edges.any() and binary_dilation(edges, iterations=1)[rim].mean() > 0.95
    outside = ~binary_dilation(mask, iterations=2)
    assert not edges[outside].any()


def test_edges_are_thin_and_weak_ones_need_strong_ones() -> None:
    picture = np.zeros((60, 60, 3), np.uint8)
    picture[:, 30:] = 200
    edges = maps.edges_map(picture)[..., 0] > 0
    assert (edges.sum(axis=1) == 1).all() and set(np.nonzero(edges)[1].tolist()) <= {29, 30}
    faint = np.zeros((60, 60, 3), np.uint8)
    faint[:, 30:] = 12
    assert not maps.edges_map(faint).any()
    slanted = np.where(np.add.outer(np.arange(60), np.arange(60)) > 60, 200, 0).astype(np.uint8)
    assert 40 < (maps.edges_map(np.repeat(slanted[..., None], 3, -1))[..., 0] > 0).sum() < 130


def test_parts_have_colours_of_their_own_and_sides_differ() -> None:
    assert len({tuple(color) for color in maps.PART_COLORS.tolist()}) == len(PARTS)
    assert not maps.parts_map(np.zeros((2, 2), np.int32)).any()
    for name in ("upper_arm", "forearm", "thigh", "shin"):
        left, right = (maps.PART_COLORS[PARTS.index(f"{side}_{name}")].astype(int) for side in ("left", "right"))
        assert left[0] < right[0] and left[1] > right[1], name


def test_holes_and_blur() -> None:
    background = np.full((8, 8, 3), 90, np.uint8)
    entities = np.zeros((8, 8), np.int32)
    entities[2:4] = 1
    hole = maps.inpaint_map(background, entities)
    assert (hole[2:4] == maps.HOLE).all() and (hole[4:] == 90).all()
    dots = np.zeros((80, 80, 3), np.uint8)
    dots[::4, ::4] = 255
    assert np.ptp(maps.blurred_map(dots)[20:60, 20:60].astype(int)) < 4


def test_a_face_is_a_square_with_black_outside_of_the_picture() -> None:
    picture = np.full((20, 30, 3), 200, np.uint8)
    face = maps.face_map(picture, (-10, 0, 10, 20), 40)
    assert face.shape == (40, 40, 3) and not face[:, :18].any() and (face[:, 24:] == 200).all()


def test_a_floor_is_no_person(shapes, renderer) -> None:
    view = View(Camera.look_at((0, 1, 4), (0, 0, 0)), (shapes.rest(shapes.ball()),), floor=Floor(y=-0.5))
    frame = renderer.render(view, ("depth", "entities"))
    mask = maps.mask_map(frame.entities)[..., 0] > 0
    assert mask.any() and (np.isfinite(frame.depth) & ~mask).any()
