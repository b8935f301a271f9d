"""What every mode is."""

from __future__ import annotations

import pytest

from kinema.rendering.camera import Camera
from kinema.window.events import Drop, Key
from kinema.session.log import Log
from kinema.session.session import Mode


def test_a_mode_of_nothing_is_harmless():
    mode = Mode(Log())
    camera = Camera.look_at((0, 1, 3), (0, 1, 0))
    assert mode.view(camera).actors == () and mode.subject.size == pytest.approx(1.7)
    assert mode.title == mode.waiting == "" and not mode.still and mode.failure is None
    assert not mode.key(Key("KeyA", True), {"KeyA"})
    mode.steer(frozenset(), None, 0.0)
    mode.dropped(Drop(("a",)))
    mode.update(0.1)
    mode.close()


def test_modes_have_worlds_of_their_own():
    assert Mode(Log()).world is not Mode(Log()).world
