"""Keys that move through a clip."""

from __future__ import annotations

import pytest

from kinema.session.playhead import Playhead
from kinema.window.events import Key
from kinema.window.transport import transport


@pytest.mark.parametrize(
    ("code", "goes"), [("ArrowRight", 35), ("ArrowLeft", 25), ("Home", 0), ("End", 59), ("KeyN", None)]
)
def test_keys_go_where_they_say(code: str, goes: int | None):
    head, went = Playhead(frames=60, fps=30.0, time=1.0), []
    assert transport(Key(code, True), head, went.append, many=5) == (goes is not None)
    assert went == ([] if goes is None else [goes])


def test_only_arrows_repeat():
    head, went = Playhead(frames=60, fps=30.0, playing=False), []
    assert transport(Key("Space", True), head, went.append) and head.playing
    assert not transport(Key("Space", True, True), head, went.append) and head.playing
    assert transport(Key("ArrowRight", True, True), head, went.append) and went == [1]
