"""UsdPreviewSurface: values, connections, textures and where they lie."""

from __future__ import annotations

import kinema

from .conftest import HEAD, TRIANGLE

MATERIAL = """def Material "Paint"
{
    color3f inputs:tint = (0.1, 0.2, 0.3)
    token outputs:surface.connect = </Paint/S.outputs:surface>
    def Shader "S"
    {
        uniform token info:id = "UsdPreviewSurface"
        color3f inputs:diffuseColor.connect = </Paint.inputs:tint>
        float inputs:metallic = 0.25
        float inputs:roughness.connect = </Paint/T.outputs:g>
        color3f inputs:emissiveColor.connect = </Paint/Loop.outputs:rgb>
        float inputs:opacity = 0.5
        token outputs:surface
    }
    def Shader "T"
    {
        uniform token info:id = "UsdUVTexture"
        asset inputs:file = @./maps/rough.png@
        float4 inputs:scale = (1, 0.75, 1, 1)
        float2 inputs:st.connect = </Paint/Move.outputs:result>
        float outputs:g
    }
    def Shader "Move"
    {
        uniform token info:id = "UsdTransform2d"
        float2 inputs:in.connect = </Paint/R.outputs:result>
        float2 outputs:result
    }
    def Shader "R"
    {
        uniform token info:id = "UsdPrimvarReader_float2"
        string inputs:varname = "second"
        float2 outputs:result
    }
    def Shader "Loop"
    {
        color3f outputs:rgb.connect = </Paint/Loop.outputs:rgb>
    }
}
"""
UVS = """        texCoord2f[] primvars:st = [(0, 0), (0, 0), (0, 0)] (
            interpolation = "vertex"
        )
        texCoord2f[] primvars:second = [(0.5, 0), (0, 0), (0, 0)] (
            interpolation = "vertex"
        )
        rel material:binding = </Paint>
"""
MESH = f'def Mesh "M" (prepend apiSchemas = ["MaterialBindingAPI"])\n{{{TRIANGLE}{UVS}}}\n'


def test_values_connections_and_textures(tmp_path, png):
    (tmp_path / "maps").mkdir()
    (tmp_path / "maps" / "rough.png").write_bytes(png)
    (tmp_path / "a.usda").write_text(HEAD + MATERIAL + MESH)
    character = kinema.load_character(tmp_path / "a.usda")
    (material,) = character.materials
    assert [round(value, 6) for value in material.base_color] == [0.1, 0.2, 0.3, 0.5]
    assert (material.metallic, material.roughness, material.alpha_mode) == (0.25, 0.75, "BLEND")
    assert material.emissive == (0, 0, 0) and material.metallic_roughness_texture == 0
    assert character.textures[0].data == png and character.textures[0].mime == "image/png"
    assert character.meshes[0].uvs[0].tolist() == [0.5, 1.0]
    assert any("transforms texture coordinates" in line for line in character.warnings)


def test_images_of_other_layers_lie_beside_those(tmp_path, png):
    (tmp_path / "lib" / "maps").mkdir(parents=True)
    (tmp_path / "lib" / "maps" / "rough.png").write_bytes(png)
    (tmp_path / "lib" / "paint.usda").write_text("#usda 1.0\n" + MATERIAL)
    (tmp_path / "a.usda").write_text(HEAD[:-2] + "    subLayers = [@lib/paint.usda@]\n)\n" + MESH)
    assert kinema.load_character(tmp_path / "a.usda").textures[0].data == png


def test_images_outside_are_refused_and_the_file_is_read(tmp_path, png):
    (tmp_path / "secret.png").write_bytes(png)
    (tmp_path / "folder").mkdir()
    for asset in ("../secret.png", str(tmp_path / "secret.png"), "none.png", "http://host/a.png"):
        text = (HEAD + MATERIAL + MESH).replace("./maps/rough.png", asset)
        (tmp_path / "folder" / "a.usda").write_text(text)
        character = kinema.load_character(tmp_path / "folder" / "a.usda")
        assert not character.textures and any("cannot be read" in line for line in character.warnings)
        assert character.materials[0].metallic_roughness_texture is None


def test_other_shaders_are_left_plain(read_text):
    text = HEAD + MATERIAL.replace("UsdPreviewSurface", "Renderer_surface") + MESH
    character = read_text(text).character
    assert any("uses Renderer_surface" in line for line in character.warnings)
    assert character.materials[0].name == "Paint"
