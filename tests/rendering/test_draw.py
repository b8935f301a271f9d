"""Debug drawing: what ends up in the batches, where, and how fast."""

import time

import numpy as np
import pytest

from kinema.errors import KinemaError
from kinema.rendering.draw import AXES, LEFT, RIGHT, Draw

ONE = (1.0, 0.0, 0.0, 0.0)


def test_a_line_knows_its_neighbours_so_that_corners_can_be_joined():
    draw, points = Draw(), np.array([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]], np.float32)
    draw.line(points, (1, 0, 0), 0.1)
    rows = draw.rows("stroke")
    np.testing.assert_array_equal(rows["start"], points[:-1])
    np.testing.assert_array_equal(rows["end"], points[1:])
    np.testing.assert_array_equal(rows["before"], points[[0, 0, 1]])
    np.testing.assert_array_equal(rows["after"], points[[2, 3, 3]])
    draw.clear()
    draw.line(points, closed=True)
    rows = draw.rows("stroke")
    np.testing.assert_array_equal(rows["before"], points[[3, 0, 1, 2]])
    np.testing.assert_array_equal(rows["after"], points[[2, 3, 0, 1]])


def test_colours_are_one_or_one_a_point_and_blend_along_a_line():
    draw = Draw()
    draw.line([[0, 0, 0], [1, 0, 0], [2, 0, 0]], (1, 0, 0, 0.5))
    assert draw.rows("stroke")["color"].tolist() == [[255, 0, 0, 128]] * 2
    draw.clear()
    draw.line([[0, 0, 0], [1, 0, 0], [2, 0, 0]], [(1, 0, 0), (0, 1, 0), (0, 0, 1)])
    rows = draw.rows("stroke")
    assert rows["color"].tolist() == [[255, 0, 0, 255], [0, 255, 0, 255]]
    assert rows["end_color"].tolist() == [[0, 255, 0, 255], [0, 0, 255, 255]]


def test_many_skeletons_in_one_call():
    draw, parents = Draw(), np.array([-1, 0, 1, 0])
    positions = np.random.default_rng(0).normal(size=(5, 4, 3)).astype(np.float32)
    draw.skeleton(parents, positions, np.random.default_rng(1).uniform(size=(5, 1, 3)), on_top=True)
    assert len(draw.rows("stroke")) == 0
    rows = draw.rows("stroke", on_top=True).reshape(5, 3)
    np.testing.assert_array_equal(rows["start"], positions[:, [0, 1, 0]])
    np.testing.assert_array_equal(rows["end"], positions[:, [1, 2, 3]])
    assert (rows["color"] == rows["color"][:, :1]).all() and (rows["color"][0] != rows["color"][1]).any()
    np.testing.assert_array_equal(draw.rows("sphere", on_top=True)["center"].reshape(5, 4, 3), positions)


def test_an_arrow_ends_where_its_vector_ends_and_short_ones_vanish():
    draw = Draw()
    draw.arrows([[0, 1, 0], [0, 2, 0], [0, 3, 0]], [[0, 0, 2], [0, 0, 0], [0.03, 0, 0]], width=0.1)
    strokes, cones = draw.rows("stroke"), draw.rows("cone")
    np.testing.assert_allclose(cones["tip"], [[0, 1, 2], [0.03, 3, 0]], atol=1e-6)
    np.testing.assert_allclose(strokes["start"], [[0, 1, 0], [0, 3, 0]])
    np.testing.assert_allclose(strokes["end"], cones["base"])
    assert cones["base"][0, 2] == pytest.approx(1.6)
    assert strokes["width"][1] < 0.03 / 4, "a short arrow is thin"


def test_axes_are_the_images_of_x_y_and_z():
    draw, half = Draw(), np.sqrt(0.5)
    draw.axes([[1, 2, 3]], [[half, 0, half, 0]], 0.5)  # a quarter turn to the left: +Z becomes +X
    rows = draw.rows("stroke")
    np.testing.assert_allclose(rows["end"] - rows["start"], [[0, 0, -0.5], [0, 0.5, 0], [0.5, 0, 0]], atol=1e-6)
    assert rows["color"][:, :3].tolist() == np.rint(np.array(AXES) * 255).tolist()


def test_contacts_tell_left_from_right_and_touching_from_not():
    draw = Draw()
    draw.contacts([[[0.1, 0.05, 0], [-0.1, 0.3, 0]]], [[1, 0]], radius=0.1)
    rows = draw.rows("disc")
    assert rows["color"][0, :3].tolist() == np.rint(np.array(LEFT) * 255).tolist()
    assert rows["color"][1, :3].tolist() != np.rint(np.array(RIGHT) * 255).tolist()
    assert rows["radius"].tolist() == pytest.approx([0.1, 0.05]) and rows["hole"][0] == 0 < rows["hole"][1]
    assert (rows["center"][:, 1] > 0).all() and (rows["center"][:, 1] < 0.01).all()


def test_a_trajectory_has_a_line_dots_and_arrows_where_it_faces():
    draw = Draw()
    path = np.stack([np.zeros(5), np.zeros(5), np.arange(5.0)], axis=-1)
    draw.trajectory(path, np.tile([1.0, 0, 0], (5, 1)), ticks=0.25)
    np.testing.assert_allclose(draw.rows("cone")["tip"], path + np.array([0.25, 0, 0]), atol=1e-6)
    assert len(draw.rows("stroke")) == 4 + 5 and len(draw.rows("sphere")) == 5


