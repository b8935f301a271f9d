"""The short names for types of arrays."""

from __future__ import annotations

from typing import get_args

import numpy as np
import pytest

from kinema import arrays


@pytest.mark.parametrize(
    ("alias", "dtype"),
    [
        ("Floats", np.float64),
        ("Singles", np.float32),
        ("Reals", np.floating),
        ("Ints", np.int64),
        ("Indices", np.int32),
        ("Bools", np.bool_),
        ("Bytes", np.uint8),
    ],
)
def test_each_name_is_of_one_type_of_number(alias: str, dtype: type):
    assert get_args(get_args(getattr(arrays, alias))[1]) == (dtype,)
