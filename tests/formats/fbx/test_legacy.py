"""Files before version 6: models at the top, skins inside of them, takes as in version 6."""

from __future__ import annotations

import numpy as np
import pytest

import kinema
from kinema.errors import FormatError
from kinema.formats.fbx.objects import open_document
from kinema.formats.sources import Source


def channel(kind: str, values: tuple[float, float, float]) -> str:
    axes = "".join(f'Channel: "{axis}" {{ Default: {value} }}\n' for axis, value in zip("XYZ", values, strict=True))
    return f'Channel: "{kind}" {{\n{axes}}}\n'


TEXT = f"""; FBX 5.8.0 project file
FBXHeaderExtension: {{ FBXVersion: 5800 }}
Model: "Model::Body" {{
    Type: "Mesh"
    Vertices: 0,0,0,10,0,0,0,10,0
    PolygonVertexIndex: 0,1,-3
    Material: "Material::red" {{ Diffuse: 0.5,0,0 }}
    Link: "Model::Bone" {{
        Indexes: 0,1,2
        Weights: 1,1,1
        Transform: 1,0,0,0,0,1,0,0,0,0,1,0,0,-100,0,1
        TransformLink: 1,0,0,0,0,1,0,0,0,0,1,0,0,100,0,1
    }}
}}
Model: "Model::Bone" {{
    Type: "LimbNode"
    Children: "Model::End"
    Channel: "Transform" {{ {channel("T", (0, 100, 0))} }}
}}
Model: "Model::End" {{
    Type: "LimbNode"
    Channel: "Transform" {{ {channel("T", (0, 50, 0))} {channel("R", (0, 0, 90))} }}
}}
Takes: {{
    Take: "walk" {{
        LocalTime: 0,46186158000
        Model: "Model::End" {{
            Channel: "Transform" {{ Channel: "T" {{ Channel: "X" {{
                Default: 0
                KeyCount: 2
                Key: 0,0,L,46186158000,30,L
            }} }} }}
        }}
    }}
}}
Settings: {{ TimeMode: 3
    FrameRate: "25" }}
"""


def test_models_skins_and_takes_of_version_5():
    source = Source.from_bytes(TEXT.encode(), "a.fbx")
    document = open_document(source)
    assert [item.subclass for item in document.all("Model")] == ["Mesh", "LimbNode", "LimbNode"]
    (cluster,) = document.all("Deformer", "Cluster")
    assert document.children(cluster.id, "Model")[0].name == "Bone"
    asset = kinema.load(source)
    assert asset.skeleton is not None and asset.skeleton.names == ("Bone", "End")
    assert "older than 6" in asset.warnings[0]
    (motion,) = asset.motions
    assert (motion.name, motion.fps, motion.frames) == ("walk", 25, 26)
    np.testing.assert_allclose(motion[:].global_positions[-1], [[0, 1, 0], [0.3, 1.5, 0]], atol=1e-6)
    assert asset.character is not None
    np.testing.assert_allclose(
        asset.character.skin(asset.skeleton.rest_pose)[0],
        [[0, 0, 0], [0.1, 0, 0], [0, 0.1, 0]],
        atol=1e-6,
    )


def test_children_without_quotes_are_refused():
    with pytest.raises(FormatError, match="lists 'End' as a child"):
        open_document(Source.from_bytes(TEXT.replace('"Model::End"\n', "End\n", 1).encode(), "a.fbx"))


@pytest.mark.parametrize("name", ["max7_skin_5000_binary", "max2009_cube_texture_5800_ascii"])
def test_real_files(data_dir, name: str):
    from kinema.formats import load

    asset = load(data_dir / "importers" / "fbx_ufbx" / f"{name}.fbx")
    assert asset.character is not None and asset.skeleton is not None


@pytest.mark.parametrize("name", ['Link: "Model::Bone"', 'Channel: "Transform"', 'Channel: "X"', 'Channel: "T"'])
def test_numbers_in_place_of_names_are_passed_over(name: str):
    row = ",".join(map(str, range(60)))  # read as an array
    assert name in TEXT
    text = TEXT.replace(name, f"{name.split(':')[0]}: {row}")
    assert kinema.load(Source.from_bytes(text.encode(), "a.fbx")).skeleton is not None
