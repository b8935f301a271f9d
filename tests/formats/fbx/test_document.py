"""Objects, connections and properties of both ways to write them."""

from __future__ import annotations

import numpy as np
import pytest

from kinema.errors import FormatError
from kinema.formats.fbx.document import ROOT, Document, Properties, matrix, open_document, split_name
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


def opened(text: str) -> Document:
    return open_document(Source.from_bytes(text.encode(), "a.fbx"))


def test_objects_children_and_parents(fbx_text):
    file = fbx_text()
    file.model(1, "Hips", Lcl_Translation=[1, 2, 3])
    file.model(2, "mixamorig:Spine", 1)
    file.object("Texture", 7, "Texture::wood")
    file.link(7, 2, "DiffuseColor")
    document = file.document()
    spine = document.objects[2]
    assert [item.name for item in document.all("Model")] == ["Hips", "mixamorig:Spine"]
    assert spine.subclass == "LimbNode" and spine.where == "Model 'mixamorig:Spine'"
    assert [item.id for item in document.children(1)] == [2] and document.children(1, "Texture") == []
    assert document.parents(2)[0].id == 1 and document.parents(1) == []
    assert [item.id for item in document.children(2, "Texture", "DiffuseColor")] == [7]
    assert document.children(2) == [] and document.links_above(1)[0].parent == ROOT
    assert document.objects[1].vector("Lcl Translation", (0, 0, 0)) == (1, 2, 3)


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
    assert [link.child for link in document.links_below(ROOT)] == ["Model::Box", "Model::Hip"]


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


def test_properties_that_are_no_numbers_are_the_default():
    found = Properties({"a": ["x"], "b": [float("nan"), 1.0, 2.0], "c": [], "d": [2.9], "e": [1, 2]})
    assert found.number("a", 4.0) == 4.0 and found.vector("b", (1, 2, 3)) == (1, 2, 3)
    assert found.integer("c", 5) == 5 and found.integer("d", 0) == 2 and found.vector("e", (0, 0, 0)) == (0, 0, 0)
    assert found.text("a") == "x" and found.text("d", "z") == "z"


def test_ids_that_stand_twice_and_broken_connections_are_said(fbx_text):
    file = fbx_text()
    file.model(1, "first")
    file.model(1, "second")
    file.links.append('C: "OP",1,0')
    document = file.document()
    assert document.objects[1].name == "first"
    assert any("'second' has the id of another" in line for line in document.warnings)
    assert any("incomplete" in line for line in document.warnings)


def test_names_and_matrices():
    assert split_name("Model::a::b") == ("Model", "a::b") and split_name("plain") == ("", "plain")
    found = matrix(np.arange(16.0))
    assert found is not None and found[0].tolist() == [0, 4, 8, 12]
    assert matrix(np.arange(12.0)) is None and matrix(np.full(16, np.nan)) is None and matrix(None) is None


def test_errors_name_file_and_place(fbx_text):
    document = fbx_text().document()
    error = document.error("is wrong", "Model 'a'")
    assert isinstance(error, FormatError) and str(error) == "a.fbx, Model 'a': is wrong"


def test_warnings_have_an_end(fbx_text):
    document = fbx_text().document()
    for number in range(1000):
        document.warn(f"line {number}")
        document.warn("line 0")
    assert len(document.warnings) == 201 and "more to say" in document.warnings[-1]


def test_objects_are_charged_when_they_are_read_again(fbx_text):
    file = fbx_text()
    file.model(1, "a")
    document = file.document()
    (model,) = document.all("Model")
    document.visit(model, 10**12)
    with pytest.raises(FormatError, match="Model 'a': asks for"):
        document.visit(model, 10**12)
