"""Debug drawing in the browser: the same things at the same places as in the Draw, and in place."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

pytest.importorskip("viser", reason="viser is not installed: pip install 'kinema[view]'")

from kinema import rotations
from kinema.rendering.draw import Draw
from kinema.viewer.draw import BALL, CONE, DrawNodes, revolved
from kinema.viewer.page import open_viewer


@pytest.fixture
def canvas() -> Iterator[DrawNodes]:
    with open_viewer(port=0, mode="view") as opened:
        yield DrawNodes(opened.server, "debug")


def everything(shift: float = 0.0) -> Draw:
    draw = Draw()
    points = np.random.default_rng(5).normal(size=(12, 3)) + shift
    draw.line(points, (1, 0, 0), 0.02)
    draw.points(points[:4], (0, 1, 0), 8)
    draw.spheres(points, np.linspace(0.1, 0.3, 12), (0, 0, 1), on_top=True)
    draw.arrows(points, points[::-1], (1, 0, 1), 0.03)
    draw.discs(points[:5], points[:5] + 0.1, 0.2, (1, 1, 0))
    draw.discs(points[:3], (0, 1, 0), 0.1, (0, 1, 1), hole=0.5)
    draw.ribbon(points, 0.1)
    draw.text(points[:2], ["one", "two"], 12, pixels=True)
    return draw


def test_everything_is_there_at_its_place(canvas):
    draw = everything()
    canvas.show(draw)
    handles = {name: node.handle for name, node in canvas._nodes.items()}
    strokes = draw.rows("stroke")
    lines = np.concatenate([handle.points for name, handle in handles.items() if name.startswith("lines_world")])
    expected = np.stack([strokes["start"], strokes["end"]], axis=1)
    np.testing.assert_allclose(np.sort(lines.reshape(-1, 6), axis=0), np.sort(expected.reshape(-1, 6), axis=0))
    dots = handles["lines_screen_0"]
    assert dots.thickness == 8 and len(dots.points) == 4
    balls = draw.rows("sphere", on_top=True)
    np.testing.assert_allclose(handles["balls"].batched_positions, balls["center"])
    np.testing.assert_allclose(handles["balls"].batched_scales[:, 0], balls["radius"])
    assert (handles["balls"].batched_colors == [0, 0, 255]).all()
    cones = draw.rows("cone")
    tips = handles["cones"].batched_positions + rotations.rotate(
        handles["cones"].batched_wxyzs, handles["cones"].batched_scales * np.array([0, 1, 0], np.float32)
    )
    np.testing.assert_allclose(tips, cones["tip"], atol=1e-5)
    discs = draw.rows("disc")
    np.testing.assert_allclose(handles["discs_0"].batched_positions, discs["center"][discs["hole"] == 0])
    facing = rotations.rotate(handles["discs_0"].batched_wxyzs, np.tile(np.array([0, 1, 0], np.float32), (5, 1)))
    normals = discs["normal"][:5]
    np.testing.assert_allclose(facing, normals / np.linalg.norm(normals, axis=-1, keepdims=True), atol=1e-5)
    assert len(handles["discs_500"].batched_positions) == 3
    np.testing.assert_allclose(handles["bands_0"].vertices, draw.rows("band")["corners"].reshape(-1, 3))
    assert [label.text for label in canvas._labels] == ["one", "two"]
    assert canvas._labels[1].position == pytest.approx(draw.texts[1].position)


def test_colours_are_those_of_the_renderer_where_viser_takes_them_as_linear(canvas):
    draw = Draw()
    draw.segments([0, 0, 0], [1, 0, 0], (0.5, 0.5, 0.5))
    draw.spheres([0, 0, 0], 0.1, (0.5, 0.5, 0.5))
    draw.ribbon([[0, 0, 0], [1, 0, 0]], 0.1, (0.5, 0.5, 0.5))
    canvas.show(draw)
    handles = {name: node.handle for name, node in canvas._nodes.items()}
    assert (handles["lines_world_0"].colors == 55).all() and (handles["balls"].batched_colors == 55).all()
    assert handles["bands_0"].color == (128, 128, 128)


def test_nodes_stay_and_only_what_changed_is_sent(canvas, monkeypatch: pytest.MonkeyPatch):
    canvas.show(everything())
    before = {name: node.handle for name, node in canvas._nodes.items()}
    sent: list[str] = []
    for node in canvas._nodes.values():
        monkeypatch.setattr(type(node.handle), "_queue_update", lambda handle, name, value: sent.append(name))
    canvas.show(everything())
    assert sent == []
    canvas.show(everything(0.5))
    assert {name: node.handle for name, node in canvas._nodes.items()} == before
    assert "batched_colors" not in sent and {"points", "batched_positions", "vertices"} <= set(sent)


def test_what_is_not_needed_waits_out_of_sight(canvas):
    canvas.show(everything())
    few = Draw()
    few.spheres([[0, 1, 0], [0, 2, 0]], 0.1)
    canvas.show(few)
    balls = canvas._nodes["balls"].handle
    assert balls.batched_positions[:2].tolist() == [[0, 1, 0], [0, 2, 0]]
    assert (balls.batched_positions[2:, 1] < -100).all() and (balls.batched_scales[2:] < 1e-3).all()
    assert [name for name, node in canvas._nodes.items() if node.handle.visible] == ["balls"]
    assert not any(label.visible for label in canvas._labels)
    canvas.show(everything())
    assert all(node.handle.visible for node in canvas._nodes.values())


def test_more_than_there_was_room_for(canvas):
    draw = Draw()
    for count in (2, 3, 40):
        draw.clear()
        draw.spheres(np.arange(3.0 * count).reshape(-1, 3), 0.1, (1, 0, 0, 0.5))
        canvas.show(draw)
        handle = canvas._nodes["balls_clear"].handle
        assert handle.batched_positions[:count].ravel().tolist() == list(range(3 * count))
        assert handle.batched_opacities[0] == pytest.approx(0.5, abs=0.01)


def test_many_widths_do_not_become_many_nodes(canvas):
    draw = Draw()
    ends = np.random.default_rng(0).normal(size=(200, 3))
    draw.segments(np.zeros(3), ends, (0, 0, 0), np.linspace(0.01, 0.05, 200))
    canvas.show(draw)
    assert len(canvas._nodes) < 12
    assert sum(len(node.handle.points) for node in canvas._nodes.values()) == 200


def test_meshes_face_outwards():
    for (vertices, faces), volume in ((BALL, 4 / 3 * np.pi), (CONE, np.pi / 3)):
        corners = vertices[faces].astype(np.float64)
        parts = np.einsum("ki,ki->k", corners[:, 0], np.cross(corners[:, 1], corners[:, 2])) / 6
        assert parts.min() > -1e-12 and parts.sum() == pytest.approx(volume, rel=0.08)


@pytest.mark.parametrize("hole", [0.0, 0.5])
def test_discs_and_rings_face_up(hole):
    vertices, faces = revolved([(hole, 0), (1, 0)])
    corners = vertices[faces]
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    assert (normals[:, 1] >= 0).all()
    assert 0.5 * normals[:, 1].sum() == pytest.approx(np.pi * (1 - hole**2), rel=0.02)
