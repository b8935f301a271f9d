"""Bytes that tell states apart."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kinema.engine.fingerprint import pieces


@dataclass
class Box:
    inside: object


def mark(value):
    return b"|".join(pieces(value))


def test_equal_values_have_equal_bytes_and_others_have_not(arm, swing):
    values = [
        0,
        1,
        0.0,
        -0.0,
        1.5,
        np.float32(1.5),
        True,
        None,
        "a",
        b"a",
        "b",
        (),
        [1],
        [1, 2],
        [[1], 2],
        {"a": 1},
        {"a": 2},
        np.zeros(2),
        np.zeros((2, 1)),
        np.zeros(2, np.float32),
        Box(1),
        Box([1]),
        Box(Box(1)),
        {1, 2},
        {1},
        arm,
        swing,
    ]
    marks = [mark(value) for value in values]
    assert len(set(marks)) == len(values)
    assert mark(Box(np.arange(3))) == mark(Box(np.arange(6)[::2] // 2))
    assert mark({3, 1, 2}) == mark({2, 3, 1})
    assert mark(np.nextafter(np.float32(1), np.float32(2))) != mark(np.float32(1))
