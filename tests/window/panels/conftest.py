"""Modes that are ready, for panels to be drawn with."""

from __future__ import annotations

import pytest

from kinema import Skeleton
from kinema.session.log import Log
from kinema.session.play import PlaySession
from kinema.session.playable import playable
from kinema.window.viewing import ViewMode

from ...session.conftest import Gliding, document, go, until_ready, walk
from ..test_viewing import settled


@pytest.fixture
def viewing(biped: Skeleton) -> ViewMode:
    """Two documents; the second holds two clips."""
    clips = [walk(biped, frames, name) for name, frames in (("walk", 60), ("run", 30), ("jump", 20))]
    return settled(ViewMode([document("a.bvh", clips[0]), document("b.glb", *clips[1:])], Log()))


@pytest.fixture
def playing(gliding: Gliding) -> PlaySession:
    """Somebody who has walked for a second."""
    mode = until_ready(PlaySession(lambda say: playable(gliding)))
    go(mode, 1.0, "KeyW")
    return mode
