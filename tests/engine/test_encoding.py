"""Components as JSON and back."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from kinema.character import Character
from kinema.engine.encoding import Unfit, build, encode
from kinema.engine.fingerprint import pieces
from kinema.errors import WorldError
from kinema.motion import Motion


@dataclass
class Inner:
    size: float = 1.0


@dataclass
class Everything:
    number: float = 1.5
    whole: int = 2
    flag: bool = True
    text: str = "a"
    maybe: int | None = None
    kind: Literal["walk", "run"] = "walk"
    pair: tuple[float, float] = (0.0, 1.0)
    many: tuple[int, ...] = (1, 2)
    items: list[str] = field(default_factory=list)
    table: dict[str, float] = field(default_factory=dict)
    array: NDArray[np.float32] = field(default_factory=lambda: np.zeros(3, np.float32))
    inner: Inner = field(default_factory=Inner)
    motion: Motion | None = None
    figure: Character | None = None


def there_and_back(value, assets=None):
    names = {id(thing): name for name, thing in (assets or {}).items()}
    text = json.dumps(encode(value, lambda thing: names[id(thing)]), allow_nan=False)
    return build(type(value), json.loads(text), assets or {})


def same(a, b):
    return b"".join(pieces(a)) == b"".join(pieces(b))


def test_everything_survives_bit_for_bit(rng, arm, swing):
    value = Everything(
        0.1 + 0.2,
        -(10**12),
        False,
        "ä\n\x00",
        7,
        "run",
        (1e-300, 3),
        (),
        ["x", ""],
        {"k": math.pi},
        rng.standard_normal((2, 0, 3)),
        Inner(2.5),
        swing,
        arm,
    )
    back = there_and_back(value, {"m": swing, "c": arm})
    assert same(value, back) and back.motion is swing and back.figure is arm
    assert same(Everything(), there_and_back(Everything()))
    assert same(Everything(number=math.inf), there_and_back(Everything(number=math.inf)))
    assert math.isnan(there_and_back(Everything(number=math.nan)).number)


@dataclass
class Circle:
    radius: float
    area: float = field(init=False)

    def __post_init__(self):
        self.area = math.pi * self.radius**2


def test_fields_that_follow_from_others_are_made_again():
    assert there_and_back(Circle(2.0)) == Circle(2.0)


@pytest.mark.parametrize("dtype", ["f4", "f8", "f2", "i1", "i4", "u2", "?", ">f4"])
def test_arrays_of_numbers(dtype):
    array = np.array([[0, 1], [1, 0]]).astype(dtype)
    back = there_and_back(Everything(array=array)).array
    assert back.dtype == array.dtype and np.array_equal(back, array) and back.flags.writeable


def test_what_cannot_be_saved_is_said():
    for wrong in (object(), {1: 2}, b"bytes", np.array(["a"]), np.array([None]), 1j, {1}):
        with pytest.raises(WorldError, match="cannot be saved"):
            encode(Everything(text=wrong), lambda thing: "")


WRONG: list[tuple[str, Any, str]] = [
    ("number", "1", "expected a number"),
    ("number", True, "expected a number"),
    ("number", 10**400, "expected a number"),
    ("number", {"number": "1"}, "expected a number"),
    ("whole", 1.5, "expected int"),
    ("whole", True, "expected int"),
    ("flag", 1, "expected bool"),
    ("text", None, "expected str"),
    ("maybe", "x", "expected int or expected null"),
    ("kind", "fly", "expected one of 'walk', 'run'"),
    ("kind", ["walk"], "expected one of"),
    ("pair", [1], "expected 2 values, not 1"),
    ("pair", [1, "a"], "expected a number"),
    ("many", {"a": 1}, "expected a list"),
    ("items", [1], "expected str"),
    ("table", {"k": 1}, "expected a map"),
    ("table", {"map": {"k": "v"}}, "expected a number"),
    ("array", [1, 2], "expected an array"),
    ("array", {"dtype": "O", "shape": [1], "data": ""}, "expected an array"),
    ("array", {"dtype": "<f4", "shape": [10**9], "data": ""}, "0 bytes"),
    ("array", {"dtype": "<f4", "shape": [-1], "data": ""}, "with a shape"),
    ("array", {"dtype": "<f4", "shape": [1], "data": "***"}, "not valid base64"),
    ("array", {"dtype": "<f4", "shape": [1], "data": 3}, "not valid base64"),
    ("inner", {"weight": 1}, "has no field 'weight'"),
    ("inner", 3, "expected an object"),
    ("motion", {"asset": "nothing"}, "expected a motion"),
    ("motion", {"asset": ["m"]}, "expected a motion"),
    ("figure", {"asset": "m"}, "expected a character"),
]


@pytest.mark.parametrize(("name", "value", "said"), WRONG)
def test_what_does_not_fit_is_refused(name, value, said, swing):
    with pytest.raises(Unfit, match=f"^{name}: .*{said}"):
        build(Everything, {name: value}, {"m": swing})


@dataclass
class Picky:
    size: int
    loose: Any = None

    def __post_init__(self) -> None:
        if self.size < 0:
            raise ValueError("a size is\nnot negative")


def test_components_may_refuse_by_themselves():
    assert build(Picky, {"size": 1}, {}) == Picky(1)
    wrong = {"'size'": {}, "a size is not negative": {"size": -1}, "no declared type": {"size": 1, "loose": 1}}
    for said, value in wrong.items():
        with pytest.raises(Unfit, match=said):
            build(Picky, value, {})


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["number", "map", "asset", "dtype", "shape", "data", "size"]), inner, max_size=3
        )
    ),
    max_leaves=8,
)


@settings(max_examples=200, deadline=None, derandomize=True)
@given(st.sampled_from([name for name in Everything.__dataclass_fields__]), json_values)
def test_nothing_else_is_ever_raised(name, value):
    try:
        made = build(Everything, {name: value}, {})
    except Unfit:
        return
    assert isinstance(made, Everything)
