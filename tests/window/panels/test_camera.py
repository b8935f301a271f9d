"""The cameras."""

from __future__ import annotations

import math

import pytest

from kinema.session.clips import ClipSession
from kinema.session.target import CameraTarget
from kinema.window.cameras import Cameras
from kinema.window.panels.camera import CameraPanel

from ..conftest import Bench


def test_cameras_are_chosen_and_have_lenses(bench: Bench, viewing: ClipSession):
    bench.window.cameras = cameras = Cameras()
    cameras.update(0.1, CameraTarget.nothing(), 1.5)
    bench.draw(CameraPanel(), viewing, press="Behind")
    assert cameras.name == "Behind"
    bench.draw(CameraPanel(), viewing, angle_of_view=60.0)
    assert cameras.third.fov == pytest.approx(math.radians(60))
    cameras.orbit.distance = 100.0
    bench.draw(CameraPanel(), viewing, press=f"{bench.gui.icon('reset')}  Back to the character")
    assert cameras.orbit.distance < 10
