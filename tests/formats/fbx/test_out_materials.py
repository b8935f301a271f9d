"""Materials and pictures come back as they were."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from kinema import load, save
from kinema.character import Character, Material, Mesh, Texture
from kinema.formats.fbx.objects import open_document
from kinema.formats.fbx.out_materials import shininess
from kinema.formats.sources import open_source

PICTURES = (
    Texture("face", "image/png", b"\x89PNG1"),
    Texture("face", "image/png", b"\x89PNG2"),
    Texture("../odd name.jpg", "image/jpeg", b"\xff\xd8\xff3"),
)


def triangle(material: int | None) -> Mesh:
    return Mesh(
        "t",
        np.eye(3, dtype=np.float32),
        np.tile(np.float32([0, 0, 1]), (3, 1)),
        np.array([[0, 1, 2]], np.uint32),
        uvs=np.zeros((3, 2), np.float32),
        joint=0,
        material=material,
    )


@pytest.mark.parametrize(
    "material",
    [
        Material("plain", (0.5, 0.25, 0.125, 1.0), 0.0, 0.75),
        Material("metal", (1.0, 1.0, 1.0, 1.0), 1.0, 0.0, (0.5, 0.25, 0.0), double_sided=True),
        Material("glass", (0.5, 0.5, 1.0, 0.25), 0.0, 0.5, alpha_mode="BLEND"),
        Material("maps", (1.0, 1.0, 1.0, 1.0), 0.0, 1.0, (1.0, 1.0, 1.0), "MASK", 0.25, True, 0, 1, 2, 1, 0),
        Material("", (1.0, 1.0, 1.0, 1.0), 0.0, 1.0),
        Material(
            "tinted", (0.5, 0.25, 0.75, 0.5), 0.0, 1.0, (0.5, 0.0, 0.25), "BLEND", 0.5, False, 0, None, None, None, 1
        ),
    ],
)
def test_materials_come_back(tmp_path, biped, material: Material) -> None:
    save(Character("c", biped, (triangle(0),), (material,), PICTURES), tmp_path / "a.fbx")
    asset = load(tmp_path / "a.fbx")
    (again,) = asset.character.materials
    assert again.roughness == pytest.approx(material.roughness)
    pictures = asset.character.textures
    for key in ("base_color", "metallic_roughness", "normal", "occlusion", "emissive"):
        ours, theirs = getattr(material, f"{key}_texture"), getattr(again, f"{key}_texture")
        assert (ours is None) == (theirs is None)
        if ours is not None:
            assert pictures[theirs].data == PICTURES[ours].data
        again = replace(again, **{f"{key}_texture": ours})
    assert replace(again, roughness=material.roughness) == material
    assert asset.warnings == ()


def test_pictures_have_names_that_can_be_unpacked(tmp_path, biped) -> None:
    material = Material("m", base_color_texture=0, normal_texture=1, emissive_texture=2)
    save(Character("c", biped, (triangle(0),), (material,), PICTURES), tmp_path / "a.fbx")
    document = open_document(open_source(tmp_path / "a.fbx"))
    names = [video.record.text("RelativeFilename") for video in document.all("Video")]
    assert len(set(names)) == 3 and names[0] == "face.png"
    assert all("/" not in name and not name.startswith(".") for name in names)


def test_meshes_without_material(tmp_path, biped) -> None:
    save(Character("c", biped, (triangle(None), triangle(0)), (Material("m"),)), tmp_path / "a.fbx")
    assert [mesh.material for mesh in load(tmp_path / "a.fbx").character.meshes] == [None, 0]


def test_gloss_is_blenders() -> None:
    assert (shininess(0), shininess(0.5), shininess(1), shininess(7)) == (100, 25, 0, 0)
