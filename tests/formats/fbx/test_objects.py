"""Files of all versions as objects, connections and properties."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

from kinema.errors import FormatError
from kinema.formats.fbx.document import ROOT, FbxDocument
from kinema.formats.fbx.objects import open_document, parse
from kinema.formats.sources import Source

OLD = """; FBX 6.1.0 project file
Objects: {
    Model: "Model::Box", "Mesh" {
        Properties60: {
            Property: "Lcl Translation", "Lcl Translation", "A",1,2,3
            Property: "Lcl Translation", "Lcl Translation", "A",4,5,6
        }
        Vertices: 0,0,0,1,0,0,0,1,0
        PolygonVertexIndex: 0,1,-3
    }
    Model: "Model::Hip", "Limb" { }
    Deformer: "Deformer::Skin", "Skin" { }
    SubDeformer: "SubDeformer::Cluster", "Cluster" { }
    GlobalSettings: {
        Properties60: {
            Property: "UpAxis", "int", "",2
        }
    }
}
Connections: {
    Connect: "OO", "Model::Box", "Model::Scene"
    Connect: "OO", "Model::Hip", "Model::Scene"
    Connect: "OO", "Deformer::Skin", "Model::Box"
    Connect: "OO", "SubDeformer::Cluster", "Deformer::Skin"
    Connect: "OO", "Model::Hip", "SubDeformer::Cluster"
    Connect: "OO", "Model::Gone", "Model::Scene"
}
"""


def opened(text: str) -> FbxDocument:
    return open_document(Source.from_bytes(text.encode(), "a.fbx"))


def test_files_of_version_6_look_like_those_of_version_7():
    document = opened(OLD)
    (geometry,) = document.children("Model::Box", "Geometry")
    assert geometry.record.array("PolygonVertexIndex", np.int64).tolist() == [0, 1, -3]
    (skin,) = document.children(geometry.id, "Deformer")
    (cluster,) = document.children(skin.id, "Deformer")
    assert (skin.subclass, cluster.subclass) == ("Skin", "Cluster")
    assert [bone.name for bone in document.children(cluster.id, "Model")] == ["Hip"]
    assert document.settings.integer("UpAxis", 1) == 2
    assert document.objects["Model::Box"].vector("Lcl Translation", (0, 0, 0)) == (4, 5, 6)  # the last one counts
    assert [link.child for link in document.connections_below(ROOT)] == ["Model::Box", "Model::Hip"]


def test_templates_stand_behind_properties(fbx_text):
    file = fbx_text()
    file.extra = """Definitions: {
        ObjectType: "Model" {
            PropertyTemplate: "FbxNode" {
                Properties70: { P: "InheritType", "enum", "", "",1
                                P: "Lcl Scaling", "Lcl Scaling", "", "A",2,2,2 } } } }\n"""
    file.model(1, "a", Lcl_Scaling=[3, 3, 3])
    model = file.document().objects[1]
    assert model.integer("InheritType", 0) == 1 and model.vector("Lcl Scaling", (1, 1, 1)) == (3, 3, 3)
    assert model.get("Nothing") is None


def test_ids_that_stand_twice_and_broken_connections_are_said(fbx_text):
    file = fbx_text()
    file.model(1, "first")
    file.model(1, "second")
    file.links.append('C: "OP",1,0')
    document = file.document()
    assert document.objects[1].name == "first"
    assert any("'second' has the id of another" in line for line in document.warnings)
    assert any("incomplete" in line for line in document.warnings)


def test_a_file_cut_short_in_its_connections_has_those_that_are_whole(fbx_text):
    file = fbx_text()
    file.model(1, "Hips")
    file.model(2, "Spine", 1)
    file.model(3, "Head", 2)
    text = file.text()
    document = opened(text[: text.index(",3,2") + 3])  # inside of the last connection
    assert [item.name for item in document.children(1)] == ["Spine"] and not document.children(2)
    assert "ends in line" in document.warnings[0] and "inside 'Connections'" in document.warnings[0]
    assert document.warnings[1].startswith("1 models are connected to nothing")
    assert not opened(text).warnings


def test_a_file_cut_short_before_its_connections_is_refused(fbx_text):
    file = fbx_text()
    file.model(1, "Hips")
    text = file.text()
    for end in (text.index("Model") + 3, text.index("Connections") + 5, text.index('C: "OO"')):
        with pytest.raises(FormatError, match=r"cut short: .* before the connections"):
            opened(text[:end])


def test_an_old_file_that_is_cut_short_keeps_its_motion_up_to_there():
    found = opened(OLD + 'Takes: {\nTake: "one" {\nFileName: "a"\n}\nTake: "two" {\nFile')
    takes = found.root.find("Takes")
    assert takes is not None and [take.title for take in takes.children] == ["one"]


def test_versions_newer_than_the_newest_known_one_are_reported():
    assert opened(OLD.replace("6.1.0", "8.0.0")).warnings == [
        "has FBX version 8000, newer than 7700; it may hold more than was read"
    ]
    assert opened(OLD.replace("6.1.0", "7.7.0")).warnings == []
    with pytest.raises(FormatError, match="has FBX version 2000; versions 3000 to 7700 are supported"):
        opened(OLD.replace("6.1.0", "2.0.0"))


@pytest.mark.slow
def test_many_small_records_are_refused_before_they_are_kept():
    text = "; FBX 7.7.0\nObjects: {\n" + "a:\n" * 1_000_000 + "}\n"
    with pytest.raises(FormatError, match="bytes of memory, more than the"):
        opened(text)


def test_reading_does_not_import_the_writers():
    code = "import sys, kinema.formats.fbx; print([n for n in sys.modules if '.fbx.out_' in n or 'fbx.writer' in n])"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"


@pytest.mark.parametrize("data", [b"", b"PK\3\4" + bytes(40), b"hello there", b"glTF" + bytes(40), b'{"a": 1}'])
def test_other_files_are_refused(data: bytes):
    with pytest.raises(FormatError, match="is not an FBX file"):
        parse(data)
