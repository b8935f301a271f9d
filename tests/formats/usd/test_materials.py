"""Materials made of what was extracted."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from kinema.errors import FormatError
from kinema.formats.usd.materials import read_materials


class _Images:
    root = "a.usda"

    def locate(self, asset, layer):
        return asset

    def read(self, path):
        if path == "none":
            raise FormatError("no such file")
        return {"png": b"\x89PNG", "jpg": b"\xff\xd8\xff", "text": b"hello"}[path]


def _read(textures=(), **inputs):
    warnings: list[str] = []
    scene = {"textures": list(textures), "materials": [{"name": "m", "inputs": inputs}]}
    (material,), images = read_materials(scene, _Images(), warnings)  # pyright: ignore[reportArgumentType]
    return SimpleNamespace(material=material, images=images, warnings=warnings)


def test_defaults_are_those_of_the_preview_surface():
    material = _read().material
    assert material.base_color == (0.18, 0.18, 0.18, 1.0) and (material.metallic, material.roughness) == (0, 0.5)


def test_images_that_are_none_cost_a_warning():
    found = _read(
        ["none", "text", "jpg"],
        diffuseColor={"texture": 2, "channel": "rgb", "scale": [0.5, 1, 1, 1]},
        normal={"texture": 0, "channel": "rgb"},
    )
    assert [image.mime for image in found.images] == ["image/jpeg"] and len(found.warnings) == 2
    assert found.material.base_color_texture == 0 and found.material.normal_texture is None
    assert found.material.base_color == (0.5, 1.0, 1.0, 1.0)


def test_a_missing_image_leaves_the_fallback_of_its_texture():
    missing = {"texture": 0, "channel": "rgb", "scale": [1.0, 1, 1, 1]}
    dark = _read(["none"], emissiveColor=missing).material
    assert dark.emissive == (0, 0, 0) and dark.emissive_texture is None, "nothing glows that has no picture"
    lit = _read(["none"], emissiveColor={**missing, "fallback": [0.5, 0.25, 0, 1]}).material
    assert lit.emissive == (0.5, 0.25, 0)
    read = _read(["png"], emissiveColor={**missing, "fallback": [0.5, 0.25, 0, 1]}).material
    assert read.emissive == (1, 1, 1) and read.emissive_texture == 0
    plain = _read(["none"], metallic={"texture": 0, "channel": "b"}, roughness={"texture": 0, "channel": "g"}).material
    assert (plain.metallic, plain.roughness) == (0, 0.5)
    stated = _read(["none"], metallic={"texture": 0, "channel": "b", "fallback": [0, 0, 0.75, 1]}).material
    assert stated.metallic == 0.75
    assert _read(["none"], diffuseColor={**missing, "scale": [0.5, 1, 1, 1]}).material.base_color[:3] == (0.5, 1, 1)


@pytest.mark.parametrize(
    ("opacity", "threshold", "mode"),
    [
        ({"value": [1.0]}, None, "OPAQUE"),
        ({"value": [0.5]}, None, "BLEND"),
        ({"texture": 0, "channel": "a"}, None, "BLEND"),
        ({"texture": 0, "channel": "a"}, {"value": [0.3]}, "MASK"),
    ],
)
def test_opacity(opacity, threshold, mode):
    inputs = {"opacity": opacity, **({"opacityThreshold": threshold} if threshold else {})}
    material = _read(["png"], **inputs).material
    assert material.alpha_mode == mode and material.alpha_cutoff == (0.3 if threshold else 0.5)


def test_metallic_and_roughness_have_to_share_an_image():
    both = {
        "roughness": {"texture": 0, "channel": "g", "scale": [1, 0.5, 1, 1]},
        "metallic": {"texture": 0, "channel": "b", "scale": [1, 1, 0.25, 1]},
    }
    found = _read(["png"], **both)
    assert found.material.metallic_roughness_texture == 0
    assert (found.material.roughness, found.material.metallic) == (0.5, 0.25)
    apart = _read(["png", "jpg"], roughness=both["roughness"], metallic={"texture": 1, "channel": "r"})
    assert apart.material.metallic_roughness_texture is None and "blue and green" in apart.warnings[0]
