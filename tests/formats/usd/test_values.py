"""Values of attributes, whatever type a file gives them."""

from __future__ import annotations

import numpy as np
import pytest

from kinema.errors import FormatError
from kinema.formats.usd import values
from kinema.formats.usd.openusd import Gf, Usd, Vt

TEXT = """#usda 1.0
def Xform "a"
{
    quath[] q = [(1, 2, 3, 4)]
    matrix4d m = ((1,2,3,4),(5,6,7,8),(9,10,11,12),(13,14,15,16))
    token[] words = ["x", "y"]
    string[] strings = ["x"]
    float[] f.timeSamples = { 1: [1, 2], 3: [3, 4] }
    float[] uneven.timeSamples = { 1: [1, 2], 3: [3] }
    bool yes = 1
    int[] none = None
}
"""


@pytest.fixture
def prim():
    stage = Usd.Stage.CreateInMemory()
    stage.GetRootLayer().ImportFromString(TEXT)
    yield stage.GetPrimAtPath("/a")  # prims end with their stage


def test_quaternions_come_as_wxyz_and_matrices_as_rows(prim):
    assert values.numbers(prim, "q", 4).tolist() == [[1, 2, 3, 4]]
    assert values.numbers(prim, "m", 16)[0, 3].tolist() == [13, 14, 15, 16]
    assert values.column_matrix(Gf.Matrix4d(1).SetTranslate((1, 2, 3)))[:3, 3].tolist() == [1, 2, 3]


def test_words_and_flags(prim):
    assert values.tokens(prim, "words") == ["x", "y"] and values.tokens(prim, "nothing") is None
    assert values.flag(prim, "yes") and not values.flag(prim, "words")
    assert values.numbers(prim, "none") is None and values.token(prim, "q", "z") == "z"
    with pytest.raises(FormatError, match="</a>: q must be a list of tokens"):
        values.tokens(prim, "q")


@pytest.mark.parametrize(("name", "width"), [("words", 3), ("q", 3), ("m", 2), ("yes", 4), ("strings", 1)])
def test_other_types_are_refused(prim, name, width):
    with pytest.raises(FormatError, match=f"</a>: {name} has a value of an unexpected type"):
        values.numbers(prim, name, width)


def test_samples_are_interpolated_and_counted(prim):
    found = values.sampled(prim, "f", 1, np.array([1.0, 2.0, 3.0]), 2)
    assert found[..., :].reshape(3, -1).tolist() == [[1, 2], [2, 3], [3, 4]]
    assert values.sample_times(prim.GetAttribute("f")).tolist() == [1, 3]
    with pytest.raises(FormatError, match="f has 2 values for 5 joints"):
        values.sampled(prim, "f", 1, np.array([1.0, 2.0]), 5)
    with pytest.raises(FormatError, match="uneven has"):
        values.sampled(prim, "uneven", 1, np.array([1.0, 3.0]), None)
    assert values.sampled(prim, "missing", 1, np.zeros(0), None) is None


def test_custom_data_keeps_what_can_be_packed():
    tree = {"a": {"b": 1, "c": Vt.StringArray(["x"])}, "d": Vt.IntArray([1, 2]), "e": Gf.Vec2d(1, 2)}
    plain = values.plain(tree)
    assert plain["a"] == {"b": 1, "c": ["x"]} and plain["d"].tolist() == [1, 2] and plain["e"] is None
