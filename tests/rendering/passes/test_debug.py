"""Debug drawing on OpenGL: every pixel where it belongs, hidden by what stands in front, or not."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

pytest.importorskip("moderngl", reason="moderngl is not installed: pip install 'kinema[render]'")

from kinema.errors import MissingError
from kinema.rendering.camera import Camera
from kinema.rendering.context import create_context
from kinema.rendering.draw import Draw
from kinema.rendering.passes.debug import DebugPass

SIZE = WIDTH, HEIGHT = 320, 180
RED, BLUE = (1.0, 0.0, 0.0), (0.0, 0.0, 1.0)
CAMERA = Camera.look_at((1.0, 2.0, 5.0), (0, 0.8, 0))


class Screen:
    """A grey picture to draw over, with a depth buffer that can be filled up to a distance."""

    def __init__(self) -> None:
        self.ctx = create_context()
        self.color, self.depth = self.ctx.texture(SIZE, 4), self.ctx.depth_texture(SIZE)
        self.framebuffer = self.ctx.framebuffer([self.color], self.depth)
        self.debug = DebugPass(self.ctx)

    def show(self, draw: Draw, camera: Camera = CAMERA, hiding: Any = None, depth: float = 1.0) -> NDArray[np.float64]:
        """What the picture is then, `[H, W, 3]` from the top, 0 to 1; untouched pixels are 0.5.

        Args:
            hiding: a depth texture. depth: what the depth buffer is filled with.
        """
        self.framebuffer.use()
        self.framebuffer.clear(128 / 255, 128 / 255, 128 / 255, 1.0, depth)
        self.debug.render(draw, camera, SIZE, hiding, self.framebuffer)
        raw = np.frombuffer(self.color.read(), np.uint8).reshape(HEIGHT, WIDTH, 4)[::-1]
        return raw[..., :3] / 255


@pytest.fixture(scope="module")
def screen() -> Screen:
    try:
        return Screen()
    except MissingError as error:
        pytest.skip(str(error))


def changed(picture: NDArray[np.float64]) -> NDArray[np.bool_]:
    return np.abs(picture - 128 / 255).max(axis=-1) > 0.25


@pytest.mark.parametrize("flat", [False, True])
def test_a_line_is_where_the_camera_says(screen, flat):
    camera = Camera.look_at((1.0, 2.0, 5.0), (0, 0.8, 0), height=3.0 if flat else None)
    points = np.array([[-0.8, 0.2, 0.3], [0.9, 1.4, -0.6]])
    draw = Draw()
    draw.segments(points[:1], points[1:], RED, 2.0, pixels=True)
    rows, columns = np.nonzero(changed(screen.show(draw, camera)))
    a, b = camera.project(points, WIDTH, HEIGHT)[:, :2]
    pixels = np.stack([columns + 0.5, rows + 0.5], axis=-1)
    share = np.clip((pixels - a) @ (b - a) / ((b - a) @ (b - a)), 0, 1)
    off = np.linalg.norm(pixels - a - share[:, None] * (b - a), axis=-1)
    assert off.max() < 1.6
    assert share.min() < 0.02 and share.max() > 0.98
    assert np.histogram(share, 20)[0].min() > 0, "no gaps"


def test_width_in_metres_is_that_of_the_world(screen):
    draw = Draw()
    draw.segments([-1, 0.8, 0], [1, 0.8, 0], RED, 0.2)
    camera = Camera.look_at((0, 0.8, 4), (0, 0.8, 0))
    wide = changed(screen.show(draw, camera))[:, WIDTH // 2].sum()
    assert wide == pytest.approx(0.2 * HEIGHT / 2 / np.tan(0.3) / 4, abs=1.5)


def test_edges_are_smooth_and_add_up_to_the_width(screen):
    draw = Draw()
    draw.segments([-1, 0.7, 0], [1, 0.93, 0], (1, 1, 1), 3.0, pixels=True)
    picture = screen.show(draw, Camera.look_at((0, 0.8, 4), (0, 0.8, 0)))
    cover = ((picture - 128 / 255) / (127 / 255))[..., 0].sum(axis=0)[100:-100]
    assert cover.mean() == pytest.approx(3.0 * np.hypot(1, 0.115), abs=0.1)
    assert cover.std() < 0.15


def test_a_translucent_line_does_not_show_its_joints(screen):
    angles = np.linspace(0, 1.5 * np.pi, 60)
    draw = Draw()
    draw.line(np.stack([np.cos(angles), 0.8 + 0.6 * np.sin(angles), 0 * angles], -1), (0, 0, 0, 0.5), 14.0, pixels=True)
    picture = screen.show(draw, Camera.look_at((0, 0.8, 4), (0, 0.8, 0)))
    assert picture.min() > 0.23, "where two segments overlapped it would be 0.125"


def test_thin_lines_are_pale_but_whole(screen):
    draw = Draw()
    draw.segments([-1, 0.6, 0], [1, 1.1, 0], RED, 0.4, pixels=True)
    picture = screen.show(draw, Camera.look_at((0, 0.8, 4), (0, 0.8, 0)))
    drawn = (picture[..., 0] - 128 / 255).sum(axis=0)[100:-100]
    assert drawn.min() > 0.1 and drawn.max() < 0.35


@pytest.mark.parametrize("linear", [False, True])
def test_what_stands_in_front_hides_it_unless_it_is_on_top(screen, linear):
    wall = screen.ctx.texture(SIZE, 1, dtype="f4") if linear else screen.depth
    camera = Camera.look_at((0, 1, 5), (0, 1, 0), near=0.1, far=50.0)
    depth = 4.0
    stored = depth if linear else camera.far / (camera.far - camera.near) * (1 - camera.near / depth)
    if linear:
        wall.write(np.full(SIZE, stored, np.float32))
    for ahead, on_top, seen in ((3.9, False, True), (4.3, False, False), (4.3, True, True)):
        draw = Draw()
        draw.spheres([0, 1, 5 - ahead], 0.1, RED, on_top=on_top)
        draw.segments([-0.5, 1, 5 - ahead], [0.5, 1, 5 - ahead], RED, 0.05, on_top=on_top)
        draw.arrows([0, 0.7, 5 - ahead], [0.3, 0, 0], RED, 0.03, on_top=on_top)
        draw.discs([0.3, 1.4, 5 - ahead], (0, 0, 1), 0.1, RED, on_top=on_top)
        draw.text([-0.3, 1.3, 5 - ahead], "Kinema", 0.2, RED, on_top=on_top)
        mask = changed(screen.show(draw, camera, wall, 1.0 if linear else stored))
        assert mask.any() == seen
        for x, y in ((0, 1), (0.25, 1), (0.1, 0.7), (0.3, 1.4)):
            column, row, _ = camera.project((x, y, 5 - ahead), WIDTH, HEIGHT)
            assert mask[int(row), int(column)] == seen


def test_things_hide_each_other_whatever_their_order(screen):
    camera = Camera.look_at((0, 1, 5), (0, 1, 0))
    middle = HEIGHT // 2, WIDTH // 2
    for first, second in ((RED, BLUE), (BLUE, RED)):
        draw = Draw()
        near, far = [0, 1, 1], [0, 1, 0]
        draw.spheres([near, far] if first == RED else [far, near], 0.2, [first, second])
        assert screen.show(draw, camera)[middle][0] > 0.6, "the red one is nearer"
    draw = Draw()
    draw.spheres([0, 1, 0], 0.2, RED, on_top=True)
    draw.spheres([0, 1, 1], 0.2, BLUE)
    assert screen.show(draw, camera)[middle][0] > 0.6, "on top is on top"


def test_lines_that_begin_behind_the_camera_are_drawn_where_they_are_seen(screen):
    camera = Camera.look_at((0, 1, 5), (0, 1, 0))
    draw = Draw()
    draw.segments([[0.5, 0.5, 9], [3, 0, 8]], [[0.5, 0.5, 0], [3, 0, 7]], RED, 2.0, pixels=True)
    mask = changed(screen.show(draw, camera))
    x, y, _ = camera.project((0.5, 0.5, 2), WIDTH, HEIGHT)
    assert mask[int(y) - 1 : int(y) + 2, int(x) - 1 : int(x) + 2].any()
    assert not mask[: HEIGHT // 2].any()


def test_discs_and_ribbons_lie_in_their_planes(screen):
    camera = Camera.look_at((0, 3, 4), (0, 0, 0))
    draw = Draw()
    draw.discs([0, 0, 0], (0, 1, 0), 0.4, RED, hole=0.5)
    draw.ribbon([[1, 0, 0.5], [1, 0, -0.5]], 0.2, BLUE)
    mask = changed(screen.show(draw, camera))
    points = [(0, 0, 0), (0.3, 0, 0), (0, 0, 0.3), (0.5, 0, 0), (1, 0, 0), (1.05, 0, 0), (1.2, 0, 0)]
    pixels = camera.project(points, WIDTH, HEIGHT)[:, :2].astype(int)
    assert [bool(mask[y, x]) for x, y in pixels] == [False, True, True, False, True, True, False]


def test_an_arrow_points(screen):
    camera = Camera.look_at((0, 1, 5), (0, 1, 0))
    draw = Draw()
    draw.arrows([0.8, 1, 0], [-1.6, 0, 0], RED, 0.06)
    mask = changed(screen.show(draw, camera))
    columns = mask.sum(axis=0)
    x, _, _ = camera.project((-0.8, 1, 0), WIDTH, HEIGHT)
    assert np.flatnonzero(columns).min() == pytest.approx(x, abs=2)
    scale = HEIGHT / 2 / np.tan(0.3) / 5
    assert columns.max() == pytest.approx(0.18 * scale, abs=2), "the head is three times as wide as the shaft"
    assert columns[WIDTH // 2] == pytest.approx(0.06 * scale, abs=1.5)


def test_text_stands_at_its_place_and_can_be_read(screen):
    draw = Draw()
    draw.caption((20, 30), "HHHH", 20, (1, 1, 1))
    draw.caption((-10, -10), "x", 20, (1, 1, 1), anchor=(1, 1))
    picture = screen.show(draw)
    bright = picture.min(axis=-1) > 0.9
    rows, columns = np.nonzero(bright[: HEIGHT // 2])
    assert 18 <= columns.min() <= 26 and 30 <= rows.min() <= 40
    assert np.ptp(rows) + 1 == pytest.approx(0.7 * 20, abs=2), "capitals are 0.7 of the font"
    assert bright[HEIGHT // 2 :, WIDTH // 2 :].any()
    assert (picture.max(axis=-1) < 0.25).any(), "a dark halo around light letters"


def test_another_size_and_nothing_at_all(screen):
    target = screen.ctx.simple_framebuffer((64, 48))
    target.clear(0, 0, 0, 1)
    screen.debug.render(Draw(), CAMERA, (64, 48), None, target)
    assert not any(np.frombuffer(target.read(), np.uint8))
    draw = Draw()
    draw.points([0, 0.8, 0], RED, 8)
    screen.debug.render(draw, CAMERA, (64, 48), None, target)
    assert np.frombuffer(target.read(), np.uint8).max() == 255
    screen.debug.render(draw, CAMERA, (0, 48), None, target)
    screen.debug.release()
    assert changed(screen.show(draw)).any(), "what was given back is made again"


def test_the_same_draw_gives_the_same_bytes(screen):
    draw = Draw()
    rng = np.random.default_rng(3)
    draw.skeleton(np.arange(20) - 1, rng.normal(0.4, 0.4, (6, 20, 3)), rng.uniform(size=(6, 1, 3)))
    np.testing.assert_array_equal(screen.show(draw), screen.show(draw))


def test_over_a_transparent_picture_colours_are_multiplied_with_alpha(screen):
    target = screen.ctx.simple_framebuffer(SIZE)
    target.clear()
    draw = Draw()
    draw.discs([0, 0.8, 0], CAMERA.ahead, 0.3, (1, 0, 0, 0.5))
    screen.debug.render(draw, CAMERA, SIZE, None, target)
    pixels = np.frombuffer(target.read(components=4), np.uint8).reshape(HEIGHT, WIDTH, 4)
    assert pixels[HEIGHT // 2, WIDTH // 2].tolist() == pytest.approx([128, 0, 0, 128], abs=1)
    assert not pixels[0, 0].any()
