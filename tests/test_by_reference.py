"""Named tuples that compiled code hands on by reference."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pytest
from numba.core.errors import TypingError
from numba.core.runtime import _nrt_python, rtsys

from kinema.by_reference import by_reference
from kinema.compiled import njit


class Inner(NamedTuple):
    counts: np.ndarray
    share: float


class Outer(NamedTuple):
    values: np.ndarray
    inner: Inner


@njit
def fill(of: Outer, value: float) -> float:
    of.values[0] = value
    of.inner.counts[0] += 1
    return of.inner.share


@njit
def filled(of: Outer, value: float) -> float:
    return fill(by_reference(of), value)


@njit
def swapped(one: Outer, other: Outer) -> None:
    first, second = by_reference(one), by_reference(other)
    first, second = second, first
    fill(first, 1.0)
    fill(second, 2.0)


@njit
def made(size: int) -> np.ndarray:
    of = by_reference(Outer(np.zeros(size), Inner(np.zeros(1, np.int64), 0.5)))
    fill(of, 3.0)
    return of.values


@njit
def number(value: int) -> int:
    return by_reference(value)


def outer() -> Outer:
    return Outer(np.zeros(2), Inner(np.zeros(1, np.int64), 0.25))


def test_arrays_are_those_of_the_tuple() -> None:
    one, other = outer(), outer()
    assert filled(one, 7.0) == 0.25
    assert one.values.tolist() == [7.0, 0.0] and one.inner.counts.tolist() == [1]
    swapped(one, other)
    assert (one.values[0], other.values[0]) == (2.0, 1.0)


def test_what_is_allocated_is_freed_once() -> None:
    _nrt_python.memsys_enable_stats()
    made(3), filled(outer(), 1.0)
    before = rtsys.get_allocation_stats()
    for _ in range(10):
        assert made(3).tolist() == [3.0, 0.0, 0.0]
        filled(outer(), 1.0)
    after = rtsys.get_allocation_stats()
    assert after.alloc - before.alloc == after.free - before.free > 0
    assert after.mi_alloc - before.mi_alloc == after.mi_free - before.mi_free > 0


def test_python_has_the_tuple_itself() -> None:
    assert by_reference(given := outer()) is given


def test_only_named_tuples_have_fields() -> None:
    with pytest.raises(TypingError, match="by_reference"):
        number(1)
