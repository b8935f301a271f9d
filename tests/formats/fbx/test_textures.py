"""Pictures inside a file or beside it, and nowhere else."""

from __future__ import annotations

import base64
from pathlib import Path

import pytest

from kinema.formats import load
from kinema.formats.fbx.objects import open_document
from kinema.formats.fbx.textures import Textures
from kinema.formats.sources import open_source

PNG = b"\x89PNG\r\n\x1a\nrest"


def document(fbx_text, tmp_path: Path, texture: str = "", video: str | None = None):
    made = fbx_text()
    made.object("Texture", 1, "Texture::skin", "", texture)
    if video is not None:
        made.object("Video", 2, "Video::skin", "Clip", video)
        made.link(2, 1)
    path = tmp_path / "model.fbx"
    path.write_text(made.text())
    return open_document(open_source(path))


def read(document):
    textures = Textures(document)
    index = textures.index(next(document.all("Texture")))
    return None if index is None else textures.found[index]


def test_pictures_inside(fbx_text, tmp_path: Path) -> None:
    packed = ",".join(f'"{base64.b64encode(piece).decode()}"' for piece in (PNG[:1], PNG[1:]))
    found = read(document(fbx_text, tmp_path, "", f'RelativeFilename: "a\\b\\Face.png"\nContent: , {packed}\n'))
    assert (found.name, found.mime, found.data) == ("Face", "image/png", PNG)
    broken = document(fbx_text, tmp_path, "", 'Content: , "?"\n')
    assert read(broken) is None and "cannot be decoded" in broken.warnings[0]


@pytest.mark.parametrize(
    "place, said",
    [
        ("skin.png", 'RelativeFilename: "skin.png"'),
        ("maps/skin.png", 'RelativeFilename: "maps\\skin.png"'),
        ("skin.png", 'FileName: "C:\\Users\\me\\skin.png"'),
        ("skin.png", 'RelativeFilename: "../../skin.png"'),
        ("model.fbm/skin.png", 'FileName: "/home/me/skin.png"'),
    ],
)
def test_pictures_beside(fbx_text, tmp_path: Path, place: str, said: str) -> None:
    (tmp_path / place).parent.mkdir(exist_ok=True)
    (tmp_path / place).write_bytes(PNG)
    assert read(document(fbx_text, tmp_path, said + "\n")).data == PNG


def test_pictures_elsewhere_are_never_read(fbx_text, tmp_path: Path) -> None:
    outside = tmp_path / "secret.png"
    outside.write_bytes(PNG)
    (tmp_path / "in").mkdir()
    for name in (str(outside), "../secret.png", "..\\secret.png", f"file://{outside}"):
        made = document(fbx_text, tmp_path / "in", f'RelativeFilename: "{name}"\nFileName: "{name}"\n')
        assert read(made) is None
        assert "Texture 'skin' was left out" in made.warnings[0]


@pytest.mark.parametrize(
    "data, mime",
    [
        (b"\xff\xd8\xff\xe0", "image/jpeg"),
        (b"BM6", "image/bmp"),
        (b"DDS |", "image/vnd-ms.dds"),
        (b"GIF89a", "image/gif"),
        (b"\0\0\2 ", None),
    ],
)
def test_kinds_are_told_by_what_is_in_them(fbx_text, tmp_path: Path, data: bytes, mime: str | None) -> None:
    (tmp_path / "a.png").write_bytes(data)
    found = read(document(fbx_text, tmp_path, 'RelativeFilename: "a.png"\n'))
    assert (found.mime if found else None) == mime


def test_targa_has_no_mark_but_its_name(fbx_text, tmp_path: Path) -> None:
    (tmp_path / "a.TGA").write_bytes(b"\0\0\2 ")
    assert read(document(fbx_text, tmp_path, 'RelativeFilename: "a.TGA"\n')).mime == "image/x-tga"


def test_one_picture_for_several_textures(fbx_text, tmp_path: Path) -> None:
    made = fbx_text()
    for id in (1, 2):
        made.object("Texture", id, f"Texture::{id}")
        made.link(3, id)
    made.object("Video", 3, "Video::", "Clip", f'Content: , "{base64.b64encode(PNG).decode()}"\n')
    textures = Textures(made.document())
    assert [textures.index(item) for item in textures.document.all("Texture")] == [0, 0]


def test_a_real_file_with_a_picture_inside(data_dir: Path) -> None:
    asset = load(data_dir / "importers/fbx_ufbx/synthetic_embedded_base64_7700_ascii.fbx")
    assert asset.character is not None
    assert [texture.mime for texture in asset.character.textures] == ["image/png"]
