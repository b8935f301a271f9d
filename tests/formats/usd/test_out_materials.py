"""Materials as prims, and the files of their images."""

from __future__ import annotations

import io

import pytest
from PIL import Image

from kinema.character import Texture
from kinema.errors import FormatError
from kinema.formats.usd.openusd import Sdf, Usd, UsdShade
from kinema.formats.usd.out_materials import image_files, write_materials


def test_images_keep_their_bytes_or_become_png(png):
    held = io.BytesIO()
    Image.new("RGB", (3, 2), (1, 2, 3)).save(held, "WEBP", lossless=True)
    files = image_files((Texture("a b/../c", "image/png", png), Texture("w", "image/webp", held.getvalue())))
    assert list(files) == ["0_a_b_c.png", "1_w.png"] and files["0_a_b_c.png"] == png
    picture = Image.open(io.BytesIO(files["1_w.png"]))
    assert picture.format == "PNG" and picture.getpixel((0, 0)) == (1, 2, 3)
    with pytest.raises(FormatError, match="texture 'k' is image/ktx2, which USD cannot hold"):
        image_files((Texture("k", "image/ktx2", b"\xabKTX 20"),))


def test_connections(everything):
    stage = Usd.Stage.CreateInMemory()
    prims = write_materials(stage, Sdf.Path("/M"), everything.character, ["./a.png", "./b.png"])
    surface = prims[0].ComputeSurfaceSource()[0]
    assert surface.GetIdAttr().Get() == "UsdPreviewSurface"
    source = surface.GetInput("roughness").GetConnectedSources()[0][0]
    assert source.sourceName == "g" and source.source.GetInput("file").Get().path == "./b.png"
    assert surface.GetInput("normal").GetConnectedSources()[0][0].source.GetInput("bias").Get()[0] == -1
    assert prims[0].GetPrim().GetDisplayName() == "skin:1"
    glass, leaf = (prim.ComputeSurfaceSource()[0] for prim in prims[1:])
    assert glass.GetInput("opacity").Get() == 0.5 and not glass.GetInput("opacityThreshold")
    assert leaf.GetInput("opacity").GetConnectedSources()[0][0].sourceName == "a"
    assert abs(leaf.GetInput("opacityThreshold").Get() - 0.3) < 1e-6
    assert not UsdShade.Shader(stage.GetPrimAtPath("/M/glass/Coordinates"))
