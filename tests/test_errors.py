"""Errors say what, where and what would have worked, in one line."""

from __future__ import annotations

import pickle

import pytest

from kinema import errors


@pytest.mark.parametrize(
    ("place", "expected"),
    [
        ({}, "too short"),
        ({"path": "walk.bvh"}, "walk.bvh: too short"),
        ({"path": "walk.bvh", "line": 12}, "walk.bvh, line 12: too short"),
        ({"path": "x.glb", "node": "nodes[3]"}, "x.glb, nodes[3]: too short"),
        ({"line": 1}, "line 1: too short"),
    ],
)
def test_format_error_names_the_place(place: dict[str, object], expected: str) -> None:
    assert str(errors.FormatError("too short", **place)) == expected  # type: ignore[arg-type]


def test_format_error_survives_a_process_pool() -> None:
    error = errors.FormatError("too short", path="a.bvh", line=3, node="MOTION")
    back = pickle.loads(pickle.dumps(error))
    assert isinstance(back, errors.FormatError)
    assert str(back) == str(error)
    assert (back.message, back.path, back.line, back.node) == ("too short", "a.bvh", 3, "MOTION")


@pytest.mark.parametrize(
    "kind", [errors.FormatError, errors.SkeletonError, errors.DatabaseError, errors.ControlError, errors.MissingError]
)
def test_all_share_one_base(kind: type[Exception]) -> None:
    assert issubclass(kind, errors.KinemaError)
    assert str(kind("no")) == "no"


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("a\nb", r"a\nb"),
        ("\x1b[31m", r"\x1b[31m"),
        ("caf\udce9", r"caf\xe9"),
        ("走る ü", "走る ü"),
        ("\u202e", r"\u202e"),
    ],
)
def test_messages_are_one_line_of_text(said: str, shown: str) -> None:
    assert str(errors.KinemaError(said)) == str(errors.FormatError(said)) == shown


def test_long_lists_of_names_are_cut() -> None:
    assert errors.listed(["a\nb", "c"]) == r"a\nb, c"
    assert errors.listed("abcdefg") == "a, b, c, d, e and 2 more"
