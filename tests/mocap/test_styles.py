"""Styles of clips."""

from __future__ import annotations

import pytest

from kinema.mocap.database import Clip
from kinema.mocap.styles import style_numbers, style_of


def clip(words: str) -> Clip:
    return Clip("clip", "", 0, 10, tags=tuple(words.split()))


@pytest.mark.parametrize(
    ("words", "style"),
    [
        ("walk", ""),
        ("dataset walk turn left normal", ""),
        ("dataset walk turn left youthful", "youthful"),
        ("run youthful", "youthful"),
        ("walk not confident", "confident not"),
        ("walk confident not", "confident not"),
        ("", ""),
    ],
)
def test_a_style_is_how_and_not_where_or_how_fast(words, style):
    assert style_of(clip(words)) == style


def test_clips_of_one_style_have_one_number():
    clips = [clip(words) for words in ("walk sad", "run", "dash sad", "walk", "old")]
    assert style_numbers(clips).tolist() == [0, 1, 0, 1, 2]
    assert style_numbers([]).tolist() == []
