"""XML without its traps."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kinema.errors import FormatError, KinemaError
from kinema.formats.robot import tree
from kinema.formats.robot.tree import parse


def test_elements_keep_their_lines_and_attributes():
    root = parse(b'<a>\n <b x="1 2"/>\n <c><b x="3"/></c>\n</a>', "a.xml")
    assert [(child.tag, child.line) for child in root.children] == [("b", 2), ("c", 3)]
    assert root.children[0].numbers("x", 2).tolist() == [1, 2]
    assert root.first("c").first("b").attributes == {"x": "3"} and root.first("d") is None
    with pytest.raises(FormatError, match=r"a.xml, line 2: <b> lacks its attribute 'y'"):
        root.children[0].need("y")


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b'<!DOCTYPE a [<!ENTITY b "cc">]><a>&b;</a>', "document type or entities"),
        (b'<!DOCTYPE a SYSTEM "file:///etc/passwd"><a/>', "document type or entities"),
        (b"<a>" * 5000, "within each other"),
        (b"<a><b></a>", "line 1: is not XML: mismatched tag"),
        (b"", "no element found"),
        (b'<?xml version="1.0" encoding="utf-99"?><a/>', "is not XML"),
        (b"<a>&lol;</a>", "undefined entity"),
    ],
)
def test_refusals(data: bytes, said: str):
    with pytest.raises(FormatError, match=said):
        parse(data, "a.xml")


def test_size_is_bounded(monkeypatch):
    monkeypatch.setattr(tree, "MOST_ELEMENTS", 10)
    with pytest.raises(FormatError, match="more than 10 elements"):
        parse(b"<a>" + b"<b/>" * 10 + b"</a>", "a.xml")
    monkeypatch.setattr(tree, "MOST_BYTES", 10)
    with pytest.raises(FormatError, match="bytes of XML"):
        parse(b"<a>          </a>", "a.xml")


@settings(max_examples=100, deadline=None)
@given(st.text(alphabet="<>/ab\"'= &;![]?", max_size=40))
def test_any_text_is_parsed_or_refused_in_one_line(text: str):
    try:
        parse(text.encode(), "a.xml")
    except KinemaError as error:
        assert "\n" not in str(error)
