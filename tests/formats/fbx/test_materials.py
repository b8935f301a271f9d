"""Materials: colours, pictures, opacity and gloss, whoever made them."""

from __future__ import annotations

import base64

import pytest

from kinema.formats.fbx.materials import Materials

PICTURE = f'Content: , "{base64.b64encode(b"GIF89a").decode()}"\n'


class Surface:
    def __init__(self, fbx_text, body: str = "", **properties) -> None:
        self.file = fbx_text()
        self.file.object("Material", 1, "Material::m", "", body, **properties)

    def picture(self, id: int, prop: str, **properties) -> None:
        self.file.object("Texture", id, f"Texture::{id}", "", PICTURE, **properties)
        self.file.link(id, 1, prop)

    def read(self, culled: bool = False):
        document = self.file.document()
        materials = Materials(document, {1} if culled else set())
        item = next(document.all("Material"))
        assert materials.index(item) == materials.index(item) == 0
        return materials.found[0], materials, document


def test_phong_and_lambert(fbx_text) -> None:
    material, _, document = Surface(
        fbx_text,
        'ShadingModel: "phong"\n',
        DiffuseColor=[0.5, 0.4, 0.2],
        DiffuseFactor=0.5,
        EmissiveColor=[0.1, 0, 0],
        EmissiveFactor=2.0,
        ShininessExponent=25.0,
        ReflectionFactor=1.0,
    ).read()
    assert material.base_color == (0.25, 0.2, 0.1, 1) and material.emissive == (0.2, 0, 0)
    assert material.roughness == 0.5 and material.metallic == 0 and material.double_sided
    assert material.alpha_mode == "OPAQUE" and not document.warnings
    assert Surface(fbx_text, ShadingModel="Lambert").read()[0].roughness == 1
    assert not Surface(fbx_text).read(culled=True)[0].double_sided


@pytest.mark.parametrize(
    "properties, alpha",
    [
        ({}, 1),
        ({"Opacity": 0.25}, 0.25),
        ({"TransparencyFactor": 0.75}, 0.25),
        ({"TransparencyFactor": 0.0}, 1),
        ({"TransparencyFactor": 1.0, "TransparentColor": [0, 0, 0]}, 1),
        ({"TransparencyFactor": 1.0, "TransparentColor": [0.5, 0.5, 0.5]}, 0.5),
        ({"TransparencyFactor": 1.0, "TransparentColor": [1, 1, 1]}, 1),
        ({"Opacity": 0.0}, 1),
    ],
)
def test_opacity(fbx_text, properties: dict, alpha: float) -> None:
    material = Surface(fbx_text, **properties).read()[0]
    assert material.base_color[3] == pytest.approx(alpha)
    assert material.alpha_mode == ("OPAQUE" if alpha == 1 else "BLEND")


def test_a_picture_takes_the_place_of_a_colour(fbx_text) -> None:
    made = Surface(fbx_text, DiffuseColor=[0.2, 0.2, 0.2])
    made.picture(2, "DiffuseColor", UVSet="second")
    made.picture(3, "NormalMap")
    made.picture(4, "EmissiveColor")
    material, materials, _ = made.read()
    assert material.base_color == (1, 1, 1, 1) and material.emissive == (1, 1, 1)
    assert (material.base_color_texture, material.emissive_texture, material.normal_texture) == (0, 1, 2)
    assert materials.uv_set(next(materials.document.all("Material"))) == "second"
    made.picture(5, "TransparentColor")
    assert made.read()[0].alpha_mode == "MASK"


def test_physical_materials_of_other_programs(fbx_text) -> None:
    names = {"Maya|baseColor": [0.1, 0.2, 0.3], "Maya|metalness": 0.9, "Maya|specularRoughness": 0.35}
    material = Surface(fbx_text, **names).read()[0]
    assert material.base_color == (0.1, 0.2, 0.3, 1)
    assert (material.metallic, material.roughness) == (0.9, 0.35)
    made = Surface(fbx_text)
    made.picture(2, "Maya|TEX_color_map")
    assert made.read()[0].base_color_texture == 0


def test_blender_means_metal_by_reflection(fbx_text) -> None:
    made = Surface(fbx_text, ReflectionFactor=0.75)
    made.file.extra = 'Creator: "Blender (stable FBX IO) - 3.4.1"\n'
    assert made.read()[0].metallic == 0.75


def test_layered_textures_give_their_lowest(fbx_text) -> None:
    made = Surface(fbx_text)
    made.file.object("LayeredTexture", 9, "LayeredTexture::l")
    made.file.link(9, 1, "DiffuseColor")
    made.file.object("Texture", 2, "Texture::2", "", PICTURE)
    made.file.link(2, 9)
    material, _, document = made.read()
    assert material.base_color_texture == 0 and "layered" in document.warnings[0]


def test_a_texture_of_the_mesh_itself(fbx_text) -> None:
    made = fbx_text()
    made.object("Material", 1, "Material::m")
    made.object("Texture", 2, "Texture::t", "", PICTURE)
    document = made.document()
    materials = Materials(document, set())
    materials.index(next(document.all("Material")), next(document.all("Texture")))
    assert materials.found[0].base_color_texture == 0
