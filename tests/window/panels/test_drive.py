"""Steering."""

from __future__ import annotations

import math

from kinema.window.panels.drive import DrivePanel
from kinema.session.play import PlayMode

from ..conftest import Bench


def test_speeds_and_the_crowd(bench: Bench, playing: PlayMode):
    drawn = bench.draw(DrivePanel(), playing, walk=2.0, characters=math.log2(8))
    assert playing.hand.steering.walk == 2.0 and playing.crowd == 7 and "no gamepad" in drawn
    hero = playing.hero
    bench.draw(DrivePanel(), playing, press=f"{bench.gui.icon('reset')}  Start over")
    assert playing.hero != hero and playing.crowd == 7
