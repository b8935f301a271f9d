"""Characters that join and leave a running controller."""

from __future__ import annotations

from dataclasses import fields, is_dataclass

import numpy as np
import pytest

from kinema.control.command import Commands
from kinema.control.membership import PerCharacter, carried
from kinema.errors import ControlError

DT = 1 / 60
WAYS = np.float32([[0, 0, 1.5], [1.5, 0, 0], [-1, 0, 1], [0, 0, -1]])


def test_rows_are_kept_in_order_and_new_ones_filled():
    array = np.arange(12.0).reshape(4, 3)
    made = carried(array, np.array([2, 0]), 1, -1)
    np.testing.assert_array_equal(made, [[6, 7, 8], [0, 1, 2], [-1, -1, -1]])
    made[:] = 0
    assert array[2, 0] == 6
    np.testing.assert_array_equal(carried(array, np.array([], int), 1, [7, 8, 9]), [[7, 8, 9]])
    assert carried(np.ones(3, np.float32), np.array([1]), 2).dtype == np.float32


def globals_of(controller, pose):
    return pose.global_positions


def walk(controller, ways, steps):
    for _ in range(steps):
        pose = controller.step(Commands.create(ways), DT)
    return pose


@pytest.mark.parametrize("steps", [1, 37, 90])
def test_those_who_stay_go_on_as_if_nothing_had_happened(fresh, steps):
    """Three of four stay, in another order, and one joins: against a run in which nobody leaves."""
    touched, alone = fresh(), fresh()
    touched.reset(4), alone.reset(4)
    before = walk(touched, WAYS, steps)
    walk(alone, WAYS, steps)
    keep = [3, 0, 2]
    pose = touched.select(keep, 1)
    np.testing.assert_allclose(pose.root_positions[:3], before.root_positions[keep], atol=1e-6)
    np.testing.assert_allclose(pose.root_positions[3], 0, atol=1e-6)
    for step in range(60):
        ways = WAYS if step < 30 else -WAYS
        there = globals_of(alone, alone.step(Commands.create(ways), DT))
        here = globals_of(touched, touched.step(Commands.create(ways[[*keep, 1]]), DT))
        np.testing.assert_allclose(here[:3], there[keep], atol=2e-4)


def test_a_new_character_begins_as_after_a_reset(fresh):
    joined, alone = fresh(), fresh()
    joined.reset(1), alone.reset(1)
    walk(joined, WAYS[:1], 50)
    joined.select([0], 1)
    for _ in range(60):
        new = globals_of(joined, joined.step(Commands.create(WAYS[:2]), DT))[1]
        there = globals_of(alone, alone.step(Commands.create(WAYS[1:2]), DT))[0]
        np.testing.assert_allclose(new, there, atol=2e-4)


def test_without_changes_nothing_changes(fresh):
    touched, alone = fresh(), fresh()
    touched.reset(2), alone.reset(2)
    for step in range(40):
        if step % 7 == 3:
            touched.select([0, 1])
        here, there = (made.step(Commands.create(WAYS[:2]), DT) for made in (touched, alone))
        np.testing.assert_array_equal(here.local_rotations, there.local_rotations)


def test_nonsense_is_refused_and_changes_nothing(controller):
    for keep, added in (([], 0), ([1], 0), ([-1], 1), ([0, 0], 0), ([0], -1)):
        with pytest.raises(ControlError, match=r"at least one character|distinct rows"):
            controller.select(keep, added)
    controller.step(Commands.idle(), DT)


def test_stages_print_their_settings_and_not_their_state():
    """What begins with an underscore or is not given is the state of the characters."""
    import kinema.control.foot_lock

    parts = [kind for kind in PerCharacter.__subclasses__() if is_dataclass(kind)]
    assert kinema.control.foot_lock.FootLock in parts and len(parts) >= 4
    for kind in parts:
        shown = {field.name for field in fields(kind) if field.repr}
        assert not [name for name in shown if name.startswith("_")], kind
        assert shown <= {field.name for field in fields(kind) if field.init} | {"depth", "height"}, kind
