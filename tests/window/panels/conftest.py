"""Modes that are ready, for panels to be drawn with."""

from __future__ import annotations

import pytest

from kinema import Skeleton
from kinema.session.playable import cast
from kinema.session.log import Log
from kinema.session.play import PlayMode
from kinema.window.viewing import ViewMode

from ..conftest import Gliding, document, walk
from ..test_playing import go, until_ready
from ..test_viewing import settled


@pytest.fixture
def viewing(biped: Skeleton) -> ViewMode:
    """Two documents; the second holds two clips."""
    clips = [walk(biped, frames, name) for name, frames in (("walk", 60), ("run", 30), ("jump", 20))]
    return settled(ViewMode([document("a.bvh", clips[0]), document("b.glb", *clips[1:])], Log()))


@pytest.fixture
def playing(gliding: Gliding) -> PlayMode:
    """Somebody who has walked for a second."""
    mode = until_ready(PlayMode(lambda say: cast(gliding, None, "gliding"), Log()))
    go(mode, 1.0, "KeyW")
    return mode
