"""Objects, connections and properties."""

from __future__ import annotations

import numpy as np
import pytest

from kinema.errors import FormatError
from kinema.formats.fbx.document import ROOT, Properties, Property, matrix, split_name
from kinema.formats.fbx.records import Record


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
    assert document.children(2) == [] and document.connections_above(1)[0].parent == ROOT
    assert document.objects[1].vector("Lcl Translation", (0, 0, 0)) == (1, 2, 3)


def test_properties_that_are_no_numbers_are_the_default():
    given = {"a": ["x"], "b": [float("nan"), 1.0, 2.0], "c": [], "d": [2.9], "e": [1, 2]}
    found = Properties({name: Property(Record(name, values, [])) for name, values in given.items()})
    assert found.number("a", 4.0) == 4.0 and found.vector("b", (1, 2, 3)) == (1, 2, 3)
    assert found.integer("c", 5) == 5 and found.integer("d", 0) == 2 and found.vector("e", (0, 0, 0)) == (0, 0, 0)
    assert found.text("a") == "x" and found.text("d", "z") == "z"


def test_names_and_matrices():
    assert split_name("Model::a::b") == ("Model", "a::b") and split_name("plain") == ("", "plain")
    found = matrix(np.arange(16.0))
    assert found is not None and found[0].tolist() == [0, 4, 8, 12]
    assert matrix(np.arange(12.0)) is None and matrix(np.full(16, np.nan)) is None and matrix(None) is None


def test_errors_name_the_place(fbx_text):
    document = fbx_text().document()
    error = document.error("is wrong", "Model 'a'")
    assert isinstance(error, FormatError) and str(error) == "Model 'a': is wrong"


def test_warnings_have_an_end(fbx_text):
    document = fbx_text().document()
    for number in range(1000):
        document.warn(f"line {number}")
        document.warn("line 0")
    assert len(document.warnings) == 201 and "more warnings" in document.warnings[-1]


def test_objects_are_charged_when_they_are_read_again(fbx_text):
    file = fbx_text()
    file.model(1, "a")
    document = file.document()
    (model,) = document.all("Model")
    document.visit(model, 10**12)
    with pytest.raises(FormatError, match="Model 'a': asks for"):
        document.visit(model, 10**12)
