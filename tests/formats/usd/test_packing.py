"""Messages between the two processes of the reader."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kinema.formats.usd.packing import PackingError, pack, unpack

SCALARS = st.none() | st.booleans() | st.integers(-(2**60), 2**60) | st.floats(allow_nan=False) | st.text()
KEYS = st.text(min_size=2)
TREES = st.recursive(SCALARS, lambda inner: st.lists(inner) | st.dictionaries(KEYS, inner), max_leaves=20)


@given(TREES)
def test_trees_come_back(tree):
    assert unpack(pack(tree)) == tree


def test_arrays_come_back_with_type_and_shape():
    arrays = [np.arange(6, dtype=np.float32).reshape(2, 3), np.zeros((0, 3)), np.array([True]), np.arange(3)]
    back = unpack(pack({"a": arrays, "b": {"c": arrays[0]}}))
    for old, new in zip([*arrays, arrays[0]], [*back["a"], back["b"]["c"]], strict=True):
        assert old.dtype == new.dtype and old.shape == new.shape and (old == new).all()


def test_only_plain_arrays_are_packed():
    with pytest.raises(TypeError, match="object"):
        pack(np.array([None]))


@given(st.data())
def test_damage_is_one_error(data):
    whole = bytearray(pack({"a": np.arange(4), "b": [1, "x"]}))
    cut = data.draw(st.integers(0, len(whole) - 1))
    with pytest.raises(PackingError):
        unpack(bytes(whole[:cut]))
    whole[cut] = data.draw(st.integers(0, 255))
    try:
        unpack(bytes(whole))
    except PackingError as error:
        assert "\n" not in str(error)
