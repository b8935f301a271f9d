"""Typed access to JSON: what is given, and that errors name the place."""

from __future__ import annotations

import json

import pytest

from kinema.errors import FormatError
from kinema.formats.gltf.container import open_document
from kinema.formats.gltf.document import Item
from kinema.formats.sources import Source


def test_typed_access():
    document = open_document(Source.from_bytes(b'{"asset":{"version":"2.0"}}', "x.gltf"))

    def here(**values) -> Item:
        return Item(document, values, "here")

    assert here(a=3.0).integer("a") == 3
    assert here().integer("a", 7) == 7
    assert here(a=[1, 2]).integers("a") == [1, 2] and here().integers("a") == []
    assert here(a=2).number("a", 0.0) == 2.0
    assert here(a=[1, 2.5]).numbers("a", 2) == [1.0, 2.5] and here().numbers("a", 2, (3, 4)) == [3.0, 4.0]
    assert here(a={"b": {}}).object("a").object("b").where == "here.a.b"
    assert here(a=[{}, {}]).objects("a")[1].where == "here.a[1]"
    for bad in (1e39, "1", True, json.loads("1e999")):
        with pytest.raises(FormatError, match="here"):
            here(a=bad).number("a", 0.0)
    with pytest.raises(FormatError, match="array of 2 numbers"):
        here(a=[1]).numbers("a", 2)
    with pytest.raises(FormatError, match="must be from 0 to 9"):
        here(a=10).integer("a", high=9)
