"""What files may ask for."""

from __future__ import annotations

import pytest

from kinema.errors import FormatError
from kinema.formats.budget import CEILING, MEMORY_FLOOR, MEMORY_RATIO, Budget


def test_small_files_have_a_floor_and_charges_add_up():
    budget = Budget(10)
    budget.charge(MEMORY_FLOOR, "here")
    with pytest.raises(FormatError, match=r"^there: asks for .* bytes of memory.*; try less"):
        budget.charge(1, "there", "; try less")


def test_larger_files_may_ask_for_more_up_to_a_ceiling():
    Budget(2 * MEMORY_FLOOR // MEMORY_RATIO).charge(2 * MEMORY_FLOOR, None)
    with pytest.raises(FormatError):
        Budget(CEILING // 8).charge(CEILING + 1, None)
    Budget(CEILING).charge(3 * CEILING, None)


def test_a_higher_floor():
    Budget(0, 5 * MEMORY_FLOOR).charge(4 * MEMORY_FLOOR, None)


def test_files_beside_a_file_count():
    budget = Budget(0)
    budget.grow(4 * MEMORY_FLOOR // MEMORY_RATIO)
    budget.charge(4 * MEMORY_FLOOR, None)
