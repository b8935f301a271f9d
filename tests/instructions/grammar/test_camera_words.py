from __future__ import annotations

import pytest

from kinema.instructions.grammar.camera_words import read_camera
from kinema.instructions.grammar.wording import words_of
from kinema.instructions.grammar.words import Words
from kinema.instructions.programme import CameraMove


def test_cameras_are_told_apart() -> None:
    said = ("the camera circles", "the camera follows from behind", "the camera stays still")
    found = [read_camera(Words(words_of(text))) for text in said]
    assert all(each is not None for each in found)
    assert len({each[0] for each in found if each is not None}) == 3


def test_what_is_no_camera_is_left_alone() -> None:
    assert read_camera(Words(words_of("walk to the tree"))) is None


@pytest.mark.parametrize(
    "said, step",
    [
        ("low cam", CameraMove(view="below")),
        ("filmed from a high angle", CameraMove(view="above")),
        ("pull the camera back", CameraMove(move="zoom out")),
        ("locked off shot", CameraMove(move="static")),
        ("pan left", CameraMove(move="pan", side="left")),
        ("the camera goes along behind him", CameraMove(move="follow", view="behind")),
        ("side tracking shot", CameraMove(move="follow", view="side")),
        ("filmed from far away", CameraMove(framing="wide")),
    ],
)
def test_cameras_are_said_in_many_ways(said: str, step: CameraMove) -> None:
    found = read_camera(Words(words_of(said)))
    assert found is not None
    assert found[0] == step
