"""Colours and normals of meshes."""

import io

import numpy as np
import pytest
from PIL import Image

from kinema import Skeleton, rotations
from kinema.character import Character, Material, Mesh, Texture
from kinema.pose import Pose
from kinema.rendering.sheet import raster, surface


def _character(image: bytes | None = None) -> Character:
    skeleton = Skeleton.create(["root"], [-1], [[0, 0, 0]])
    mesh = Mesh(
        "square",
        np.array([[-1, -1, 0], [1, -1, 0], [1, 1, 0], [-1, 1, 0]], np.float32),
        np.tile(np.float32([0, 0, -1]), (4, 1)),
        np.array([[0, 1, 2], [0, 2, 3]], np.uint32),
        uvs=np.array([[0, 1], [1, 1], [1, 0], [0, 0]], np.float32),
        colors=np.tile(np.float32([1, 0.5, 1, 1]), (4, 1)),
        joint=0,
        material=0,
    )
    material = Material(base_color=(0.8, 0.8, 0.4, 1), base_color_texture=None if image is None else 0)
    textures = () if image is None else (Texture("t", "image/png", image),)
    return Character("c", skeleton, (mesh,), (material,), textures)


def _png(pixels: np.ndarray) -> bytes:
    stream = io.BytesIO()
    Image.fromarray(pixels.astype(np.uint8)).save(stream, "PNG")
    return stream.getvalue()


def test_material_and_vertex_colours_multiply():
    character = _character()
    assert surface.vertex_colors(character, character.meshes[0]) == pytest.approx(np.tile([0.8, 0.4, 0.4], (4, 1)))
    assert surface.base_texture(character, character.meshes[0]) is None


def test_texture_is_drawn_the_right_way_up_and_fades():
    pixels = np.zeros((2, 2, 3))
    pixels[0, 0], pixels[0, 1], pixels[1, 0], pixels[1, 1] = (255, 0, 0), (0, 255, 0), (0, 0, 255), (255, 255, 255)
    character = _character(_png(pixels))
    texture = surface.base_texture(character, character.meshes[0])
    mesh = character.meshes[0]
    camera = raster.Camera.fit(mesh.positions, np.pi, 0.0, 0.5, 1.0)  # from +Z: +X is at the right
    picture = raster.Picture(camera, 16, 16)
    picture.draw(mesh.positions, np.ones((4, 3), np.float32), mesh.indices, mesh.uvs, texture)
    seen = picture.over(np.zeros(3, np.float32))
    assert [seen[y, x].tolist() for y, x in ((4, 4), (4, 11), (11, 4), (11, 11))] == pixels.reshape(4, 3).tolist()
    picture = raster.Picture(camera, 16, 16)
    white = np.ones(3, np.float32)
    picture.draw(mesh.positions, np.ones((4, 3), np.float32), mesh.indices, mesh.uvs, texture, white, 0.5)
    assert picture.color[8, 8] == pytest.approx([1, 0.5, 0.5])


def test_a_texture_that_is_no_image_is_left_out():
    character = _character(b"not an image")
    assert surface.base_texture(character, character.meshes[0]) is None


def test_normals_turn_with_the_joint():
    character = _character()
    turned = rotations.from_yaw(np.array([np.pi / 2])).astype(np.float32)
    vertices, normals = surface.posed(character.meshes[0], Pose(character.skeleton, turned, np.float32([[0, 1, 0]])))
    assert vertices[1] == pytest.approx([0, 0, -1], abs=1e-6)
    assert normals == pytest.approx(np.tile([-1, 0, 0], (4, 1)), abs=1e-6)
