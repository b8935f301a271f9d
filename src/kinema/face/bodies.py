"""Creatures by name, for functions that take one in place of data."""

from __future__ import annotations

from typing import Any

from kinema.errors import UsageError
from kinema.mocap.creatures import Creature, make_creature


def open_creature(creature: str | Creature | None, data: Any = ()) -> Creature | None:
    """A creature by its name, or as it is; None for none.

    Args:
        data: what is to be controlled with; empty for a creature.

    Raises:
        UsageError: there are data besides, or the creature has no legs.
        ControlError: there is no creature of that name.
    """
    if creature is None:
        return None
    if not isinstance(data, tuple | list) or data:
        raise UsageError("motion of a creature is generated; give a creature or data")
    made = make_creature(creature) if isinstance(creature, str) else creature
    if not made.anatomy.legs:
        from kinema.control.subject import walkers

        raise UsageError(f"a {made.name} has no legs to walk on; there are: {', '.join(walkers())}")
    return made
