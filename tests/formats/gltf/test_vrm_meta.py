"""Title, authors and terms: read from both versions, written as version 1.0 requires."""

from __future__ import annotations

from kinema.avatar import Meta
from kinema.formats.gltf.vrm_meta import LICENCE, written

from .vrm_files import vrm_0, vrm_1


def test_version_1(gltf_file):
    meta = vrm_1(gltf_file).load().character.meta
    assert (meta.title, meta.authors, meta.version, meta.licence) == ("Ada", ("A", "B"), "2", LICENCE)
    assert meta.terms == {"modification": "x", "allowRedistribution": True}


def test_version_0(gltf_file):
    meta = vrm_0(gltf_file).load().character.meta
    assert (meta.title, meta.authors, meta.licence) == ("Eva", ("C",), "CC0")
    assert meta.terms == {"vrm0.allowedUserName": "Everyone"} and meta.thumbnail is None


def test_what_is_not_stated_is_missed(gltf_file):
    file = vrm_1(gltf_file)
    file.root["extensions"]["VRMC_vrm"]["meta"] = {"name": 3}
    warnings = "\n".join(file.load().warnings)
    for key in ("name", "authors", "licenseUrl"):
        assert f"does not state {key}" in warnings


def test_pictures_of_avatars(gltf_file):
    for made, key in ((vrm_0, "texture"), (vrm_1, "thumbnailImage")):
        file = made(gltf_file)
        picture = file.view(b"\x89PNG\r\n\x1a\n rest")
        file.root["images"] = [{"bufferView": picture, "mimeType": "image/png"}]
        file.root["textures"] = [{"source": 0}]
        next(iter(file.root["extensions"].values()))["meta"][key] = 0
        character = file.load().character
        assert character.textures[character.meta.thumbnail].mime == "image/png"


def test_what_version_1_requires_is_always_there():
    made = written(None, "hero")
    assert made == {"name": "hero", "authors": ["unknown"], "licenseUrl": LICENCE}
    old = Meta("t", ("a",), licence="CC0", terms={"vrm0.x": "y", "modification": "allowModification"})
    made = written(old, "hero")
    assert made["licenseUrl"] == LICENCE and made["modification"] == "allowModification"
    assert made["extras"]["kinema"] == {"vrm0.x": "y", "vrm0.licenseName": "CC0"}
