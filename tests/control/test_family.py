"""What a family has to supply; that this is enough, `test_controller` shows."""

from __future__ import annotations

from kinema.control.family import Family


def test_every_family_has_what_the_controller_uses(gliding, shared):
    members = [name for name in dir(Family) if not name.startswith("_")] + list(Family.__annotations__)
    assert {"replan", "advance", "sample", "contact_joints"} <= set(members)
    for family in (shared.family, gliding.family):
        assert not [name for name in members if not hasattr(family, name)]
