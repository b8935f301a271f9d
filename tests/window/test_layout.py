"""Where everything is."""

import pytest

from kinema.window.layout import LEAST_SCENE, Rect, arrange


@pytest.mark.parametrize("size", [(1280, 800), (900, 500), (500, 300), (300, 200), (160, 120), (2560, 1440)])
@pytest.mark.parametrize("scale", [1.0, 1.5, 2.0])
def test_parts_lie_within_the_window_beside_each_other(size: tuple[int, int], scale: float):
    layout = arrange(size, scale, 150)
    parts = [part for part in vars(layout).values() if part is not None]
    for part in parts:
        assert part.width > 0 and part.height > 0
        assert 0 <= part.x <= part.x + part.width <= size[0] + 1e-6
        assert 0 <= part.y <= part.y + part.height <= size[1] + 1e-6
    area = sum(part.width * part.height for part in parts)
    assert area == pytest.approx(size[0] * size[1], rel=1e-6)


def test_the_scene_comes_first():
    wide = arrange((1280, 800), 1.0, 150)
    assert wide.left and wide.right and wide.bottom and wide.top and wide.status
    narrow = arrange((620, 800), 1.0, 150)
    assert narrow.left is None and narrow.right is not None and narrow.scene.width >= LEAST_SCENE[0]
    tiny = arrange((200, 150), 1.0, 150)
    assert tiny.scene == Rect(0, 0, 200, 150)
    assert arrange((1280, 800), shown=False).scene == Rect(0, 0, 1280, 800)


def test_a_rectangle_knows_what_it_holds():
    rect = Rect(10, 20, 30, 40)
    assert rect.holds(10, 20) and rect.holds(39, 59) and not rect.holds(40, 20) and not rect.holds(10, 60)
