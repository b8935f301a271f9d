"""Modes that are ready, for panels to be drawn with."""

from __future__ import annotations

import pytest

from kinema import Skeleton
from kinema.session.clips import ClipSession
from kinema.session.play import PlaySession
from kinema.session.playable import playable

from ...session.conftest import Gliding, go, library_file, until_ready, walk
from ...session.test_clips import settled


@pytest.fixture
def viewing(biped: Skeleton) -> ClipSession:
    """Two documents; the second holds two clips."""
    clips = [walk(biped, frames, name) for name, frames in (("walk", 60), ("run", 30), ("jump", 20))]
    return settled(ClipSession([library_file("a.bvh", clips[0]), library_file("b.glb", *clips[1:])]))


@pytest.fixture
def playing(gliding: Gliding) -> PlaySession:
    """Somebody who has walked for a second."""
    mode = until_ready(PlaySession(lambda say: playable(gliding)))
    go(mode, 1.0, "KeyW")
    return mode
