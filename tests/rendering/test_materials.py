"""Materials: their textures, alpha and colours, in pictures."""

import dataclasses
import io

import numpy as np
import pytest
from PIL import Image

from kinema.character import Material, Texture
from kinema.rendering.camera import Camera
from kinema.rendering.materials import SOLID, GpuMaterial
from kinema.rendering.view import Sky, Sun, View

CAMERA = Camera.look_at((0, 0, 4), (0, 0, 0), height=1.2)
# Even light of strength one over pi from everywhere: a matte surface shows about its own colour.
EVEN = {"sky": Sky((1, 1, 1), (1, 1, 1), (1, 1, 1), 1.0, (0, 0, 0, 1)), "sun": Sun(intensity=0), "floor": None}


def texture(pixels, mime="image/png"):
    out = io.BytesIO()
    Image.fromarray(np.uint8(pixels)).save(out, "PNG")
    return Texture("made", mime, out.getvalue())


def picture(renderer, shapes, material, *textures, **changes):
    box = shapes.box((1, 1, 1), material=dataclasses.replace(material, metallic=material.metallic))
    mesh = dataclasses.replace(box.meshes[0], uvs=np.float32([[0, 0], [1, 0], [1, 1], [0, 1]] * 6), **changes)
    character = dataclasses.replace(box, meshes=(mesh,), textures=textures)
    return renderer.render(View(CAMERA, (shapes.rest(character),), **EVEN), ("color", "normals", "entities"))


PLAIN = Material(metallic=0.0, roughness=1.0)


def test_colours_of_textures_are_srgb(renderer, shapes):
    flat = np.full((4, 4, 3), (188, 90, 40))
    textured = picture(renderer, shapes, dataclasses.replace(PLAIN, base_color_texture=0), texture(flat))
    linear = tuple((((c / 255) + 0.055) / 1.055) ** 2.4 for c in (188, 90, 40))
    plain = picture(renderer, shapes, dataclasses.replace(PLAIN, base_color=(*linear, 1.0)))
    off = np.abs(textured.color[60, 80].astype(int) - plain.color[60, 80])
    assert off.max() <= 2


def test_colours_of_vertices_multiply(renderer, shapes):
    red = picture(renderer, shapes, PLAIN, colors=np.float32([[1, 0, 0, 1]] * 24))
    assert red.color[60, 80, 0] > 150 and red.color[60, 80, 1] < 60


def test_cut_out(renderer, shapes):
    holes = np.full((2, 2, 4), 255)
    holes[:, 0, 3] = 0
    material = dataclasses.replace(PLAIN, base_color_texture=0, alpha_mode="MASK", alpha_cutoff=0.5)
    row = picture(renderer, shapes, material, texture(holes)).entities[60]
    assert 30 < (row == 1).sum() < 70


def test_blended_is_seen_through_and_solid_where_it_is_solid(renderer, shapes):
    pixels = np.full((1, 1, 4), 255)
    pixels[..., 3] = 128
    material = dataclasses.replace(PLAIN, base_color_texture=0, alpha_mode="BLEND")
    half = picture(renderer, shapes, material, texture(pixels))
    full = picture(renderer, shapes, material, texture(np.full((1, 1, 4), 255)))
    assert 0.5 < half.color[60, 80, 0] / full.color[60, 80, 0] < 0.9
    assert not half.entities.any() and full.entities.any()


def test_normal_maps_lean_without_tangents(renderer, shapes):
    lean = np.full((4, 4, 3), (128 + 64, 128, 238))  # toward growing u
    frame = picture(renderer, shapes, dataclasses.replace(PLAIN, normal_texture=0), texture(lean))
    flat = picture(renderer, shapes, PLAIN)
    normal = frame.normals[60, 80]
    np.testing.assert_allclose(flat.normals[60, 80], (0, 0, 1), atol=1e-3)
    assert abs(np.linalg.norm(normal[:2]) - 0.5) < 0.06 and normal[2] > 0.8


def test_emission_shines_in_the_dark(renderer, shapes):
    glowing = dataclasses.replace(PLAIN, emissive=(0.5, 0.0, 0.0), base_color=(0, 0, 0, 1))
    assert picture(renderer, shapes, glowing).color[60, 80, 0] > 150


def test_a_broken_picture_leaves_the_plain_colour(renderer, shapes):
    material = dataclasses.replace(PLAIN, base_color=(0.2, 0.4, 0.6, 1), base_color_texture=0)
    broken = picture(renderer, shapes, material, Texture("bad", "image/png", b"\x89PNG not one"))
    plain = picture(renderer, shapes, dataclasses.replace(material, base_color_texture=None))
    np.testing.assert_array_equal(broken.color, plain.color)


def test_back_faces_are_seen_of_double_sided_materials_only(renderer, shapes):
    for double in (False, True):
        material = dataclasses.replace(PLAIN, double_sided=double)
        box = shapes.box(material=material)
        # Only the face that looks away.
        normals = picture(renderer, shapes, material, indices=box.meshes[0].indices[8:10])
        shown = normals.entities.any()
        assert shown == double
        if double:
            assert normals.normals[normals.entities == 1][:, 2].min() > -1e-3  # they look at the viewer


@pytest.mark.parametrize(
    ("mode", "solid", "least"), [("OPAQUE", True, -1.0), ("BLEND", True, SOLID), ("MASK", False, 0.3)]
)
def test_least_alpha(mode, solid, least):
    assert GpuMaterial(Material(alpha_mode=mode, alpha_cutoff=0.3), (None,) * 5).least_alpha(solid) == least