def test_a_ribbon_and_its_dashes():
    draw, path = Draw(), np.array([[0, 0, 0], [0, 0, 1], [0, 0, 1], [0, 0, 2]], np.float32)
    draw.ribbon(path, 0.2)
    corners = draw.rows("band")["corners"]
    assert corners.shape == (2, 4, 3), "a point that is there twice adds nothing"
    np.testing.assert_allclose(corners[0], [[0.1, 0, 0], [-0.1, 0, 0], [0.1, 0, 1], [-0.1, 0, 1]], atol=1e-6)
    draw.clear()
    draw.ribbon(path, 0.2, dashes=(0.3, 0.2))
    drawn = draw.rows("band")["corners"]
    assert np.ptp(drawn[..., 2], axis=-1).sum() == pytest.approx(1.2, abs=1e-5)


def test_what_is_not_finite_is_left_out():
    draw = Draw()
    draw.spheres([[0, 0, 0], [np.nan, 0, 0], [0, np.inf, 0], [1, 0, 0]], [0.1, 0.1, 0.1, np.nan])
    draw.segments([[0, 0, 0], [0, 0, 0]], [[1, 0, 0], [np.nan, 0, 0]])
    draw.text([[0, 0, 0], [np.nan, 0, 0]], ["here", "nowhere"])
    assert len(draw.rows("sphere")) == 1 and len(draw.rows("stroke")) == 1 and len(draw.texts) == 1


def test_a_line_ends_where_a_point_is_nowhere():
    draw = Draw()
    draw.line([[0, 0, 0], [1, 0, 0], [np.nan, 0, 0], [3, 0, 0], [4, 0, 0]])
    rows = draw.rows("stroke")
    np.testing.assert_array_equal(rows["start"][:, 0], [0, 3])
    np.testing.assert_array_equal(rows["before"], rows["start"])
    np.testing.assert_array_equal(rows["after"], rows["end"])


def test_texts_may_have_a_colour_each_in_any_number_of_dimensions():
    draw, colors = Draw(), np.linspace(0, 1, 18).reshape(2, 3, 3)
    draw.text(np.zeros((2, 3, 3)), ["here"] * 6, color=colors)
    assert [text.color[:3] for text in draw.texts] == [tuple(row) for row in np.rint(colors.reshape(6, 3) * 255)]


def test_clearing_forgets_everything():
    draw = Draw()
    assert draw.empty
    draw.boxes([0, 1, 0], (1, 1, 1))
    draw.caption((4, 4), "text")
    assert not draw.empty and len(draw.rows("stroke")) == 12
    draw.clear()
    assert draw.empty and len(draw.rows("stroke")) == 0


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda draw: draw.segments([[0, 0]], [[1, 1]]), "starts to draw must be"),
        (lambda draw: draw.segments(np.zeros((2, 3)), np.zeros((3, 3))), "cannot be drawn together"),
        (lambda draw: draw.spheres(np.zeros((2, 3)), [0.1, 0.2, 0.3]), "radii \\[3\\] do not fit \\[2\\]"),
        (lambda draw: draw.spheres(np.zeros((2, 3)), color=(1, 1)), "a colour is"),
        (lambda draw: draw.spheres(np.zeros((2, 3)), color=np.ones((3, 3))), "do not fit"),
        (lambda draw: draw.skeleton([-1, 0], np.zeros((4, 3, 3))), "3 joints cannot be drawn"),
        (lambda draw: draw.axes([0, 0, 0], [0, 0, 0]), "must be \\[..., 4\\]"),
        (lambda draw: draw.text(np.zeros((2, 3)), ["one"]), "1 strings do not fit 2 places"),
        (lambda draw: draw.ribbon(np.zeros((2, 3, 3))), "must be \\[N, 3\\]"),
        (lambda draw: draw.caption((1, 2, 3), "x"), "places of captions"),
    ],
)
def test_what_cannot_be_drawn_is_said_and_leaves_nothing_behind(call, said):
    draw = Draw()
    with pytest.raises(KinemaError, match=said):
        call(draw)
    assert draw.empty


def test_nothing_can_be_drawn():
    draw = Draw()
    draw.line(np.zeros((0, 3)))
    draw.line(np.zeros((1, 3)))
    draw.ribbon(np.zeros((1, 3)))
    draw.arrows(np.zeros((0, 3)), np.zeros((0, 3)))
    draw.skeleton([-1], np.zeros((1, 3)), joints=0)
    assert draw.empty


def test_a_crowd_of_skeletons_is_cheap():
    draw, parents = Draw(), np.arange(60) - 1
    positions = np.random.default_rng(0).normal(size=(256, 60, 3)).astype(np.float32)
    took = []
    for _ in range(20):
        began = time.process_time()
        draw.clear()
        draw.skeleton(parents, positions, joints=0)
        took.append(time.process_time() - began)
    assert min(took) < 40e-3
    assert len(draw.rows("stroke")) == 256 * 59
