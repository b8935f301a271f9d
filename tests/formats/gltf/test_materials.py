"""Materials and pictures; a broken picture must not cost the file."""

from __future__ import annotations

import pytest

from kinema.errors import FormatError

PNG = b"\x89PNG\r\n\x1a\n" + bytes(20)


def character_of(file):
    file.root.setdefault("nodes", [{"mesh": 0}])
    file.root["meshes"] = [{"primitives": [file.triangle()]}]
    return file.load().character


def test_factors_and_defaults(gltf_file):
    full = {
        "name": "skin",
        "pbrMetallicRoughness": {"baseColorFactor": [0.1, 0.2, 0.3, 0.4], "metallicFactor": 0, "roughnessFactor": 0.5},
        "emissiveFactor": [0, 0.5, 1],
        "alphaMode": "MASK",
        "alphaCutoff": 0.3,
        "doubleSided": True,
        "extensions": {"KHR_materials_emissive_strength": {"emissiveStrength": 4}},
    }
    first, second = character_of(gltf_file(materials=[full, {}])).materials
    assert (first.name, first.base_color, first.metallic, first.roughness) == ("skin", (0.1, 0.2, 0.3, 0.4), 0, 0.5)
    assert (first.alpha_mode, first.alpha_cutoff, first.double_sided, first.emissive) == ("MASK", 0.3, True, (0, 2, 4))
    assert (second.base_color, second.metallic, second.roughness) == ((1, 1, 1, 1), 1, 1)
    assert second.base_color_texture is None


def test_embedded_pictures_are_shared_and_kept_as_bytes(gltf_file):
    file = gltf_file()
    file.root["images"] = [{"bufferView": file.view(PNG), "mimeType": "image/jpeg", "name": "face"}]
    file.root["textures"] = [{"source": 0}, {"source": 0}]
    file.root["materials"] = [
        {"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}, "normalTexture": {"index": 1}}
    ]
    character = character_of(file)
    assert len(character.textures) == 1
    texture = character.textures[0]
    assert (texture.name, texture.mime, texture.data) == ("face", "image/png", PNG)  # what it is, not what it says
    assert character.materials[0].base_color_texture == character.materials[0].normal_texture == 0


def test_an_unreadable_picture_is_a_warning(gltf_file):
    file = gltf_file(images=[{"uri": "gone.png"}, {"uri": "data:,hello"}], textures=[{"source": 0}, {"source": 1}, {}])
    file.root["materials"] = [{"normalTexture": {"index": n}} for n in range(3)]
    character = character_of(file)
    assert [material.normal_texture for material in character.materials] == [None, None, None]
    assert any("images[0] cannot be read" in line for line in character.warnings)
    assert any("images[1] is not a picture" in line for line in character.warnings)


def test_webp_by_extension(gltf_file):
    file = gltf_file()
    file.root["images"] = [{"bufferView": file.view(b"RIFF    WEBP"), "mimeType": "image/webp"}]
    file.root["textures"] = [{"extensions": {"EXT_texture_webp": {"source": 0}}}]
    file.root["materials"] = [{"emissiveTexture": {"index": 0}}]
    assert character_of(file).textures[0].mime == "image/webp"


@pytest.mark.parametrize(
    ("material", "message"),
    [
        ({"normalTexture": {"index": 4}}, r"materials\[0\].normalTexture: index refers to textures\[4\]"),
        ({"normalTexture": {}}, "index is missing"),
        ({"normalTexture": 3}, "must be an object"),
        ({"emissiveFactor": [1]}, "array of 3 numbers"),
        ({"pbrMetallicRoughness": {"metallicFactor": "1"}}, "must be a number"),
    ],
)
def test_wrong_materials_are_named(gltf_file, material, message):
    with pytest.raises(FormatError, match=message):
        character_of(gltf_file(materials=[material]))


def test_an_unknown_way_to_be_seen_through_is_opaque(gltf_file):
    file = gltf_file(nodes=[{"mesh": 0}], materials=[{"alphaMode": "GLASS"}, {"alphaMode": "MASK"}])
    file.root["meshes"] = [{"primitives": [{**file.triangle(), "material": 0}]}]
    asset = file.load()
    assert [material.alpha_mode for material in asset.character.materials] == ["OPAQUE", "MASK"]
    assert any("unknown alphaMode 'GLASS'" in line for line in asset.warnings)
