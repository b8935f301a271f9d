"""What a file may see: nothing outside its folder, archive or package."""

from __future__ import annotations

import io
import zipfile

import pytest

import kinema
from kinema.errors import FormatError
from kinema.formats.sources import Source
from kinema.formats.usd.files import Files

PART = '#usda 1.0\n(\ndefaultPrim = "part"\nmetersPerUnit = 1\n)\ndef Xform "part" {\ndef Xform "inner" {}\n}\n'


def _naming(asset: str, how: str = "references") -> str:
    if how == "subLayers":
        return f"#usda 1.0\n(\nsubLayers = [@{asset}@]\nmetersPerUnit = 1\n)\n"
    if how == "variant":
        inner = f'variantSet "v" = {{\n"other" (\nreferences = @{asset}@\n) {{\n}}\n}}'
        return f'#usda 1.0\ndef Xform "a" (\nprepend variantSets = "v"\n) {{\n{inner}\n}}\n'
    return f'#usda 1.0\n(metersPerUnit = 1)\ndef Xform "a" ({how} = @{asset}@) {{}}\n'


@pytest.mark.parametrize("how", ["references", "payload", "subLayers", "variant"])
@pytest.mark.parametrize(
    "asset",
    [
        "/etc/secret.usda",
        "../secret.usda",
        "sub/../../secret.usda",
        "..\\\\secret.usda",
        "file:///etc/secret.usda",
        "C:/secret.usda",
        "http://host/secret.usda",
        "pack.usdz[in.usda]",
        "part.usda:SDF_FORMAT_ARGS:x=1",
    ],
)
def test_ways_out_are_refused(tmp_path, how, asset):
    (tmp_path / "secret.usda").write_text(PART)
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "a.usda").write_text(_naming(asset, how))
    with pytest.raises(FormatError, match="only files in the same folder or below are read"):
        kinema.load(tmp_path / "folder" / "a.usda")


@pytest.mark.parametrize("how", ["references", "payload", "subLayers"])
def test_files_in_the_folder_are_read(tmp_path, how):
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "b.usda").write_text(_naming("../part.usda", how))
    (tmp_path / "part.usda").write_text(PART)
    (tmp_path / "a.usda").write_text(_naming("./sub/b.usda", "subLayers"))
    assert "inner" in kinema.load(tmp_path / "a.usda").skeleton.names
    with zipfile.ZipFile(tmp_path / "z.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for name in ("a.usda", "part.usda", "sub/b.usda"):
            archive.write(tmp_path / name, f"deep/{name}")
    assert "inner" in kinema.load(tmp_path / "z.zip" / "deep" / "a.usda").skeleton.names


def test_links_out_of_the_folder_are_refused(tmp_path):
    (tmp_path / "secret.usda").write_text(PART)
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "link.usda").symlink_to(tmp_path / "secret.usda")
    (tmp_path / "folder" / "a.usda").write_text(_naming("link.usda"))
    with pytest.raises(FormatError, match="leads out of its folder"):
        kinema.load(tmp_path / "folder" / "a.usda")


def test_missing_files_circles_and_other_kinds(tmp_path):
    (tmp_path / "a.usda").write_text(_naming("none.usda"))
    with pytest.raises(FormatError, match="No such file"):
        kinema.load(tmp_path / "a.usda")
    (tmp_path / "a.usda").write_text(_naming("mesh.obj"))
    with pytest.raises(FormatError, match=r"only \.usd \.usda \.usdc can be referred to"):
        kinema.load(tmp_path / "a.usda")
    (tmp_path / "a.usda").write_text(_naming("a.usda", "subLayers"))
    assert kinema.load(tmp_path / "a.usda").skeleton is None
    with pytest.raises(FormatError, match="given as bytes without a folder"):
        kinema.load(Source.from_bytes(_naming("b.usda").encode(), "a.usda"))


def _package(files: dict[str, str], packing: int = zipfile.ZIP_STORED) -> Source:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", packing) as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return Source.from_bytes(held.getvalue(), "a.usdz")


def test_packages_see_their_own_members_only():
    inside = _package({"sub/a.usda": _naming("../part.usda"), "part.usda": PART})
    assert "inner" in kinema.load(inside).skeleton.names
    with pytest.raises(FormatError, match="not in the package"):
        kinema.load(_package({"a.usda": _naming("part.usda")}))
    with pytest.raises(FormatError, match="only files in the same folder"):
        kinema.load(_package({"a.usda": _naming("../part.usda"), "../part.usda": PART}))
    with pytest.raises(FormatError, match="without a USD layer"):
        Files(_package({"a.png": "x"}))
    with pytest.raises(FormatError, match="not a readable package"):
        Files(Source.from_bytes(b"PK\x03\x04", "a.usdz"))


def test_bombs_are_refused():
    with pytest.raises(FormatError, match="archive bomb"):
        kinema.load(_package({"a.usda": "#usda 1.0\n" + " " * (70 * 1024**2)}, zipfile.ZIP_DEFLATED))


def test_prims_that_double_at_every_level_end(tmp_path, monkeypatch):
    """Forty references of two children each would be a million million prims."""
    monkeypatch.setattr("kinema.formats.usd.sandbox.SECONDS", 1.0)
    lines = ['def Xform "p0" {}']
    for level in range(1, 41):
        inner = "\n".join(f'def Xform "c{k}" (references = </p{level - 1}>) {{}}' for k in range(2))
        lines.append(f'def Xform "p{level}" {{\n{inner}\n}}')
    (tmp_path / "a.usda").write_text("#usda 1.0\n" + "\n".join(lines))
    with pytest.raises(FormatError) as error:
        kinema.load(tmp_path / "a.usda")
    assert "\n" not in str(error.value)
