"""Keys as files store them, and those that are broken."""

from __future__ import annotations

import numpy as np
import pytest

from kinema.formats.fbx import tangents
from kinema.formats.fbx.curves import Extrapolation
from kinema.formats.fbx.keys import read_curve, read_keys
from kinema.formats.fbx.records import Record

from .conftest import TICKS, curve_body, record_of, segments_of

CONSTANT, CUBIC, LINEAR = tangents.CONSTANT, tangents.CUBIC, tangents.LINEAR


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("KeyValueFloat: *2 {\na: 1.0,2.0", "KeyValueFloat: *1 {\na: 1.0"), "2 key times and 1 values"),
        (("a: 1.0,2.0", "a: 1.0,nan"), "not a finite number"),
        ((f"a: 0,{TICKS}", f"a: {TICKS},0"), "backwards"),
        (("KeyAttrRefCount: *1 {\na: 2", "KeyAttrRefCount: *1 {\na: 1"), "attributes for 1 of 2 keys"),
        (("KeyAttrRefCount: *1 {\na: 2", "KeyAttrRefCount: *2 {\na: 1,1"), "1 key flags, 2 counts"),
    ],
)
def test_broken_curves_are_refused(change: tuple[str, str], message: str):
    body = curve_body([(0, 1), (1, 2)])
    assert change[0] in body
    with pytest.raises(ValueError, match=message):
        read_curve(record_of(body.replace(*change)), TICKS)


def row(keys: str, count: int) -> Record:
    return record_of(f"KeyCount: {count}\nKey: {keys}\nPost-Extrapolation: {{ Type: R\nRepetition: 3 }}\n")


def test_rows_of_keys_of_version_6():
    keys = f"0,0,L,{TICKS},10,C,s,{2 * TICKS},5,U,s,3,-1,n,{3 * TICKS},6,U,s,0,0,a,0.5,0.25"
    found = read_keys(row(keys, 4), TICKS, 6100)
    assert found is not None
    assert found.times.tolist() == [0, 1, 2, 3] and found.values.tolist() == [0, 10, 5, 6]
    modes, slopes, weights = segments_of(found)
    assert modes.tolist() == [LINEAR, CONSTANT, CUBIC, CUBIC] and found.after == Extrapolation("R", 3)
    assert slopes[2, 1] == 3 and slopes[3, 0] == -1 and weights[3, 1] == 0.5
    assert found.evaluate(np.array([0.5, 1.5])).tolist() == [5, 10]


@pytest.mark.parametrize("keys", ["0,0,X", "0,0,U,s,1", "0,0,U,q,1,2,n", "0,0,U,s,1,2,z", "0,0,L,5,1,L"])
def test_broken_rows_are_refused(keys: str):
    with pytest.raises(ValueError, match="has"):
        read_keys(row(keys, 3 if keys.endswith("5,1,L") else 1), TICKS, 6100)


def test_key_attributes_of_too_many_keys_take_no_memory():
    body = curve_body([(0, 1), (1, 2)]).replace("KeyAttrFlags: *1 {\na: 4", "KeyAttrFlags: *3 {\na: 4,2,4")
    body = body.replace("*4 {\na: 0.0,0.0,0.0,0.0", "*12 {\na: 0,0,0,0,0,0,0,0,0,0,0,0")
    found = read_curve(record_of(body.replace("RefCount: *1 {\na: 2", "RefCount: *3 {\na: 1,2,2")), TICKS)
    assert found is not None and segments_of(found).modes.tolist() == [LINEAR, CONSTANT]


def test_no_keys_are_no_curve():
    assert read_keys(record_of("Default: 3\n"), TICKS, 6100) is None
    assert read_curve(record_of("Default: 3\n"), TICKS) is None
