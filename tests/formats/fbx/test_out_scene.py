"""The sections around the objects of a file."""

from __future__ import annotations

import numpy as np
import pytest

from kinema.formats.fbx.encode import encode
from kinema.formats.fbx.objects import open_document
from kinema.formats.fbx.out_scene import TICKS, FbxBuilder, integer, number, string, vector
from kinema.formats.fbx.settings import read_settings
from kinema.formats.sources import Source


def document(builder: FbxBuilder, fps: float = 30.0, takes: tuple[tuple[str, int], ...] = ()):
    return open_document(Source.from_bytes(encode(builder.records(fps, TICKS, takes)), "a.fbx"))


@pytest.mark.parametrize("fps", [24.0, 25.0, 30.0, 60.0, 120.0, 29.97, 37.5, 240.0])
def test_axes_unit_and_rate(fps: float) -> None:
    settings = read_settings(document(FbxBuilder(), fps))
    assert settings.fps == fps and settings.ticks == TICKS
    np.testing.assert_allclose(settings.conversion, np.diag([0.01, 0.01, 0.01, 1]))


def test_objects_properties_and_connections() -> None:
    builder = FbxBuilder()
    first, _ = builder.add("Model", "a", "Model", "Null", [vector("Lcl Translation", (1, 2, 3)), number("w", 0.5)])
    second, _ = builder.add("Model", "b", "Model", "Null", [integer("n", 4), string("s", "text")])
    builder.note(second, number("w", 1.0))
    builder.note(second, number("w", 2.0))
    builder.connect(first, 0)
    builder.connect(second, first)
    builder.connect(second, first, "Look")
    made = document(builder)
    a, b = made.all("Model")
    assert (a.name, b.name) == ("a", "b") and first != second
    assert a.vector("Lcl Translation", (0, 0, 0)) == (1, 2, 3)
    assert (b.integer("n", 0), b.text("s"), b.number("w", 0)) == (4, "text", 1.0)
    assert made.children(a.id) == [b] and made.children(a.id, to="Look") == [b]


def test_definitions_count_what_is_there() -> None:
    builder = FbxBuilder()
    for name in "abc":
        builder.add("Model", name, "Model", "Null")
    builder.add("Material", "m", "Material", "")
    definitions = document(builder).root.find("Definitions")
    assert definitions is not None
    counts = {kind.values[0]: kind.integer("Count", 0) for kind in definitions.all("ObjectType")}
    assert counts == {"GlobalSettings": 1, "Model": 3, "Material": 1} and definitions.integer("Count", 0) == 5


def test_takes_are_listed() -> None:
    made = document(FbxBuilder(), takes=(("walk", 5), ("run", 7)))
    takes = made.root.find("Takes")
    assert takes is not None and takes.text("Current") == "walk"
    assert [(take.values[0], take.find("LocalTime").values) for take in takes.all("Take")] == [
        ("walk", [0, 5]),
        ("run", [0, 7]),
    ]
