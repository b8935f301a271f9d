from __future__ import annotations

from kinema.worlds.camera_words import read_camera
from kinema.worlds.noun_phrases import Words
from kinema.worlds.wording import words_of


def test_cameras_are_told_apart() -> None:
    said = ("the camera circles", "the camera follows from behind", "the camera stays still")
    found = [read_camera(Words(words_of(text))) for text in said]
    assert all(each is not None for each in found)
    assert len({each[0] for each in found if each is not None}) == 3


def test_what_is_no_camera_is_left_alone() -> None:
    assert read_camera(Words(words_of("walk to the tree"))) is None
