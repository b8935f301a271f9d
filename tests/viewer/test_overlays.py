"""Shapes and paths behind the overlays."""

import numpy as np
import pytest

pytest.importorskip("viser", reason="viser is not installed: pip install '.[view]'")

from kinema import Skeleton
from kinema.viewer import overlays
from kinema.viewer.overlays import foot_joints, smoothed
from kinema.viewer.page import open_viewer


@pytest.fixture
def server():
    with open_viewer(port=0, mode="view") as opened:
        yield opened.server


def test_contacts_light_up_on_the_ground(server):
    discs = overlays.ContactDiscs(server, "contacts", 0.1)
    discs.update(np.array([[1, 0.3, 2], [0, 0.1, 0]]), np.array([1.0, 0.2]))
    rows = discs.draw.rows("disc")
    assert rows["center"][:, 1].max() < 0.01
    assert tuple(rows["color"][0, :3]) == overlays.TOUCHING != tuple(rows["color"][1, :3])


def test_bones_and_names_only_follow_while_shown(server, biped):
    placed = biped.rest_pose.global_positions
    bones, names = overlays.Bones(server, "bones", biped), overlays.JointNames(server, "names", biped.names)
    bones.update(placed)
    names.update(placed)
    assert bones.draw.empty and names.draw.empty
    bones.visible = names.visible = True
    bones.update(placed)
    names.update(placed)
    np.testing.assert_allclose(bones.draw.rows("stroke", on_top=True)["end"], placed[1:])
    assert [text.text for text in names.draw.texts] == list(biped.names)
    assert names.draw.texts[4].position == pytest.approx(placed[4])


def test_paths_and_arrows_have_the_colour_they_were_made_with(server):
    path, arrows = overlays.Path(server, "path", overlays.WANTED), overlays.Arrows(server, "a", overlays.VELOCITY)
    path.update(np.array([[0, 0, 0], [1, 0, 0], [1, 0, 1]]))
    arrows.update(np.zeros((2, 3)), np.array([[0, 0, 1.0], [0, 0, 0]]))
    assert len(path.draw.rows("stroke")) == 2 and len(arrows.draw.rows("cone")) == 1, "arrows of no length vanish"
    assert tuple(path.draw.rows("stroke")["color"][0, :3]) == overlays.WANTED
    assert tuple(arrows.draw.rows("cone")["color"][0, :3]) == overlays.VELOCITY


def test_feet_are_found_or_there_are_none(biped):
    assert [biped.names[joint] for joint in foot_joints(biped)] == ["LeftToeBase", "RightToeBase"]
    assert foot_joints(Skeleton.create(["a"], [-1], [[0, 0, 0]])) == []


def test_smoothing_keeps_straight_lines_and_length():
    line = np.linspace(0, 3, 40, dtype=np.float32)[:, None] * np.array([1, 0, 2], np.float32)
    assert smoothed(line, 5)[6:-6] == pytest.approx(line[6:-6], abs=1e-5)
    assert smoothed(line[:1], 8) == pytest.approx(line[:1])
    shaken = line + np.random.default_rng(0).normal(0, 0.05, line.shape).astype(np.float32)
    assert (smoothed(shaken, 5) - line)[6:-6].std() < 0.5 * (shaken - line)[6:-6].std()
