from __future__ import annotations

import pytest

from kinema.errors import ControlError, UsageError
from kinema.face.bodies import open_creature
from kinema.mocap.creatures import make_creature


def test_a_creature_is_made_by_name_or_taken_as_it_is() -> None:
    assert open_creature(None) is None
    horse = open_creature("horse")
    assert horse is not None
    assert horse.plan == "unguligrade"
    assert open_creature(horse) is horse


def test_creatures_without_legs_and_data_besides_are_refused() -> None:
    with pytest.raises(UsageError, match="no legs to walk on; there are"):
        open_creature(make_creature("shark"))
    with pytest.raises(UsageError, match="creature or data"):
        open_creature("horse", ["walk.bvh"])
    with pytest.raises(ControlError, match="unicorn"):
        open_creature("unicorn")
