from __future__ import annotations

import io

import numpy as np
import pytest
from PIL import Image

from kinema import Character, Skeleton
from kinema.character import Material, Mesh, Texture
from kinema.errors import SceneError
from kinema.worlds.covering import USUAL, covered

SQUARE = np.float32([[-1, 0, -1], [-1, 0, 1], [1, 0, 1], [1, 0, -1]])  # faces up
FACES = np.uint32([[0, 1, 2], [0, 2, 3]])
UP = np.tile(np.float32([0, 1, 0]), (4, 1))


def square(material: Material, textures: tuple[Texture, ...] = (), **parts: object) -> Character:
    skeleton = Skeleton.create(["root"], [-1], [[0, 0, 0]])
    mesh = Mesh("m", SQUARE, UP, FACES, joint=0, material=0, **parts)  # type: ignore[arg-type]
    return Character("square", skeleton, (mesh,), (material,), textures)


def test_discs_lie_on_the_mesh_in_the_colour_of_its_material() -> None:
    scene = covered(square(Material(base_color=(0.5, 0.0, 0.0, 1.0))), spacing=0.05)
    assert len(scene) == pytest.approx(1600, abs=3)
    np.testing.assert_allclose(scene.means[:, 1], 0.0, atol=1e-6)
    assert np.abs(scene.means[:, [0, 2]]).max() <= 1.0
    assert scene.colours[:, 0].min() > 0.6 and np.abs(scene.colours[:, 1:]).max() < 1e-5


def test_vertex_colours_are_blended() -> None:
    ends = np.float32([[0, 0, 0, 1], [0, 0, 0, 1], [1, 1, 1, 1], [1, 1, 1, 1]])
    scene = covered(square(Material(), colors=ends), spacing=0.05)
    left, middle, right = (scene.colours[np.abs(scene.means[:, 0] - x) < 0.1].mean() for x in (-0.9, 0.0, 0.9))
    assert left < middle - 0.1 and middle < right - 0.1


def test_textures_are_looked_up_at_each_disc_and_what_they_cut_out_is_left_out() -> None:
    pixels = np.uint8([[[255, 0, 0, 255], [0, 0, 255, 255]], [[255, 0, 0, 0], [0, 0, 255, 255]]])
    encoded = io.BytesIO()
    Image.fromarray(pixels).save(encoded, "PNG")
    uvs = np.float32([[0, 0], [0, 1], [1, 1], [1, 0]]) * 0.999
    material = Material(base_color_texture=0, alpha_mode="MASK")
    scene = covered(square(material, (Texture("t", "image/png", encoded.getvalue()),), uvs=uvs), spacing=0.05)
    red = scene.means[:, 0] < 0
    assert (scene.colours[red, 0] > 0.9).all() and (scene.colours[red, 2] < 0.01).all()
    assert (scene.colours[~red, 2] > 0.9).all()
    cut = red & (scene.means[:, 2] > 0)
    assert not cut.any() and len(scene) == pytest.approx(1200, abs=40)


def test_without_a_spacing_any_size_gets_as_many_discs() -> None:
    assert len(covered(square(Material()))) == pytest.approx(USUAL, rel=0.01)


def test_what_has_no_surface_is_refused() -> None:
    skeleton = Skeleton.create(["root"], [-1], [[0, 0, 0]])
    with pytest.raises(SceneError, match="no surface"):
        covered(Character("nothing", skeleton))
    with pytest.raises(SceneError, match="space them closer"):
        covered(square(Material()), spacing=1e4)
